"""The auditor takes the same way as the build: an honest report passes with its data, whatever guard and population it has."""

import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from atreport import build
from atreport.errors import InvalidInput, Refused
from atreport.private.auditor import verify_with_data
from tests.example import EXAMPLE

SPECS = Path(__file__).parents[2] / "specs"
GUARDS = ("warn", "round", "suppress", "refuse")
POPULATIONS = ("shares", "counts", "withheld")
SETTINGS = list(product(GUARDS, POPULATIONS))


def assert_passes_with_data(document: dict[str, Any], spec: Path, guard: str, population: str) -> bool:
    """Build and audit a spec with a guard and a population; whether it was published."""
    under = document["policy"].get("small_cells")
    limit = {"under": under["under"]} if isinstance(under, dict) and "under" in under else {}
    document["policy"]["small_cells"] = {"policy": guard, **limit}
    # guards may leave a ceiling out of reach, and a refusal shows nothing
    document["policy"].pop("privacy", None)
    document.setdefault("disclosure", {})["population"] = population
    spec.write_text(yaml.safe_dump(document, allow_unicode=True, sort_keys=False), encoding="utf-8")
    try:
        folder = build(spec, spec.parent / f"{guard} {population}", ["json"]).folder
    except (Refused, InvalidInput):  # small cells where they are refused, or a form that needs counts
        return False
    found = verify_with_data(folder, spec)
    assert found.passed, (guard, population, found.findings, found.not_checked)
    return True


def test_the_example_passes_with_every_setting(tmp_path: Path) -> None:
    """Every guard with every way to publish the population."""
    passed = [
        assert_passes_with_data(yaml.safe_load(EXAMPLE), tmp_path / "example.yaml", *setting)
        for setting in SETTINGS[::2]
    ]
    assert sum(passed) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in SPECS.glob("*.yaml")))
def test_every_spec_passes_with_every_setting(name: str, tmp_path: Path) -> None:
    """Every spec, every guard, every way to publish the population."""
    shutil.copytree(SPECS, tmp_path / "specs")
    spec = tmp_path / "specs" / f"{name}.yaml"
    text = spec.read_text(encoding="utf-8")
    passed = [assert_passes_with_data(yaml.safe_load(text), spec, *setting) for setting in SETTINGS]
    assert any(passed)
