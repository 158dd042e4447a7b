"""`atreport init --from FILE`: a commented spec for a data file; what is not sure is asked, nothing is changed or lost."""

import stat
from pathlib import Path

import duckdb
import pytest

from atreport import build, load_spec
from atreport.cli.init import write_proposal
from tests.command_line import atreport
from tests.private.data.test_records import CSV
from tests.private.proposal.expected import TABLES

pytestmark = pytest.mark.usefixtures("first_policy")

MANY = "case,city,region,gender,income,result\n" + "".join(
    f"C{i:05},{'ABCDEF'[i % 6]},{'North' if i % 6 < 3 else 'South'},{'FM'[i * 7 % 2]},{(i * 37) % 1000},"
    f"{'granted' if (i * 37) % 1000 > 400 else 'refused'}\n"
    for i in range(600)
)


def test_proposed_spec_builds_as_it_is(tmp_path: Path) -> None:
    """Where every column speaks for itself nothing is asked; case numbers stay out with a word, and what is not needed too."""
    (tmp_path / "many.csv").write_text(MANY)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / "many.csv")
    assert done.returncode == 0, done.stderr
    assert "case: is a number of cases or nearly unique" in done.stderr
    assert "not needed for a first report: city, region" in done.stderr
    spec = load_spec(tmp_path / "new" / "report.yaml")
    assert spec.process.outcome.favourable == "granted"
    assert {a.name: a.role for a in spec.process.attributes} == {"gender": "public", "income": "sensitive"}
    built = atreport("build", tmp_path / "new" / "report.yaml", "-o", tmp_path / "out", "--formats", "json")
    assert built.returncode == 0, built.stderr


def test_only_used_columns_are_copied_for_their_owner_alone(tmp_path: Path) -> None:
    """The copy has the used columns, in the order of the records, is private, and git is told to leave it."""
    (tmp_path / "many.csv").write_text(MANY)
    write_proposal(tmp_path / "new", tmp_path / "many.csv")
    copy = tmp_path / "new" / "data" / "many.csv"
    lines = copy.read_text().splitlines()
    assert lines[:2] == ["gender,income,result", "F,0,refused"]
    assert len(lines) == 601
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert (tmp_path / "new" / ".gitignore").read_text().splitlines()[1:] == ["/data/many.csv", "/output/"]


def test_file_inside_the_folder_is_not_copied(tmp_path: Path) -> None:
    """A file that is already below the folder is named where it is; Parquet will do too. A .gitignore is left alone."""
    (tmp_path / "cases.csv").write_text(CSV)
    (tmp_path / ".gitignore").write_text("mine\n")
    duckdb.sql(f"COPY (FROM '{tmp_path}/cases.csv') TO '{tmp_path}/cases.parquet' (FORMAT parquet)")
    done = atreport("init", tmp_path, "--from", tmp_path / "cases.parquet")
    assert done.returncode == 0, done.stderr
    assert "add to" in done.stderr
    assert not (tmp_path / "data").exists()
    assert (tmp_path / ".gitignore").read_text() == "mine\n"
    assert 'files: "cases.parquet"' in (tmp_path / "report.yaml").read_text()


