"""What the truth can be, by independent methods: linear programs over all possible rules (HiGHS), and corners of boxes.

A random announcement comes with a truth that it may stand for. Every figure's certified interval is compared with the least and
the largest value that any possible rule gives it; `python tests/attainable.py 2000` prints the table of docs/guarantees.md.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter
from scipy.optimize import linprog

from atreport.core.band import Closeness, Range, bands_around
from atreport.core.cells import Cells, arrange
from atreport.core.rule_table import RuleTable
from atreport.explain import explain_influence, weighted_sum
from atreport.explain.permutation import average_change
from atreport.measures import measure_one
from atreport.measures.measured import Measured
from atreport.measures.rates import named_groups, strata_of
from atreport.report.explanation import Influence
from atreport.report.figures import printed_interval, printed_value
from atreport.spec.fairness import Measure
from atreport.spec.process import Process
from atreport.spec.transparency import Transparency

FloatArray = NDArray[np.float64]
Ends = tuple[float, float]

MEASURE: TypeAdapter[Any] = TypeAdapter(Measure)
OVERLAPPING = {"all": {"group": ["g0", "g1"]}, "some": {"group": ["g0"]}}
CROSSING = {"a": {"secret": ["s0", "s1"]}, "b": {"group": ["g0"]}}
NOT_A_METRIC = {"secret": {"matrix": [[0, 0.1, 0.9], [0.1, 0, 0.1], [0.9, 0.1, 0]]}, "group": 0.2}
MEASURES: dict[str, dict[str, Any]] = {
    "statistical parity": {"measure": "statistical_parity", "groups": "group"},
    "statistical parity, private groups": {"measure": "statistical_parity", "groups": "secret"},
    "statistical parity, overlapping": {"measure": "statistical_parity", "groups": OVERLAPPING},
    "statistical parity, crossing": {"measure": "statistical_parity", "groups": CROSSING},
    "conditional parity": {
        "measure": "conditional_statistical_parity",
        "groups": "group",
        "given": "secret",
    },
    "p% rule": {"measure": "p_percent_rule", "groups": "group"},
    "p% rule, overlapping": {"measure": "p_percent_rule", "groups": OVERLAPPING},
    "p% rule, crossing": {"measure": "p_percent_rule", "groups": CROSSING},
    "p% rule, all outcomes": {"measure": "p_percent_rule", "groups": CROSSING, "outcomes": "all"},
    "impact ratio": {"measure": "impact_ratio", "groups": "secret"},
    "impact ratio, overlapping": {"measure": "impact_ratio", "groups": OVERLAPPING},
    "group disparity": {"measure": "group_disparity", "groups": "secret"},
    "individual": {"measure": "individual", "distance": {"secret": {"scale": 0.1}, "group": 0.2}},
    "individual, no metric": {"measure": "individual", "distance": NOT_A_METRIC},
}
EXPLANATIONS: dict[str, Any] = {
    "influence": {
        "qii": True,
        "shapley": True,
        "permutation": True,
        "firm": True,
        "quantities": [{"title": "gap", "group": {"group": ["g0"]}, "minus": {"group": ["g1"]}}],
        "local_weights": [],
    },
    "dependence": {"curves": ["pdp", "ice", "ale"], "attributes": ["secret"]},
}
PRECISE: Any = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
LINEAR = ("qii", "shapley", "pdp", "ice", "ale")


@dataclass(frozen=True, eq=False)
class Case:
    """A rule table and a truth that it may stand for."""

    table: RuleTable
    truth: list[list[Fraction]]  # (cells, outcomes)


def process(outcomes: int) -> Process:
    """Two public groups, three secret values, and now and then a third attribute."""
    return Process.model_validate(
        {
            "name": "test",
            "outcome": {
                "name": "decision",
                "values": ["no", "later", "yes"][:: 2 if outcomes == 2 else 1],
                "favourable": "yes",
            },
            "attributes": [
                {"name": "group", "role": "public", "values": ["g0", "g1"]},
                {"name": "secret", "role": "sensitive", "values": ["s0", "s1", "s2"]},
                {"name": "other", "role": "private", "values": ["o0", "o1"]},
            ],
        }
    )


def random_case(rng: np.random.Generator, *, outcomes: int = 2, rates: bool = False) -> Case:
    """A random truth, and an announcement within its fidelity that keeps rates if asked to."""
    codes = np.array([*product(range(2), range(3), range(int(rng.integers(1, 3))))], dtype=np.int32)
    kept = rng.random(len(codes)) < rng.uniform(0.7, 1.3)
    kept[[0, -1]] = True
    codes = codes[kept]
    cells, _ = arrange(process(outcomes), codes, rng.integers(1, 60, len(codes)))
    hard = rng.random(len(cells)) < rng.random()
    soft = rng.dirichlet([0.7] * outcomes, len(cells))
    true = np.array(
        [
            rng.multinomial(10**4, np.where(h, np.rint(p), p) / np.where(h, np.rint(p), p).sum())
            if h and np.rint(p).sum()
            else rng.multinomial(10**4, p)
            for h, p in zip(hard, soft, strict=True)
        ]
    )
    delta = Decimal(str(rng.choice(["0.8", "0.9", "0.95"])))
    tau = Decimal(str(rng.choice(["0.9999", "0.99", "0.97"]))) if rates else None
    announced = _announced(rng, cells, true, int((1 - delta) * 10**4), tau)
    table = RuleTable(
        cells=cells,
        mapping=announced,
        decimals=4,
        fidelity=Closeness(delta=delta),
        weights=(cells.population,),
        population="counts",
        rates=tau,
    )
    return Case(table, [[Fraction(int(n), 10**4) for n in row] for row in true])


def _announced(
    rng: np.random.Generator, cells: Cells, true: NDArray[Any], most: int, rates: Decimal | None
) -> NDArray[np.int64]:
    announced = true.copy()
    for cell in range(len(cells)):
        source, target = rng.permutation(true.shape[1])[:2]
        moved = int(rng.integers(0, min(most, true[cell, source]) + 1))
        announced[cell, source] -= moved
        announced[cell, target] += moved
    if rates is not None:
        for group in range(int(cells.group[-1]) + 1):
            inside = cells.group == group
            people = cells.population[inside]
            off = abs(people @ (announced - true)[inside]) / people.sum()
            if (off > float(1 - rates) * 10**4).any():  # part of the way only, as far as whole steps go
                part = float(1 - rates) * 10**4 / off.max()
                moved = np.trunc((announced - true)[inside] * part).astype(np.int64)
                moved[:, 0] -= moved.sum(axis=1)
                fits = (abs(people @ moved) <= float(1 - rates) * 10**4 * people.sum()).all()
                fits = fits and ((true[inside] + moved) >= 0).all() and (abs(moved) <= most).all()
                announced[inside] = true[inside] + (moved if fits else 0)
    return announced


class PossibleRules:
    """All rules that a table allows, as a polytope for HiGHS: variables are (cell, outcome)."""

    def __init__(self, table: RuleTable) -> None:
        assert isinstance(table.fidelity, Closeness)
        bands = bands_around(table.mapping, table.scale, table.fidelity)
        self.cells: int = len(table.cells)
        self.outcomes: int = table.mapping.shape[1]
        self.lower = np.column_stack([b.lower / b.denominator for b in bands]).ravel().astype(float)
        self.upper = np.column_stack([b.upper / b.denominator for b in bands]).ravel().astype(float)
        self.sums = np.kron(np.eye(self.cells), np.ones(self.outcomes))
        rows, limits = [], []
        if table.rate_move is not None:
            for group in range(int(table.cells.group[-1]) + 1):
                people = np.where(table.cells.group == group, table.cells.population, 0).astype(float)
                people /= people.sum()
                for outcome in range(self.outcomes):
                    row = np.zeros((self.cells, self.outcomes))
                    row[:, outcome] = people
                    announced = float(people @ table.mapping[:, outcome]) / table.scale
                    rows += [row.ravel(), -row.ravel()]
                    limits += [announced + float(table.rate_move), float(table.rate_move) - announced]
        self.rows = np.array(rows).reshape(len(rows), self.size)
        self.limits = np.array(limits)

    @property
    def size(self) -> int:
        """How many variables there are."""
        return self.cells * self.outcomes

    def least(self, cost: FloatArray, rows: Any = (), limits: Any = ()) -> float | None:
        """The least cost, with further variables and rows where given; None: no rule keeps the rows."""
        more = len(cost) - self.size
        rows = np.array(rows).reshape(-1, len(cost))
        found = linprog(
            cost,
            A_ub=np.vstack([np.hstack([self.rows, np.zeros((len(self.rows), more))]), rows]),
            b_ub=np.concatenate([self.limits, limits]),
            A_eq=np.hstack([self.sums, np.zeros((self.cells, more))]),
            b_eq=np.ones(self.cells),
            bounds=[*zip(self.lower, self.upper, strict=True), *[(None, None)] * more],
            method="highs",
            options=PRECISE,
        )
        return None if found.status else float(found.fun)  # type: ignore[arg-type]

    def ends(self, form: FloatArray) -> Ends:
        """The least and the largest value of a linear form."""
        low, high = self.least(form), self.least(-form)
        assert low is not None
        assert high is not None
        return low, -high

    def largest_ratio(self, one: FloatArray, other: FloatArray) -> float:
        """The largest ratio of two forms that are not negative; without an end: infinity; of nothing to nothing: 1.

        The rule is multiplied so that the second form is 1 (Charnes and Cooper): so a group with nobody favoured is no
        reason to give up, for where one group is part of the other the ratio may be bounded all the same.
        """
        if self.ends(other)[1] < 1e-12:
            return np.inf if self.ends(one)[1] > 1e-12 else 1.0
        times = np.concatenate([-self.upper, self.lower, -self.limits])[:, None]
        rows = np.vstack([np.eye(self.size), -np.eye(self.size), self.rows])
        found = linprog(
            np.append(-one, 0.0),
            A_ub=np.hstack([rows, times]),
            b_ub=np.zeros(len(rows)),
            A_eq=np.vstack([np.hstack([self.sums, -np.ones((self.cells, 1))]), np.append(other, 0.0)]),
            b_eq=np.append(np.zeros(self.cells), 1.0),
            bounds=[(0, None)] * (self.size + 1),
            method="highs",
            options=PRECISE,
        )
        return np.inf if found.status in (3, 4) else -float(found.fun)  # type: ignore[arg-type]

    def can_reach(self, forms: Sequence[tuple[FloatArray, FloatArray]], ratio: float) -> bool:
        """Whether a rule gives each first form at least `ratio` times the second."""
        rows = [ratio * other - one for one, other in forms]
        return self.least(np.zeros(self.size), rows, np.full(len(rows), 1e-11)) is not None


def rate_form(table: RuleTable, mask: NDArray[np.bool_], outcome: int) -> FloatArray:
    """The rate of an outcome in a group, as a linear form."""
    form = np.zeros((len(table.cells), table.mapping.shape[1]))
    form[mask, outcome] = table.cells.population[mask] / table.cells.population[mask].sum()
    return form.ravel()


def bisected(holds: Callable[[float], bool]) -> float:
    """The largest number from 0 to 1 for which something holds; it holds below."""
    low, high = 0.0, 1.0
    if holds(high):
        return 1.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def smallest_share(rules: PossibleRules, forms: Sequence[tuple[FloatArray, FloatArray]]) -> float:
    """The least that any of some ratios can be."""
    return min(1.0, *(1 / max(1.0, rules.largest_ratio(other, one)) for one, other in forms))


def largest_size(rules: PossibleRules, differences: Sequence[FloatArray]) -> float:
    """The largest sum of sizes of some forms that sum to 0: twice the largest sum over a set of them."""
    sets = [chosen for size in range(1, len(differences)) for chosen in combinations(differences, size)]
    found = [rules.least(-np.sum(chosen, axis=0)) for chosen in sets]
    return 2 * max(-each for each in found if each is not None)


def parity_ends(rules: PossibleRules, pairs: Sequence[tuple[FloatArray, FloatArray]]) -> Ends:
    """The least and the largest sum of |difference| over the outcomes, divided by their number."""
    number = len(pairs)
    high = largest_size(rules, [a - b for a, b in pairs])
    rows = []
    for k, (a, b) in enumerate(pairs):
        for sign in (1, -1):
            own = np.zeros(number)
            own[k] = -1
            rows.append(np.concatenate([sign * (a - b), own]))
    low = rules.least(np.concatenate([np.zeros(rules.size), np.ones(number)]), rows, np.zeros(len(rows)))
    assert low is not None
    return low / number, high / number


def attainable_of_groups(case: Case, asked: Any) -> Iterator[Ends]:
    """The least and the largest that any possible rule gives each comparison of groups, in the order of the measure."""
    table, rules = case.table, PossibleRules(case.table)
    favourable = table.mapping.shape[1] - 1
    strata = strata_of(table.cells, getattr(asked, "given", ()))
    for stratum in range(len(strata)):
        masks = [m & (strata.index == stratum) for _, m in named_groups(table.cells, asked.groups)]
        masks = [mask for mask in masks if mask.any()]
        forms = [[rate_form(table, mask, o) for o in range(favourable + 1)] for mask in masks]
        if len(masks) < 2:
            continue
        if asked.measure == "group_disparity":
            yield _disparity(rules, [form[favourable] for form in forms])
        elif asked.measure == "impact_ratio":
            yield from _impacts(rules, [form[favourable] for form in forms])
        else:
            for a, b in combinations(forms, 2):
                if asked.measure.endswith("parity"):
                    yield parity_ends(rules, [*zip(a, b, strict=True)])
                    continue
                chosen = range(favourable + 1) if asked.outcomes == "all" else [favourable]
                both = [pair for o in chosen for pair in ((a[o], b[o]), (b[o], a[o]))]
                high = bisected(partial(rules.can_reach, both))
                yield smallest_share(rules, both), high


def _disparity(rules: PossibleRules, forms: Sequence[FloatArray]) -> Ends:
    pairs = [*combinations(forms, 2)]
    high = max(max(abs(end) for end in rules.ends(a - b)) for a, b in pairs)
    rows = [np.append(sign * (a - b), -1.0) for a, b in pairs for sign in (1, -1)]
    low = rules.least(np.append(np.zeros(rules.size), 1.0), rows, np.zeros(len(rows)))
    assert low is not None
    return low, high


def _impacts(rules: PossibleRules, forms: Sequence[FloatArray]) -> Iterator[Ends]:
    for own in range(len(forms)):
        others = [(forms[own], form) for k, form in enumerate(forms) if k != own]
        low = min(1 / max(1.0, rules.largest_ratio(other, one)) for one, other in others)
        yield low, bisected(partial(rules.can_reach, others))


def attainable_bias(case: Case, asked: Any) -> Ends:
    """The least and the largest bias that any possible rule has."""
    table, rules = case.table, PossibleRules(case.table)
    number, cells = table.mapping.shape[1], len(table.cells)
    pairs = [*combinations(range(cells), 2)]
    far = {pair: _distance(table, asked, *pair) for pair in pairs}
    high = 0.0
    for i, j in pairs:
        forms = [np.zeros((cells, number)) for _ in range(number)]
        for o in range(number):
            forms[o][i, o], forms[o][j, o] = 1, -1
        most = largest_size(rules, [form.ravel() for form in forms])
        high = max(high, most / number - far[i, j])
    # least: a further variable for each |difference| and one for the bias
    more = len(pairs) * number + 1
    rows, limits = [], []
    for k, (i, j) in enumerate(pairs):
        total = np.zeros(rules.size + more)
        for o in range(number):
            for sign in (1, -1):
                row = np.zeros(rules.size + more)
                row[i * number + o], row[j * number + o], row[rules.size + k * number + o] = sign, -sign, -1
                rows.append(row)
                limits.append(0.0)
            total[rules.size + k * number + o] = 1 / number
        total[-1] = -1
        rows.append(total)
        limits.append(far[i, j])
    rows.append(-np.eye(rules.size + more)[-1])
    low = rules.least(np.eye(rules.size + more)[-1], rows, [*limits, 0.0])
    assert low is not None
    return low, high


def _distance(table: RuleTable, asked: Any, i: int, j: int) -> float:
    total = 0.0
    for name, distance in asked.distance.items():
        a, b = int(table.cells.column(name)[i]), int(table.cells.column(name)[j])
        if hasattr(distance, "matrix"):
            total += float(distance.matrix[a][b])
        else:
            total += (
                float(distance.scale) * abs(a - b)
                if hasattr(distance, "scale")
                else float(distance) * (a != b)
            )
    return total


def exact_range(table: RuleTable, found: Influence) -> Range:
    """The exact range of an explanation, which prints its value to the nearest step and its ends outward; of roots, as printed."""
    weights = table.published_weights[0]
    weighted = weighted_sum(table.cells, weights, found)
    if found.kind == "firm":
        return Range(*map(Fraction, (found.result.value, found.result.low, found.result.high)))
    exact = (
        average_change(table, weights, found.attributes[0])[0]
        if weighted is None
        else weighted.range(table, weights)
    )
    printed = (printed_value([exact], table.decimals), printed_interval([exact], table.decimals))
    assert (found.value, found.interval) == printed
    return exact


def attainable_influence(case: Case, found: Influence) -> Ends | None:
    """The least and the largest value of an explanation under any possible rule of two outcomes; None: not compared."""
    table = case.table
    if found.kind in LINEAR:
        weighted = weighted_sum(table.cells, table.weights[0], found)
        assert weighted is not None
        form = np.zeros((len(table.cells), 2))
        form[:, 1] = [float(Fraction(int(c), weighted.denominator)) for c in weighted.coefficients]
        return PossibleRules(table).ends(form.ravel())
    if table.rate_move is not None:
        return None
    bands = bands_around(table.mapping, table.scale, table.fidelity)[1]  # type: ignore[arg-type]
    low, high = bands.lower / bands.denominator, bands.upper / bands.denominator
    column, people = table.cells.column(found.attributes[0]), table.cells.population.astype(float)
    if found.kind == "firm":
        return _firm_ends(low, high, column, people)
    return _permutation_ends(table, low, high, column, people)


def _firm_ends(low: FloatArray, high: FloatArray, column: Any, people: FloatArray) -> Ends:
    values = np.unique(column)
    share = np.array([people[column == v].sum() for v in values]) / people.sum()
    ends = [
        [people[column == v] @ e[column == v] / people[column == v].sum() for v in values]
        for e in (low, high)
    ]

    def spread(rates: FloatArray) -> float:
        return float(np.sqrt(max(0.0, share @ rates**2 - (share @ rates) ** 2)))

    most = max(spread(np.array(corner)) for corner in product(*zip(*ends, strict=True)))
    near = [np.clip(m, *map(np.array, ends)) for m in np.linspace(0, 1, 20001)]
    return min(spread(rates) for rates in near), most


def _permutation_ends(
    table: RuleTable, low: FloatArray, high: FloatArray, column: Any, people: FloatArray
) -> Ends:
    names = [a.name for a in table.cells.process.attributes]
    own = next(k for k, name in enumerate(names) if (table.cells.column(name) == column).all())
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, codes in enumerate(table.cells.codes.tolist()):
        alike[tuple(c for k, c in enumerate(codes) if k != own)].append(cell)
    drawn = np.array([people[column == v].sum() for v in column]) / people.sum()
    least = most = 0.0
    for cells in alike.values():
        pairs = [*combinations(range(len(cells)), 2)]
        weight = [
            (people[cells[i]] * drawn[cells[j]] + people[cells[j]] * drawn[cells[i]]) / people.sum()
            for i, j in pairs
        ]
        corners = product(*zip(low[cells], high[cells], strict=True))
        most += max(
            sum(w * abs(x[i] - x[j]) for w, (i, j) in zip(weight, pairs, strict=True)) for x in corners
        )
        rows = []
        for k, (i, j) in enumerate(pairs):
            for sign in (1, -1):
                row = np.zeros(len(cells) + len(pairs))
                row[i], row[j], row[len(cells) + k] = sign, -sign, -1
                rows.append(row)
        if pairs:
            bounds = [*zip(low[cells], high[cells], strict=True), *[(0, None)] * len(pairs)]
            cost = np.concatenate([np.zeros(len(cells)), weight])
            found = linprog(
                cost, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), bounds=bounds, method="highs"
            )
            least += float(found.fun)  # type: ignore[arg-type]
    return least, most


def compared(case: Case, names: Sequence[str]) -> Iterator[tuple[str, Ends, Ends]]:
    """The certified and the attainable ends of measures and (of two outcomes) explanations."""
    for name in names:
        if name == "explanations":
            asked = Transparency.model_validate(EXPLANATIONS)
            for found in explain_influence(case.table, asked):
                ends = attainable_influence(case, found)
                if ends is not None:
                    exact = exact_range(case.table, found)
                    yield found.kind, (float(exact.low), float(exact.high)), ends
            continue
        measure = MEASURE.validate_python(MEASURES[name])
        found_all = [
            each for each in measure_one(case.table, measure, unknown=False) if isinstance(each, Measured)
        ]
        if measure.measure == "individual":
            attainable = [attainable_bias(case, measure)]
        else:
            attainable = [*attainable_of_groups(case, measure)]
        for each, ends in zip(found_all, attainable, strict=True):
            assert each.ranges is not None
            yield name, (float(each.ranges[0].low), float(each.ranges[0].high)), ends


def widths(
    seeds: Sequence[int], *, outcomes: int, rates: bool, names: Sequence[str]
) -> dict[str, list[float]]:
    """Certified over attainable width of every figure on random tables; raises where an interval is too narrow."""
    found: dict[str, list[float]] = defaultdict(list)
    for seed in seeds:
        case = random_case(np.random.default_rng(seed), outcomes=outcomes, rates=rates)
        for name, certified, attainable in compared(case, names):
            slack = (
                2e-4 if name == "firm" else 2e-6
            )  # a root is rounded to printed steps, HiGHS and bisection are not exact
            assert certified[0] <= attainable[0] + slack, (seed, name, certified, attainable)
            assert certified[1] >= attainable[1] - slack, (seed, name, certified, attainable)
            width = attainable[1] - attainable[0]
            step = 2.1e-4 if name == "firm" else 0.0
            found[name].append((certified[1] - certified[0] - step) / width if width > 1e-3 else 1.0)
    return found


def random_widths(number: int, each: int = 2) -> dict[tuple[str, int, bool], list[float]]:
    """Some figures of every random table: two or three outcomes, with and without kept rates in turn."""
    found: dict[tuple[str, int, bool], list[float]] = defaultdict(list)
    for seed in range(number):
        outcomes, rates = 2 + seed % 4 // 2, bool(seed % 2)
        names = [*MEASURES, *(["explanations"] if outcomes == 2 else [])]
        drawn = np.random.default_rng([seed, 7]).permutation(len(names))[:each]
        for name, of in widths(
            [seed], outcomes=outcomes, rates=rates, names=[names[k] for k in drawn]
        ).items():
            found[name, outcomes, rates] += of
    return found


def main(number: int) -> None:
    """Print the table."""
    print("| figure | outcomes | rates kept | figures | mean | largest |\n|---|---|---|---|---|---|")
    order = [*MEASURES, *LINEAR, "permutation", "firm"]
    for (name, outcomes, rates), of in sorted(
        random_widths(number).items(), key=lambda item: (*item[0][1:], order.index(item[0][0]))
    ):
        kept = "yes" if rates else "no"
        print(
            f"| {name} | {outcomes} | {kept} | {len(of):,} | {np.mean(of):.3f} | {max(of):.3f} |", flush=True
        )


if __name__ == "__main__":
    main(int(sys.argv[1]))
