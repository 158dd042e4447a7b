"""The audit: it finds what is promised kept, refuses what is not, and measures the rest."""

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from atreport import build
from atreport.core.certify import Announcement
from atreport.errors import Refused
from atreport.private import attacks as audit_module
from atreport.private.attacks import ATTACKS, Audit, audit_draft
from atreport.private.attacks.beliefs import Beliefs, attack_by_bayes, beliefs_of
from atreport.private.attacks.equation_attack import Equations
from atreport.private.attacks.finding import Attack, Case, Finding
from atreport.private.attacks.inversion import Inversion
from atreport.private.attacks.mechanisms import Mechanisms
from atreport.private.attacks.observers import Observers, confidence_in
from atreport.private.attacks.side_knowledge import confidence_with_error
from atreport.private.data.table import read_table
from atreport.private.draft import draft_announcement
from atreport.text.tables import ANNEX, TERMINAL
from tests.example import example_spec, random_table, write_example


@cache
def _audited(*edits: tuple[str, str]) -> tuple[Announcement, Audit]:
    spec = example_spec(*edits)
    table = read_table(spec)
    draft = draft_announcement(spec, table)
    return draft.announcement, audit_draft(spec, spec.public, table, draft)


def test_beliefs_are_bayes_rule_worst_first() -> None:
    """The largest belief of each group is its confidence; the list never rises."""
    spec = example_spec(("  privacy: {beta: 0.7}\n", ""))
    for seed in range(20):
        table = random_table(np.random.default_rng(seed), others=2)
        announcement = draft_announcement(spec, table).announcement
        found = beliefs_of(announcement)
        assert (np.diff(found.confidence) <= 1e-12).all()
        assert found.confidence[0] == pytest.approx(
            confidence_in(table.cells, announcement.mapping / announcement.scale).max(), abs=1e-12
        )


def test_build_writes_nothing_when_the_audit_fails(tmp_path: Path, monkeypatch) -> None:
    """The audit stands between the draft and the folder."""

    def one_too_many(case: Case) -> Beliefs:
        return replace(attack_by_bayes(case), exceeding=1)

    broken = (one_too_many, *ATTACKS[1:])
    monkeypatch.setattr(audit_module, "ATTACKS", broken)
    with pytest.raises(Refused) as caught:
        build(write_example(tmp_path), tmp_path / "out", formats=["json"])
    assert caught.value.exit_code == 3
    assert not (tmp_path / "out").exists()


def test_each_observer_of_the_paper_example() -> None:
    """Even belief 0.6835 for F; who knows the mechanism reads 2 of 3 cells back and reaches 0.909, a man's 0.72."""
    announcement, audit = _audited()
    observers = audit.of(Observers)
    assert round(float(observers.band_aware[0]), 4) == 0.6835
    assert observers.worst_consistent[0] == 1.0
    assert audit.of(Inversion).read_back.tolist() == [True, False, True, True, True, True]
    assert np.round(observers.inverting, 4).tolist() == [0.9091, 0.72]
    assert announcement.mechanism == "optimal"


def test_calibrated_draft_shows_the_price_of_itself() -> None:
    """The other mechanism is measured beside whichever was chosen."""
    _, audit = _audited(("  decimals: 4", "  mechanism: calibrated\n  decimals: 4"))
    assert [(m.mechanism, m.chosen, m.beta) for m in audit.of(Mechanisms).rows] == [
        ("calibrated", True, 0.6924),
        ("optimal", False, 0.675),
    ]
    assert not audit.of(Inversion).read_back.any()
    assert audit.of(Observers).inverting.max() <= 0.6924


@pytest.mark.parametrize("fidelity", ["alpha: 0.9", "delta: 1"])
def test_where_calibrated_is_impossible_it_says_so(fidelity: str) -> None:
    """Relative fidelity has no fixed grid; at δ = 1 there is nothing to choose."""
    _, audit = _audited(("delta: 0.9", fidelity), ("  privacy: {beta: 0.7}\n", ""))
    assert [m.mechanism for m in audit.of(Mechanisms).rows] == ["optimal"]
    assert audit.of(Mechanisms).recommendation.startswith("Only the optimal mechanism")


def test_equations_succeed_on_true_figures_and_fail_on_the_draft() -> None:
    """Each way of learning the rule: near certainty from a negligent report, at most β from this one."""
    announcement, audit = _audited()
    assert len(audit.of(Equations).rows) == 3
    for way in audit.of(Equations).rows:
        assert way.of_negligent.confidence > 0.999
        assert way.of_negligent.cells == 6
        assert way.of_release.confidence <= float(announcement.beta)


def test_every_attack_of_the_registry_is_carried_out_shown_and_written() -> None:
    """Each finding has words or tables, keys that no other uses, and tables of plain data."""
    _, audit = _audited()
    assert len(audit.findings) == len(ATTACKS)
    keys: list[str] = []
    ids: list[str] = []
    for space in (ANNEX, TERMINAL):
        for finding in audit.findings:
            part = finding.shown(space)
            assert part.heading
            assert part.text or part.tables
            assert all(len(row) == len(each.columns) for each in part.tables for row in each.rows)
            assert all(len(each.records) == len(each.rows) for each in part.tables)
            json.dumps([each.records for each in part.tables])
            ids += [each.id for each in part.tables] if space is ANNEX else []
    for finding in audit.findings:
        assert finding.exceeding == 0
        keys += finding.as_json(5)
    assert len(set(keys)) == len(keys)
    assert len(set(ids)) == len(ids)
    assert list(audit.as_json()) == ["promise_kept", *keys]
    headings = [part.heading for part in audit.shown(ANNEX)]
    assert len(set(headings)) == len(headings), "attacks with one heading stand together in the registry"


def test_an_attack_is_added_by_listing_it(tmp_path: Path, monkeypatch) -> None:
    """What a new attack gives is in the annex, in annex.json and on the terminal, and can stop a build."""

    class Found(Finding):
        heading = "Tossing a coin"

        def as_json(self, most: int | None) -> dict[str, Any]:
            return {"coin": most}

    def with_coin(exceeding: int) -> tuple[Attack, ...]:
        return (*ATTACKS, lambda _case: Found(exceeding=exceeding))

    monkeypatch.setattr(audit_module, "ATTACKS", with_coin(0))
    folder = (
        build(write_example(tmp_path), tmp_path / "out", formats=["html", "json"]).folder / "confidential"
    )
    assert "<h3>Tossing a coin</h3>" in (folder / "annex.html").read_text(encoding="utf-8")
    assert json.loads((folder / "annex.json").read_bytes())["audit"]["coin"] == audit_module.MOST_BELIEFS
    monkeypatch.setattr(audit_module, "ATTACKS", with_coin(1))
    with pytest.raises(Refused):
        build(write_example(tmp_path), tmp_path / "other", formats=["json"])


def test_wrong_population_against_all_corners() -> None:
    """The bound is attained by one choice of errors, and by none exceeded."""
    rng = np.random.default_rng(4)
    for _ in range(10):
        mass = [Fraction(int(n), 100) for n in rng.integers(1, 100, 4)]
        error = Fraction(int(rng.integers(1, 50)), 100)
        largest = max(mass) / sum(mass)
        reached = max(
            max(wrong) / sum(wrong)
            for signs in itertools.product((-1, 1), repeat=4)
            for wrong in [[m * (1 + s * error) for m, s in zip(mass, signs, strict=True)]]
        )
        assert reached == confidence_with_error(largest, error)
    assert confidence_with_error(Fraction(0), Fraction(1, 10)) == 0
