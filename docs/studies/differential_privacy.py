"""Make the tables and figures of differential_privacy.md: three leaks, four ways to publish, and readers who know the way.

Run with ``make studies``, or alone: ``python -m docs.studies.differential_privacy``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from docs.studies import page
from docs.studies.leaks import announced, k_anonymity, noise
from docs.studies.leaks.k_anonymity import Suppressed
from docs.studies.leaks.scene import NUMERICAL, TABLE_1, Figures, FloatArray, Scene, figures_of, high_income

PAGE = "differential_privacy.md"
SEEDS = 2000
EPSILONS = (0.1, 1.0, 10.0)
TIMES = (1, 10, 100, 1000)
K = 5
Read = Callable[[Scene, float, int], FloatArray]


def draw_counts(scene: Scene, epsilon: float, seed: int) -> FloatArray:
    """Leak 1 under noise: what the reader of one draw expects."""
    release = noise.noisy_counts(epsilon)
    return noise.read_counts(scene, release, release.counts(scene.approved, seed))


def draw_figures(scene: Scene, epsilon: float, seed: int) -> FloatArray:
    """Leak 2 under noise."""
    release = noise.noisy_figures(scene, epsilon)
    seen = release.figures(scene.approved, seed, absolute=noise.DIFFERENCES)
    return noise.read_figures(scene, release, seen)


def draw_influences(scene: Scene, epsilon: float, seed: int) -> FloatArray:
    """Leak 3 under noise."""
    release = noise.noisy_influences(scene, epsilon)
    return noise.read_influences(scene, release, release.figures(scene.approved, seed))


LEAKS: tuple[Read, ...] = (draw_counts, draw_figures, draw_influences)


@dataclass(frozen=True)
class Spread:
    """The mean of many draws, and the range that holds the middle 95 % of them."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, draws: Sequence[float]) -> Spread:
        """Of some draws."""
        low, high = np.percentile(draws, [2.5, 97.5])
        return cls(float(np.mean(draws)), float(low), float(high))

    def words(self, write: Callable[[float], str]) -> str:
        """Mean and range."""
        return f"{write(self.mean)} ({write(self.low)} to {write(self.high)})"


def percent(share: float) -> str:
    """A share in per cent, to one decimal."""
    return f"{100 * share:.1f} %"


def number(value: float | None) -> str:
    """A figure to three decimals; 'none' where the release has no such figure."""
    return "none" if value is None else f"{value + 0.0:.3f}"


def confidence_draws(scene: Scene, read: Read, epsilon: float, seeds: int) -> list[float]:
    """How sure the reader becomes that an approved woman earns more than 200k, for each seed."""
    return [high_income(scene.posterior(read(scene, epsilon, seed))) for seed in range(seeds)]


def confidence_rows(scene: Scene, seeds: int) -> list[list[str]]:
    """One row a way to publish, one column a leak."""
    prior = percent(float(scene.sizes[2] / scene.sizes[:3].sum()))
    rows = [["nothing", prior, prior, prior], ["the truth", *_by_leak(scene, 1)]]
    for epsilon in EPSILONS:
        found = [Spread.of(confidence_draws(scene, read, epsilon, seeds)).words(percent) for read in LEAKS]
        rows.append([f"Laplace noise, ε = {epsilon:g}", *found])
    return rows + certain_rows(scene)


def _by_leak(scene: Scene, k: int) -> list[str]:
    """A table without classes of fewer than k people, read three ways."""
    release = Suppressed(scene, k)
    readers = (k_anonymity.read_table, k_anonymity.read_figures, k_anonymity.read_influences)
    return [percent(high_income(scene.posterior(read(release)))) for read in readers]


def certain_rows(scene: Scene) -> list[list[str]]:
    """The rows in which nothing is drawn."""
    rows = [
        ["2-anonymous table", *_by_leak(scene, 2)],
        [f"{K}-anonymous, small classes left out", *_by_leak(scene, K)],
    ]
    if k_anonymity.needs_generalising(scene, K):
        pooled = percent(high_income(scene.posterior(k_anonymity.read_generalised(scene, K))))
        rows.append([f"{K}-anonymous, gender left out", pooled, "none printed", "none printed"])
    for name, way in WAYS.items():
        made = announced.report_of(scene, way)
        face = announced.read_at_face_value(scene, made)
        knows = announced.read_knowing_the_program(scene, way, made)
        rows.append(
            [f"{name}, reader takes it at face value", *[percent(high_income(scene.posterior(face)))] * 3]
        )
        rows.append(
            [f"{name}, reader knows the program", *[percent(high_income(scene.posterior(knows)))] * 3]
        )
    return rows


