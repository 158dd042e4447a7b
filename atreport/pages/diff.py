"""Compare two published reports on a process: what changed in rules, measures, verdicts, policy and text.

A change has a before and an after, in the words of the report. Both are published figures, so a comparison gives nothing
away that the two reports do not; what they give away *together* is measured with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from atreport.kit.numbers import full_percent, percent
from atreport.pages.wording import MEASURES, VERDICTS
from atreport.verification.restore import restore_release
from atreport.verification.union_attack import attack_union, not_comparable, told_in_words

Part = Literal["report", "process", "policy", "privacy", "rules", "measures", "verdicts", "text"]
PARTS: dict[Part, str] = {
    "verdicts": "Verdicts",
    "measures": "Fairness measures",
    "rules": "The announced rule",
    "privacy": "Privacy",
    "policy": "Policy",
    "process": "The process",
    "report": "The report itself",
    "text": "Notes and texts",
}
"""What can change, the most important first."""

ABSENT = "—"

_POLICY = {
    "fidelity": "Fidelity",
    "privacy": "Ceiling on confidence",
    "objective": "Objective",
    "mechanism": "Mechanism",
    "decimals": "Printed decimals",
    "population": "How the population is published",
}


@dataclass(frozen=True, kw_only=True)
class Change:
    """One thing that differs between two reports."""

    part: Part
    what: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Everything that differs between two reports, and what the pair reveals."""

    old: str  # title, version and date
    new: str
    changes: tuple[Change, ...]
    reveals: tuple[
        str, ...
    ]  # in plain words; empty where the pair tells no more than the new report promises
    remarks: tuple[str, ...] = ()

    def of(self, part: Part) -> tuple[Change, ...]:
        """The changes to one part."""
        return tuple(change for change in self.changes if change.part == part)


