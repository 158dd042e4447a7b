"""The documentation is true: its examples parse, its commands exist, its links lead somewhere."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml

from atreport.spec.spec import Spec
from atreport.spec.validation import spec_schema
from tests.command_line import atreport
from tests.finding import all_found, found

ROOT = Path(__file__).parents[1]
WRITTEN_BY_USERS = {"verify.py", "public/", "confidential/", "output/", "specs/"}
"""What pages for users call by its name in a report's folder or in a repository of specs."""

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

LINK = r"\]\(([^)#:]+)(?:#[^)]*)?\)"
EXAMPLE = r"(?s)```yaml.*?\n(.*?)```"
CODE = r"`([\w./*]+(?:\.(?:py|j2|css|toml)|/))`"


def pages_with(pattern: str) -> pytest.MarkDecorator:
    """The test once for each page in which a pattern occurs."""
    pages = [page for page in PAGES if re.search(pattern, page.read_text(encoding="utf-8"))]
    assert len(pages) > 5, "it is looked for in vain"
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.relative_to(ROOT).as_posix())


@pages_with(LINK)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file that exists."""
    for target in all_found(LINK, page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pages_with(EXAMPLE)
def test_yaml_examples_use_known_sections(page: Path) -> None:
    """Every YAML example parses, and its top-level keys are sections of a spec."""
    for block in all_found(EXAMPLE, page.read_text(encoding="utf-8")):
        document = yaml.safe_load(block.replace("…", "..."))
        assert document is None or set(document) <= set(Spec.model_fields)


def test_every_key_of_the_spec_is_documented() -> None:
    """docs/spec.md names every key that a spec may have."""
    page = (ROOT / "docs" / "spec.md").read_text(encoding="utf-8")
    keys = {key for schema in spec_schema()["definitions"].values() for key in schema.get("properties", {})}
    missing = [key for key in sorted(keys | set(Spec.model_fields)) if not re.search(rf"\b{key}\b", page)]
    assert not missing


@pages_with(CODE)
def test_paths_of_the_code_exist(page: Path) -> None:
    """A file or folder that is named is there: in the repository, or (on the map of the house) in the package."""
    for name in all_found(CODE, page.read_text(encoding="utf-8")):
        if "/" not in name.rstrip("/") and name in WRITTEN_BY_USERS:
            continue
        assert any(any(root.glob(name.rstrip("/"))) for root in (ROOT, ROOT / "atreport")), name


def test_tests_that_are_named_exist() -> None:
    """docs/forms.md names the test that breaks when a form no longer has what a law asks for: it must be there."""
    named = all_found(r"`(test_\w+)`", (ROOT / "docs" / "forms.md").read_text(encoding="utf-8"))
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert not [name for name in named if f"def {name}(" not in code]


def test_the_map_names_every_room() -> None:
    """docs/architecture.md lists every folder and module at the top of the package and behind the wall, and no other."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = found(r"^atreport/\n(.*?)^templates/", page, re.M | re.S)[1]
    listed = {name.rstrip("/") for name in all_found(r"^ {2,4}([\w.]+/?) ", tree, re.M)}
    rooms = set()
    for folder in (ROOT / "atreport", ROOT / "atreport" / "private"):
        rooms |= {path.name for path in folder.iterdir() if not path.name.startswith("_")}
    inner = {path.parent.name for path in (ROOT / "atreport").glob("*/*/__init__.py")}
    assert rooms - listed == {"py.typed"}
    assert listed - rooms <= inner


def test_every_change_is_tested() -> None:
    """What runs at every change calls `make check`, and that runs the tests; README's commands are in docs/test_readme.py."""
    assert "make check" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^check: .*\btest\b", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_hook_and_the_recipe_run_commands_that_exist() -> None:
    """What docs/git.md tells people to run is there, and the hook finds specs and nothing else."""
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
    page = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")
    assert f"id: {hook['id']}" in page
    assert re.search(hook["files"], "specs/credit_card.yaml")
    assert not re.search(hook["files"], "specs/data/cells.csv")
    commands = set(all_found(r"(?:`|run: |^ +|do )atreport (\w+)", f"`{hook['entry']}\n{page}", re.M))
    known = atreport("--help").stdout
    assert {"check", "build", "verify", "diff"} <= commands
    assert all(re.search(rf"^\W*{command}\b", known, re.M) for command in commands), commands
    options = atreport("build", "--help").stdout
    assert all(option in options for option in all_found(r"atreport build .*?(--[\w-]+)", page))
    recipe = yaml.safe_load(page.split("read:\n")[1].split("\n\nUpload")[0])
    assert set(recipe["jobs"]) == {"check", "publish"}


def test_the_hook_works_as_it_is_printed(tmp_path: Path) -> None:
    """The lines of docs/git.md, put into a repository of specs, stop a commit with a spec that is wrong, and say where."""
    page = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")
    printed = found(r"^    repos:\n(?:    .*\n)+", page, re.M)
    (tmp_path / ".pre-commit-config.yaml").write_text(textwrap.dedent(printed.group()), encoding="utf-8")
    (tmp_path / "specs").mkdir()
    right = (ROOT / "specs" / "credit_card.yaml").read_text(encoding="utf-8")
    (tmp_path / "specs" / "right.yaml").write_text(right, encoding="utf-8")
    (tmp_path / "specs" / "wrong.yaml").write_text(right.replace("policy:", "polcy:"), encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
    }
    for command in (["git", "init", "-q"], ["git", "add", "specs", ".pre-commit-config.yaml"]):
        subprocess.run(command, cwd=tmp_path, check=True, env=environment)
    done = subprocess.run(
        ["pre-commit", "run", "--all-files"], cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"specs/wrong.yaml:\d+:1: unknown key 'polcy'", done.stdout)
    assert "specs/right.yaml:" in done.stdout
