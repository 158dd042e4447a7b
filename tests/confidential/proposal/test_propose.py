"""`atreport init --from FILE`: a commented spec for a data file that checks and builds as it is."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from atreport import build, load_spec
from tests.command_line import atreport
from tests.confidential.data.test_records import CSV
from tests.test_real_data import CREDIT_APPROVAL, rdataset

MANY = "case,city,region,gender,income,result\n" + "".join(
    f"C{i:05},{'ABCDEF'[i % 6]},{'North' if i % 6 < 3 else 'South'},{'FM'[i * 7 % 2]},{(i * 37) % 1000},"
    f"{'granted' if (i * 37) % 1000 > 400 else 'refused'}\n"
    for i in range(600)
)


def test_proposed_spec_builds_as_it_is(tmp_path: Path) -> None:
    """Roles, bins and outcome are proposed; case numbers are left out with a word, and so are columns that say the same."""
    (tmp_path / "many.csv").write_text(MANY)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / "many.csv")
    assert done.returncode == 0, done.stderr
    assert "column 'case' is nearly unique" in done.stderr
    assert "column 'city' determines 'region'" in done.stderr
    spec = load_spec(tmp_path / "new" / "report.yaml")
    assert spec.process.outcome.favourable == "granted"
    assert {a.name: a.role for a in spec.process.attributes} == {
        "city": "public", "region": "public", "gender": "public", "income": "sensitive",
    }  # fmt: skip
    checked = atreport("check", tmp_path / "new" / "report.yaml")
    assert checked.returncode == 0, checked.stderr
    built = atreport("build", tmp_path / "new" / "report.yaml", "-o", tmp_path / "out", "--formats", "json")
    assert built.returncode == 0, built.stderr


def test_file_inside_the_folder_is_not_copied(tmp_path: Path) -> None:
    """A file that is already below the folder is named where it is; Parquet will do too."""
    (tmp_path / "cases.csv").write_text(CSV)
    duckdb.sql(f"COPY (FROM '{tmp_path}/cases.csv') TO '{tmp_path}/cases.parquet' (FORMAT parquet)")
    assert atreport("init", tmp_path, "--from", tmp_path / "cases.parquet").returncode == 0
    assert not (tmp_path / "data").exists()
    assert load_spec(tmp_path / "report.yaml").source.cases is not None


def test_texts_that_cannot_be_names(tmp_path: Path) -> None:
    """Commas, equal signs, quotes, words that YAML could take for something else, and reserved names."""
    rows = "".join(
        f'"a, b",x=1,{i % 9},{v}\n"it\'s",no,{i % 5},{v}\n' for i in range(40) for v in ("yes", "no")
    )
    (tmp_path / "odd.csv").write_text('"name, first",population,"in=come","decision"\n' + rows)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / "odd.csv")
    assert done.returncode == 0, done.stderr
    build(tmp_path / "new" / "report.yaml", tmp_path / "out", formats=["json"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n", "no column has from two to four"),
        ("", "is empty"),
        ("a\nx\ny\n", "beside the outcome no column"),
    ],
)
def test_file_without_decisions(tmp_path: Path, content: str, words: str) -> None:
    """A file that cannot be one of records is answered in words, and nothing is written."""
    (tmp_path / "cases.csv").write_text(content)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / "cases.csv")
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "new").exists()


def test_no_such_file_and_no_overwriting(tmp_path: Path) -> None:
    """A missing file, one of another kind, and a spec that is there already."""
    assert atreport("init", tmp_path / "new", "--from", tmp_path / "no.csv").returncode == 2
    (tmp_path / "report.yaml").write_text("mine")
    (tmp_path / "cases.csv").write_text(CSV)
    assert atreport("init", tmp_path, "--from", tmp_path / "report.yaml").returncode == 2
    assert atreport("init", tmp_path, "--from", tmp_path / "cases.csv").returncode == 2
    assert (tmp_path / "report.yaml").read_text() == "mine"


@pytest.mark.parametrize("name", ["HMDA", "CreditCard"])
def test_real_data_sets(tmp_path: Path, name: str) -> None:
    """Real files too: what is proposed builds."""
    rdataset(tmp_path, "AER", name)
    done = atreport("init", tmp_path / "new", "--from", tmp_path / f"{name}.csv")
    assert done.returncode == 0, done.stderr
    assert "column 'rownames' is nearly unique" in done.stderr
    result = build(tmp_path / "new" / "report.yaml", tmp_path / "out", formats=["json"])
    assert result.report.estimation is not None


def test_credit_approval(tmp_path: Path) -> None:
    """Marks of missing entries are found, and A16 is the outcome."""
    if not CREDIT_APPROVAL.is_file():
        pytest.skip(
            "the credit approval data (../shared/data/credit_approval_crx.csv) is not on this machine"
        )
    assert atreport("init", tmp_path, "--from", CREDIT_APPROVAL).returncode == 0
    spec = load_spec(tmp_path / "report.yaml")
    assert (spec.process.outcome.name, spec.process.outcome.favourable) == ("A16", "+")
    assert spec.source.cases is not None
    assert spec.source.cases.when_missing.marks == ("N/A",)
    build(tmp_path / "report.yaml", tmp_path / "out", formats=["json"])
