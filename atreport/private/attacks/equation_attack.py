"""Attack a draft by equations, beside a negligent report that prints the same figures of the true rule. Confidential.

Ways to learn the rule: it is published; it is calculated from the fairness figures and the answer to one data subject,
from the influences and curves that the report prints, or from answers to questions of influence. Each is tried on both
reports.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atreport.core.cells import Cells, Protected, arrange, distinct_rows
from atreport.core.certify import Announcement
from atreport.core.rule_table import CellBounds, RuleTable
from atreport.explain import explain_influence, weighted_sum
from atreport.measures import measure_one
from atreport.measures.measured import Measured
from atreport.measures.membership import certain_and_possible_members
from atreport.measures.rates import named_groups
from atreport.private.attacks.finding import Case, Finding, FindingTable
from atreport.private.attacks.observers import confidence_in, true_bands
from atreport.private.data.decision_table import DecisionTable, FloatArray
from atreport.private.true_rule import TrueRule, out_of, share
from atreport.spec.fairness import ErrorRates, IndividualFairness, Measure, labels_of
from atreport.spec.spec import PublicSpec
from atreport.spec.transparency import Transparency
from atreport.text.numbers import nearest
from atreport.text.tables import Shown, named, numeric

# Turn printed figures into bounds on the unknown rule behind them: the attack by equations. Confidential.
#
# Every figure is a linear constraint on the rule, and a linear program says what all of them together give
# away. The unknowns are the favourable probabilities of the cells. A figure printed as 0.1234 says that a
# weighted sum of them lies within half a printed step of it. A bias printed without its sign leaves two
# cases; each is tried, and those that contradict the other figures fall away. Confidence is a ratio of two
# such sums, which Charnes and Cooper's substitution makes a linear program of its own.
#
# Guarantee: the bounds of a cell and of a confidence hold every rule that agrees with the figures (up to the
# solver's tolerance of about 1e-7), so the lower bound of a confidence is what the adversary is sure to have.

MOST_CASES = 6
"""At most so many biases without a sign are used: each doubles the number of cases."""


_NOBODY = 1e-9
"""A share of people below this is nobody, up to the solver's tolerance."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Equation:
    """What one printed figure says: low ≤ coefficients · x ≤ high, or the same of the absolute value."""

    figure: str
    coefficients: FloatArray
    low: float
    high: float
    absolute: bool = False

    @classmethod
    def printed(
        cls, figure: str, coefficients: FloatArray, value: float, decimals: int, *, absolute: bool = False
    ) -> Equation:
        """A figure rounded to the nearest printed step."""
        half = 0.5 * 10.0**-decimals
        return cls(
            figure=figure,
            coefficients=coefficients,
            low=value - half,
            high=value + half,
            absolute=absolute,
        )


@dataclass(frozen=True, eq=False)
class Target:
    """What an adversary wants to infer of one group: a sensitive value, from an outcome."""

    group: int
    favourable: bool  # the person's outcome is the favourable one, or another
    attribute: str
    inside: NDArray[np.bool_]  # the cells with the value
    around: NDArray[np.bool_]  # the cells of the group

    def confidence(self, population: FloatArray, favourable: FloatArray) -> float:
        """The confidence under a known rule; 0 where the outcome never occurs."""
        joint = population * (favourable if self.favourable else 1 - favourable)
        total = float(joint[self.around].sum())
        return float(joint[self.inside].sum()) / total if total > 0 else 0.0


def targets_of(cells: Cells, groups: Iterable[int]) -> list[Target]:
    """Every sensitive value of some groups, with both outcomes."""
    return [
        Target(group, favourable, protected.attribute, protected.index == value, cells.group == group)
        for group in groups
        for protected in cells.protected
        for value in _values_in(protected, group)
        for favourable in (True, False)
    ]


def _values_in(protected: Protected, group: int) -> list[int]:
    return [int(value) for value in np.flatnonzero(protected.group == group)]


