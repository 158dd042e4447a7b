"""Specs of random shape, for tests of what must hold whatever a spec asks for and whatever its texts look like."""

import json
import random
from typing import Any

from atreport.spec.load import parse_spec
from atreport.spec.spec import Spec

TEXTS = [
    "7", "3.14", "100%", "Contents", "1. Results", "a · b", "x – y", "“quoted”", "<b>bold</b> & more", "Straße №5", "ναι", "да",
    "Page 2 of 9", "0", "•", "very " * 30, "word" * 25, "semi;colon, comma", "it's 50/50", "ﬁnal oﬃce", "e\u0301clair", "soft\u00adhyphen",
]  # fmt: skip


def random_spec(rng: random.Random) -> dict[str, Any]:
    """A spec of random shape with awkward texts."""

    def text() -> str:
        return rng.choice(TEXTS)

    outcomes = ["no", "yes"] if rng.random() < 0.7 else ["no", "later", "yes"]
    roles = ["public", "sensitive", *rng.sample(["public", "sensitive", "private"], rng.randint(0, 2))]
    attributes: list[dict[str, Any]] = [
        {
            "name": f"a{i}",
            "label": rng.choice([f"Attribute {i}", text()]),
            "role": role,
            "values": rng.sample(
                ["1", "2", "3", "low", "high", "0.5", "yes or no", "ja · nein"], rng.randint(2, 3)
            ),
        }
        for i, role in enumerate(roles)
    ]
    rows: list[dict[str, Any]] = [{}]
    for attribute in attributes:
        rows = [{**row, attribute["name"]: value} for row in rows for value in attribute["values"]]
    rows = [row for row in rows if rng.random() < 0.9] or rows
    for row in rows:
        row["population"] = rng.choice([1, 3, 8, 40, 1000, rng.randint(1, 10**6)])
        left = 100
        for outcome in outcomes[1:]:
            share = rng.choice([0, left, rng.randint(0, left)])
            row[outcome] = share / 100
            left -= share
    names = [a["name"] for a in attributes]
    by = rng.choice(names)
    some, rest = (attributes[names.index(by)]["values"][k:][: 1 if k == 0 else None] for k in (0, 1))
    measures: list[dict[str, Any]] = [
        {"measure": "statistical_parity", "groups": by, "threshold": 0.2},
        {"measure": "p_percent_rule", "groups": by, "outcomes": rng.choice(["favourable", "all"])},
        {"measure": "impact_ratio", "groups": by, "title": text()},
        {"measure": "group_disparity", "groups": {text(): {by: some}, "the others": {by: rest}}},
        {"measure": "individual", "distance": dict.fromkeys(names, 0.5)},
        {"measure": "conditional_statistical_parity", "groups": names[0], "given": [names[1]]},
    ]
    fidelity: dict[str, float] = rng.choice([{"delta": 0.9}, {"delta": 1}, {"alpha": 0.8}, {"delta": 0.75}])
    calibrated = len(outcomes) == 2 and fidelity.get("delta", 1) < 1
    spec: dict[str, Any] = {
        "atreport": 1,
        "report": {
            "title": text(),
            "publisher": text(),
            "version": rng.choice(["1", "1.0.0", "2026-01"]),
            "date": "2026-01-15",
            **({"summary": text()} if rng.random() < 0.5 else {}),
            **({"contact": "x@example.org"} if rng.random() < 0.5 else {}),
        },
        "process": {
            "name": text(),
            "description": text(),
            "outcome": {"name": "decision", "values": outcomes, "favourable": "yes"},
            "attributes": attributes,
            **({"estimated_from": "records"} if rng.random() < 0.3 else {}),
        },
        "source": {"table": rows},
        "policy": {
            "fidelity": fidelity,
            "decimals": rng.choice([2, 3, 4, 6]),
            "small_cells": rng.choice(["warn", "warn", "round", "suppress"]),
            **({"mechanism": "calibrated"} if calibrated and rng.random() < 0.4 else {}),
        },
        "fairness": rng.sample(measures, rng.randint(1, len(measures))),
        "disclosure": {
            "population": rng.choice(["shares", "counts", "withheld"]),
            "notes": [{"title": text(), "text": text()} for _ in range(rng.randint(0, 2))],
            "legal": [text() for _ in range(rng.randint(0, 2))],
            **({"withheld": [{"what": text(), "because": text()}]} if rng.random() < 0.5 else {}),
        },
    }
    if rng.random() < 0.5:
        spec["transparency"] = {
            "rules": {"tree": 2, "linear": True, "regions": 3},
            "influence": {
                "shapley": True,
                "firm": True,
                "quantities": [{"title": text(), "group": {by: some}}],
            },
            "dependence": {"curves": ["pdp", "ale"]},
        }
    if rng.random() < 0.5:
        further: dict[str, Any] = rng.choice([{}, {"p": 0.5}, {"title": text()}])
        spec["fairness"].append({"measure": "odds_ratio", "groups": by, **further})
    return spec


