"""``atreport demo``: three ways a report leaks, before and after, in five minutes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from rich.console import Console
from rich.text import Text

from atreport.private.attacks.equation_attack import (
    Equation,
    UnknownRule,
    closest_rule,
    influence_equations,
    negligent_report,
)
from atreport.private.attacks.inversion import cells_read_back
from atreport.private.data.decision_table import FloatArray
from atreport.private.prepare import Prepared, prepare_spec
from atreport.spec.load import parse_spec

_STYLES = {"heading": "bold", "plain": "", "bad": "red", "good": "green"}


def demo() -> None:
    """Show on a small example how a transparency report leaks, and what atreport does about it."""
    console = Console(
        highlight=False, markup=False
    )  # plain text where stdout is no terminal, or NO_COLOR is set
    signs = {"bad": "!", "good": "✓"}
    for number, line in enumerate(tell()):
        if number and line.kind == "heading":
            console.print()
        sign = signs.get(line.kind)
        text = line.text if sign is None else f"{sign} {line.text.lstrip()}"
        console.print(Text(text, style=_STYLES[line.kind]), soft_wrap=not console.is_terminal)


# Turn the paper's own example into a five-minute introduction: three ways a report leaks, before and after.
# Plain text.
#
# Everything is calculated while it is told, by the same code that attacks real drafts.

APPLICANTS = (139, 9, 2, 117, 18, 5)
"""The paper's scenario: women then men, by income below 100k, from 100k to 200k, above 200k."""

FEW_APPLICANTS = (12, 5, 3, 9, 7, 4)
"""The same rule with the populations of the paper's numerical example."""

CENSUS = np.array([0.931, 0.057, 0.012, 0.842, 0.123, 0.035])
"""What the census says of the incomes of women and of men: near the truth, not equal to it."""

RULE = (0.0, 0.0, 1.0, 0.0, 0.5, 1.0)
"""The true rule: how likely each of them is approved."""

_SPEC = """\
atreport: 1
report: {{title: Credit card applications, publisher: Example Bank, version: 1.0.0, date: 2026-01-15}}
process:
  name: Credit card approval
  outcome: {{name: decision, values: [denied, approved], favourable: approved}}
  attributes:
    - {{name: gender, role: public, values: [F, M]}}
    - {{name: income, role: sensitive, values: ["<100k", "100k-200k", ">200k"]}}
source:
  table:
{rows}
policy: {{fidelity: {{delta: 0.9}}, mechanism: {mechanism}}}
fairness:
  - {{measure: statistical_parity, groups: gender}}
"""


@dataclass(frozen=True)
class Line:
    """One line of the demo; a heading, plain words, or a finding that is bad or good."""

    text: str
    kind: Literal["heading", "plain", "bad", "good"] = "plain"


def scene(people: tuple[int, ...], mechanism: str = "optimal") -> Prepared:
    """The paper's rule on one of its populations, protected at delta 0.9."""
    groups = [(gender, income) for gender in ("F", "M") for income in ("<100k", "100k-200k", ">200k")]
    rows = "\n".join(
        f'    - {{gender: {gender}, income: "{income}", population: {number}, approved: {chance}}}'
        for (gender, income), number, chance in zip(groups, people, RULE, strict=True)
    )
    return prepare_spec(parse_spec(_SPEC.format(rows=rows, mechanism=mechanism), "demo.yaml"))


def confidence_in_high_income(favourable: FloatArray, people: FloatArray, gender: int) -> float:
    """How sure one can be that an approved person of a gender (0: F, 1: M) earns more than 200k."""
    holders = (people * favourable)[3 * gender : 3 * gender + 3]
    return float(holders[2] / holders.sum())