class UnknownRule:
    """All rules that agree with some equations, as a polytope for each case of the unknown signs."""

    def __init__(self, population: FloatArray, equations: Sequence[Equation]) -> None:
        self.population = population / population.sum()  # HiGHS drifts on large coefficients
        self._cases = [case for case in _cases(equations, len(population)) if self._is_possible(case)]

    @property
    def is_possible(self) -> bool:
        """Whether any rule agrees with the equations."""
        return bool(self._cases)

    def cell(self, cell: int) -> tuple[float, float]:
        """The least and greatest probability of a cell."""
        wanted = np.zeros(len(self.population))
        wanted[cell] = 1.0
        return self._over_cases(lambda case, sign: _optimum(sign * wanted, case, (0.0, 1.0)))

    def confidence(self, target: Target) -> tuple[float, float]:
        """The least and greatest confidence in a sensitive value; 0 to 0 where the outcome cannot occur."""
        return self._over_cases(lambda case, sign: self._confidence(target, case, sign))

    def sure_confidence(self, target: Target) -> float:
        """The confidence an adversary is sure to have, whichever of the rules is the true one."""
        least = [self._confidence(target, case, 1.0) for case in self._cases]
        return max(0.0, min((value for value in least if value is not None), default=0.0))

    def _over_cases(self, optimum: Any) -> tuple[float, float]:
        found = [
            (low, -high)
            for case in self._cases
            if (low := optimum(case, 1.0)) is not None and (high := optimum(case, -1.0)) is not None
        ]
        if not found:
            return 0.0, 0.0
        return max(0.0, min(low for low, _ in found)), min(1.0, max(high for _, high in found))

    def _is_possible(self, case: SignCase) -> bool:
        return _optimum(np.zeros(len(self.population)), case, (0.0, 1.0)) is not None

    def _confidence(self, target: Target, case: SignCase, sign: float) -> float | None:
        """Charnes and Cooper: with t = 1 / (mass of the outcome) and y = t·x, a linear program in (y, t).

        Where a rule that agrees gives the outcome to nobody, the least is 0: such an outcome teaches nothing.
        """
        p, number = self.population, len(self.population)
        inside, around = (np.where(where, p, 0.0) for where in (target.inside, target.around))
        if sign > 0:
            least = _optimum(around if target.favourable else -around, case, (0.0, 1.0))
            if least is not None and least + (0.0 if target.favourable else around.sum()) <= _NOBODY:
                return 0.0
        if target.favourable:
            wanted, mass = np.append(inside, 0.0), np.append(around, 0.0)
        else:
            wanted, mass = np.append(-inside, inside.sum()), np.append(-around, around.sum())
        # the rows of the case times t, and y ≤ t
        rows = np.vstack(
            [
                np.column_stack([case.rows, -case.limits]),
                np.column_stack([np.eye(number), -np.ones(number)]),
            ]
        )
        scaled = SignCase(rows=rows, limits=np.zeros(len(rows)))
        return _optimum(sign * wanted, scaled, (0.0, None), equal=mass)


def closest_rule(equations: Sequence[Equation]) -> FloatArray:
    """The rule that misses the figures by least, where side knowledge is not exact and none may agree with all of them."""
    number = len(equations[0].coefficients)
    found: list[tuple[float, FloatArray]] = []
    for case in _cases(equations, number):
        relaxed = SignCase(rows=np.column_stack([case.rows, -np.ones(len(case.rows))]), limits=case.limits)
        result = _solve(np.append(np.zeros(number), 1.0), relaxed, [(0.0, 1.0)] * number + [(0.0, None)])
        found.append((float(result.fun), np.asarray(result.x[:number])))
    return min(found, key=lambda miss_and_rule: miss_and_rule[0])[1]


@dataclass(frozen=True, eq=False)
class SignCase:
    """One choice of the unknown signs: rows · x ≤ limits."""

    rows: FloatArray
    limits: FloatArray


