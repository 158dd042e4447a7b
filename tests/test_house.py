"""The shape of the house: a ratchet on its size, no endless functions, imports at the top, no cycles."""

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from atreport.version import __version__
from tests.finding import found
from tools.walk import VALUES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "atreport"
MODULES = sorted(PACKAGE.rglob("*.py"))

RATCHET = {
    "lines": 56_700,
    "modules": 242,
    "import lines in a thousand": 71,
    "modules with one importer": 29,
    "public class names used twice": 0,
    "files that hold a threshold": 27,
    "files that hold a probability": 67,
}
"""What a newcomer must read and a change must touch. These numbers only go down; who must raise one says why in the commit."""

SLACK = 0.02
"""A number that has fallen by more than this share is written down, so that it cannot rise again unseen."""

MOST_LINES = 100
"""Of a function."""

MOST_IMPORTS_INSIDE = 24
"""In functions of the whole package."""

MEANINGLESS = {"utils", "helpers", "base", "types", "common", "misc"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(path: Path) -> Iterator[Function]:
    return (node for node in ast.walk(_tree(path)) if isinstance(node, Function))


def test_no_function_is_long() -> None:
    """A function over a hundred lines is more than one thing."""
    long = [
        f"{_name(path)}: {function.name}"
        for path in (*MODULES, *sorted((ROOT / "tools").glob("*.py")))
        for function in _functions(path)
        if (function.end_lineno or 0) - function.lineno + 1 > MOST_LINES
    ]
    assert not long


def _imports_of(path: Path) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(_tree(path)) if isinstance(node, ast.Import | ast.ImportFrom)]


def _importers() -> dict[str, set[str]]:
    """Who imports each module, in functions too."""
    names = {_module_name(path): path for path in MODULES}
    importers: dict[str, set[str]] = {name: set() for name in names}
    for name, path in names.items():
        for imported in _imported(path, set(names)):
            importers[imported].add(name)
    return importers


def _with_one_importer() -> list[str]:
    """Modules that one other imports, but for entries of a registry: three or more that their package lists."""
    one = {name: next(iter(by)) for name, by in _importers().items() if len(by) == 1}
    listed = Counter(one.values())
    return [name for name, by in one.items() if by != name.rsplit(".", 1)[0] or listed[by] < 3]


def _class_names_used_twice() -> list[str]:
    places: dict[str, set[Path]] = defaultdict(set)
    for path in MODULES:
        for node in _tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path)
    return [name for name, where in places.items() if len(where) > 1]


def _files_held() -> dict[str, int]:
    """How many files hold each value on its way, walked in a process of its own, where no other test has kept anything."""
    command = [sys.executable, "-m", "tools.walk"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {value: int(found(rf"{value}: .* in (\d+) files", said)[1]) for value in VALUES}


def measured() -> dict[str, int]:
    """Every number of the ratchet, as it is now."""
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES)
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1 for path in MODULES for node in _imports_of(path)
    )
    return {
        "lines": lines,
        "modules": len(MODULES),
        "import lines in a thousand": round(1000 * imports / lines),
        "modules with one importer": len(_with_one_importer()),
        "public class names used twice": len(_class_names_used_twice()),
        **{f"files that hold a {value}": number for value, number in _files_held().items()},
    }


def test_the_ratchet_only_goes_down() -> None:
    """The house grew to 63,000 lines in 551 modules, one good reason at a time."""
    now = measured()
    assert now.keys() == RATCHET.keys()
    grown = {name: (now[name], most) for name, most in RATCHET.items() if now[name] > most}
    assert not grown, "more than before: delete something, or say in the commit why not"
    unwritten = {name: now[name] for name, most in RATCHET.items() if now[name] < most * (1 - SLACK) - 1}
    assert not unwritten, "less than before: write the new numbers into RATCHET"


def test_modules_are_named_for_what_is_in_them() -> None:
    """A drawer for everything else grows without end."""
    assert not [_name(path) for path in MODULES if path.stem in MEANINGLESS]


def test_imports_stand_at_the_top() -> None:
    """Imports inside functions are for commands and for libraries that are slow to import and seldom needed."""
    inside = {
        (path, statement.lineno)
        for path in MODULES
        for function in _functions(path)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Import | ast.ImportFrom)
    }
    assert len(inside) <= MOST_IMPORTS_INSIDE


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, modules: set[str]) -> Iterator[str]:
    """The modules that one imports, in functions and for types included."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module


def _reachable(start: str, imports: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [*imports[start]]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += imports[module]
    return seen


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports go one way, those for types and those in functions too: every module can be read after what it imports."""
    names = {_module_name(path): path for path in MODULES}
    imports = {name: set(_imported(path, set(names))) for name, path in names.items()}
    assert not [name for name in names if name in _reachable(name, imports)]


SEARCHED, GATHERED = {"search", "match", "fullmatch"}, {"findall", "finditer"}
"""Methods that give None, or nothing, where nothing is found."""


def test_what_tests_look_for_must_be_there() -> None:
    """A test compared the results of two searches, both None, and passed: `found` and `all_found` of tests/finding.py fail.

    A search is a condition of its own (`assert re.search(…)`), and nothing is gone through that may be empty.
    """
    fails_nowhere = [
        f"{_name(path)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for test in _functions(path)
        if test.name.startswith("test_")
        for node, outside in _with_what_is_around(test)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if (node.func.attr in SEARCHED and not _is_condition(node, outside))
        or (node.func.attr in GATHERED and _is_gone_through(node, outside))
    ]
    assert not fails_nowhere


def _with_what_is_around(top: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    return ((inner, outer) for outer in ast.walk(top) for inner in ast.iter_child_nodes(outer))


def _is_condition(node: ast.AST, outside: ast.AST) -> bool:
    """Whether it is asserted, negated, or decides what follows."""
    match outside:
        case ast.Assert() | ast.UnaryOp(op=ast.Not()) | ast.BoolOp() | ast.GeneratorExp():
            return True
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.comprehension(ifs=tests):
            return node in tests
    return False


def _is_gone_through(node: ast.AST, outside: ast.AST) -> bool:
    match outside:
        case ast.For(iter=everything) | ast.comprehension(iter=everything):
            return everything is node
        case ast.Call(func=ast.Name(id="set" | "all" | "any")):
            return True
    return False


@pytest.mark.parametrize("key", ["version", "license", "title"])
def test_the_citation_is_up_to_date(key: str) -> None:
    """CITATION.cff names this version of this program."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation[key] == {"version": __version__, "license": "Apache-2.0", "title": "atreport"}[key]
