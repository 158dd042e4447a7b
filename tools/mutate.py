"""Change the code in one place, see whether its tests notice, and name the changes that none of them does.

    python tools/mutate.py --kind arithmetic --mutants 400 --seed 18 --log mutants
    python tools/mutate.py --kind sentences --mutants 60 --seed 31 --log mutants

Mutants are drawn by the seed: of kind *arithmetic* from the mechanism, the announcement, the measures and the verification,
where any expression is changed; of kind *sentences* from the pages and from what notes and promises say, where conditions
and filters are changed and guards dropped. First the quick tests that should notice run once as they are, which tells which
of them run a line, and how long each takes. Each mutant is then tried in a copy of the project with the tests that run its
line, or its module if the line runs at import: those in the test file named after the module first, then the quickest, until
one fails. A mutant that none kills is a survivor: write the test that would, or say why the change changes nothing. An
interrupted run goes on where it stopped.
"""

import argparse
import ast
import copy
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import highspy  # noqa: F401
import hypothesis  # noqa: F401
import pandas as pd  # noqa: F401
import pydantic  # noqa: F401
import pytest
import scipy.optimize  # noqa: F401
from coverage import CoverageData

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """What is mutated, in which ways, and the tests that should notice."""

    targets: tuple[str, ...]  # folders and modules
    tests: tuple[str, ...]
    changed: Callable[
        [ast.AST], Iterator[tuple[ast.AST, ast.AST]]
    ]  # the places of a node, and what they become


_FIGURES = (
    "atreport/core/certify.py",
    "atreport/private/draft.py",
    "atreport/private/mechanisms.py",
    "atreport/private/protect.py",
    "atreport/private/solver",
    "atreport/measures",
    "atreport/verification",
)
_TESTS_OF_FIGURES = (
    "tests/core",
    "tests/test_paper.py",
    "tests/test_appendix_b.py",
    "tests/compose",
    "tests/explain",
    "tests/measures",
    "tests/private",
    "tests/verification",
    "tests/api/test_audit.py",
    "tests/api/test_check.py",
    "tests/cli/test_ledger.py",
    "tests/cli/test_promises.py",
    "tests/test_pairs_of_truths.py",
    "tests/test_wall.py",
)
"""Those of these folders, and of what is made of their figures."""

_SENTENCES = ("atreport/pages", "atreport/export/diff.py", "atreport/compose")
_TESTS_OF_SENTENCES = (
    "tests/pages",
    "tests/compose",
    "tests/cli",
    "tests/api/test_check.py",
    "tests/cli/test_diff.py",
    "tests/cli/test_letters.py",
    "tests/core/test_inference.py",
    "tests/test_languages.py",
    "tests/test_sentences.py",
)
"""Those that read what is said."""

UNSEEN = ("atreport/private/solver/compiled.py",)
"""Modules of which no line is seen to run, since they are compiled. They are not mutated: a test holds what they give
against the plain solver, and compiling takes longer than all other tests of a mutant."""

MOST_TESTS, MOST_SECONDS = 60, 90
"""The most tests that are tried on a mutant, and how long they take unchanged.

Those of its own test file come first, then the quickest of different files in turn."""

FIRST = 8
"""So many are tried before the others, whose files need not be read if one of these fails."""

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