WAYS = {
    "this program, `optimal`": announced.OPTIMAL,
    "this program, `optimal`, rates kept within 1 point": announced.RATES_KEPT,
    "this program, `calibrated`": announced.CALIBRATED,
}


def error_rows(scene: Scene, seeds: int) -> list[list[str]]:
    """How far each fairness figure is from the truth."""
    truth = figures_of(scene.approved, scene.sizes)
    rows = [["(the true figure)", *map(number, truth.all)]]
    for words, draw in (("noise on counts", _figures_from_counts), ("noise on figures", _figures_drawn)):
        for epsilon in EPSILONS:
            draws = [draw(scene, epsilon, seed) for seed in range(seeds)]
            rows.append([f"ε = {epsilon:g}, {words}", *_spread_of_errors(truth, draws)])
    left = Suppressed(scene, K).figures(scene.approved)
    rows.append([f"{K}-anonymous, small classes left out", *_errors(truth, left)])
    rows.append([f"{K}-anonymous, gender left out", *["none"] * 5])
    for name, way in WAYS.items():
        rows.append([name, *_errors(truth, announced.figures(scene, announced.report_of(scene, way)))])
    return rows


def _errors(truth: Figures, printed: Figures) -> list[str]:
    pairs = zip(truth.all, printed.all, strict=True)
    return [number(None if true is None or value is None else abs(value - true)) for true, value in pairs]


def _spread_of_errors(truth: Figures, draws: list[Figures]) -> list[str]:
    """Mean and range of each figure's error; a ratio that has no value (both rates 0) is left out and, if not very rare, counted."""
    cells = []
    for i, true in enumerate(truth.all):
        found = [draw.all[i] for draw in draws]
        there = [abs(value - true) for value in found if value is not None and true is not None]
        absent = 1 - len(there) / len(found)
        cells.append(
            Spread.of(there).words(number) + (f", none in {percent(absent)}" if absent >= 0.0005 else "")
        )
    return cells


def _figures_from_counts(scene: Scene, epsilon: float, seed: int) -> Figures:
    counts = noise.noisy_counts(epsilon).counts(scene.approved, seed)
    return figures_of(counts, scene.sizes)


def _figures_drawn(scene: Scene, epsilon: float, seed: int) -> Figures:
    release = noise.noisy_figures(scene, epsilon)
    seen = release.figures(scene.approved, seed, absolute=noise.DIFFERENCES)
    women, men, *differences = np.clip(seen[:5], 0.0, 1.0).tolist()
    ratio = None if max(women, men) == 0 else min(women, men) / max(women, men)
    return Figures(abs(women - men), tuple(differences), ratio)


def interval_rows(scene: Scene, seeds: int) -> list[list[str]]:
    """What a publisher can state of the gap between women and men: certainly, or for 95 % of draws."""
    truth = figures_of(scene.approved, scene.sizes).parity or 0.0
    rows = []
    for epsilon in EPSILONS:
        errors = [abs((_figures_from_counts(scene, epsilon, s).parity or 0.0) - truth) for s in range(seeds)]
        rows.append(
            [f"ε = {epsilon:g}, noise on counts", f"± {np.percentile(errors, 95):.3f}", "in 95 % of draws"]
        )
    for name, way in WAYS.items():
        found = announced.report_of(scene, way).figures().iloc[0]
        low, high = float(found["interval_low"]), float(found["interval_high"])
        rows.append([name, f"{float(found['value']):.4f} (from {low:.4f} to {high:.4f})", "certain"])
    return rows


@dataclass(frozen=True)
class Size:
    """What noise does to so many people."""

    people: int
    epsilon: float
    confidence: Spread
    error: Spread  # of statistical parity


def by_size(scene: Scene, seeds: int) -> list[Size]:
    """Noise on counts, for growing numbers of people with the same shares and the same rule."""
    found = []
    for times in TIMES:
        larger = scene.times(times)
        truth = figures_of(larger.approved, larger.sizes).parity or 0.0
        for epsilon in EPSILONS:
            errors = [
                abs((_figures_from_counts(larger, epsilon, s).parity or 0.0) - truth) for s in range(seeds)
            ]
            sure = confidence_draws(larger, draw_counts, epsilon, seeds)
            found.append(Size(int(larger.sizes.sum()), epsilon, Spread.of(sure), Spread.of(errors)))
    return found


