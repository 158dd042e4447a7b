"""Make the tables and figures of the_paper.md: the examples of the paper behind this program, and where it is wrong.

Run with ``make studies``, or alone: ``python -m docs.studies.the_paper [--data FILE]``. FILE is the credit approval data of
UCI with a heading A1 to A16; without it, the part on Appendix B stays as it is.
"""

import argparse
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

from atreport import solve
from docs.studies import page
from docs.studies.paper.appendix_b import AppendixB, appendix_b, read_cases
from docs.studies.paper.corrections import (
    FIDELITY,
    Failures,
    count_failures,
    counterexample,
    least_confidence,
    program_optimum,
    random_groups,
    relative_bias_moves_by,
)
from docs.studies.paper.theorem import algorithm_1, confidence, terms, within_alpha, within_delta

PAGE = "the_paper.md"
DATA = Path(__file__).parents[3] / "shared" / "data" / "credit_approval_crx.csv"
HALF = Fraction(1, 2)
CELLS = [(gender, income) for gender in "FM" for income in ("<100k", "100k-200k", ">200k")]
RULE = [Fraction(0), Fraction(0), Fraction(1), Fraction(0), HALF, Fraction(1)]
APPLICANTS = (139, 9, 2, 117, 18, 5)
CENSUS = [Fraction(n, 1000) for n in (931, 57, 12, 842, 123, 35)]
FEW = (12, 5, 3, 9, 7, 4)
GROUPS = {"F": slice(0, 3), "M": slice(3, 6)}
RANDOM_GROUPS = 10_000


def number(value: Fraction | float, decimals: int = 4) -> str:
    """A number as tables print it."""
    return f"{float(value):.{decimals}f}"


def scene_rows() -> list[list[str]]:
    """Table 1: who applied, the rule, and what the census says."""
    return [
        [gender, income, str(people), f"{float(chance):g}", f"{float(100 * share):.1f} %"]
        for (gender, income), people, chance, share in zip(CELLS, APPLICANTS, RULE, CENSUS, strict=True)
    ]


def rate(people: tuple[int, ...], group: slice) -> Fraction:
    """The approval rate of a gender."""
    return Fraction(sum(n * d for n, d in zip(people[group], RULE[group], strict=True)), sum(people[group]))


def figure_rows() -> list[list[str]]:
    """Table 2: the fairness figures of Table 1, beside those printed."""
    women, men = (rate(APPLICANTS, group) for group in GROUPS.values())
    found = [women, men, abs(women - men), *(abs(RULE[i] - RULE[3 + i]) for i in range(3))]
    names = ["approval rate, women", "approval rate, men", "statistical parity"]
    names += [f"parity at {income}" for _, income in CELLS[:3]]
    printed = ["1.33 %", "10 %", "0.0866", "0", "0.5", "0"]
    return [
        [name, str(value), number(value), text]
        for name, value, text in zip(names, found, printed, strict=True)
    ]


def leak_1_rows() -> list[list[str]]:
    """Section 3.2: how sure one can be that a card holder earns more than 200k."""
    rows = []
    for name, group in GROUPS.items():
        people, rule = APPLICANTS[group], RULE[group]
        holders = [n * d for n, d in zip(people, rule, strict=True)]
        rows.append([name, number(Fraction(people[2], sum(people))), number(holders[2] / sum(holders))])
    return rows


def mary() -> dict[str, Fraction | None]:
    """Section 3.3: solve Mary's equations with both signs, then again with the impossible value put at 1."""
    women, men = Fraction(1333, 100_000), rate(APPLICANTS, GROUPS["M"])
    a, b, c, d = CENSUS[1], CENSUS[2], CENSUS[4], CENSUS[5]
    above = men + c * HALF  # women of the middle income better off by a half: needs c·x + d·y = this
    below = men - c * HALF
    determinant = a * d - b * c
    middle, high = (women * d - b * below) / determinant, (a * below - c * women) / determinant
    return {
        "asked": above,
        "most": c + d,
        "middle": middle,
        "high": high,
        "middle, high put at 1": (women - b) / a,
        "left before division": women - b,
    }


