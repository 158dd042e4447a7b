"""Letters to many people: a file of them is checked whole, and all letters are written, or none."""

import json
from pathlib import Path

import pytest

from atreport.cli.letter import read_people, read_report_in
from atreport.errors import OutputError, UsageError
from atreport.report.model import Report
from atreport.report.writer import report_json
from atreport.write_folder import write_private_folders
from tests.assessing import report_case
from tests.command_line import atreport

HEADER = "reference,date,salutation,Employment,income,Arrears in the last two years,outcome"
ROWS = (
    "A-1,2026-03-01,Dear Ms One,permanent,over 40k,no,offered",
    'A-2,2026-03-01,"Dear Dr Two, dear Mr Two",none,under 20k,yes,declined',
)


@pytest.fixture
def report() -> Report:
    """The report of the example."""
    return report_case("gdpr15_credit")


def written(folder: Path, *lines: str) -> Path:
    """A file of people."""
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_file_of_people_becomes_a_folder_for_each(report: Report, tmp_path: Path) -> None:
    """Each with its reference, date, salutation and decision; private; the same bytes again; never over an older batch."""
    (tmp_path / "report.json").write_bytes(report_json(report))
    people = written(tmp_path, HEADER, *ROWS)
    command = ("letter", tmp_path / "report.json", "--records", people, "--formats", "html", "-o")
    done = atreport(*command, tmp_path / "letters")
    assert done.returncode == 0, done.stderr
    paths = [Path(line) for line in done.stdout.splitlines()]
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        f"letters/{name}/{file}" for name in ("A-1", "A-2") for file in ("letter.html", "data.json")
    ]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (*paths, paths[0].parent.parent))
    page = paths[2].read_text(encoding="utf-8")
    assert "Dear Dr Two, dear Mr Two" in page
    assert "1 March 2026 · Reference: A-2" in page
    assert json.loads(paths[3].read_bytes())["decision"]["value"] == "declined"
    assert atreport(*command, tmp_path / "again").returncode == 0
    for path in paths:
        other = tmp_path / "again" / path.relative_to(tmp_path / "letters")
        assert other.read_bytes() == path.read_bytes()
    refused = atreport(*command, tmp_path / "letters")
    assert refused.returncode == 2
    assert "exists already; nothing was written" in refused.stderr


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((HEADER,), "no row of a person"),
        ((HEADER.replace("income", "incom"), *ROWS), "did you mean 'income'?"),
        ((HEADER.replace("income", "employment"), *ROWS), "the column 'employment' stands there twice"),
        ((HEADER.replace("reference", "salutation2"), *ROWS), "the column 'reference' is missing"),
        ((HEADER, ROWS[0], ROWS[1].replace("A-2", "a-1")), ":3: the reference 'a-1' stands in line 2 too"),
        ((HEADER, ROWS[0].replace("A-1", "../A")), ":2: '../A' cannot name a folder"),
        ((HEADER, ROWS[0].replace("over 40k", "over 50k")), ":2: 'over 50k' is not a value of 'income'"),
        ((HEADER, ROWS[0].replace("offered", "granted")), ":2: outcome: 'granted' is none"),
        ((HEADER, ROWS[0].replace("2026-03-01", "March")), ":2: date: 'March' is no date"),
        ((HEADER, ROWS[0] + ",more"), ":2: 8 entries, where the header has 7"),
    ],
)
def test_a_wrong_file_is_answered_at_its_lines(
    report: Report, tmp_path: Path, lines: tuple[str, ...], said: str
) -> None:
    """Nothing is guessed, and every problem has its line."""
    with pytest.raises(UsageError) as error:
        read_people(report, written(tmp_path, *lines))
    assert said in str(error.value)


