"""The changelog is put together from one file a change."""

from pathlib import Path

import pytest

from tools.changelog import main, read_fragments

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a changelog of one release and two fragments."""
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("How.\n")
    (tmp_path / "changes" / "wrong-sum.fixed.md").write_text("A sum was\nwrong.\n")
    (tmp_path / "changes" / "colours.added.md").write_text("Colours.\n")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\nWords.\n\n## [0.1.0]\n\n### Added\n\n- All.\n")
    return tmp_path


def test_fragments_become_a_section(project: Path) -> None:
    """They stand before the announcement before, by kind, each as one item, and are gone from the folder."""
    assert main(["0.2.0", "--date", "2026-03-01", "--root", str(project)]) == 0
    assert (project / "CHANGELOG.md").read_text() == (
        "# Changelog\n\nWords.\n\n## [0.2.0] - 2026-03-01\n\n### Added\n\n- Colours.\n\n### Fixed\n\n"
        "- A sum was wrong.\n\n## [0.1.0]\n\n### Added\n\n- All.\n"
    )
    assert [path.name for path in (project / "changes").iterdir()] == ["README.md"]


def test_a_draft_changes_nothing(project: Path, capsys) -> None:
    """A draft is printed; changelog and fragments stay."""
    before = (project / "CHANGELOG.md").read_text()
    assert main(["--draft", "--root", str(project)]) == 0
    assert capsys.readouterr().out.startswith("## [Unreleased]\n\n### Added\n\n- Colours.\n")
    assert (project / "CHANGELOG.md").read_text() == before
    assert len(list((project / "changes").iterdir())) == 3


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("no-kind.md", "x", "0.2.0"),
        ("odd.improved.md", "x", "0.2.0"),
        ("empty.fixed.md", " \n", "0.2.0"),
        ("fine.fixed.md", "x", "0.1.0"),
        ("fine.fixed.md", "x", "next"),
    ],
)
def test_what_cannot_be_used_is_said(project: Path, capsys, name: str, text: str, version: str) -> None:
    """A misnamed or empty fragment, a version twice and no version: exit code 2, and nothing is changed."""
    (project / "changes" / name).write_text(text)
    before = (project / "CHANGELOG.md").read_text()
    assert main([version, "--date", "2026-03-01", "--root", str(project)]) == 2
    assert capsys.readouterr().err
    assert (project / "CHANGELOG.md").read_text() == before
    assert (project / "changes" / name).exists()


def test_our_own_fragments_can_be_used() -> None:
    """Every fragment of this project has a kind and a text."""
    read_fragments(ROOT / "changes")
