"""`init --from` on real tables and on shapes that went wrong before: right or asked, never wrong; and each then builds."""

import re
from pathlib import Path

import pytest

from atreport import build, load_spec
from atreport.cli.init import Proposed, write_proposal
from atreport.errors import InvalidInput
from tests.private.proposal.expected import TABLES, Expected

QUICK = {"HMDA", "students, in words", "compas", "bank marketing", "adult"}
BUILT = {"UCBAdmissions", "credit_approval"}
"""Of the others more of the same is tried with the slow suites, where those above are built too."""

QUESTION = re.compile(r'"\?\? (?:[^"\\]|\\.)*"')


def wrong(expected: Expected, proposed: Proposed) -> list[str]:
    """What was taken for sure, and is not right."""
    proposal = proposed.proposal
    found = []
    if proposal.outcome.column not in expected.outcomes:
        found.append(f"outcome {proposal.outcome.column}")
    elif proposal.favourable not in (None, expected.outcomes[proposal.outcome.column]):
        found.append(f"favourable {proposal.favourable}")
    allowed = {"public": expected.public, "sensitive": expected.sensitive}
    found += [
        f"{attribute.role} {attribute.column}"
        for attribute in proposal.attributes
        if attribute.role != "open" and attribute.column not in allowed[attribute.role]
    ]
    first = proposal.fairness_groups[0].column
    if expected.groups and first not in expected.groups:
        found.append(f"first fairness group {first}")
    found += [f"uses {name}" for name in expected.left_out if name in proposal.columns]
    return found


def answered(path: Path, expected: Expected, proposed: Proposed) -> str:
    """The spec with every question answered as the author of the table would."""
    outcome = proposed.proposal.outcome
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        answer = (
            outcome.name
            if "name: " in line and "role" not in line
            else f'"{expected.outcomes[outcome.column]}"'
            if "favourable: " in line
            else "sensitive"
            if f"name: {proposed.proposal.attributes[-1].name}," in line
            else "public"
        )
        lines.append(QUESTION.sub(answer, line) if not line.startswith("#") else line)
    return "\n".join(lines) + "\n"


def right_or_asked(folder: Path, name: str) -> tuple[Path, str]:
    """The answered spec and its favourable outcome: what was sure is right, what is open is refused at its place."""
    expected = TABLES[name]
    proposed = write_proposal(folder / "new", expected.write(folder))
    assert not wrong(expected, proposed)
    spec = folder / "new" / "report.yaml"
    if proposed.proposal.questions:
        with pytest.raises(InvalidInput) as refused:
            load_spec(spec)
        assert len(refused.value.problems) == proposed.proposal.questions
        assert all("a question is still open" in problem.message for problem in refused.value.problems)
    spec.write_text(answered(spec, expected, proposed), encoding="utf-8")
    return spec, expected.outcomes[proposed.proposal.outcome.column]


@pytest.mark.parametrize("name", sorted(QUICK))
def test_right_or_asked(tmp_path: Path, name: str) -> None:
    """What is sure is right, and what is not is refused until it is answered; the answered spec can be read."""
    spec, favourable = right_or_asked(tmp_path, name)
    assert load_spec(spec).process.outcome.favourable == favourable


@pytest.mark.parametrize(
    "name", [name if name in BUILT else pytest.param(name, marks=pytest.mark.slow) for name in TABLES]
)
def test_right_or_asked_and_then_it_builds(tmp_path: Path, name: str) -> None:
    """The same, and the answered spec builds without a warning."""
    spec, favourable = right_or_asked(tmp_path, name)
    made = build(spec, tmp_path / "out", formats=["json"])
    assert made.report.process.outcome.favourable == favourable
    assert not made.warnings


@pytest.mark.slow
def test_most_tables_leave_few_questions(tmp_path: Path) -> None:
    """Asking everything would never be wrong, and no help: most outcomes are sure, and most favourable values too."""
    outcomes = favourable = 0
    for place, name in enumerate(sorted(set(TABLES) - {"credit_approval"})):
        folder = tmp_path / str(place)
        folder.mkdir()
        proposal = write_proposal(folder / "new", TABLES[name].write(folder)).proposal
        outcomes += not proposal.outcome_open
        favourable += proposal.favourable is not None
        assert proposal.questions <= 3
    assert (outcomes, favourable) >= (16, 13)