def mary_rows() -> list[list[str]]:
    """What Mary finds, beside what is printed."""
    found = mary()
    printed = {
        "asked": "0.1615",
        "most": "",
        "middle": "0.0088",
        "high": "1.0692",
        "middle, high put at 1": "0.0013",
    }
    words = {
        "asked": "women better off by 0.5 would need 0.123 x + 0.035 y =",
        "most": "… which is at most (so: impossible)",
        "middle": "women worse off by 0.5: chance of women, 100k-200k",
        "high": "… chance above 200k (impossible: more than 1)",
        "middle, high put at 1": "… with that put at 1: chance of women, 100k-200k",
    }
    return [[text, number(found[key] or 0), printed[key] or "not printed"] for key, text in words.items()]


def bound_rows() -> list[list[str]]:
    """The table of bounds: bounds and thresholds of the numerical example, in shares of all 40 people."""
    rows = []
    for group in GROUPS.values():
        p = [Fraction(n, sum(FEW)) for n in FEW[group]]
        bounds = within_delta(RULE[group], FIDELITY)
        found = terms(p, bounds)
        limit = [
            p[found.record_0] * bounds.low[0][found.record_0],
            p[found.record_1] * bounds.low[1][found.record_1],
        ]
        for k, (share, cell) in enumerate(zip(p, CELLS[group], strict=True)):
            row = [" ".join(cell), number(share)]
            for a in (1, 0):
                low, high = share * bounds.low[a][k], share * bounds.high[a][k]
                row += [number(low), number(high), number(min(high, limit[a]))]
            rows.append(row)
    return rows


def example_rows() -> list[list[str]]:
    """The numerical example: the terms, the optimum and the announced rule of both genders, by the paper's algorithm and by this program."""
    rows = []
    for name, group in GROUPS.items():
        p, d = [Fraction(n, sum(FEW)) for n in FEW[group]], RULE[group]
        bounds = within_delta(d, FIDELITY)
        found, paper = terms(p, bounds), algorithm_1(p, bounds)
        ours = announced_by_program(FEW[group], d)
        assert confidence(p, paper) == found.true
        rows.append(
            [name]
            + [
                number(x)
                for x in (
                    found.beta_1,
                    found.beta_0,
                    found.beta_p,
                    found.beta_min,
                    confidence(p, d),
                    found.true,
                )
            ]
            + [", ".join(f"{float(x):g}" for x in rule) for rule in (paper, ours)]
        )
    return rows


def announced_by_program(people: tuple[int, ...], chances: list[Fraction]) -> list[float]:
    """What this program's solver announces of one group, to six decimals."""
    d = np.array([float(x) for x in chances])
    found = solve(people, d, np.clip(d - 0.1, 0, 1), np.clip(d + 0.1, 0, 1), np.zeros(len(d), dtype=int))
    return [round(float(x), 6) for x in found.announced]


def curve(group: slice, deltas: list[Fraction]) -> list[Fraction]:
    """The least confidence at each fidelity, exact."""
    p = [Fraction(n, sum(FEW)) for n in FEW[group]]
    return [terms(p, within_delta(RULE[group], delta)).true for delta in deltas]


def curve_rows() -> list[list[str]]:
    """Some points of the trade-off curves."""
    deltas = [Fraction(n, 100) for n in (100, 98, 95, 90, 85, 80, 70, 60, 50)]
    columns = [curve(group, deltas) for group in GROUPS.values()]
    return [
        [f"{float(delta):.2f}", *(number(x) for x in row)]
        for delta, *row in zip(deltas, *columns, strict=True)
    ]


def failure_rows(number_of_groups: int) -> list[list[str]]:
    """How often the theorem fails, by kind of rule and of fidelity."""
    rows = []
    for words, hard in (("anything from 0 to 1", False), ("0 or 1", True)):
        groups = random_groups(number_of_groups, hard, seed=22)
        for fidelity, bounds_of in (("δ = 0.9", within_delta), ("α = 0.9", within_alpha)):
            rows.append([f"{words}, {fidelity}", *_failure_cells(count_failures(groups, bounds_of))])
    return rows


