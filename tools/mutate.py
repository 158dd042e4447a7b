"""Change the code in one place, see whether its tests notice, and name the changes that none of them does.

    python tools/mutate.py --mutants 400 --seed 18 --log mutants.jsonl

Mutants are drawn by the seed from the mechanism, the announcement, the measures and the verification. Each is tried in a
copy of the project with the tests that mirror its module, which stop at the first failure. A mutant that no test kills is a
survivor: write the test that would, or say why the change changes nothing. An interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]

TESTS = {
    "atreport/announcement": ["tests/test_announcement.py", "tests/confidential/mechanism/drafting"],
    "atreport/confidential/mechanism/closed_form": [
        "tests/confidential/mechanism/closed_form",
        "tests/confidential/mechanism/test_solver.py",
    ],
    "atreport/confidential/mechanism/programming": ["tests/confidential/mechanism/programming"],
    "atreport/confidential/mechanism": ["tests/confidential/mechanism"],
    "atreport/analysis/measures": ["tests/analysis"],
    "atreport/verification": ["tests/verification"],
}
"""For each file or folder that is mutated, the tests that should notice, beside the test file of the module's own name."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_CALLED = {
    "min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any", "rounded_up": "rounded_down",
    "rounded_down": "rounded_up", "minimum": "maximum", "maximum": "minimum",
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """The ways to change one node."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARED:
            other.ops = [_COMPARED[type(operator)]()]
            yield other
        case ast.BinOp() if type(other.op) in _CALCULATED:
            other.op = _CALCULATED[type(other.op)]()
            yield other
        case ast.BoolOp():
            other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
            yield other
        case ast.UnaryOp(op=ast.Not()):
            yield other.operand
        case ast.Constant(value=bool(value)):
            yield ast.copy_location(ast.Constant(not value), node)
        case ast.Constant(value=int(value)):
            yield ast.copy_location(ast.Constant(value + 1), node)
        case ast.Call(func=ast.Name(id=name)) if name in _CALLED:
            other.func = ast.Name(_CALLED[name], ast.Load())
            yield other
        case ast.Call(func=ast.Attribute(attr=name)) if name in _CALLED:
            assert isinstance(other.func, ast.Attribute)
            other.func.attr = _CALLED[name]
            yield other
        case ast.IfExp():
            other.body, other.orelse = other.orelse, other.body
            yield other


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change of one place."""

    path: str
    line: int
    change: str
    text: str  # the whole module, changed

    @property
    def name(self) -> str:
        """What tells it from others."""
        return f"{self.path}:{self.line}: {self.change}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its text. Annotations, texts and what is only typed are left alone."""
    source = path.read_text(encoding="utf-8")
    lines = source.encode().splitlines(keepends=True)
    before = [0, *accumulate(len(line) for line in lines)]
    tree = ast.parse(source)
    unseen = {id(inner) for node in ast.walk(tree) for part in _unseen(node) for inner in ast.walk(part)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr) or id(node) in unseen:
            continue
        for new in changes(node):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = before[node.lineno - 1] + node.col_offset
            end = before[node.end_lineno - 1] + node.end_col_offset
            whole = source.encode()
            text = whole[:start] + f"({ast.unparse(new)})".encode() + whole[end:]
            change = f"{ast.unparse(node)[:90]} → {ast.unparse(new)[:90]}"
            yield Mutant(
                path=str(path.relative_to(ROOT)), line=node.lineno, change=change, text=text.decode()
            )


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """Parts that no test can see, or whose places in the text are not known."""
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ):
        yield node
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("dataclass"):
        yield node
    for part in ("annotation", "returns"):
        found = getattr(node, part, None)
        if isinstance(found, ast.AST):
            yield found


def draw(number: int, seed: int) -> list[Mutant]:
    """So many mutants of the modules in :data:`TESTS`, drawn by the seed."""
    modules = [
        module
        for target in TESTS
        for module in ([ROOT / target] if target.endswith(".py") else sorted((ROOT / target).rglob("*.py")))
    ]
    every = [mutant for module in dict.fromkeys(modules) for mutant in mutants_of(module)]
    return random.Random(seed).sample(every, min(number, len(every)))


def mirror_of(path: str) -> list[str]:
    """The test files that mirror a module, the one of its own name first; else those of its room."""
    inner = Path(path).relative_to("atreport")
    own = ROOT / "tests" / inner.with_name(f"test_{inner.name}")
    room = next(tests for target, tests in TESTS.items() if path.startswith(target))
    mirrored = [str(own.relative_to(ROOT))] if own.exists() else []
    return [*mirrored, *(test for test in room if test not in mirrored)]


def fails(test: str, folder: Path, seconds: int) -> bool:
    """Whether a test file or folder fails, or does not end."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        test,
    ]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, 5)


class Trial:
    """A copy of the project in which mutants are tried; a test that fails without any mutant takes no part."""

    def __init__(self, folder: Path, seconds: int) -> None:
        self.folder, self.seconds = folder, seconds
        self.broken: dict[str, bool] = {}

    def kills(self, mutant: Mutant) -> bool:
        """Whether a test notices the mutant."""
        tests = [test for test in mirror_of(mutant.path) if not self._is_broken(test)]
        target = self.folder / mutant.path
        original = target.read_bytes()
        target.write_text(mutant.text, encoding="utf-8")
        try:
            return any(fails(test, self.folder, self.seconds) for test in tests)
        finally:
            target.write_bytes(original)

    def _is_broken(self, test: str) -> bool:
        if test not in self.broken:
            self.broken[test] = fails(test, self.folder, self.seconds)
            if self.broken[test]:
                print(f"{test} fails as it is, and takes no part", file=sys.stderr, flush=True)
        return self.broken[test]


def main() -> int:
    """Draw, try, log and count."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--mutants", type=int, default=400)
    options.add_argument("--seed", type=int, default=18)
    options.add_argument("--minutes", type=float, default=None, help="stop after so long")
    options.add_argument(
        "--seconds", type=int, default=600, help="a test file that takes longer counts as a failure"
    )
    options.add_argument("--log", type=Path, default=Path("mutants.jsonl"))
    asked = options.parse_args()
    end = None if asked.minutes is None else time.monotonic() + 60 * asked.minutes
    tried = {}
    if asked.log.exists():
        tried = {
            line["mutant"]: line["killed"] for line in map(json.loads, asked.log.read_text().splitlines())
        }
    drawn = draw(asked.mutants, asked.seed)
    with TemporaryDirectory(prefix="atreport-mutants-") as name:
        folder = Path(name)
        for part in (
            "atreport",
            "templates",
            "tests",
            "specs",
            "docs",
            "changes",
            "pyproject.toml",
            "README.md",
        ):
            copy_part = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy_part(ROOT / part, folder / part)
        trial = Trial(folder, asked.seconds)
        for mutant in drawn:
            if mutant.name in tried:
                continue
            if end is not None and time.monotonic() > end:
                break
            tried[mutant.name] = trial.kills(mutant)
            with asked.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"mutant": mutant.name, "killed": tried[mutant.name]}) + "\n")
    survivors = [mutant.name for mutant in drawn if tried.get(mutant.name) is False]
    known = [tried[mutant.name] for mutant in drawn if mutant.name in tried]
    print(
        f"{len(known)} of {len(drawn)} mutants tried (seed {asked.seed}), {sum(known)} killed, {len(survivors)} survive"
    )
    print(*survivors, sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
