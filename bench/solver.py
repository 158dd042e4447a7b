"""Measure the solver: against linear programming, against plain NumPy, and against the speed of memory.

Everything is measured in one run on one machine, and what is reported are ratios. Run with ``make bench``; the results are
written to bench/README.md and bench/solver.svg.
"""

import argparse
import platform
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from atreport import solve
from atreport.private.solver import stages
from atreport.spec.policy import Aim

HERE = Path(__file__).parent
Arrays = tuple[
    NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]
]


def table(records: int, size: int = 5, seed: int = 0) -> Arrays:
    """Records in groups of one size: random populations, half of the rules hard and half soft, δ = 0.9."""
    rng = np.random.default_rng(seed)
    p = rng.integers(1, 100, records).astype(np.float64)
    d = np.where(rng.random(records) < 0.5, rng.integers(0, 2, records), rng.random(records))
    return p, d, np.clip(d - 0.1, 0, 1), np.clip(d + 0.1, 0, 1), np.arange(records, dtype=np.int64) // size


def fastest(
    action: Callable[[], Any], repeat: int = 5, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The least time of several runs: what the machine can do when nothing else disturbs it."""
    times = []
    for _ in range(repeat):
        start = clock()
        action()
        times.append(clock() - start)
    return min(times)


def copy_of(arrays: Arrays) -> list[NDArray[Any]]:
    """The floor: NumPy copies the input arrays."""
    return [array.copy() for array in arrays]


def plain_numpy(arrays: Arrays) -> NDArray[np.float64]:
    """The same closed form in plain NumPy."""
    before, stages.LARGE = stages.LARGE, 1 << 62
    try:
        return solve(*arrays).beta
    finally:
        stages.LARGE = before


def highs_bisection(arrays: Arrays, tolerance: float = 1e-6) -> NDArray[np.float64]:
    """Bisection on β with a feasibility problem for HiGHS at each step, group by group."""
    p, _, lower, upper, labels = arrays
    betas = []
    for label in np.unique(labels):
        here = labels == label
        w = p[here] / p[here].sum()
        bounds = list(zip(lower[here], upper[here], strict=True))
        low, high = float(w.max()), 1.0
        while high - low > tolerance:
            beta = (low + high) / 2
            rows = np.diag(w) - beta * w
            found = linprog(
                np.zeros(len(w)),
                A_ub=np.vstack([rows, -rows]),
                b_ub=np.concatenate([np.zeros(len(w)), beta - w]),
                bounds=bounds,
                method="highs",
            )
            low, high = (low, beta) if found.status == 0 else (beta, high)
        betas.append(high)
    return np.array(betas)


def cvxpy_bisection(arrays: Arrays) -> NDArray[np.float64]:
    """The problem as CVXPY states it: minimise the largest ratio, a quasiconvex program."""
    import cvxpy as cp

    p, _, lower, upper, labels = arrays
    betas = []
    for label in np.unique(labels):
        here = labels == label
        w = p[here] / p[here].sum()
        size = int(here.sum())
        x, y = cp.Variable(size, nonneg=True), cp.Variable(size, nonneg=True)  # y = 1 - x, its sign known
        inside = [x >= lower[here], x <= upper[here], x + y == 1]
        ratios = [w[k] * z[k] / (w @ z) for z in (x, y) for k in range(size)]
        problem = cp.Problem(cp.Minimize(cp.maximum(*ratios)), inside)
        problem.solve(qcp=True, solver=cp.HIGHS, eps=1e-6)
        betas.append(float(problem.value))
    return np.array(betas)


def against_others(lines: list[str]) -> None:
    """The same groups, one after another."""
    lines += ["## Against other ways to solve the same groups", ""]
    lines += [
        "| records (groups of 5) | method | time (s) | atreport is faster by | largest difference in β |",
        "|---|---|---|---|---|",
    ]
    for records in (1_000, 10_000):
        arrays = table(records)
        ours = solve(*arrays)
        own = fastest(lambda arrays=arrays: solve(*arrays))
        lines.append(f"| {records:,} | atreport | {own:.6f} | 1 | |")
        others = {"SciPy HiGHS, bisection to 1e-6": highs_bisection}
        if records <= 1_000:
            others["CVXPY, quasiconvex bisection to 1e-6"] = cvxpy_bisection
        for name, method in others.items():
            start = time.perf_counter()
            try:
                betas = method(arrays)
            except ImportError:
                lines.append(f"| {records:,} | {name} | not installed | | |")
                continue
            took = time.perf_counter() - start
            solved = np.isfinite(betas)
            difference = f"{np.abs(betas - ours.beta)[solved].max():.1e}"
            if not solved.all():
                difference += f" ({(~solved).sum()} groups not solved)"
            lines.append(f"| {records:,} | {name} | {took:.2f} | {took / own:,.0f}× | {difference} |")
    lines.append("")


def against_memory(lines: list[str], largest: int) -> list[tuple[int, float, float, float]]:
    """How the time grows, and how it compares with copying the input."""
    lines += ["## Against the speed of memory", ""]
    lines += [
        "| records (groups of 5) | copy of the input (s) | atreport (s) | ratio | time for 10× the records | plain NumPy (s) |"
    ]
    lines += ["|---|---|---|---|---|---|"]
    measured: list[tuple[int, float, float, float]] = []
    sizes = [n for n in (1_000, 10_000, 100_000, 1_000_000, 9_765_625) if n <= largest]
    solve(*table(stages.LARGE))  # compile, or load what was compiled
    for records in sizes:
        arrays = table(records)
        repeat = 50 if records < 1_000_000 else 7
        floor, ours = (
            fastest(lambda a=arrays: copy_of(a), repeat),
            fastest(lambda a=arrays: solve(*a), repeat),
        )
        plain = fastest(lambda a=arrays: plain_numpy(a), 3 if records < 1_000_000 else 1)
        growth = ""
        if measured:
            before, _, previous, _ = measured[-1]
            growth = f"{ours / previous * 10 * before / records:.1f}×"
        lines.append(
            f"| {records:,} | {floor:.6f} | {ours:.6f} | {ours / floor:.1f}× | {growth} | {plain:.4f} |"
        )
        measured.append((records, floor, ours, plain))
    lines += [
        "",
        "9,765,625 = 5^10 is the paper's example of what a linear program cannot reach: 5^9 groups of 5 values.",
        "",
    ]
    return measured


def by_aim(lines: list[str], records: int) -> None:
    """Everything that can be made least, with the mapping, on the largest table."""
    lines += [
        f"## What is made least, {records:,} records",
        "",
        "Confidence, lift and odds factor of every group and the mapping, against a copy of the input. The machine had other "
        "work to do; processor time of both threads is stated beside it, halved for two cores.",
        "",
        "| made least, in order | rates | time (s) | ratio to a copy | processor time, ratio to that of a copy |",
        "|---|---|---|---|---|",
    ]
    arrays = table(records)
    floor, floor_cpu = (
        fastest(lambda: copy_of(arrays)),
        fastest(lambda: copy_of(arrays), clock=time.process_time),
    )
    orders: list[tuple[Aim, ...]] = [("beta",), ("beta", "lift"), ("odds", "beta", "lift")]
    for minimise in orders:
        for rates in (None, 0.99):

            def action(minimise: tuple[Aim, ...] = minimise, rates: float | None = rates) -> None:
                solve(*arrays, minimise=minimise, rates=rates)

            took, cpu = fastest(action), fastest(action, clock=time.process_time) / 2
            lines.append(
                f"| {', '.join(minimise)} | {'free' if rates is None else rates} | {took:.3f} | {took / floor:.1f}× | "
                f"{cpu / floor_cpu:.1f}× |"
            )
    lines.append("")


def by_group_size(lines: list[str], records: int = 1_000_000) -> None:
    """The same number of records in groups of other sizes, and unsorted."""
    lines += [
        f"## {records:,} records in groups of other sizes",
        "",
        "| group size | atreport (s) | ratio to a copy |",
        "|---|---|---|",
    ]
    for size in (2, 5, 20, 100, 1_000, 10_000, 100_000):
        arrays = table(records, size)
        floor, ours = fastest(lambda a=arrays: copy_of(a)), fastest(lambda a=arrays: solve(*a))
        lines.append(f"| {size:,} | {ours:.4f} | {ours / floor:.1f}× |")
    arrays = table(records)
    order = np.random.default_rng(1).permutation(records)
    mixed = tuple(array[order] for array in arrays)
    floor, ours = fastest(lambda: copy_of(mixed)), fastest(lambda: solve(*mixed))  # type: ignore[arg-type]
    lines += [f"| 5, rows shuffled | {ours:.4f} | {ours / floor:.1f}× |", ""]


def chart(measured: list[tuple[int, float, float, float]]) -> None:
    """Time against records, on logarithmic axes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    records, floor, ours, plain = (np.array(column) for column in zip(*measured, strict=True))
    figure, axes = pyplot.subplots(figsize=(6.5, 4))
    for times, name, style in (
        (plain, "plain NumPy", "s--"),
        (ours, "atreport", "o-"),
        (floor, "copy of the input", "^:"),
    ):
        axes.loglog(records, times, style, label=name)
    axes.set(xlabel="records (groups of 5)", ylabel="seconds")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(HERE / "solver.svg", metadata={"Date": None})


def main() -> None:
    """Run all measurements and write them down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=9_765_625, help="most records")
    parser.add_argument("--dry-run", action="store_true", help="print only")
    options = parser.parse_args()
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Times depend on the machine; the ratios are what counts.",
        "",
    ]
    lines += [
        f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, best of several runs.",
        "",
    ]
    measured = against_memory(lines, options.largest)
    by_aim(lines, options.largest)
    by_group_size(lines)
    against_others(lines)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines += [
        f"Peak memory of the whole run: {peak:,.0f} MiB.",
        "",
        "![Time against number of records](solver.svg)",
        "",
    ]
    print("\n".join(lines))
    if not options.dry_run:
        chart(measured)
        (HERE / "README.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