def test_labels_keep_every_sign(tmp_path: Path) -> None:
    """Commas, equal signs, quotes, words that YAML could take for something else: all stay, and reserved names are avoided."""
    rows = "".join(
        f'"a, b",x=1,{i % 9},{v}\n"it\'s ""so""",no,{i % 5},{v}\n'
        for i in range(40)
        for v in ("<=50K", ">50K")
    )
    (tmp_path / "odd.csv").write_text('"name, first",population,"in=come","decision"\n' + rows)
    done = atreport(
        "init", tmp_path / "new", "--from", tmp_path / "odd.csv", "--favourable", ">50K", "--public", "name, first",
        "--sensitive", "population",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = build(tmp_path / "new" / "report.yaml", tmp_path / "out", formats=["json"])
    process = made.report.process
    assert process.outcome.values == ("<=50K", ">50K")
    assert [(a.name, a.values) for a in process.attributes] == [
        ("name, first", ("a, b", 'it\'s "so"')),
        ("population_", ("no", "x=1")),
    ]


def test_texts_that_differ_stay_apart(tmp_path: Path) -> None:
    """Names have at most eighty characters: two long texts that begin alike do not become one value."""
    long = "x" * 90
    rows = "".join(f"{long}{i % 2},{i % 13},{'yes' if i % 3 else 'no'}\n" for i in range(120))
    (tmp_path / "long.csv").write_text("region,income,approved\n" + rows)
    write_proposal(tmp_path / "new", tmp_path / "long.csv", answers={"public": ("region",)})
    made = build(tmp_path / "new" / "report.yaml", tmp_path / "out", formats=["json"])
    assert len(made.report.process.attribute("region").values) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n", "no column of this file has from two to"),
        ("", "is empty"),
        ("a\nx\ny\n", "beside the outcome no column"),
        ("1,2\n3,4\n", "no names of columns"),
        ("a,b\n1,2\n3\n", "cases.csv:3"),
    ],
)
def test_file_without_decisions(tmp_path: Path, content: str, words: str) -> None:
    """A file that cannot be one of records is answered in words that name it, and nothing is written."""
    (tmp_path / "cases.csv").write_text(content)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / "cases.csv")
    assert done.returncode == 2
    assert words in done.stderr
    assert str(tmp_path / "cases.csv") in done.stderr
    assert not (tmp_path / "new").exists()


def test_no_such_file_and_no_overwriting(tmp_path: Path) -> None:
    """A missing file, one of another kind, and a spec that is there already."""
    assert atreport("init", tmp_path / "new", "--from", tmp_path / "no.csv").returncode == 2
    (tmp_path / "report.yaml").write_text("mine")
    (tmp_path / "cases.csv").write_text(CSV)
    assert atreport("init", tmp_path, "--from", tmp_path / "report.yaml").returncode == 2
    assert atreport("init", tmp_path, "--from", tmp_path / "cases.csv").returncode == 2
    assert (tmp_path / "report.yaml").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.csv", "report.yaml"]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--outcome", "age_"), "there is no 'age_'; did you mean 'age'?"),
        (("--favourable", "maybe"), "there is no 'maybe'"),
        (("--sensitive", "y"), "'y' cannot be used: it is the outcome"),
        (("--encoding", "klingon"), "there is no encoding 'klingon'"),
    ],
)
def test_answers_that_do_not_fit(tmp_path: Path, option: tuple[str, str], words: str) -> None:
    """An answer on the command line is checked against the file."""
    done = atreport("init", tmp_path / "new", "--from", TABLES["bank marketing"].write(tmp_path), *option)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "new").exists()


def test_an_answer_for_a_starter_is_refused(tmp_path: Path) -> None:
    """Without a file there is nothing to answer."""
    assert atreport("init", tmp_path / "new", "--outcome", "y").returncode == 2
    assert not (tmp_path / "new").exists()