def _cases(equations: Sequence[Equation], number: int) -> Iterator[SignCase]:
    plain = [e for e in equations if not e.absolute]
    # a bias of nothing is one case, not two
    doubtful = [e for e in equations if e.absolute and e.low > 0][:MOST_CASES]
    level = [e for e in equations if e.absolute and e.low <= 0]
    for signs in product((1.0, -1.0), repeat=len(doubtful)):
        rows = [e.coefficients for e in plain] + [e.coefficients for e in level]
        lows = [e.low for e in plain] + [-e.high for e in level]
        highs = [e.high for e in plain] + [e.high for e in level]
        for sign, equation in zip(signs, doubtful, strict=True):
            rows.append(sign * equation.coefficients)
            lows.append(equation.low)
            highs.append(equation.high)
        both = np.array(rows).reshape(-1, number)
        yield SignCase(rows=np.vstack([both, -both]), limits=np.array([*highs, *(-low for low in lows)]))


def _optimum(
    wanted: FloatArray, case: SignCase, bounds: tuple[float, float | None], equal: FloatArray | None = None
) -> float | None:
    """The least value of wanted · x over a case (with equal · x = 1); None where no x agrees."""
    result = _solve(wanted, case, bounds, equal)
    return float(result.fun) if result.status == 0 else None


def _solve(wanted: FloatArray, case: SignCase, bounds: Any, equal: FloatArray | None = None) -> Any:
    # Here and not above: it takes a third of a second to import, and most specs print no figures that such a program needs.
    from scipy.optimize import linprog

    return linprog(
        wanted,
        A_ub=case.rows if len(case.rows) else None,
        b_ub=case.limits if len(case.rows) else None,
        A_eq=None if equal is None else equal[None, :],
        b_eq=None if equal is None else [1.0],
        bounds=bounds,
        method="highs",
    )


# Turn a report's figures into equations on the unknown rule: what a reader could calculate with.
# Confidential.
#
# The same function serves the report as drafted and a negligent one, which prints the same figures of the
# true rule.

Mask = NDArray[np.bool_]

_DIFFERENCES = ("statistical_parity", "conditional_statistical_parity")


def fairness_equations(table: RuleTable, asked: Sequence[Measure]) -> list[Equation]:
    """Group rates and differences of rates, as printed. Other measures follow from the rates or are not linear."""
    found: list[Equation] = []
    for measure in asked:
        if not isinstance(measure, IndividualFairness):
            masks = dict(named_groups(table.cells, measure.groups))
            for each in measure_one(table, measure, unknown=False):
                if isinstance(each, Measured):
                    found += (
                        _of_measure(table, masks, each)
                        if each.rate is None
                        else _of_errors(table, masks, each)
                    )
    return list({(e.figure, e.coefficients.tobytes()): e for e in found}.values())


def _of_measure(table: RuleTable, masks: Mapping[str, Mask], found: Measured) -> Iterator[Equation]:
    cells, decimals = table.cells, table.decimals
    inside = _stratum(cells, found)
    rates = {rate.group: _rate(cells, masks[rate.group] & inside) for rate in found.rates}
    values = {rate.group: nearest(rate.ranges[0].value, decimals) for rate in found.rates}
    for group, value in values.items():
        yield Equation.printed(f"favourable rate of {group}", rates[group], float(value), decimals)
    binary = table.mapping.shape[1] == 2
    if found.asked.measure in _DIFFERENCES and found.groups and found.ranges and binary:
        first, second = found.groups
        if first in rates and second in rates:
            # the printed rates tell the sign of their difference, unless they are equal
            sign = -1.0 if values[first] < values[second] else 1.0
            yield Equation.printed(
                "difference of rates",
                sign * (rates[first] - rates[second]),
                float(nearest(found.ranges[0].value, decimals)),
                decimals,
                absolute=values[first] == values[second],
            )


def _of_errors(table: RuleTable, masks: Mapping[str, Mask], found: Measured) -> Iterator[Equation]:
    """Error rates that are rates of a part of a group; the predictive rate is no linear figure."""
    cells, asked = table.cells, found.asked
    assert isinstance(asked, ErrorRates)
    sides = {
        "true_positive": asked.positive_values(cells.process),
        "false_positive": asked.negative_values(cells.process),
    }
    for rate in found.rates:
        if rate.kind in sides:
            part, _ = certain_and_possible_members(cells, {asked.label: sides[rate.kind]})
            value = float(nearest(rate.ranges[0].value, table.decimals))
            inside = _rate(cells, masks[rate.group] & part)
            yield Equation.printed(f"{rate.kind} of {rate.group}", inside, value, table.decimals)