def size_rows(sizes: Sequence[Size]) -> list[list[str]]:
    """One row a number of people: confidence and error of parity at each ε."""
    rows = []
    for people in sorted({size.people for size in sizes}):
        some = [size for size in sizes if size.people == people]
        rows.append(
            [
                f"{people:,}",
                *(s.confidence.words(percent) for s in some),
                *(number(s.error.mean) for s in some),
            ]
        )
    return rows


def largest_rows(scene: Scene, seeds: int) -> list[list[str]]:
    """The largest posterior of any income, after either decision, for women or men; the rule or its counts are published."""

    def largest(some: Scene, expected: FloatArray) -> float:
        return float(some.posterior(expected).max())

    many = scene.times(100)
    columns = (scene, many)
    prior = [
        percent(float((s.sizes.reshape(2, 3) / s.sizes.reshape(2, 3).sum(axis=1)[:, None]).max()))
        for s in columns
    ]
    rows = [["nothing", *prior], ["the truth", *(percent(largest(s, s.approved)) for s in columns)]]
    for epsilon in EPSILONS:
        draws = [[largest(s, draw_counts(s, epsilon, seed)) for seed in range(seeds)] for s in columns]
        rows.append([f"Laplace noise, ε = {epsilon:g}", *(Spread.of(some).words(percent) for some in draws)])
    rows.append(
        [f"{K}-anonymous", *(percent(largest(s, k_anonymity.read_table(Suppressed(s, K)))) for s in columns)]
    )
    for name, way in WAYS.items():
        made = [announced.report_of(s, way) for s in columns]
        face = [announced.read_at_face_value(s, m) for s, m in zip(columns, made, strict=True)]
        knows = [announced.read_knowing_the_program(s, way, m) for s, m in zip(columns, made, strict=True)]
        for words, found in (("takes it at face value", face), ("knows the program", knows)):
            rows.append(
                [
                    f"{name}, reader {words}",
                    *(percent(largest(s, e)) for s, e in zip(columns, found, strict=True)),
                ]
            )
    return rows


def certain_reader_rows(scene: Scene, seeds: int) -> list[list[str]]:
    """The same two releases for a reader who is sure that every chance is 0, 50 or 100 %."""
    rows = []
    readers = (("5 % steps", scene), ("0, 50 or 100 %", replace(scene, levels=3)))
    for words, some in readers:
        row = [words]
        for times in (1, 100):
            draws = confidence_draws(some.times(times), draw_counts, 1.0, seeds)
            row.append(Spread.of(draws).words(percent))
        made = announced.report_of(some, announced.CALIBRATED)
        knows = announced.read_knowing_the_program(some, announced.CALIBRATED, made)
        row.append(percent(high_income(some.posterior(knows))))
        rows.append(row)
    return rows


def one_person_rows(scene: Scene) -> list[list[str]]:
    """What somebody learns of one person who knows everybody else: by how much a release can change the odds."""
    people = int(scene.sizes.sum())
    rows = [["the truth", "without limit", f"{people} of {people}", f"{people} of {people}"]]
    rows += [
        [
            f"Laplace noise, ε = {epsilon:g}",
            f"{math.exp(epsilon):,.2f} times",
            "nobody's for certain",
            "nobody's, if numbers get noise too",
        ]
        for epsilon in EPSILONS
    ]
    for name, way in (("`optimal`", announced.OPTIMAL), ("`calibrated`", announced.CALIBRATED)):
        found = announced.one_person(scene, way)
        rows.append(
            [
                f"this program, {name}",
                "without limit",
                f"{found.decided_otherwise} of {people}",
                f"{found.absent} of {people}",
            ]
        )
    return rows