def mary_equations(favourable: FloatArray, people: FloatArray) -> list[Equation]:
    """What Mary knows: five printed measures of a rule, the answer to her own request, and the census.

    The measures are the two approval rates and, at each income, by how much women and men differ, without the sign.
    """
    place = np.eye(6)
    rates = [float(favourable[g] @ people[g] / people[g].sum()) for g in (slice(0, 3), slice(3, 6))]
    known = [
        Equation.printed(f"approval rate of {gender}", CENSUS * (np.arange(6) // 3 == g), rates[g], 4)
        for g, gender in enumerate("FM")
    ]
    known += [
        Equation.printed(
            "difference at an income",
            place[i] - place[3 + i],
            abs(float(favourable[i] - favourable[3 + i])),
            4,
            absolute=True,
        )
        for i in range(3)
    ]
    return [*known, Equation.printed("answer to Mary", place[0], float(favourable[0]), 4)]


def tell() -> Iterator[Line]:
    """The whole demo, line by line."""
    many, few = scene(APPLICANTS), scene(FEW_APPLICANTS)
    people = many.table.cells.population.astype(np.float64)
    true, announced = many.table.favourable, many.announcement.announced / many.announcement.scale
    yield Line("A bank decides on credit cards", "heading")
    yield Line(
        "290 people applied. The rule looks at gender and income. Gender can be seen; income is private."
    )
    yield Line("")
    yield Line("             income    <100k   100k-200k   >200k")
    yield from _rule_lines("applicants", [f"{int(n)}" for n in people])
    yield from _rule_lines("approved  ", [f"{chance:.0%}" for chance in true])
    yield from _published_rule(people, true, announced)
    yield from _mary(people, true, announced)
    yield from _influence(many)
    yield from _after(few)


def _rule_lines(what: str, values: list[str]) -> Iterator[Line]:
    for gender, start in (("women", 0), ("men  ", 3)):
        first, second, third = values[start : start + 3]
        yield Line(f"  {what} {gender}  {first:>6} {second:>11} {third:>7}")


def _published_rule(people: FloatArray, true: FloatArray, announced: FloatArray) -> Iterator[Line]:
    yield Line("Leak 1: the rule itself is published", "heading")
    yield Line(
        "You see a neighbour with the bank's card. What does the published rule tell you of her income?"
    )
    for gender, name in enumerate(("woman", "man")):
        before = people[3 * gender + 2] / people[3 * gender : 3 * gender + 3].sum()
        was = confidence_in_high_income(true, people, gender)
        now = confidence_in_high_income(announced, people, gender)
        yield Line(
            f"  A {name} with the card earns over 200k: {was:.0%} sure with the true rule ({before:.1%} "
            "without any report).",
            "bad",
        )
        yield Line(f"  With the rule as atreport announces it: {now:.0%}.", "good")
    rule = ", ".join(f"{value:.0%}" for value in announced)
    yield Line(
        f"  What is announced ({rule}) is nowhere more than 10 percentage points from the truth, and says so."
    )


def _mary(people: FloatArray, true: FloatArray, announced: FloatArray) -> Iterator[Line]:
    yield Line("Leak 2: only fairness figures are published", "heading")
    yield Line(
        "The bank prints five figures: the approval rates of women and of men, and how far they differ at each"
    )
    yield Line(
        "income. Mary, who earns less than 100k, asks why she was denied, and is told her own chance. She looks up"
    )
    yield Line("incomes in the census, writes down one equation for each figure, and solves them.")
    found = closest_rule(mary_equations(true, people))
    yield Line(
        f"  Mary finds: women from 100k to 200k are approved with {found[1]:.0%} (truth: 0%), women above 200k with "
        f"{found[2]:.0%}, men above 200k with {found[5]:.0%} (truth: 100%).",
        "bad",
    )
    yield Line(
        f"  She is {confidence_in_high_income(found, people, 0):.0%} sure of a card holder's income.", "bad"
    )
    again = closest_rule(mary_equations(announced, people))
    yield Line(
        f"  The same five figures of the announced rule lead her back to the announced rule at best: she is "
        f"{confidence_in_high_income(again, people, 0):.0%} sure.",
        "good",
    )


def _influence(many: Prepared) -> Iterator[Line]:
    yield Line("Leak 3: only questions about influence are answered", "heading")
    yield Line(
        "A regulator answers: how much does income matter to the chances of women above 200k? Of women below 100k?"
    )
    yield Line(
        "Two such answers have one unknown in common. Subtract them, and the difference of the two chances is left."
    )
    population = many.table.cells.population.astype(np.float64)
    for printed, kind, words in (
        (negligent_report(many.table, many.announcement), "bad", "Answers on the true rule"),
        (many.announcement.rule, "good", "Answers on the announced rule"),
    ):
        rule = UnknownRule(population, influence_equations(printed))
        low, high = rule.cell(2)
        yield Line(f"  {words}: women above 200k are approved with {low:.0%} to {high:.0%}.", kind)  # type: ignore[arg-type]


def _after(few: Prepared) -> Iterator[Line]:
    beta = few.announcement.group_beta / few.announcement.scale
    calibrated = scene(FEW_APPLICANTS, "calibrated")
    yield Line("What is promised", "heading")
    yield Line("The same rule, with 20 women and 20 men of more even incomes (12, 5, 3 and 9, 7, 4 people):")
    yield Line(
        "  The true rule would give away a woman's income with 100% confidence, a man's with 72%.", "bad"
    )
    yield Line(
        f"  The announced rule: at most {beta[0]:.1%} and {beta[1]:.1%}, and no rule this close to the truth does better.",
        "good",
    )
    _, back = cells_read_back(few.spec, few.table, few.announcement, "optimal")
    yield Line(
        f"  But: who knows this program can run it backwards, and read {int(back.sum())} of 6 true chances back.",
        "bad",
    )
    yield Line(
        "  With 'mechanism: calibrated' nothing can be read back; the promise is then "
        f"{float(calibrated.announcement.beta):.1%}.",
        "good",
    )
    yield Line("")
    yield Line("Next: atreport init my-report, then check, tradeoff, audit and build.")
