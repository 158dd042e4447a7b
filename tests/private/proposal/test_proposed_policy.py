"""The policy that init proposes: it decides verdicts at a bearable price, says why, and writes no confidential figure."""

from decimal import Decimal
from pathlib import Path

from atreport.cli.init import write_proposal
from atreport.private.prepare import prepare_spec
from atreport.private.proposal.proposed_spec import FIRST_POLICY, ProposedPolicy, propose_policy
from atreport.spec.load import parse_spec
from tests.example import changed, example_spec
from tests.finding import found
from tests.private.proposal.expected import TABLES

NO_CEILING = ("  privacy: {beta: 0.7}\n", "")


def test_without_verdicts_the_mechanism_that_cannot_be_read_back() -> None:
    """Where no rates are worth their price, nothing is lost with calibrated."""
    text = changed(NO_CEILING)
    found = propose_policy(parse_spec(text[: text.index("fairness:")] + "disclosure: {population: shares}\n"))
    assert (found.rates, found.mechanism) == (None, "calibrated")


def test_the_price_is_that_of_the_mechanism_which_is_proposed() -> None:
    """A publisher was told the confidence of the optimal mechanism beside a spec that asks for the calibrated one."""
    text = changed(NO_CEILING)
    spec = parse_spec(text[: text.index("fairness:")] + "disclosure: {population: shares}\n")
    found = propose_policy(spec)
    fidelity = spec.policy.fidelity.model_copy(update={"delta": found.delta})
    policy = spec.policy.model_copy(update={"fidelity": fidelity, "mechanism": found.mechanism})
    beta = prepare_spec(spec.model_copy(update={"policy": policy})).draft.announcement.beta
    assert f"more confident than {beta:.3f}" in found.price[0]


def test_groups_that_everybody_knows_are_left_out_where_few_people_are_in_them() -> None:
    """One man of a third gender with one income: he cannot be protected, and the others stay."""
    row = '    - {gender: M, income: "<100k", population: 9, approved: 0}\n'
    third = '    - {gender: X, income: "<100k", population: 1, approved: 0}\n'
    found = propose_policy(example_spec(NO_CEILING, ("[F, M]", "[F, M, X]"), (row, row + third)))
    assert found.suppress
    assert "  unprotectable: suppress" in "\n".join(found.lines())


def test_rates_are_kept_where_that_decides_and_the_spec_holds_no_figure(tmp_path: Path) -> None:
    """Rates decide the verdict of Berkeley. What depends on the true rule is told on the terminal; the spec has the policy alone."""
    proposed = write_proposal(tmp_path / "new", TABLES["UCBAdmissions"].write(tmp_path))
    assert (proposed.policy.rates, proposed.policy.mechanism) == (Decimal("0.99"), "optimal")
    assert "keeps rates" in proposed.policy.why_mechanism
    price = " ".join(proposed.policy.price)
    confidential = found(r"more confident than (0\.\d+)", price)
    assert confidential[1] not in (tmp_path / "new" / "report.yaml").read_text()
    for policy in (
        FIRST_POLICY,
        ProposedPolicy(rates=Decimal(1)),
        ProposedPolicy(rates=Decimal("0.98"), suppress=True),
    ):
        lines = "\n".join(policy.lines())
        text = changed(NO_CEILING)
        start, end = text.index("policy:"), text.index("fairness:")
        spec = parse_spec(text[:start] + lines + "\n" + text[end:])
        assert (spec.policy.fidelity.delta, spec.policy.fidelity.rates) == (policy.delta, policy.rates)