def test_answers_are_taken(tmp_path: Path) -> None:
    """With every answer given there is no question left."""
    done = atreport(
        "init", tmp_path / "new", "--from", TABLES["bank marketing"].write(tmp_path), "--outcome", "housing",
        "--favourable", "yes", "--public", "marital", "--public", "job", "--sensitive", "default",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    spec = load_spec(tmp_path / "new" / "report.yaml")
    assert (spec.process.outcome.name, spec.process.outcome.favourable) == ("housing", "yes")
    assert [(a.name, a.role) for a in spec.process.attributes] == [
        ("marital", "public"), ("job", "public"), ("default", "sensitive"),
    ]  # fmt: skip


def test_a_score_is_cut_at_its_median(tmp_path: Path) -> None:
    """An outcome that is a number becomes two outcomes, and which of them is favourable is asked."""
    (tmp_path / "many.csv").write_text(MANY)
    proposed = write_proposal(
        tmp_path / "new",
        tmp_path / "many.csv",
        answers={"outcome": ("income",), "sensitive": ("region",), "favourable": ("above the median",)},
    )
    assert proposed.proposal.outcome_cut
    made = build(tmp_path / "new" / "report.yaml", tmp_path / "out", formats=["json"])
    assert made.report.process.outcome.values == ("not above the median", "above the median")


def test_dependences_are_said_rightly(tmp_path: Path) -> None:
    """A number tells its ranges and not the reverse; two names for one thing tell each other; only one of each is used."""
    proposed = write_proposal(
        tmp_path / "new", TABLES["compas"].write(tmp_path), answers={"sensitive": ("score_text",)}
    )
    said = " | ".join(proposed.proposal.warnings)
    assert "'age' tells 'age_cat' in every record, but not the other way round" in said
    assert "'decile_score' tells 'score_text' in every record, but not the other way round" in said
    assert "age" not in proposed.proposal.columns
    rows = "".join(f"{'FM'[i % 2]},{'10'[i % 2]},{i % 17},{'yes' if i % 5 else 'no'}\n" for i in range(400))
    (tmp_path / "twice.csv").write_text("sex,female,income,approved\n" + rows)
    twice = write_proposal(tmp_path / "twice", tmp_path / "twice.csv").proposal
    assert twice.warnings == (
        "'sex' and 'female' say the same in every record: who knows one knows the other; only one of them is used",
    )
    assert twice.columns == ("sex", "income", "approved")


def test_disability_comes_before_others_and_its_role_is_asked(tmp_path: Path) -> None:
    """People are compared by it, but whether others may know it is for the author to say."""
    rows = "".join(f"{'yn'[i % 2]},{'ab'[i % 3 == 0]},{'yes' if i % 5 else 'no'}\n" for i in range(400))
    (tmp_path / "cases.csv").write_text("disabled,marital_status,approved\n" + rows)
    proposal = write_proposal(tmp_path / "new", tmp_path / "cases.csv").proposal
    assert ("disabled", "open") in [(a.column, a.role) for a in proposal.attributes]
    assert [group.column for group in proposal.fairness_groups] == ["disabled"]


def test_disability_is_compared_by_beside_others(tmp_path: Path) -> None:
    """Beside sex and income it is used all the same, with its role to be said; whoever names the columns decides."""
    rows = "".join(
        f"{'FM'[i % 2]},{'yn'[i % 7 == 0]},{i % 13},{'yes' if i % 5 else 'no'}\n" for i in range(400)
    )
    (tmp_path / "cases.csv").write_text("sex,disability,income,approved\n" + rows)
    proposal = write_proposal(tmp_path / "new", tmp_path / "cases.csv").proposal
    roles = [(a.column, a.role) for a in proposal.attributes]
    assert roles == [("sex", "public"), ("disability", "open"), ("income", "sensitive")]
    assert [group.column for group in proposal.fairness_groups] == ["sex", "disability"]
    named = write_proposal(tmp_path / "b", tmp_path / "cases.csv", answers={"public": ("sex",)}).proposal
    assert named.columns == ("sex", "income", "approved")


def test_texts_that_differ_in_case_only_are_not_joined_in_silence(tmp_path: Path) -> None:
    """yes, Yes and YES are three outcomes until the author says otherwise, so which is favourable is asked."""
    rows = "".join(f"{'FM'[i % 2]},{i % 13},{('yes', 'no', 'Yes', 'no', 'YES')[i % 5]}\n" for i in range(400))
    (tmp_path / "cases.csv").write_text("sex,income,approved\n" + rows)
    proposal = write_proposal(tmp_path / "new", tmp_path / "cases.csv").proposal
    assert proposal.favourable is None
    assert proposal.warnings == (
        "'approved' may say one thing in several ways: YES, Yes, yes; 'groups' can join them",
    )


def test_texts_that_no_label_can_be_keep_a_column_out(tmp_path: Path) -> None:
    """Line breaks, unseen signs and what looks like a question: the column is left out, with a word."""
    odd = ('"two\nlines"', "\u202ehidden", "?? really")
    rows = "".join(f"{odd[i % 3]},{i % 13},{'yes' if i % 5 else 'no'}\n" for i in range(400))
    (tmp_path / "cases.csv").write_text("sex,income,approved\n" + rows, encoding="utf-8")
    proposal = write_proposal(tmp_path / "new", tmp_path / "cases.csv").proposal
    assert dict(proposal.not_used)["sex"].startswith("has texts that no label can be")
    load_spec(tmp_path / "new" / "report.yaml")
