"""Mutants are drawn by their seed, change one place each, and are Python."""

import ast
from pathlib import Path

import pytest

from tools.mutate import KINDS, ROOT, changes, draw, mutants_of


def test_a_place_is_changed_and_nothing_else(tmp_path: Path, monkeypatch) -> None:
    """Comparisons, sums, words and signs; annotations and texts stay as they are."""
    path = tmp_path / "some.py"
    path.write_text(
        'def f(a: int = 1) -> bool:\n    """At 1."""\n    return a < 2 and min(a, 3) == f"{a + 1}"\n'
    )
    monkeypatch.setattr("tools.mutate.ROOT", tmp_path)
    found = {mutant.change for mutant in mutants_of(path, KINDS["arithmetic"])}
    assert {"a < 2 → a <= 2", "min(a, 3) → max(a, 3)", "1 → 2", "3 → 4"} <= found
    assert not any(change.startswith("a + 1") for change in found)
    assert len(list(changes(ast.parse("not x", mode="eval").body))) == 1


def test_what_runs_at_import_is_told_from_what_runs_in_a_call(tmp_path: Path, monkeypatch) -> None:
    """No test is seen to run a constant or a default: such a mutant is tried with the tests of its whole module."""
    path = tmp_path / "some.py"
    path.write_text("MOST = 1\n\n\ndef f(a: int = 3):\n    return (a, 5, 5)\n\n\nG = lambda: 7\n")
    monkeypatch.setattr("tools.mutate.ROOT", tmp_path)
    found = list(mutants_of(path, KINDS["arithmetic"]))
    assert {mutant.change for mutant in found if mutant.at_import} == {"1 → 2", "3 → 4"}
    assert {mutant.change for mutant in found if not mutant.at_import} == {"5 → 6", "7 → 8"}
    assert len({mutant.name for mutant in found}) == len(found) == 5, (
        "the same number twice in a line is two mutants"
    )


SPOKEN = '''\
def said(found, names):
    """At 1."""
    if found is None:
        return ""
    if len(names) == 1:
        words = f"{1 if found else 2} name"
    elif found:
        return "some"
    else:
        words = "none" if names else "no"
    return words + " ".join(name for name in filter(None, names) if name.isalpha())
'''


def test_conditions_filters_and_guards_of_sentences_are_changed(tmp_path: Path, monkeypatch) -> None:
    """What decides which sentence is said; sums and texts stay as they are, and each mutant is Python."""
    path = tmp_path / "some.py"
    path.write_text(SPOKEN)
    monkeypatch.setattr("tools.mutate.ROOT", tmp_path)
    mutants = list(mutants_of(path, KINDS["sentences"]))
    assert sorted(mutant.change for mutant in mutants) == [
        "'none' if names else 'no' → 'no' if names else 'none'",
        "1 → 2",
        "filter(None, names) → names",
        "found is None → found is not None",
        "found → not found",
        "if found is None: return '' → pass",
        "len(names) == 1 → len(names) != 1",
        "name.isalpha() → True",
    ]
    for mutant in mutants:
        compile(mutant.text, mutant.path, "exec")
        assert mutant.text != SPOKEN


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_mutants_are_the_same_for_the_same_seed(kind: str) -> None:
    """A survivor can be named, and tried again; the rooms and their tests are where they are looked for."""
    one, two = draw(40, 18, KINDS[kind]), draw(40, 18, KINDS[kind])
    assert len(one) == 40
    assert [mutant.name for mutant in one] == [mutant.name for mutant in two]
    for mutant in one:
        compile(mutant.text, mutant.path, "exec")
        assert mutant.text != (ROOT / mutant.path).read_text(encoding="utf-8")
    assert all((ROOT / path).exists() for path in (*KINDS[kind].targets, *KINDS[kind].tests))