def test_every_problem_at_once_and_many_are_counted(report: Report, tmp_path: Path) -> None:
    """Of many wrong rows the first are listed."""
    wrong = [f"R{k},,,permanent,none of them,no," for k in range(30)]
    with pytest.raises(UsageError) as error:
        read_people(report, written(tmp_path, HEADER, *wrong))
    assert str(error.value).count("is not a value of") == 20
    assert "… and 10 more" in str(error.value)


def test_semicolons_and_marks_of_other_programs_are_read(report: Report, tmp_path: Path) -> None:
    """A spreadsheet's file: a byte order mark, semicolons, Windows line ends, empty rows; details are optional."""
    path = tmp_path / "people.csv"
    path.write_bytes(
        b"\xef\xbb\xbfreference;employment;income;arrears\r\n\r\nB-1;none;under 20k;no\r\n;;;\r\n"
    )
    (person,) = read_people(report, path)
    assert person.record == {"employment": "none", "income": "under 20k", "arrears": "no"}
    assert person.details.reference == "B-1"
    assert person.details.date is None


def test_files_that_cannot_be_read(report: Report, tmp_path: Path) -> None:
    """No traceback for what is not there or is no text."""
    with pytest.raises(UsageError, match="cannot be read"):
        read_people(report, tmp_path / "nobody.csv")
    (tmp_path / "people.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="no text in UTF-8"):
        read_people(report, tmp_path / "people.csv")


def test_a_batch_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    """Neither the folder nor what was begun beside it."""

    def people() -> object:
        yield "one", {"letter.html": b"1"}
        raise OutputError("the second letter cannot be made")

    with pytest.raises(OutputError, match="second"):
        write_private_folders(tmp_path / "letters", people())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_options_of_one_letter_do_not_go_with_a_file(report: Report, tmp_path: Path) -> None:
    """Who is meant must be clear; and somebody must be."""
    (tmp_path / "report.json").write_bytes(report_json(report))
    people = written(tmp_path, HEADER, *ROWS)
    base = ("letter", tmp_path / "report.json")
    one = ("--record", "employment=none,income=under 20k,arrears=no")
    for options, said in (
        ((), "say whom the letter is to"),
        (("--records", people, "--outcome", "offered"), "write it in a column 'outcome'"),
        (("--records", people, "--record", "employment=none"), "exclude each other"),
        ((*one, "--outcome", "x"), "--outcome: 'x' is none"),
        ((*one, "--date", "x"), "--date: 'x' is no date"),
    ):
        done = atreport(*base, *options, "-o", tmp_path / "x")
        assert done.returncode == 2
        assert said in done.stderr
        assert not (tmp_path / "x").exists()


def test_a_letter_speaks_the_language_that_is_asked_for(report: Report, tmp_path: Path) -> None:
    """That of the report, or of another edition in its folder; one that is not there is answered with those that are."""
    public = tmp_path / "public"
    public.mkdir()
    french = report.model_copy(update={"report": report.report.model_copy(update={"language": "fr"})})
    (public / "report.json").write_bytes(report_json(report))
    (public / "report.fr.json").write_bytes(report_json(french))
    (public / "report.what.json").write_text("no report")
    for path in (public, tmp_path):
        assert read_report_in(None, path).report.language == "en"
        assert read_report_in("en", path).report.language == "en"
        assert read_report_in("fr-CA", path).report.language == "fr"
    assert read_report_in(None, public / "report.fr.json").report.language == "fr"
    with pytest.raises(UsageError, match=r"no report in 'de'; it has en \(English\), fr \(Français\)$"):
        read_report_in("de", public)
    with pytest.raises(UsageError, match=r"it has en \(English\)\n  The public folder may hold more"):
        read_report_in("fr", public / "report.json")
    record = ("--record", "employment=none,income=under 20k,arrears=no", "--date", "2026-03-01")
    done = atreport("letter", public, *record, "--language", "fr", "--formats", "html", "-o", tmp_path / "x")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "x" / "letter.html").read_text(encoding="utf-8")
    assert '<html lang="fr">' in page
    assert "1er mars 2026" in page