def _failure_cells(found: Failures) -> list[str]:
    def part(some: int, of: int) -> str:
        return f"{some:,} of {of:,} ({100 * some / of:.1f} %)"

    return [
        part(found.too_low, found.groups),
        number(found.mean_gap, 3),
        number(found.largest_gap, 3),
        part(found.broken, found.groups),
        number(found.largest_excess, 3),
        f"{found.not_a_rule:,}",
        f"{found.remark_fails:,} of {found.same_record:,}",
    ]


def agreement(number_of_groups: int, by_programming: int) -> str:
    """The program against the four terms in fractions, and against linear programming."""
    groups = random_groups(number_of_groups, False, seed=22)
    exact = [float(terms(group.shares, within_delta(group.chances, FIDELITY)).true) for group in groups]
    apart = max(abs(one - other) for one, other in zip(program_optimum(groups), exact, strict=True))
    programmed = max(
        abs(least_confidence(group) - value)
        for group, value in zip(groups[:by_programming], exact, strict=False)
    )
    return (
        f"The four terms in fractions and this program's solver differ by at most {apart:.0e} on {number_of_groups:,} groups; the four terms "
        f"and linear programming (HiGHS, halving to 1e-07) by at most {programmed:.0e} on the first {by_programming}."
    )


def counterexample_words() -> str:
    """The smallest counterexample, with all its numbers."""
    group, found, announced, reached = counterexample()
    rule = ", ".join(f"{float(x):g}" for x in announced)
    return (
        f"Two records with {group.people[0]} and {group.people[1]} people, both approved with chance 1/2, δ = 0.9. The paper's terms are "
        f"β0 = {found.beta_0}, β1 = {found.beta_1}, βp = {found.beta_p}, so it promises {found.paper} = {number(found.paper)} and announces "
        f"({rule}), with which a reader reaches {reached} = {number(reached)}. The population alone gives {found.beta_min} = "
        f"{number(found.beta_min, 1)}, which publishing the truth attains: that is the optimum. The largest record is the same for "
        f"both outcomes, and βp = {found.beta_p} is not βmin = {found.beta_min}, so the remark on dominant records fails here too."
    )


def appendix_rows(found: AppendixB) -> list[list[str]]:
    """Appendix B, beside what is printed."""
    return [
        ["complete cases", f"{found.cases}", "not printed (690 with gaps)"],
        ["people with Alice's public record", f"{found.alike}", "11"],
        ["accuracy of the network", f"{100 * found.accuracy:.1f} %", "89.5 %"],
        ["influence of all private attributes, A11 of 10 and more", number(found.influence_high), "0.6648"],
        ["… A11 of 0 or 1", number(found.influence_low), "-0.3352"],
        [
            "difference: the rule is 1 there and 0 here",
            number(found.influence_high - found.influence_low),
            "1.0000",
        ],
        ["method 2: influence of A9 alone, A11 of 10 and more", number(found.influence_a9), "0.4514"],
        [
            "… divided by the share of people with A9 = f",
            number(found.influence_a9 / found.share_f),
            "1.0000",
        ],
        ["sure that Alice's A11 is 10 or more, before", f"{100 * found.prior:.1f} %", "not printed"],
        ["… with true answers", f"{100 * found.sure_true:.1f} %", "100 %"],
        [
            "… with this program's announced rule, δ = 0.9",
            f"{100 * found.sure_announced:.1f} %",
            "not printed",
        ],
    ]


def draw_curves() -> None:
    """The trade-off curves of women and men."""
    figure = page.new_figure(7.2, 3.0)
    deltas = [Fraction(n, 400) for n in range(400, 159, -1)]
    for axes, (name, group), top in zip(figure.subplots(1, 2), GROUPS.items(), (1.0, 0.72), strict=True):
        least = [float(x) for x in curve(group, deltas)]
        at = [float(delta) for delta in deltas]
        p = [Fraction(n, sum(FEW)) for n in FEW[group]]
        prior = float(max(p) / sum(p))
        axes.plot(at, least, color=page.BLUE)
        axes.fill_between(at, least, 1.02, color=page.BLUE, alpha=0.1, lw=0)
        axes.axhline(prior, color=page.GREY, ls=":", lw=1)
        axes.axhline(top, color=page.GREY, ls="--", lw=1)
        axes.text(0.405, prior + 0.01, f"prior {prior:g}", fontsize=8, color=page.INK)
        axes.text(0.405, top - 0.035, f"truth {top:g}", fontsize=8, color=page.INK)
        axes.plot([0.9], [float(curve(group, [FIDELITY])[0])], "o", color=page.ORANGE)
        axes.set(
            xlim=(0.4, 1.0), ylim=(0.4, 1.02), xlabel="fidelity δ", title={"F": "women", "M": "men"}[name]
        )
    figure.axes[0].set_ylabel("least confidence β")
    page.save(figure, "the_paper_tradeoff.svg")


