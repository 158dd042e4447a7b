"""Figures of a data file itself, from their definitions in fractions: nothing here is the program's.

A file is rows of values, a weight and the probability of each outcome; None stands for a value that was not recorded. The
people of a row count wherever what is recorded of them puts them, whatever a report did with them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from typing import Any

Condition = Mapping[str, Sequence[str]]

NOT_RECORDED = "not recorded"
"""A value that says that there is none: for figures of groups it is no group."""

SMALLER_IS_FAIRER = {
    "statistical_parity",
    "conditional_statistical_parity",
    "group_disparity",
    "error_rates",
    "individual",
}
"""Measures whose verdict is 'meets' up to the threshold; of the others, from it on."""


@dataclass(frozen=True)
class Row:
    """Some people who are alike."""

    values: Mapping[str, str | None]
    people: int
    chances: Mapping[str, Fraction]


@dataclass(frozen=True)
class DataFile:
    """The rows, and the outcomes in the order of the spec."""

    rows: Sequence[Row]
    outcomes: Sequence[str]
    favourable: str

    def _are(self, condition: Condition) -> Iterator[Row]:
        return (row for row in self.rows if all(row.values[name] in some for name, some in condition.items()))

    def rate(self, condition: Condition, outcome: str | None = None) -> Fraction | None:
        """How often these people get an outcome; None of nobody."""
        rows = list(self._are(condition))
        people = sum(row.people for row in rows)
        favoured = sum(row.people * row.chances[outcome or self.favourable] for row in rows)
        return Fraction(favoured) / people if people else None

    def people(self, condition: Condition) -> int:
        """How many these people are."""
        return sum(row.people for row in self._are(condition))

    def rates_of_all(self, groups: str | Sequence[str] | Mapping[str, Any]) -> dict[str, Fraction]:
        """The favourable rate of every group that somebody is in."""
        if isinstance(groups, Mapping):
            names = list(groups)
        else:
            columns = [groups] if isinstance(groups, str) else list(groups)
            occurring = [tuple(row.values[column] for column in columns) for row in self.rows]
            names = [
                " · ".join(map(str, each))
                for each in dict.fromkeys(occurring)
                if not {None, NOT_RECORDED} & {*each}
            ]
        found = {name: self.rate(conditions(groups, name)) for name in names}
        return {name: rate for name, rate in found.items() if rate is not None}

    def predictive(self, condition: Condition, label: str, right: Sequence[str]) -> Fraction | None:
        """For how many of those who get the favourable outcome it is right; None where nobody gets it."""
        rows = [row for row in self._are(condition) if row.values[label] not in (None, NOT_RECORDED)]
        got = {id(row): row.people * row.chances[self.favourable] for row in rows}
        total = sum(got.values())
        return (
            Fraction(sum(got[id(row)] for row in rows if row.values[label] in right)) / total
            if total
            else None
        )

    def individual(self, asked: Mapping[str, Any], labels: Mapping[str, str]) -> Fraction | float:
        """By how much people are treated more differently than they differ; `labels` are not looked at."""
        alike: dict[tuple[tuple[str, str | None], ...], list[Row]] = {}
        for row in self.rows:
            if None not in row.values.values():
                key = tuple((name, value) for name, value in row.values.items() if name not in labels)
                alike.setdefault(key, []).append(row)
        people = [
            (
                dict(key),
                {
                    outcome: Fraction(sum(row.people * row.chances[outcome] for row in rows))
                    / sum(row.people for row in rows)
                    for outcome in self.outcomes
                },
            )
            for key, rows in alike.items()
        ]
        worst: Fraction | float = Fraction(0)
        for (a, x), (b, y) in combinations(people, 2):
            distance = sum(Fraction(str(d)) for name, d in asked["distance"].items() if a[name] != b[name])
            if asked.get("metric") == "relative":
                difference: Fraction | float = max(_log_ratio(x[o], y[o]) for o in self.outcomes)
            else:
                difference = sum(abs(x[o] - y[o]) for o in self.outcomes) / len(self.outcomes)
            worst = max(worst, difference - distance)
        return worst


def _log_ratio(a: Fraction, b: Fraction) -> float:
    if a == b:
        return 0.0
    return abs(math.log(a / b)) if a and b else math.inf


def _share(a: Fraction, b: Fraction) -> Fraction:
    return Fraction(1) if a == b else min(a, b) / max(a, b)


def _odds_share(a: Fraction, b: Fraction) -> Fraction:
    low, high = min(a, b), max(a, b)
    if low == high:
        return Fraction(1)
    return Fraction(0) if high == 1 else low / (1 - low) / (high / (1 - high))


def conditions(groups: str | Sequence[str] | Mapping[str, Any], name: str) -> Condition:
    """Who is in a group of a measure, by its printed name."""
    if isinstance(groups, Mapping):
        found = groups[name].items()
        return {key: [some] if isinstance(some, str) else list(some) for key, some in found}
    names = [groups] if isinstance(groups, str) else list(groups)
    return {key: [value] for key, value in zip(names, name.split(" · "), strict=True)}


def figure(file: DataFile, asked: Mapping[str, Any], printed: Mapping[str, Any]) -> Fraction | float | None:
    """What a printed comparison is of the file itself; None where the file does not have it either."""
    measure = asked["measure"]
    if measure == "individual":
        return file.individual(asked, {})
    given = {key: [value] for key, value in (printed["given"] or {}).items()}
    if measure in ("impact_ratio", "group_disparity"):
        all_rates = file.rates_of_all(asked["groups"])
        if measure == "group_disparity":
            return max(all_rates.values()) - min(all_rates.values())
        own, highest = all_rates.get(printed["groups"][0]), max(all_rates.values())
        return None if own is None else (own / highest if highest else Fraction(1))
    who = [{**conditions(asked["groups"], name), **given} for name in printed["groups"]]
    if measure == "error_rates":
        return _error_figure(file, asked, printed["rate"], who)
    rates = [file.rate(each) for each in who]
    if None in rates:
        return None
    found = [rate for rate in rates if rate is not None]
    a, b = found
    if measure in ("statistical_parity", "conditional_statistical_parity"):
        sizes = [
            abs((file.rate(who[0], o) or Fraction(0)) - (file.rate(who[1], o) or Fraction(0)))
            for o in file.outcomes
        ]
        return sizes[0] if len(sizes) == 2 else Fraction(sum(sizes)) / len(sizes)
    if measure == "odds_ratio":
        return _odds_share(a, b)
    if asked.get("outcomes") == "all":
        return min(
            _share(file.rate(who[0], o) or Fraction(0), file.rate(who[1], o) or Fraction(0))
            for o in file.outcomes
        )
    return _share(a, b)


def wrong_values(file: DataFile, label: str, right: Sequence[str]) -> list[str]:
    """For whom the favourable outcome was wrong: who was not recorded counts on neither side."""
    values = {row.values[label] for row in file.rows}
    return [value for value in values if value not in (None, NOT_RECORDED) and value not in right]


def _error_figure(
    file: DataFile, asked: Mapping[str, Any], rate: str, who: Sequence[Condition]
) -> Fraction | None:
    label, right = asked["label"], asked["positive"]
    right = [right] if isinstance(right, str) else right
    wrong = wrong_values(file, label, right)
    if rate == "predictive_parity":
        shares = [file.predictive(each, label, right) for each in who]
        return None if None in shares else abs(shares[0] - shares[1])  # type: ignore[operator]
    parts = {
        "equal_opportunity": [right],
        "false_negative": [right],
        "false_positive": [wrong],
        "equalised_odds": [right, wrong],
    }[rate]
    gaps = []
    for part in parts:
        a, b = (file.rate({**each, label: part}) for each in who)
        if a is None or b is None:
            return None
        gaps.append(abs(a - b))
    return max(gaps)


def faults(file: DataFile, spec: Mapping[str, Any], report: Mapping[str, Any]) -> Iterator[str]:
    """Every certain figure of a report.json that does not hold for the file, and every verdict that is wrong."""
    yield from _value_rate_faults(file, report)
    yield from _form_faults(file, report)
    for printed in report["fairness"]:
        asked = next(each for each in spec["fairness"] if _gives(each, printed))
        named = (
            f"{printed['measure']} {printed.get('rate') or ''} {printed['groups']} {printed['given'] or ''}"
        )
        yield from _rate_faults(file, asked, printed, named)
        true = figure(file, asked, printed)
        if true is None:
            continue
        if printed["interval"] is not None:
            low, high = (Fraction(Decimal(str(end))) for end in printed["interval"])
            value = Fraction(Decimal(str(printed["value"])))
            if not (_at_most(low, true) and _at_most(true, high)):
                yield f"{named}: the file's {float(true):.6f} is not in [{float(low)}, {float(high)}]"
            if not low <= value <= high:
                yield f"{named}: {float(value)} is not in its own interval [{float(low)}, {float(high)}]"
        limit = printed["threshold"]
        if limit is not None and printed["verdict"] != "cannot_tell":
            limit = Fraction(Decimal(str(limit)))
            meets = true <= limit if asked["measure"] in SMALLER_IS_FAIRER else true >= limit
            if meets != (printed["verdict"] == "meets"):
                yield f"{named}: 'for certain {printed['verdict']}', the file says {float(true):.6f} against {float(limit)}"


def _gives(asked: Mapping[str, Any], printed: Mapping[str, Any]) -> bool:
    """Whether this entry of the spec asked for a printed figure."""
    groups, given = asked.get("groups", []), asked.get("given", [])
    by = [groups] if isinstance(groups, str) else [] if isinstance(groups, Mapping) else [*groups]
    return (
        asked["measure"] == printed["measure"]
        and by == (printed.get("by") or [])
        and ([given] if isinstance(given, str) else [*given]) == [*(printed["given"] or {})]
    )


def _at_most(a: Fraction | float, b: Fraction | float) -> bool:
    inexact = isinstance(a, float) or isinstance(b, float)  # logarithms
    return float(a) <= float(b) + 1e-9 if inexact else a <= b


def _rate_faults(
    file: DataFile, asked: Mapping[str, Any], printed: Mapping[str, Any], named: str
) -> Iterator[str]:
    given = {key: [value] for key, value in (printed["given"] or {}).items()}
    for rate in printed.get("rates") or []:
        who = {**conditions(asked["groups"], rate["group"]), **given}
        kind = rate.get("kind")
        if kind is None:
            true = file.rate(who)
        else:
            right = [asked["positive"]] if isinstance(asked["positive"], str) else asked["positive"]
            wrong = wrong_values(file, asked["label"], right)
            if kind == "predictive":
                true = file.predictive(who, asked["label"], right)
            else:
                true = file.rate({**who, asked["label"]: wrong if kind == "false_positive" else right})
                if kind == "false_negative" and true is not None:
                    true = 1 - true
        low, high = (Fraction(Decimal(str(end))) for end in rate["interval"])
        if true is not None and not low <= true <= high:
            yield f"{named}: rate of {rate['group']} ({kind}): {float(true):.6f} is not in [{float(low)}, {float(high)}]"


def _finest(report: Mapping[str, Any], name: str, value: str) -> list[str]:
    """A printed value, and those of the file that it stands for."""
    (attribute,) = (each for each in report["process"]["attributes"] if each["name"] == name)
    return [value, *attribute.get("joined", {}).get(value, ())]


def _outside(printed: Mapping[str, Any], true: Fraction | int | None) -> bool:
    low, high = (Fraction(Decimal(str(end))) for end in printed["interval"])
    return true is not None and not low <= true <= high


def _value_rate_faults(file: DataFile, report: Mapping[str, Any]) -> Iterator[str]:
    for printed in report.get("value_rates", []):
        true = file.rate({printed["attribute"]: _finest(report, printed["attribute"], printed["of"])})
        if _outside(printed, true):
            yield f"rate of {printed['attribute']} {printed['of']}: {true} is not in {printed['interval']}"


def _form_faults(file: DataFile, report: Mapping[str, Any]) -> Iterator[str]:
    """The rows of a form's tables about single attributes: people, selected, rates, ratios and what is said of them."""
    for table in report.get("form", {}).get("tables", []):
        (name,) = table["attributes"]
        highest = max(file.rates_of_all(name).values(), default=Fraction(0))
        rows = [
            ({name: _finest(report, name, row["category"])}, row["category"], row)
            for row in table["categories"]
        ]
        for condition, category, row in [*rows, ({}, "everybody", table["total"])]:
            rate, people = file.rate(condition), file.people(condition)
            true = {"people": people, "selected": (rate or 0) * people, "rate": rate}
            if row.get("impact_ratio") and rate is not None and highest:
                true["impact_ratio"] = rate / highest
                said = row.get("four_fifths")
                if said in ("meets", "does_not_meet") and (said == "meets") != (
                    rate / highest >= Fraction(4, 5)
                ):
                    yield f"form, {category}: {said}, the file says {float(rate / highest)}"
            for key, figure_of_file in true.items():
                if row.get(key) is not None and _outside(row[key], figure_of_file):
                    yield f"form, {category}, {key}: {float(figure_of_file or 0)} is not in {row[key]['interval']}"