def draw_sizes(sizes: Sequence[Size], scene: Scene) -> None:
    """Figure 1: confidence by number of people."""
    figure = page.new_figure()
    axes = figure.add_subplot()
    styles = zip(EPSILONS, (page.BLUE, page.GREEN, page.ORANGE), ("o", "s", "^"), strict=True)
    for epsilon, colour, mark in styles:
        some = [size for size in sizes if size.epsilon == epsilon]
        people = [size.people for size in some]
        axes.fill_between(
            people,
            [s.confidence.low for s in some],
            [s.confidence.high for s in some],
            color=colour,
            alpha=0.15,
            lw=0,
        )
        axes.plot(
            people,
            [s.confidence.mean for s in some],
            color=colour,
            marker=mark,
            label=f"Laplace noise, ε = {epsilon:g}",
        )
    for way, words, line in (
        (announced.OPTIMAL, "this program, optimal, at face value", "--"),
        (announced.CALIBRATED, "this program, calibrated, reader knows it", ":"),
    ):
        made = announced.report_of(scene, way)
        read = (
            announced.read_at_face_value(scene, made)
            if way is announced.OPTIMAL
            else announced.read_knowing_the_program(scene, way, made)
        )
        axes.axhline(high_income(scene.posterior(read)), color=page.INK, ls=line, label=words)
    axes.axhline(float(scene.sizes[2] / scene.sizes[:3].sum()), color=page.GREY, lw=0.8, label="no report")
    axes.set(xscale="log", ylim=(0, 1.03), xlabel="people in the data", ylabel="sure of an income above 200k")
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xticks([290 * times for times in TIMES], [f"{290 * times:,}" for times in TIMES])
    axes.minorticks_off()
    figure.legend(loc="outside right upper", fontsize=8)
    page.save(figure, "differential_privacy_size.svg")


def draw_price(sizes: Sequence[Size], scene: Scene) -> None:
    """Figure 2: confidence against the error of the gap between women and men."""
    figure = page.new_figure(7.2, 3.6)
    axes = figure.add_subplot()
    for epsilon, colour, mark in zip(
        EPSILONS, (page.BLUE, page.GREEN, page.ORANGE), ("o", "s", "^"), strict=True
    ):
        some = [size for size in sizes if size.epsilon == epsilon]
        axes.plot([s.error.mean for s in some], [s.confidence.mean for s in some], color=colour, marker=mark, lw=0.8,
                  label=f"Laplace noise, ε = {epsilon:g}")  # fmt: skip
    truth = figures_of(scene.approved, scene.sizes).parity or 0.0
    for (name, way), mark in zip(WAYS.items(), ("D", "X", "P"), strict=True):
        made = announced.report_of(scene, way)
        error = abs((announced.figures(scene, made).parity or 0.0) - truth)
        face = high_income(scene.posterior(announced.read_at_face_value(scene, made)))
        knows = high_income(scene.posterior(announced.read_knowing_the_program(scene, way, made)))
        axes.plot([error], [face], color=page.INK, marker=mark, ls="", label=name.replace("`", ""))
        axes.plot([error], [knows], color=page.INK, marker=mark, ls="", fillstyle="none")
    axes.plot(
        [], [], color=page.INK, marker="o", ls="", fillstyle="none", label="hollow: reader knows the program"
    )
    axes.set(xscale="log", xlim=(8e-6, 0.5), ylim=(0, 1.05), xlabel="mean error of the gap between women and men (the gap is 0.087)",
             ylabel="sure of an income above 200k")  # fmt: skip
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
    figure.legend(loc="outside right upper", fontsize=7)
    page.save(figure, "differential_privacy_price.svg")


def tables(seeds: int, sizes: Sequence[Size]) -> dict[str, str]:
    """Every table of the page."""
    figures = ["gap", "gap <100k", "gap 100k-200k", "gap >200k", "ratio"]
    at_epsilon = [f"ε = {epsilon:g}" for epsilon in EPSILONS]
    return {
        "confidence": page.table(
            ["published", "leak 1: the rule", "leak 2: five figures", "leak 3: two influences"],
            confidence_rows(TABLE_1, seeds),
        ),
        "errors": page.table(["published", *figures], error_rows(TABLE_1, seeds)),
        "intervals": page.table(
            ["published", "what can be stated of the gap (in truth 0.087)", "how sure"],
            interval_rows(TABLE_1, seeds),
        ),
        "size": page.table(
            ["people", *(f"sure, {e}" for e in at_epsilon), *(f"error of the gap, {e}" for e in at_epsilon)],
            size_rows(sizes),
        ),
        "largest": page.table(["published", "80 people", "8,000 people"], largest_rows(NUMERICAL, seeds)),
        "belief": page.table(
            [
                "the reader thinks possible",
                "ε = 1, 290 people",
                "ε = 1, 29,000 people",
                "`calibrated`, reader knows it",
            ],
            certain_reader_rows(TABLE_1, seeds),
        ),
        "one person": page.table(
            ["published", "odds change by at most", "another decision shows", "absence shows"],
            one_person_rows(TABLE_1),
        ),
    }


def main() -> None:
    """Write tables and figures."""
    sizes = by_size(TABLE_1, SEEDS)
    page.write(PAGE, tables(SEEDS, sizes))
    draw_sizes(sizes, TABLE_1)
    draw_price(sizes, TABLE_1)


if __name__ == "__main__":
    main()