def draw_flattening() -> None:
    """What the optimum does: the men of the numerical example, denied."""
    figure = page.new_figure(5.2, 2.8)
    axes = figure.add_subplot()
    group = GROUPS["M"]
    p, d = [Fraction(n, sum(FEW)) for n in FEW[group]], RULE[group]
    bounds, announced = within_delta(d, FIDELITY), algorithm_1(p, within_delta(d, FIDELITY))
    limit = max(share * low for share, low in zip(p, bounds.low[0], strict=True))
    for k in range(3):
        low, high = float(p[k] * bounds.low[0][k]), float(p[k] * bounds.high[0][k])
        axes.plot([k, k], [low, high], color=page.GREY, lw=6, alpha=0.4, solid_capstyle="butt")
        axes.plot([k], [float(p[k] * (1 - d[k]))], "o", color=page.INK, label="true" if k == 0 else None)
        axes.plot(
            [k],
            [float(p[k] * (1 - announced[k]))],
            "D",
            color=page.ORANGE,
            label="announced" if k == 0 else None,
        )
    axes.axhline(float(limit), color=page.BLUE, ls="--", lw=1, label="the largest lower end")
    axes.set_xticks(range(3), [income for _, income in CELLS[group]])
    axes.set(ylabel="share of all people: denied men", xlim=(-0.5, 2.5), ylim=(0, 0.25))
    axes.legend(fontsize=8)
    page.save(figure, "the_paper_flattening.svg")


def tables(number_of_groups: int, by_programming: int) -> dict[str, str]:
    """Every table that needs no data."""
    return {
        "table 1": page.table(["gender", "income", "applicants", "rule", "census"], scene_rows()),
        "table 2": page.table(["figure", "exact", "to four decimals", "printed in the paper"], figure_rows()),
        "leak 1": page.table(["gender", "before any report", "with the true rule"], leak_1_rows()),
        "mary": page.table(["step", "exact", "printed in the paper"], mary_rows()),
        "bounds": page.table(
            ["cell", "P", "P·low, approved", "P·high", "to the threshold", "P·low, denied", "P·high", "to the threshold"],
            bound_rows(),
        ),
        "example": page.table(
            ["group", "β1", "β0", "βp", "βmin", "truth (C*)", "optimum", "the paper announces", "this program announces"],
            example_rows(),
        ),
        "curves": page.table(["δ", "women", "men"], curve_rows()),
        "counterexample": counterexample_words(),
        "failures": page.table(
            ["chances, fidelity", "promise cannot be kept", "by, mean", "by, most", "announced rule breaks it", "by, most",
             "not even chances", "remark false"],
            failure_rows(number_of_groups),
        ),
        "agreement": agreement(number_of_groups, by_programming),
        "relative": f"The bias moves from 0 to log 3 = {relative_bias_moves_by():.4f}.",
    }  # fmt: skip


def main() -> None:
    """Write tables and figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="credit approval data of UCI, as CSV")
    data = parser.parse_args().data
    found = tables(RANDOM_GROUPS, 200)
    if data.is_file():
        rows = appendix_rows(appendix_b(read_cases(data)))
        found["appendix b"] = page.table(["figure", "here", "printed in the paper"], rows)
    else:
        print(f"{data.name} is not there: Appendix B stays as it is.", file=sys.stderr)
    page.write(PAGE, found)
    draw_curves()
    draw_flattening()


if __name__ == "__main__":
    main()