def _stratum(cells: Cells, found: Measured) -> Mask:
    inside = np.ones(len(cells), dtype=bool)
    for name, value in (found.given or {}).items():
        inside &= cells.column(name) == cells.process.attribute(name).values.index(value)
    return inside


def _rate(cells: Cells, mask: Mask) -> FloatArray:
    weights = np.where(mask, cells.population.astype(np.float64), 0.0)
    return np.asarray(weights / weights.sum())


def answer_equations(table: RuleTable) -> list[Equation]:
    """The answer to one data subject in every group, about their own record: a person of its largest cell asks."""
    found = []
    for start, end in zip(
        table.cells.group_starts, [*table.cells.group_starts[1:], len(table.cells)], strict=True
    ):
        cell = int(start) + int(np.argmax(table.cells.population[start:end]))
        coefficients = np.zeros(len(table.cells))
        coefficients[cell] = 1.0
        value = int(table.announced[cell]) / table.scale
        found.append(Equation(figure="answer to a person", coefficients=coefficients, low=value, high=value))
    return found


def promise_equations(table: RuleTable) -> list[Equation]:
    """What a report promises about the rule behind it: every cell in its band and, where they are kept, every group's rate.

    A negligent report is read in the same way: what it prints is the truth, so its bands and rates lie around the truth.
    """
    low, high = true_bands(table)
    place = table.cells.process.outcome.values.index(table.cells.process.outcome.favourable)
    announced = table.announced / table.scale
    found = [
        Equation(figure="fidelity", coefficients=row, low=float(a), high=float(b))
        for row, a, b in zip(np.eye(len(table.cells)), low[:, place], high[:, place], strict=True)
    ]
    if table.rate_move is not None:
        for group in range(len(table.cells.group_starts)):
            rate = _rate(table.cells, table.cells.group == group)
            middle, move = float(rate @ announced), float(table.rate_move)
            found.append(
                Equation(figure="rate of a group", coefficients=rate, low=middle - move, high=middle + move)
            )
    return found


def explanation_equations(
    table: RuleTable, asked: Transparency, labels: Collection[str] = ()
) -> list[Equation]:
    """The influences and curves of the report itself, as printed; those that are not linear are left out.

    They explain the rule without its labels, on average over them: a figure of such an average is one of all its cells.
    """
    described = table.without(labels)
    weights, kept = described.published_weights[0], described.cells.process.attributes
    shares = table.published_weights[0].astype(np.float64)
    columns = [np.column_stack([of.column(a.name) for a in kept]) for of in (described.cells, table.cells)]
    _, both = distinct_rows(np.concatenate(columns))
    place = np.argsort(both[: len(described.cells)])[both[len(described.cells) :]]
    shares /= np.bincount(place, weights=shares)[place]
    found = []
    for figure in explain_influence(described, asked):
        weighted = weighted_sum(described.cells, weights, figure)
        if weighted is not None:
            coefficients = (weighted.coefficients / weighted.denominator).astype(np.float64)
            value = float(figure.value)
            # printed to the nearest step, and where labels were averaged over, of averages to the nearest step
            steps = 1 + (np.abs(coefficients).sum() if labels else 0)
            half = 0.5 * 10.0**-table.decimals * steps
            found.append(
                Equation(
                    figure=figure.kind,
                    coefficients=coefficients[place] * shares,
                    low=value - half,
                    high=value + half,
                )
            )
    return found


def influence_equations(table: RuleTable) -> list[Equation]:
    """Answers to questions of influence (QII): what all attributes but the public ones do for people of a sensitive value.

    The quantity is the favourable rate of the people of a group with a value; the intervention draws all their other
    attributes from everybody's, independently. Combinations that do not occur in the group are left out of the draw.
    """
    cells = table.cells
    drawn = _share_of_private_values(cells)
    announced = table.announced / table.scale
    found = []
    for protected in cells.protected:
        for value, group in enumerate(protected.group):
            in_group = np.where(cells.group == group, drawn, 0.0)
            influence = _rate(cells, protected.index == value) - in_group / in_group.sum()
            name = f"influence on people with a value of {protected.attribute}"
            printed = round(float(influence @ announced), table.decimals)
            found.append(Equation.printed(name, influence, printed, table.decimals))
    return found


