"""What a report says of how the announced rule works: influences with certified intervals, and the rule in other words."""

from typing import Literal

from pydantic import Field

from atreport.report.figures import (
    Amount,
    Condition,
    Enclosed,
    Figure,
    Interval,
    IntervalEstimate,
    ReportModel,
    Unit,
    UnitNumber,
    Whole,
)
from atreport.spec.values import OwnWords

Kind = Literal["qii", "shapley", "permutation", "firm", "lime", "pdp", "ice", "ale"]
Scheme = Literal["exact", "tree", "linear", "logistic", "regions", "anchor"]

KINDS = (
    "qii: sum (w M - B R) d / (T W), with K = attributes; of a gap, the difference of the two groups' figures. shapley: sum "
    "over all sets S of attributes of qii(S) times (|S|-1)!(n-|S|)!/n! where S has the attribute, -|S|!(n-|S|-1)!/n! where "
    "not; where cells x 2^n exceed 2^16 the interval is value +- a_priori, and a_priori is 2 (of a gap 4) times the most a "
    "single probability can move. permutation: sum over pairs of cells x, y alike outside the attribute of P(x) B(y) |d(x) "
    "- d(y)| / T^2; its interval lets every pair move by itself; a_priori is twice the most a single probability can move "
    "times the share of pairs with different values. firm: standard deviation over the attribute's values of the favourable "
    "rate, weighted by people; its interval is value +- the root of the mean square of the most by which each rate can be "
    "off; a_priori is the most a single probability can move. lime: coefficient of a least-squares model of d on a constant "
    "(attributes []) and on whether each attribute has the record's value, with weight P(x) / 2^(number of attributes that "
    "differ). pdp: the favourable rate if everybody had the value in 'at' (those for whom that does not occur keep theirs). "
    "ice: d of the cell in 'at'. ale: sum over steps i of ([i <= value] - share of people at or above i) "
    "D(i), where D(i) is "
    "the average, over people at the value i or the one before for whom both occur, of d at i minus d at the one before."
)
SCHEMES = (
    "exact: rules that give every cell its announced probability; each cell meets one of them. tree: a decision tree's "
    "leaves; the probability is the announced rate of the leaf. regions: parts of the population, in each of which one "
    "attribute decides; probabilities are announced rates. linear: base plus the amounts of a person's values, cut to "
    "between 0 and 1. logistic: the same on the scale of log odds. anchor: the fewest attributes of a record that lead to "
    "its likeliest announced outcome with the wanted precision; of several the one that holds for most people."
)
INFLUENCE = (
    "Influences and points of curves. Notation: d(x) is the announced favourable probability of a cell x, "
    "P(x) its population "
    "as published, T all people, W those of the group (everybody where the group is {}), w(x) = P(x) inside the group and 0 "
    "outside. Drawing a set K of attributes anew: B(x) = people with x's values of K; R(x) = sum of w over cells like x "
    "outside K; M(x) = sum of B over cells like x outside K. A draw that leads to a combination which does not occur is not "
    "made. value is rounded to the nearest step and calculated from the population as published (from exact counts where it "
    "is withheld); interval holds the value under every rule within the fidelity, for the exact population and for the "
    "population as published, ends rounded outward: for a linear figure sum c(x) d(x) they are the sums with d(x) at the "
    "lower or upper end of its band, by the sign of c(x). a_priori is rounded up: the most by which a single "
    "probability can "
    "move, times the sum of |c(x)|, unless said otherwise."
)
RULES = (
    "The announced rule in other words. Conditions: attribute to the values it may take, all must hold. "
    "Probabilities are of "
    "the favourable outcome. Faithfulness: how far the printed rules are from the announced probabilities, on average over "
    "people as published and at worst, rounded up."
)


class PublishedQuantity(ReportModel):
    """What is influenced: the favourable rate of a group, less that of another where minus is given."""

    title: OwnWords
    group: Condition
    minus: Condition | None


class Estimate(ReportModel):
    """A figure from random orders instead of all: how many, and how far off it is at most, with which probability."""

    orders: Whole
    error: Amount
    level: UnitNumber


class Influence(Enclosed):
    """One influence, or one point of a curve."""

    kind: Kind = Field(description=KINDS)
    attributes: tuple[str, ...] = Field(description="Of the base of local weights: none.")
    quantity: PublishedQuantity | None = Field(description="null: the announced probability itself.")
    at: dict[str, OwnWords] | None = Field(description="The value of a curve's point, or the whole record.")
    value: Figure
    interval: Interval[Figure] | None = Field(description="null: an estimate, which has no certain interval.")
    a_priori: Amount
    reach: Unit | None = Field(
        None,
        description="The share of draws (of people, for a pdp) that lead to a combination which occurs; the least over the "
        "groups and populations, rounded down.",
    )
    estimate: Estimate | None = Field(
        None,
        description="Of Shapley values of more than 12 attributes: random orders drawn, and how far all values of the "
        "quantity are from the exact ones at most, with probability level.",
    )

    @property
    def result(self) -> IntervalEstimate:
        """The figure with its interval; of an estimate, the figure alone."""
        return IntervalEstimate.model_construct(
            value=self.value, interval=self.interval or (self.value, self.value)
        )


class Rule(ReportModel):
    """If the condition holds, the announced (or nearly announced) probability of the favourable outcome."""

    condition: Condition = Field(alias="if")
    probability: Unit
    share: Unit | None = Field(None, description="The share of all people it is about, to the nearest step.")


class Region(ReportModel):
    """A part of the population in which one attribute decides; null: the average is as good."""

    condition: Condition = Field(alias="if")
    attribute: str | None
    rules: tuple[Rule, ...] = Field(min_length=1)
    share: Unit | None = None


class Coefficient(ReportModel):
    """What one value adds in a linear or logistic model; the base has no attribute."""

    attribute: str | None
    value: OwnWords | None
    amount: Figure


class Faithfulness(ReportModel):
    """How far a simpler rule is from the announced one; errors are rounded up."""

    average_error: Unit
    worst_error: Unit
    worst: dict[str, OwnWords] = Field(description="The cell with that error.")


class Anchor(Enclosed):
    """The smallest condition that leads to a record's announced outcome with the precision asked for."""

    enclosed = "precision"

    record: dict[str, OwnWords]
    outcome: OwnWords
    wanted: UnitNumber
    condition: Condition | None = Field(alias="if", description="null: not even the whole record does.")
    precision: Unit = Field(
        description="How often the condition leads to the outcome, as announced; without a condition, that of the whole "
        "record."
    )
    interval: Interval[Unit]
    coverage: Unit | None = Field(None, description="The share of all people for whom the condition holds.")


class RuleSet(ReportModel):
    """The announced rule in other words."""

    scheme: Scheme = Field(description=SCHEMES)
    depth: Whole | None = Field(None, ge=1)
    rules: tuple[Rule, ...] | None = None
    regions: tuple[Region, ...] | None = None
    coefficients: tuple[Coefficient, ...] | None = None
    faithfulness: Faithfulness | None = None
    anchor: Anchor | None = None
