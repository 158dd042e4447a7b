"""Starting from a form: every form has an example, and what is written is a spec that checks."""

from pathlib import Path

import pytest

from atreport.cli.init import example_files
from atreport.errors import UsageError
from atreport.forms import FORMS
from atreport.spec.load import load_spec
from tests.command_line import atreport


@pytest.mark.parametrize("template", FORMS)
def test_what_is_written_is_a_spec_of_the_form(template: str, tmp_path: Path) -> None:
    """It loads in its new folder, with the data it names and the line by which editors find the schema."""
    for name, content in example_files(template).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    assert load_spec(tmp_path / "report.yaml").report.template == template
    assert (
        (tmp_path / "report.yaml").read_text(encoding="utf-8").startswith("# yaml-language-server: $schema=")
    )


def test_the_command_starts_a_form_and_overwrites_nothing(tmp_path: Path) -> None:
    """Once; a second time it refuses, and so it does with a form that there is not, or with data."""
    done = atreport("init", tmp_path / "audit", "--template", "ll144")
    assert done.returncode == 0, done.stderr
    assert "is invented" in done.stderr
    again = atreport("init", tmp_path / "audit", "--template", "eeoc")
    assert again.returncode == 2
    assert "exists already" in again.stderr
    unknown = atreport("init", tmp_path / "x", "--template", "ll145")
    assert unknown.returncode == 2
    assert "did you mean 'll144'?" in unknown.stderr
    both = atreport(
        "init", tmp_path / "x", "--template", "ll144", "--from", tmp_path / "audit" / "report.yaml"
    )
    assert both.returncode == 2
    assert "choose one" in both.stderr
    assert not (tmp_path / "x").exists()


def test_an_unknown_form_is_answered_with_those_there_are() -> None:
    """Also to programs."""
    with pytest.raises(UsageError, match="the forms: "):
        example_files("nothing like it")
