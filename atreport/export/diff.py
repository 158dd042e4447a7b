"""Compare two published reports on a process: what changed in rules, measures, verdicts, policy and text.

A change has a before and an after, in the words of the report. Both are published figures, so a comparison gives nothing
away that the two reports do not; what they give away *together* is said beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from atreport.pages.layout import Cover, Layout, make_cover
from atreport.pages.measures import MEASURES
from atreport.pages.wording import VERDICTS
from atreport.report.fairness import Assessment
from atreport.report.model import Report
from atreport.report.people import GroupPrivacy, PublishedCell
from atreport.report.rule import Privacy, PublishedCeiling, PublishedFidelity
from atreport.spec.process import Process
from atreport.text.language import count, gettext, list_and, message, ngettext, signed_as_spoken
from atreport.text.numbers import full_percent, percent
from atreport.text.tables import MAX_ROWS, Column, Table, make_table

Part = Literal["report", "process", "policy", "privacy", "rules", "measures", "verdicts", "text"]
PARTS: dict[Part, str] = {
    "verdicts": message("Verdicts"),
    "measures": message("Fairness measures"),
    "rules": message("The announced rule"),
    "privacy": message("Privacy"),
    "policy": message("Policy"),
    "process": message("The process"),
    "report": message("The report itself"),
    "text": message("Notes and texts"),
}
"""What can change, the most important first; titles are to be said with `gettext`."""

ABSENT = "—"


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
    together: tuple[str, ...] = ()  # what the two promise together to a person decided under each

    def of(self, part: Part) -> tuple[Change, ...]:
        """The changes to one part."""
        return tuple(change for change in self.changes if change.part == part)


def name_report(report: Report) -> str:
    """A report by its title, version and date."""
    info = report.report
    return gettext(
        "{title}, version {version} of {date}",
        title=info.title,
        version=info.version,
        date=info.date.isoformat(),
    )


def find_changes(old: Report, new: Report) -> tuple[Change, ...]:
    """Everything that differs between two reports, the most important parts first."""
    changes = [
        *_verdicts_and_measures(old, new),
        *_rules(old, new),
        *_privacy(old, new),
        *_policy(old, new),
        *_process(old, new),
        *_report(old, new),
        *_notes(old, new),
    ]
    return tuple(sorted(changes, key=lambda change: list(PARTS).index(change.part)))


def _verdicts_and_measures(old: Report, new: Report) -> Iterator[Change]:
    before, after = ({_measure_key(each): each for each in report.fairness} for report in (old, new))
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        name = _measure_name(before[key] if key in before else after[key])
        if was is None or now is None:
            yield Change(part="measures", what=name, before=_figure(was), after=_figure(now))
            continue
        yield from _changed("verdicts", name, _verdict(was), _verdict(now))
        yield from _changed("measures", name, _figure(was), _figure(now))
        threshold = gettext("{measure}: threshold", measure=name)
        yield from _changed("policy", threshold, _number(was.threshold), _number(now.threshold))


def _measure_key(
    assessment: Assessment,
) -> tuple[str, str | None, str | None, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """What makes two assessments the same question."""
    given = tuple(sorted((assessment.given or {}).items()))
    return assessment.measure, assessment.title, assessment.rate, assessment.groups_asked, given


def _measure_name(assessment: Assessment) -> str:
    words = MEASURES[assessment.measure]
    name = ", ".join(
        filter(None, (assessment.title, assessment.rate and words.named_at(None, assessment.rate)))
    )
    name = name or gettext(words.name)
    about = list_and(assessment.groups or ())
    given = ", ".join(
        gettext("{attribute}: {value}", attribute=key, value=value)
        for key, value in (assessment.given or {}).items()
    )
    return ", ".join(part for part in (name, about, given) if part)


def _figure(assessment: Assessment | None) -> str:
    if assessment is None:
        return ABSENT
    if assessment.result is None:
        return gettext("unbounded")
    result = assessment.result
    return gettext(
        "{value} ({low} to {high})",
        value=_number(result.value),
        low=_number(result.low),
        high=_number(result.high),
    )


def _verdict(assessment: Assessment) -> str:
    return gettext(VERDICTS[assessment.verdict][0]) if assessment.verdict else gettext("No threshold set")


def _rules(old: Report, new: Report) -> Iterator[Change]:
    names = [attribute.name for attribute in new.process.attributes]
    if sorted(names) != sorted(attribute.name for attribute in old.process.attributes):
        return  # said under the process; no cell can be matched
    before, after = (
        {tuple(cell.values[name] for name in names): cell for cell in report.cells} for report in (old, new)
    )
    for key in dict.fromkeys([*before, *after]):
        was, now = _announced(before.get(key), old), _announced(after.get(key), new)
        what = ", ".join(key)
        yield from _changed("rules", what, was, now)
        if ABSENT not in (was, now):
            people = gettext("People in {group}", group=what)
            yield from _changed("process", people, _size(before[key]), _size(after[key]))


def _announced(cell: PublishedCell | None, report: Report) -> str:
    if cell is None:
        return ABSENT
    outcome = report.process.outcome
    if len(outcome.values) == 2:
        return percent(cell.announced[outcome.favourable])
    return ", ".join(f"{value} {percent(probability)}" for value, probability in cell.announced.items())


def _size(cell: PublishedCell) -> str:
    if cell.population is not None:
        return count(cell.population)
    return percent(cell.share) if cell.share is not None else ABSENT


def _privacy(old: Report, new: Report) -> Iterator[Change]:
    beta = (_percent(report.privacy.beta) for report in (old, new))
    yield from _changed("privacy", gettext("Highest confidence (β)"), *beta)
    for what, figure in ((gettext("Highest lift"), "lift"), (gettext("Largest odds factor"), "odds")):
        yield from _changed("privacy", what, *(_factor(report.privacy, figure) for report in (old, new)))
    contribution = (_percent(report.privacy.contribution) for report in (old, new))
    yield from _changed("privacy", gettext("Most that the report adds"), *contribution)
    before, after = (
        {tuple(group.qid.values()): group for group in report.privacy.groups} for report in (old, new)
    )
    for key in dict.fromkeys([*before, *after]):
        what = (
            gettext("Confidence in the group {group}", group=", ".join(key)) if key else gettext("Confidence")
        )
        yield from _changed("privacy", what, _confidence(before.get(key)), _confidence(after.get(key)))


def _factor(privacy: Privacy, figure: str) -> str:
    """A lift or an odds factor: a figure that is null has no limit, one that is missing is not stated."""
    if figure not in privacy.model_fields_set:
        return gettext("not stated")
    number: Decimal | None = getattr(privacy, figure)
    return gettext("unbounded") if number is None else _number(number)


def _confidence(group: GroupPrivacy | None) -> str:
    return ABSENT if group is None else _percent(group.beta)


def _policy(old: Report, new: Report) -> Iterator[Change]:
    was, now = old.policy, new.policy
    yield from _changed("policy", gettext("Fidelity"), _fidelity(was.fidelity), _fidelity(now.fidelity))
    yield from _changed("policy", gettext("Ceilings"), _ceilings(was.privacy), _ceilings(now.privacy))
    yield from _changed("policy", gettext("Objective"), was.objective, now.objective)
    yield from _changed("policy", gettext("Mechanism"), was.mechanism, now.mechanism)
    if was.mechanism == now.mechanism == "optimal":
        least = (", ".join(policy.minimise or ("beta",)) for policy in (was, now))
        yield from _changed("policy", gettext("What is made least"), *least)
    if was.mechanism == now.mechanism == "calibrated":
        yield from _changed("policy", gettext("Grid"), was.grid or "even", now.grid or "even")
    yield from _changed("policy", gettext("Printed decimals"), str(was.decimals), str(now.decimals))
    yield from _changed("policy", gettext("How the population is published"), was.population, now.population)


def _fidelity(fidelity: PublishedFidelity) -> str:
    if fidelity.bounds is not None:
        kind = f"bounds {fidelity.bounds}"
    elif fidelity.delta is not None:
        kind = f"delta {_number(fidelity.delta)}"
    else:
        kind = f"alpha {_number(fidelity.alpha)}"
    return kind if fidelity.rates is None else f"{kind}, rates {_number(fidelity.rates)}"


def _ceilings(ceiling: PublishedCeiling | None) -> str:
    if ceiling is None:
        return _stated(None)
    named = ((name, getattr(ceiling, name)) for name in ("beta", "gamma", "lift", "odds"))
    return ", ".join(f"{name} {_number(number)}" for name, number in named if number is not None)


def _process(old: Report, new: Report) -> Iterator[Change]:
    before, after = (_facts_of(each.process) for each in (old, new))
    for what in dict.fromkeys([*before, *after]):
        yield from _changed("process", what, before.get(what, ABSENT), after.get(what, ABSENT))


def _facts_of(process: Process) -> dict[str, str]:
    """What is said of a process, by what it is about."""
    attributes = {
        gettext("Attribute {name}", name=each.name): f"{each.role}: {', '.join(each.values)}"
        for each in process.attributes
    }
    return {
        gettext("Name"): process.name,
        gettext("Description"): _stated(process.description),
        gettext("Estimated from"): _stated(process.estimated_from),
        gettext("Outcomes"): ", ".join(process.outcome.values),
        gettext("Favourable outcome"): process.outcome.favourable,
        **attributes,
    }


def _report(old: Report, new: Report) -> Iterator[Change]:
    was, now = old.report, new.report
    yield from _changed("report", gettext("Title"), was.title, now.title)
    yield from _changed("report", gettext("Publisher"), was.publisher, now.publisher)
    yield from _changed("report", gettext("Version"), was.version, now.version)
    yield from _changed("report", gettext("Date"), was.date.isoformat(), now.date.isoformat())
    yield from _changed("report", gettext("Contact"), _stated(was.contact), _stated(now.contact))
    yield from _changed("report", gettext("Summary"), _stated(was.summary), _stated(now.summary))
    yield from _changed("report", gettext("Licence"), _stated(was.licence), _stated(now.licence))
    yield from _changed("report", gettext("DOI"), _stated(was.doi), _stated(now.doi))
    yield from _changed("report", gettext("Address"), _stated(was.url), _stated(now.url))


def _notes(old: Report, new: Report) -> Iterator[Change]:
    before, after = ({note.id: note for note in report.notes} for report in (old, new))
    for name in dict.fromkeys([*before, *after]):
        was, now = before.get(name), after.get(name)
        title = (after[name] if name in after else before[name]).title
        yield from _changed("text", title, was.text if was else ABSENT, now.text if now else ABSENT)


def _changed(part: Part, what: str, before: str, after: str) -> Iterator[Change]:
    if before != after:
        yield Change(part=part, what=what, before=before, after=after)


def _stated(text: str | None) -> str:
    return gettext("none") if text is None else text


def _number(number: Decimal | None) -> str:
    """A number as report.json writes it, so that readers find it there; its zeros at the end say nothing here."""
    return _stated(None) if number is None else signed_as_spoken(str(_as_written(number)))


def _percent(number: Decimal) -> str:
    """The same in percent."""
    return full_percent(_as_written(number))


def _as_written(number: Decimal) -> Decimal:
    return Decimal(repr(float(number)))


# Turn a comparison of two reports into its page.


@dataclass(frozen=True, kw_only=True)
class DiffContext:
    """A comparison as its page shows it."""

    cover: Cover
    found: Difference
    summary: str
    tables: tuple[Table, ...]


def diff_html(found: Difference, newer: Report) -> str:
    """The comparison as one self-contained file, under the cover of the newer report."""
    columns = [Column(gettext("What"), names_row=True), Column(gettext("Before")), Column(gettext("After"))]
    tables = []
    for part, title in PARTS.items():
        changes = found.of(part)
        if not changes:
            continue
        left_out = gettext(
            "There are {number} changes. The first {shown} are shown; --json lists all.",
            number=count(len(changes)),
            shown=count(MAX_ROWS),
        )
        rows = [[change.what, change.before, change.after] for change in changes[:MAX_ROWS]]
        more = left_out if len(changes) > MAX_ROWS else ""
        tables.append(make_table(part, gettext(title), columns, rows, more))
    context = DiffContext(cover=make_cover(newer), found=found, summary=summary(found), tables=tuple(tables))
    return Layout("diff.html.j2", context).for_screen()


def summary(difference: Difference) -> str:
    """The comparison in a sentence."""
    if not difference.changes:
        return gettext("The two reports say the same.")
    parts = (
        gettext("{part} ({number})", part=gettext(title), number=count(len(difference.of(part))))
        for part, title in PARTS.items()
        if difference.of(part)
    )
    return ngettext(
        len(difference.changes),
        "{number} change, in this part: {parts}.",
        "{number} changes, in these parts: {parts}.",
        parts=", ".join(parts),
    )