def diff_reports(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
    """Compare two documents (the content of report.json), the older first."""
    changes = [
        *_verdicts_and_measures(old, new),
        *_rules(old, new),
        *_privacy(old, new),
        *_policy(old, new),
        *_process(old, new),
        *_report(old, new),
        *_notes(old, new),
    ]
    before, after = restore_release(old), restore_release(new)
    told = attack_union([before], after)
    remarks = []
    if not_comparable([before], after):
        remarks.append(
            "The reports ask about other attributes or outcomes, so cells cannot be matched one by one."
        )
    return Difference(
        old=_name(old),
        new=_name(new),
        changes=tuple(sorted(changes, key=lambda change: list(PARTS).index(change.part))),
        reveals=tuple(told_in_words(each, after) for each in told),
        remarks=tuple(remarks),
    )


def _name(document: Mapping[str, Any]) -> str:
    report = document["report"]
    return f"{report['title']}, version {report['version']} of {report['date']}"


def _verdicts_and_measures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    before, after = ({_measure_key(entry): entry for entry in doc["fairness"]} for doc in (old, new))
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        name = _measure_name(was or now or {})
        if was is None or now is None:
            yield Change(part="measures", what=name, before=_figure(was), after=_figure(now))
            continue
        if _verdict(was) != _verdict(now):
            yield Change(part="verdicts", what=name, before=_verdict(was), after=_verdict(now))
        if _figure(was) != _figure(now):
            yield Change(part="measures", what=name, before=_figure(was), after=_figure(now))
        if was["threshold"] != now["threshold"]:
            what = f"{name}: threshold"
            yield Change(
                part="policy", what=what, before=_plain(was["threshold"]), after=_plain(now["threshold"])
            )


def _measure_key(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    groups = entry["groups"]
    if entry["measure"] == "impact_ratio":
        groups = groups[:1]  # the other one is the most favoured, which may change
    elif entry["measure"] == "group_disparity":
        groups = None
    given = sorted((entry["given"] or {}).items())
    return entry["measure"], entry["title"], tuple(groups or ()), tuple(given)


def _measure_name(entry: Mapping[str, Any]) -> str:
    name = entry["title"] or MEASURES[entry["measure"]]
    about = " and ".join(entry["groups"] or [])
    given = ", ".join(f"{key}: {value}" for key, value in (entry["given"] or {}).items())
    return ", ".join(part for part in (name, about, given) if part)


def _figure(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return ABSENT
    if entry["interval"] is None:
        return "unbounded"
    low, high = entry["interval"]
    return f"{entry['value']} ({low} to {high})"


def _verdict(entry: Mapping[str, Any]) -> str:
    return VERDICTS[entry["verdict"]][0] if entry["verdict"] else "No threshold set"


def _rules(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    names = [a["name"] for a in new["process"]["attributes"]]
    if sorted(names) != sorted(a["name"] for a in old["process"]["attributes"]):
        return  # said under the process; no cell can be matched
    before, after = (
        {tuple(cell[name] for name in names): cell for cell in doc["cells"]} for doc in (old, new)
    )
    for key in dict.fromkeys([*before, *after]):
        was, now = _announced(before.get(key), old), _announced(after.get(key), new)
        what = ", ".join(key)
        if was != now:
            yield Change(part="rules", what=what, before=was, after=now)
        sizes = [_size(cells.get(key)) for cells in (before, after)]
        if sizes[0] != sizes[1] and ABSENT not in (was, now):
            yield Change(part="process", what=f"People in {what}", before=sizes[0], after=sizes[1])


def _announced(cell: Mapping[str, Any] | None, document: Mapping[str, Any]) -> str:
    if cell is None:
        return ABSENT
    outcomes = document["process"]["outcome"]
    if len(outcomes["values"]) == 2:
        return percent(Decimal(cell["announced"][outcomes["favourable"]]))
    return ", ".join(f"{outcome} {percent(Decimal(p))}" for outcome, p in cell["announced"].items())


def _size(cell: Mapping[str, Any] | None) -> str:
    if cell is None or not {"share", "population"} & cell.keys():
        return ABSENT
    return f"{cell['population']:,}" if "population" in cell else percent(Decimal(cell["share"]))


def _privacy(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for name, what in (("beta", "Highest confidence (β)"), ("contribution", "Most that the report adds")):
        yield from _changed(
            "privacy", what, *(full_percent(Decimal(doc["privacy"][name])) for doc in (old, new))
        )
    before, after = (
        {tuple(group["qid"].values()): group for group in doc["privacy"]["groups"]} for doc in (old, new)
    )
    for key in dict.fromkeys([*before, *after]):
        what = f"Confidence in {', '.join(key) or 'everybody'}"
        sides = [full_percent(Decimal(g["beta"])) if g else ABSENT for g in (before.get(key), after.get(key))]
        yield from _changed("privacy", what, *sides)


def _policy(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for key, what in _POLICY.items():
        yield from _changed("policy", what, *(_plain(doc["policy"].get(key)) for doc in (old, new)))


def _process(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    was, now = old["process"], new["process"]
    for key, what in (("name", "Name"), ("description", "Description"), ("estimated_from", "Estimated from")):
        yield from _changed("process", what, _plain(was.get(key)), _plain(now.get(key)))
    yield from _changed("process", "Outcomes", *(_plain(each["outcome"]["values"]) for each in (was, now)))
    favourable = (each["outcome"]["favourable"] for each in (was, now))
    yield from _changed("process", "Favourable outcome", *favourable)
    before, after = ({a["name"]: a for a in each["attributes"]} for each in (was, now))
    for name in dict.fromkeys([*before, *after]):
        sides = [_attribute(each.get(name)) for each in (before, after)]
        yield from _changed("process", f"Attribute {name}", *sides)


def _attribute(attribute: Mapping[str, Any] | None) -> str:
    if attribute is None:
        return ABSENT
    return f"{attribute['role']}: {', '.join(attribute['values'])}"


def _report(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for key in ("title", "publisher", "version", "date", "contact", "summary"):
        sides = (_plain(doc["report"].get(key)) for doc in (old, new))
        yield from _changed("report", key.capitalize(), *sides)


def _notes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    before, after = ({note["id"]: note for note in doc["notes"]} for doc in (old, new))
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        title = (now or was or {})["title"]
        yield from _changed("text", title, was["text"] if was else ABSENT, now["text"] if now else ABSENT)


def _changed(part: Part, what: str, before: str, after: str) -> Iterator[Change]:
    if before != after:
        yield Change(part=part, what=what, before=before, after=after)


def _plain(value: Any) -> str:
    """A value of report.json as a reader would write it."""
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(entry)}" for key, entry in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_plain, value))
    return str(value)