def with_name_everywhere(spec: dict[str, Any], name: str) -> dict[str, Any]:
    """The same spec, with attributes, values and the favourable outcome called by a name of up to 74 characters."""
    values = {value for attribute in spec["process"]["attributes"] for value in attribute["values"]}

    def renamed(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: renamed(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [renamed(inner) for inner in part]
        return f"{name[:66]} {part}" if part in values else part

    process, outcome = spec["process"], spec["process"]["outcome"]
    attributes = [
        {**attribute, "label": f"{name} {place}", "values": renamed(attribute["values"])}
        for place, attribute in enumerate(process["attributes"])
    ]
    names = {attribute["name"] for attribute in attributes}
    rows = [
        {
            (name if key == "yes" else key): renamed(entry) if key in names else entry
            for key, entry in row.items()
        }
        for row in spec["source"]["table"]
    ]
    called = [name if value == "yes" else value for value in outcome["values"]]
    return {
        **spec,
        "process": {
            **process,
            "attributes": attributes,
            "outcome": {**outcome, "values": called, "favourable": name},
        },
        "source": {"table": rows},
        "fairness": renamed(spec["fairness"]),
        "transparency": renamed(
            spec.get("transparency", {"rules": {"tree": 2}, "dependence": {"curves": ["pdp", "ice"]}})
        ),
    }


def with_every_option(spec: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same spec with options that :func:`random_spec` leaves at their defaults, each now and then.

    Of two that exclude each other, the one that is there stays.
    """
    policy, attributes = spec["policy"], spec["process"]["attributes"]
    names = [attribute["name"] for attribute in attributes]
    calibrated = policy.get("mechanism") == "calibrated"
    if not calibrated and "delta" in policy["fidelity"] and rng.random() < 0.3:
        policy["fidelity"]["rates"] = rng.choice([0.9, 0.99, 1, "best"])
    if not calibrated and rng.random() < 0.5:
        policy["minimise"] = rng.choice([["beta"], ["lift", "beta"], ["odds", "beta", "lift"], ["lift"]])
    if calibrated and rng.random() < 0.3:
        policy["grid"] = "wide"
    if rng.random() < 0.3:
        policy["privacy"] = rng.choice(
            [{"beta": 1}, {"gamma": 0}, {"lift": 1000000}, {"beta": 0.999, "lift": 5000}]
        )
    if policy["small_cells"] != "warn" and rng.random() < 0.5:
        policy["small_cells"] = {"policy": policy["small_cells"], "under": rng.choice([3, 5, 25])}
    if policy["small_cells"] == "warn" and rng.random() < 0.3:
        policy["unprotectable"] = "suppress"
    if rng.random() < 0.3:
        spec["disclosure"]["commitment"] = "salted_hash"
    spec["report"] |= rng.choice(
        [{}, {"licence": "https://example.org/licence"}, {"url": "https://example.org/report"}]
    )
    spec["report"] |= rng.choice([{}, {"doi": "10.5281/zenodo.1234567"}])
    if rng.random() < 0.3:
        attributes[0]["unknown"] = attributes[0]["values"][-1]
    record = {name: value for name, value in spec["source"]["table"][0].items() if name in names}
    methods = spec.setdefault("transparency", {})
    if rng.random() < 0.5:
        methods["rules"] = {"tree": 3, "logistic": True, "anchors": [{"record": record, "precision": 0.8}]}
    if rng.random() < 0.5:
        group = {names[0]: attributes[0]["values"][:1]}
        quantities = [{"title": "A gap", "group": group}]
        methods["influence"] = {"quantities": quantities, "sets": [names[:2]], "local_weights": [record]}
    if rng.random() < 0.5:
        methods["dependence"] = {"curves": ["pdp", "ice", "ale"], "attributes": names[:2]}
    return spec


def parsed_random_spec(seed: int) -> Spec:
    """A random spec, checked."""
    return parse_spec(json.dumps(random_spec(random.Random(seed)), ensure_ascii=False))  # which is YAML too
