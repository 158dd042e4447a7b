"""What is given hostile input: each target is one case by its seed, and may end well, or in an error that users can meet."""

import json
import random
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import yaml

from atreport.api.build import build
from atreport.private.data.run_options import RunOptions
from atreport.private.data.table import read_table
from atreport.report.reader import read_report
from atreport.spec.load import load_spec, parse_spec
from atreport.verification import verify
from tests.fuzz.mutation import damaged_pdf, mutated, mutated_bytes, mutated_text
from tests.random_specs import random_spec
from tests.verifying import shipped

ROOT = Path(__file__).parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))
REPORTS = sorted((ROOT / "tests" / "data").glob("*/*/report.json"))
QUICKLY = RunOptions(time_limit=10, memory_limit="600MB")


@cache
def _spec(path: Path) -> Any:
    return json.loads(json.dumps(yaml.safe_load(path.read_text(encoding="utf-8")), default=str))


def _some_spec(rng: random.Random) -> Any:
    return _spec(rng.choice(SPECS)) if rng.random() < 0.6 else random_spec(rng)


def _written(document: Any, rng: random.Random) -> str:
    """A spec as YAML or, which is YAML too, as JSON; half of them damaged as texts."""
    if rng.random() < 0.5:
        text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    else:
        text = yaml.safe_dump(document, allow_unicode=True, sort_keys=False)
    return mutated_text(text, rng) if rng.random() < 0.3 else text


def loader(rng: random.Random, _folder: Path) -> None:
    """A damaged spec is read."""
    parse_spec(_written(mutated(_some_spec(rng), rng), rng))


def whole_build(rng: random.Random, folder: Path) -> None:
    """A damaged spec is built, as far as it goes."""
    path = folder / "spec.yaml"
    source = rng.choice(SPECS)
    for data in (source.parent / "data").glob("*") if (source.parent / "data").is_dir() else ():
        (folder / "data").mkdir(exist_ok=True)
        if data.is_file() and data.stat().st_size < 5_000_000:
            shutil.copy(data, folder / "data")
    document = _spec(source) if rng.random() < 0.5 else random_spec(rng)
    text = _written(mutated(document, rng), rng)
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    build(path, folder / "out", ["json"], engine=QUICKLY)


RECORDS = """\
atreport: 1
report: {title: T, publisher: P, version: 1, date: 2026-01-01}
process:
  name: N
  outcome: {name: decision, values: [denied, approved], favourable: approved}
  attributes:
    - {name: gender, role: public, values: [F, M]}
    - {name: income, role: sensitive, values: [low, high]}
source: {SOURCE}
policy: {fidelity: {delta: 0.9}}
fairness: [{measure: statistical_parity, groups: gender}]
"""
CELLS_CSV = "gender,income,population,approved\nF,low,12,0.1\nF,high,30,0.4\nM,low,25,0.2\nM,high,9,0.9\n"
CASES_CSV = "gender,income,decision\n" + "F,low,denied\nF,high,approved\nM,low,denied\nM,high,approved\n" * 6


@cache
def _parquet(text: str) -> bytes:
    with TemporaryDirectory() as name, duckdb.connect() as connection:
        (Path(name) / "x.csv").write_text(text)
        connection.execute(f"COPY (FROM read_csv('{name}/x.csv', all_varchar = true)) TO '{name}/x.parquet'")
        return (Path(name) / "x.parquet").read_bytes()


def sources(rng: random.Random, folder: Path) -> None:
    """A sound spec with a damaged data file."""
    kind, text = rng.choice([("cells", CELLS_CSV), ("records", CASES_CSV)])
    ending = rng.choice(["csv", "csv", "parquet"])
    content = text.encode() if ending == "csv" else _parquet(text)
    changed = (
        mutated_text(text, rng).encode("utf-8", "surrogatepass")
        if ending == "csv" and rng.random() < 0.5
        else None
    )
    (folder / f"data.{ending}").write_bytes(changed or mutated_bytes(content, rng))
    further = rng.choice(
        ["", "", "missing: exclude", "estimate: tree", "bins: {income: [10]}", "population: data.csv"]
    )
    entry = (
        f"{{files: data.{ending}{', ' if further else ''}{further}}}"
        if kind == "records"
        else f"data.{ending}"
    )
    path = folder / "spec.yaml"
    path.write_text(RECORDS.replace("SOURCE", f"{kind}: {entry}"))
    read_table(load_spec(path), None, QUICKLY)


@cache
def _report(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _hostile_report(rng: random.Random) -> bytes:
    path = rng.choice(REPORTS)
    if rng.random() < 0.3:
        return mutated_bytes(path.read_bytes(), rng)
    return json.dumps(mutated(_report(path), rng), ensure_ascii=rng.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )


def report_reader(rng: random.Random, _folder: Path) -> None:
    """A damaged report.json is read."""
    read_report(_hostile_report(rng), "report.json")


def verifier(rng: random.Random, folder: Path) -> None:
    """A damaged report.json is verified, every other one of the example as it is made today."""
    if rng.random() < 0.5:
        content = _hostile_report(rng)
    else:
        content = json.dumps(mutated(json.loads(EXAMPLE["report.json"]), rng)).encode(
            "utf-8", "surrogatepass"
        )
    (folder / "report.json").write_bytes(content)
    verify(folder / "report.json")


def standalone_verifier(rng: random.Random, folder: Path) -> None:
    """A damaged report.json is given to the verifier that is shipped beside reports."""
    (folder / "report.json").write_bytes(_hostile_report(rng))
    shipped(folder / "report.json")


EXAMPLE: dict[str, bytes] = {}
"""The public files of the example, all formats: `test_fuzz.py` puts them here before any case starts."""


def pdf(rng: random.Random, folder: Path) -> None:
    """A damaged PDF is verified: alone, or beside the other files of its report."""
    damaged = damaged_pdf(EXAMPLE["report.pdf"], rng)
    for name, content in EXAMPLE.items() if rng.random() < 0.2 else ():
        (folder / name).write_bytes(content)
    (folder / "report.pdf").write_bytes(damaged)
    alone = [*folder.iterdir()] == [folder / "report.pdf"]
    assert not verify(folder / "report.pdf" if alone else folder).passed or damaged == EXAMPLE["report.pdf"]


TARGETS: dict[str, Callable[[random.Random, Path], None]] = {
    "loader": loader,
    "build": whole_build,
    "sources": sources,
    "reader": report_reader,
    "verify": verifier,
    "standalone": standalone_verifier,
    "pdf": pdf,
}