def _share_of_private_values(cells: Cells) -> FloatArray:
    """For every cell, how many of all people share its values of the attributes that are not public."""
    names = [a.name for a in cells.process.attributes if a.role != "public"]
    columns = np.column_stack([cells.column(name) for name in names])
    _, index = np.unique(columns, axis=0, return_inverse=True)
    people = np.bincount(index.ravel(), weights=cells.population.astype(np.float64))
    return np.asarray(people[index.ravel()] / cells.population.sum())


MOST_CELLS = 24
"""Larger tables are attacked in their most exposed groups only, with figures about those groups alone."""

TOLERANCE = 1e-6
"""How far linear programs may be off."""

FOUND = 0.02
"""A cell is found where all rules that agree with the figures lie within this of one another."""


Questions = tuple[str, Callable[[RuleTable], Sequence[Equation]]]
"""A way to learn the rule: its name, and the equations that it gives on a printed rule."""

_INFLUENCE: Questions = ("Answers on the influence of what is not public (QII)", influence_equations)


@dataclass(frozen=True, kw_only=True)
class Learnt:
    """What one way of learning the rule gives: the confidence an observer is sure to have, and the cells found."""

    confidence: float
    cells: int
    bounds: tuple[tuple[float, float], ...] = ()  # of the favourable probability of each attacked cell


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to learn the rule, tried on a negligent report and on the draft."""

    way: str
    attacked_cells: int
    of_negligent: Learnt
    of_release: Learnt


def _columns(confidence: str, cells: str, learnt: str) -> tuple[Shown, Shown]:
    """Two columns on what was learnt from one of the two reports."""
    return (
        numeric(confidence, lambda row: share(row[learnt]["confidence"])),
        numeric(cells, lambda row: out_of(row[learnt]["cells"], row["attacked_cells"])),
    )


class Equations(Finding):
    """Every way of learning the rule from printed figures, a row each, with bounds for every attacked cell."""

    heading = "Calculating from printed figures"
    text = (
        "Each printed figure is an equation on the unknown rule. Together they can give the rule away even where it is not "
        "printed. The left half shows what a negligent report would have allowed, with the same figures of the true rule; "
        "the right half shows the same attack on this draft. A “sure” confidence is one that every rule in agreement with "
        "the figures gives; a cell is found where those rules differ by at most two percentage points."
    )
    listing = FindingTable(
        key="equations",
        id="equations",
        caption="Learning the rule from printed figures",
        columns=(
            named("What is printed", "way"),
            *_columns("Of the true rule: sure confidence", "True cells found", "of_negligent"),
            *_columns("Of the announced rule: sure confidence", "Announced cells found", "of_release"),
        ),
        exactly=True,
    )


def attack_by_equations(case: Case) -> Equations:
    """Every way of learning the rule, tried on both reports.

    Only the published rule is tried where a single group is too large, or where no close look is wanted.
    """
    ways, most = _ways(case), float(case.announcement.beta) + TOLERANCE
    return Equations(rows=ways, exceeding=sum(way.of_release.confidence > most for way in ways))


def _ways(case: Case) -> tuple[Way, ...]:
    spec, announcement, closely = case.public, case.announcement, case.closely
    negligent, announced = negligent_report(case.table, announcement), announcement.rule
    published = Way(
        way="The rule is published",
        attacked_cells=len(announced.cells),
        of_negligent=_known_rule(negligent),
        of_release=_known_rule(announced),
    )
    part = _attacked_part(announcement)
    if part is None or not closely:
        return (published,)
    if len(part) < len(announced.cells):
        negligent, announced = _part_of(negligent, part), _part_of(announced, part)
        ways = [_INFLUENCE, *_promised(announced)]
    else:
        ways = [*_ways_of_the_report(spec), _INFLUENCE, *_promised(announced)]
    return (
        published,
        *(
            Way(
                way=way,
                attacked_cells=len(part),
                of_negligent=learn(negligent, equations(negligent)),
                of_release=learn(announced, equations(announced)),
            )
            for way, equations in ways
        ),
    )


def _promised(rule: RuleTable) -> Iterator[tuple[str, Callable[[RuleTable], Sequence[Equation]]]]:
    """The way that starts from what a report promises about the true rule, where it keeps rates."""
    if rule.rate_move is not None:
        yield ("The fidelity and the rates of groups that the report keeps", promise_equations)


def _ways_of_the_report(spec: PublicSpec) -> Iterator[Questions]:
    """The ways that use figures about everybody, as the spec asks for them."""
    fairness, transparency = spec.fairness, spec.transparency
    if fairness:
        yield (
            "Fairness figures, and the answer to one data subject in each group",
            lambda printed: [*fairness_equations(printed, fairness), *answer_equations(printed)],
        )
    if transparency.influence.quantities or transparency.dependence:
        yield (
            "Fairness figures, influences and curves of the report",
            lambda printed: [
                *fairness_equations(printed, fairness),
                *explanation_equations(printed, transparency, labels_of(fairness)),
            ],
        )


def learn(printed: RuleTable, equations: Sequence[Equation]) -> Learnt:
    """What the equations give away of the rule that made them."""
    cells = printed.cells
    population = cells.population.astype(np.float64)
    rule = UnknownRule(population, equations)
    favourable = printed.announced / printed.scale
    bounds = [rule.cell(cell) for cell in range(len(cells))]
    sure = surest(rule, targets_of(cells, range(len(cells.group_starts))), population, favourable)
    return Learnt(
        confidence=sure,
        cells=sum(high - low <= FOUND for low, high in bounds),
        bounds=tuple((round(low, 9), round(high, 9)) for low, high in bounds),
    )


def surest(
    rule: UnknownRule, targets: Sequence[Target], population: FloatArray, favourable: FloatArray
) -> float:
    """The largest confidence that an adversary is sure to have in any target.

    The rule behind the figures agrees with them, so no adversary is surer than that rule makes them: targets are tried in
    that order until none can be better.
    """
    ranked = sorted(((t.confidence(population, favourable), i) for i, t in enumerate(targets)), reverse=True)
    best = 0.0
    for most, index in ranked:
        if most <= best:
            break
        best = max(best, min(most, rule.sure_confidence(targets[index])))
    return best


def _known_rule(printed: RuleTable) -> Learnt:
    confidence = confidence_in(printed.cells, printed.mapping / printed.scale)
    return Learnt(confidence=float(confidence.max()), cells=len(printed.cells))


def negligent_report(table: DecisionTable, announcement: Announcement) -> RuleTable:
    """What somebody would print who does not think of privacy: the true rule, to the same decimals."""
    return TrueRule(table).rule_table(announcement.decimals, like=announcement.rule)


def _attacked_part(announcement: Announcement) -> list[int] | None:
    """The cells to attack: all of a small table, or the groups with the highest confidence that make a small one."""
    cells = announcement.cells
    if len(cells) <= MOST_CELLS:
        return list(range(len(cells)))
    sizes = np.diff(np.append(cells.group_starts, len(cells)))
    chosen: list[int] = []
    for group in np.lexsort(
        (-announcement.group_beta, announcement.group_prior >= announcement.scale)
    ).tolist():
        if len(chosen) + sizes[group] <= MOST_CELLS:
            start = int(cells.group_starts[group])
            chosen += range(start, start + int(sizes[group]))
        elif chosen:
            break
    return sorted(chosen) or None


def _part_of(rule: RuleTable, part: list[int]) -> RuleTable:
    """Some groups, as if there were no others; to ask only about what looks at cells, probabilities and their bands."""
    cells, _ = arrange(rule.cells.process, rule.cells.codes[part], rule.cells.population[part])
    weights = tuple(each[part] for each in rule.weights)
    fidelity = rule.fidelity
    if isinstance(fidelity, CellBounds):
        fidelity = replace(fidelity, lower=fidelity.lower[part], upper=fidelity.upper[part])
    return replace(rule, cells=cells, mapping=rule.mapping[part], weights=weights, fidelity=fidelity)