def expressions(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every change of an expression."""
    yield from ((node, other) for other in changes(node))


def conditions(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Conditions turned round or off by one, filters and guards dropped."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()) | ast.Call() | ast.IfExp():
            yield from ((node, other) for other in changes(node))
        case ast.comprehension(ifs=tests):
            yield from ((test, ast.Constant(True)) for test in tests)
        case ast.If(body=[*_, ast.Raise() | ast.Return() | ast.Continue()], orelse=[]):
            yield node, ast.Pass()
    match node:
        case ast.Compare(comparators=[ast.Constant(value=int(value)) as number]) if not isinstance(
            value, bool
        ):
            yield number, ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id="filter"), args=[_, everything]):
            yield node, everything
        case ast.If(test=test) | ast.While(test=test) | ast.match_case(guard=ast.expr() as test):
            if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Call) or not list(
                changes(test)
            ):
                yield test, ast.UnaryOp(ast.Not(), test)


KINDS = {
    "arithmetic": Kind(targets=_FIGURES, tests=_TESTS_OF_FIGURES, changed=expressions),
    "sentences": Kind(targets=_SENTENCES, tests=_TESTS_OF_SENTENCES, changed=conditions),
}


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """One change of one place."""

    path: str
    line: int
    column: int  # of the place in the line: one line may hold the same number twice
    at_import: bool  # whether the line runs when the module is imported, so that no test is seen to run it
    change: str
    text: str  # the whole module, changed

    @property
    def name(self) -> str:
        """What tells it from others."""
        return f"{self.path}:{self.line}:{self.column}: {self.change}"


def mutants_of(path: Path, kind: Kind) -> Iterator[Mutant]:
    """Every mutant of a module, in the order of its text. Annotations, texts and what is only typed are left alone."""
    source = path.read_text(encoding="utf-8")
    lines = source.encode().splitlines(keepends=True)
    before = [0, *accumulate(len(line) for line in lines)]
    tree = ast.parse(source)
    unseen = {id(inner) for node in ast.walk(tree) for part in _unseen(node) for inner in ast.walk(part)}
    called = {id(inner) for node in ast.walk(tree) for part in _called(node) for inner in ast.walk(part)}
    whole = source.encode()
    for node, new in chain.from_iterable(map(kind.changed, ast.walk(tree))):
        if not isinstance(node, ast.expr | ast.stmt) or id(node) in unseen:
            continue
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = before[node.lineno - 1] + node.col_offset
        end = before[node.end_lineno - 1] + node.end_col_offset
        if whole[start:].startswith(b"elif"):
            continue  # the last of several, which is no guard
        becomes = ast.unparse(new) if isinstance(new, ast.stmt) else f"({ast.unparse(new)})"
        yield Mutant(
            path=str(path.relative_to(ROOT)),
            line=node.lineno,
            column=node.col_offset,
            at_import=id(node) not in called,
            change=f"{_in_a_line(node)} → {_in_a_line(new)}",
            text=(whole[:start] + becomes.encode() + whole[end:]).decode(),
        )


def _in_a_line(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:90]


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


def _called(node: ast.AST) -> list[ast.stmt] | list[ast.expr]:
    """What of a function runs when it is called; its defaults do not."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
            return body
        case ast.Lambda(body=body):
            return [body]
    return []


def draw(number: int, seed: int, kind: Kind) -> list[Mutant]:
    """So many mutants of a kind, drawn by the seed."""
    targets = [ROOT / target for target in kind.targets]
    modules = [
        m for target in targets for m in (sorted(target.rglob("*.py")) if target.is_dir() else [target])
    ]
    seen = [module for module in modules if str(module.relative_to(ROOT)) not in UNSEEN]
    every = [mutant for module in seen for mutant in mutants_of(module, kind)]
    return random.Random(seed).sample(every, min(number, len(every)))


class Coverage:
    """Which tests run a line, and how long each takes."""

    def __init__(self, folder: Path) -> None:
        self._data = CoverageData(str(folder / "coverage"))
        self._data.read()
        self._files = {Path(name).as_posix(): name for name in self._data.measured_files()}
        self._seconds = {}
        for case in ET.parse(folder / "times.xml").iter("testcase"):
            path = case.attrib["classname"].replace(".", "/") + ".py"
            self._seconds[f"{path}::{case.attrib['name']}"] = float(case.attrib["time"])

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that run the mutant's line, or anything of its module if the line runs at import.

        First those of the test file that mirrors the module, then the quickest of each other file in turn.
        """
        file = next((name for path, name in self._files.items() if path.endswith(mutant.path)), "")
        lines = self._data.contexts_by_lineno(file) if file else {}
        tests = self._named(chain(*lines.values()) if mutant.at_import else lines.get(mutant.line, []))
        by_file: dict[str, list[str]] = {}
        for test in sorted(tests, key=self._seconds.__getitem__):
            by_file.setdefault(test.partition("::")[0], []).append(test)
        in_turn = [
            (0 if Path(path).stem == mirror(mutant.path) else 1 + turn, self._seconds[test], test)
            for path, found in by_file.items()
            for turn, test in enumerate(found)
        ]
        chosen = sorted(in_turn)[:MOST_TESTS]
        after = accumulate(seconds for _, seconds, _ in chosen)
        return [test for (*_, test), so_far in zip(chosen, after, strict=True) if so_far <= MOST_SECONDS]

    def _named(self, contexts: Iterable[str]) -> set[str]:
        """The tests that contexts are of; the context of an import is none."""
        return {context.partition("|")[0] for context in contexts} & self._seconds.keys()


def mirror(path: str) -> str:
    """The name of the test file of a module."""
    module = Path(path)
    return f"test_{module.parent.name if module.stem == '__init__' else module.stem}"


def cover(folder: Path, log: Path, tests: Iterable[str]) -> None:
    """Run the tests once as they are, in a copy, and note which line each runs."""
    log.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m", "not slow"]
    command += ["-p", "no:cacheprovider", "--cov", "--cov-context=test", "--cov-report="]
    command += [f"--junitxml={log.resolve() / 'times.xml'}", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, check=False)
    if done.returncode:
        sys.exit("The tests fail as they are: mend that first.")
    shutil.move(folder / ".coverage", log / "coverage")


def fails(tests: list[str], folder: Path, seconds: int) -> bool:
    """Whether one of some tests fails, or they do not end.

    They run in a copy of this process, which has imported all that takes long and nothing of the project.
    """
    process = get_context("fork").Process(target=run, args=(tests, folder))
    process.start()
    process.join(seconds)
    if process.is_alive():
        os.killpg(process.pid or 0, signal.SIGKILL)
        return True
    if process.exitcode not in (
        0,
        1,
        2,
        4,
    ):  # 1: a test failed; 2, 4: one could not be imported, so it is not found
        sys.exit(f"pytest itself failed, with exit code {process.exitcode}: {' '.join(tests)}")
    return process.exitcode != 0


def run(tests: list[str], folder: Path) -> None:
    """Run tests until one fails, and end with pytest's exit code."""
    os.setsid()  # so that processes that tests have started end with it
    os.chdir(folder)
    os.environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    loaded = "ignore::pytest.PytestAssertRewriteWarning"  # of libraries, on purpose
    os._exit(pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-W", loaded, *tests]))


def kills(mutant: Mutant, tests: list[str], folder: Path, seconds: int) -> bool:
    """Whether a test notices the mutant."""
    target = folder / mutant.path
    original = target.read_bytes()
    target.write_text(mutant.text, encoding="utf-8")
    try:
        return any(part and fails(part, folder, seconds) for part in (tests[:FIRST], tests[FIRST:]))
    finally:
        target.write_bytes(original)


def copied(folder: Path) -> None:
    """What tests need of the project."""
    for part in (
        "atreport",
        "templates",
        "tests",
        "tools",
        "specs",
        "docs",
        "changes",
        "pyproject.toml",
        "README.md",
    ):
        copy_part = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy_part(ROOT / part, folder / part)


def main() -> int:
    """Draw, try, log and count."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--kind", choices=KINDS, default="arithmetic", help="what is changed")
    options.add_argument("--mutants", type=int, default=400)
    options.add_argument("--seed", type=int, default=18)
    options.add_argument("--minutes", type=float, default=None, help="stop after so long")
    options.add_argument("--seconds", type=int, default=600, help="tests that take longer count as a failure")
    options.add_argument(
        "--part", default="1/1", help="2/3: the second of three parts, to be tried beside the others"
    )
    options.add_argument("--log", type=Path, default=Path("mutants"), help="a folder")
    asked = options.parse_args()
    end = None if asked.minutes is None else time.monotonic() + 60 * asked.minutes
    part, parts = map(int, asked.part.split("/"))
    kind, folder_of_kind = KINDS[asked.kind], asked.log / asked.kind
    drawn = draw(asked.mutants, asked.seed, kind)[part - 1 :: parts]
    log = folder_of_kind / f"{part} of {parts}.jsonl"
    with TemporaryDirectory(prefix="atreport-mutants-") as name:
        folder = Path(name)
        copied(folder)
        if not (folder_of_kind / "coverage").exists():
            cover(folder, folder_of_kind, kind.tests)
        coverage = Coverage(folder_of_kind)
        tried = dict(map(json.loads, log.read_text("utf-8").splitlines())) if log.exists() else {}
        if fails(
            [test for mutant in drawn[:5] for test in coverage.tests_of(mutant)[:5]], folder, asked.seconds
        ):
            sys.exit("Tests fail without any change: nothing can be learnt from them.")
        for mutant in drawn:
            if mutant.name in tried:
                continue
            if end is not None and time.monotonic() > end:
                break
            tried[mutant.name] = kills(mutant, coverage.tests_of(mutant), folder, asked.seconds)
            with log.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([mutant.name, tried[mutant.name]]) + "\n")
    return tell(drawn, tried, asked.seed)


def tell(drawn: list[Mutant], tried: dict[str, bool], seed: int) -> int:
    """How many were tried and killed, and the names of those that were not."""
    survivors = [mutant.name for mutant in drawn if tried.get(mutant.name) is False]
    known = [tried[mutant.name] for mutant in drawn if mutant.name in tried]
    print(
        f"{len(known)} of {len(drawn)} mutants tried (seed {seed}), {sum(known)} killed, {len(survivors)} survive"
    )
    print(*survivors, sep="\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
