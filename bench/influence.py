"""How long exact influence takes: QII and Shapley values on a million cells of ten attributes.

python bench/influence.py [--cells 1048576] [--fill 1.0]
"""

import argparse
import resource
import time
from itertools import product

import numpy as np

from atreport.core.cells import arrange
from atreport.explain.interventions import Game, change_as_sum, shapley_values
from atreport.spec.process import Process

ATTRIBUTES, VALUES = 10, 4


def table(cells: int, fill: float) -> Game:
    """Cells of a grid of four values of each of ten attributes, with people and announced probabilities."""
    rng = np.random.default_rng(7)
    codes = np.array(list(product(range(VALUES), repeat=ATTRIBUTES)), dtype=np.int32)[:cells]
    codes = codes[rng.random(len(codes)) < fill] if fill < 1 else codes
    attributes = [
        {"name": f"a{k}", "role": "public" if k else "sensitive", "values": [f"v{v}" for v in range(VALUES)]}
        for k in range(ATTRIBUTES)
    ]
    outcome = {"name": "decision", "values": ["no", "yes"], "favourable": "yes"}
    process = Process.model_validate({"name": "bench", "outcome": outcome, "attributes": attributes})
    arranged, _ = arrange(process, codes, rng.integers(1, 1000, len(codes)))
    steps = rng.integers(0, 10_001, len(arranged))
    return Game(cells=arranged, weights=arranged.population, steps=steps, group=arranged.codes[:, 1] == 0)


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=VALUES**ATTRIBUTES)
    parser.add_argument("--fill", type=float, default=1.0, help="share of the grid that occurs")
    options = parser.parse_args()
    game = table(options.cells, options.fill)
    print(f"{len(game.cells):,} cells, {ATTRIBUTES} attributes, {int(game.weights.sum()):,} people")
    start = time.perf_counter()
    for attribute in game.cells.process.attributes:
        change_as_sum(game.cells, game.weights, game.group, [attribute.name]).of(game.steps, 10_000)
    print(f"QII of every attribute       {time.perf_counter() - start:6.1f} s")
    start = time.perf_counter()
    values = shapley_values(game)
    print(f"Shapley values, 1,024 sets   {time.perf_counter() - start:6.1f} s")
    members = game.weights[game.group]
    gap = (members @ game.steps[game.group]) / members.sum() - (
        game.weights @ game.steps
    ) / game.weights.sum()
    print(f"  they sum to {float(sum(values)):.9f} steps; the group is {gap:.9f} steps from everybody")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB")


if __name__ == "__main__":
    main()
