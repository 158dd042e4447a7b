"""A block of the section on how the rule decides, and the sentences that several blocks have."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce

from atreport.compose.small_numbers import large_record_of
from atreport.explain.explanation import members_of
from atreport.pages.panels import MAX_MARKS, Dots, Mark, Plot, rows_that_fit
from atreport.pages.wording import named_values
from atreport.report.explanation import Influence, Kind, RuleSet, Scheme
from atreport.report.figures import Condition
from atreport.report.model import Report
from atreport.spec.process import Process
from atreport.text.language import count, gettext, list_and, list_or, ngettext
from atreport.text.numbers import (
    hundredths,
    percent,
    points,
    signed_hundredths,
    signed_hundredths_interval,
)
from atreport.text.tables import MAX_ROWS, NOTHING, Column, Table


@dataclass(frozen=True, kw_only=True)
class Block:
    """One or a few methods: what they are, what they show, and what to mind."""

    id: str
    title: str
    paragraphs: tuple[str, ...]
    tables: tuple[Table, ...]
    charts: tuple[str, ...] = ()  # ids of its charts, filled in by the list of all blocks
    fine: str = ""


@dataclass(frozen=True)
class ShownKinds:
    """What shows some kinds of findings: one method, or a few that belong in one table.

    Every number drawn is one that the report also prints or publishes.
    """

    terms: Mapping[Kind | Scheme, Mapping[str, str]]  # of each kind, for the glossary: messages, to be said
    blocks: Callable[[Report], Iterator[Block]]  # one, if there is anything to show, which has all the charts
    plots: Callable[[Report], Iterator[Plot]] = lambda _report: iter(())


def rules_of(report: Report, *schemes: Scheme) -> list[RuleSet]:
    """The report's rules of some schemes, in the order of the schemes."""
    return [each for scheme in schemes for each in report.rules if each.scheme == scheme]


def influences_of(report: Report, *kinds: Kind) -> list[Influence]:
    """The report's influences of some kinds, in the order of the report."""
    return [each for each in report.influence if each.kind in kinds]


def words_of(figures: Sequence[Influence], words: Mapping[Kind, str]) -> str:
    """What each kind of figure is, for the kinds that there are; the words are messages."""
    kinds = {figure.kind for figure in figures}
    return " ".join(gettext(text) for kind, text in words.items() if kind in kinds)


def closeness_text(report: Report, rule_set: RuleSet, name: str) -> str:
    """How faithful a simpler rule is, in words that follow its name."""
    faithful = rule_set.faithfulness
    assert faithful is not None, "every simpler rule says how faithful it is"
    if faithful.worst_error == 0:
        return gettext("{name}: everybody gets the announced probability.", name=name)
    average, worst = points(faithful.average_error), points(faithful.worst_error)
    if not large_record_of(report, faithful.worst):
        return gettext(
            "{name}: the probabilities differ from the announced ones by at most {average} on average over all people, and "
            "by at most {worst} for anybody.",
            name=name,
            average=average,
            worst=worst,
        )
    return gettext(
        "{name}: the probabilities differ from the announced ones by at most {average} on average over all people, and by "
        "at most {worst} for anybody. The difference is largest for {record}.",
        name=name,
        average=average,
        worst=worst,
        record=record_text(report.process, faithful.worst),
    )


def reach_text(figures: Sequence[Influence]) -> str:
    """What was done about combinations that nobody has; nothing to say where all occur."""
    reached = [figure.reach for figure in figures if figure.reach is not None]
    if not reached or min(reached) == 1:
        return ""
    return gettext(
        "Drawing a value anew can lead to a combination of values that nobody has. Then the person stays as they are. For "
        "these figures, between {low} and {high} of the draws could be made; report.json has the share for each figure.",
        low=percent(min(reached)),
        high=percent(max(reached)),
    )


# What the tables of several blocks have in common: columns and fields of a figure, rows left out.


def left_out(number: int, sentence: str) -> str:
    """What is said under a table that does not show everything: a message with {shown} and {total}."""
    return "" if number <= MAX_ROWS else gettext(sentence, shown=count(MAX_ROWS), total=count(number))


def headed_kinds(headings: Mapping[Kind, str], figures: Sequence[Influence]) -> list[Kind]:
    """The kinds that have a heading and a figure."""
    return [kind for kind in headings if any(figure.kind == kind for figure in figures)]


def figure_columns(heading: str) -> list[Column]:
    """A figure, where the true one lies, and how far it can move."""
    return [
        Column(heading, numeric=True),
        Column(gettext("True figure lies in"), numeric=True),
        Column(gettext("Can move by at most"), numeric=True),
    ]


def figure_fields(figure: Influence | None) -> list[str]:
    """The same of one figure, in percentage points with their sign."""
    if figure is None:
        return [NOTHING, NOTHING, NOTHING]
    inside = signed_hundredths_interval(figure.result.low, figure.result.high)
    if figure.estimate is not None:
        inside = gettext("estimate, ±{error} (95%)", error=hundredths(figure.estimate.error))
    return [signed_hundredths(figure.value), inside, hundredths(figure.a_priori)]


# How conditions, records and quantities are named for readers, in tables and charts alike.


def condition_text(process: Process, condition: Condition) -> str:
    """A condition in words: Gender is F and Annual income is <100k or 100k-200k."""
    parts = []
    for name, values in condition.items():
        attribute = process.attribute(name)
        others = [value for value in attribute.values if value not in values]
        if len(values) > 2 and 0 < len(others) < len(values) / 2:
            parts.append(
                gettext("{attribute} is not {value}", attribute=attribute.title, value=list_or(others))
            )
        else:
            parts.append(gettext("{attribute} is {value}", attribute=attribute.title, value=list_or(values)))
    # One “and” between any two, since commas stand between the values of one attribute.
    return reduce(_and, parts) if parts else named_values(process, {})


def _and(one: str, other: str) -> str:
    return gettext("{one} and {other}", one=one, other=other)


def attributes_text(process: Process, attributes: Sequence[str]) -> str:
    """Some attributes by their titles; none: the base of a model."""
    return list_and(process.attribute(name).title for name in attributes) or gettext("Base")


def record_text(process: Process, record: Mapping[str, str]) -> str:
    """A whole record."""
    return named_values(process, record)


def quantity_text(influence: Influence) -> str:
    """What is influenced."""
    assert influence.quantity is not None, "qii and shapley have a quantity"
    return influence.quantity.title


# What the charts of several blocks have in common: marks of figures and rules, which of many, and their ends
# in words.


def figure_mark(process: Process, figure: Influence, kind: str = "") -> Mark:
    """An influence with the interval around it; `kind` tells it apart from others of the same attributes."""
    attributes = attributes_text(process, figure.attributes)
    return Mark(
        gettext("{attributes}, {kind}", attributes=attributes, kind=kind) if kind else attributes,
        float(figure.value),
        float(figure.result.low),
        float(figure.result.high),
    )


def furthest(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """All marks where they fit into a chart; otherwise those furthest from 0, the furthest first."""
    room = rows_that_fit([mark.label for mark in marks])
    if len(marks) <= room:
        return tuple(marks)
    return tuple(sorted(marks, key=lambda mark: -abs(mark.value))[:room])


def titled(title: str, shown: Sequence[Mark], each: Sequence[Mark]) -> str:
    """The title of a chart of the furthest marks, which says whether they are all."""
    if len(shown) == len(each):
        return title
    return gettext(
        "{title} (the {shown} furthest from 0, of {total})",
        title=title,
        shown=count(len(shown)),
        total=count(len(each)),
    )


def in_percent(value: float) -> str:
    """A printed share that is drawn, in percent with the digits it has."""
    return percent(Decimal(repr(value)))


def in_points(value: float) -> str:
    """A printed difference that is drawn, in percentage points; its sign is a word, to be read aloud."""
    amount = Decimal(repr(value))
    return points(amount) if amount >= 0 else gettext("minus {amount}", amount=points(-amount))


def percent_run(values: Iterable[float]) -> str:
    """From where to where dots run, in percent."""
    ends = list(values)
    return gettext("Dots run from {low} to {high}.", low=in_percent(min(ends)), high=in_percent(max(ends)))


def points_run(values: Iterable[float]) -> str:
    """The same in percentage points."""
    ends = list(values)
    return gettext("Dots run from {low} to {high}.", low=in_points(min(ends)), high=in_points(max(ends)))


def plot_rules(report: Report, id: str, title: str, rules: Sequence[tuple[Condition, Decimal]]) -> Plot:
    """Each rule's rate, and the announced probabilities of the cells it stands for."""
    each = [_rule_mark(report, *rule) for rule in rules[:MAX_MARKS]]
    marks = tuple(each[: rows_that_fit([mark.label for mark in each])])
    panel = Dots(
        marks=marks,
        axis=gettext("Probability of “{favourable}”", favourable=report.process.outcome.favourable),
        band=gettext("announced, of the cells it stands for"),
        dot=gettext("by the simpler rule"),
    )
    shows = ngettext(
        len(marks),
        "One row for {number} rule: a dot for its probability, a bar from the lowest to the highest announced probability "
        "of the cells it stands for.",
        "A row for each of {number} rules: a dot for its probability, a bar from the lowest to the highest announced "
        "probability of the cells it stands for.",
    )
    if len(marks) < len(rules):
        title = gettext(
            "{title} (the first {shown} of {total})",
            title=title,
            shown=count(len(marks)),
            total=count(len(rules)),
        )
    alt = f"{shows} {percent_run(mark.value for mark in marks)}"
    return Plot(id=id, title=title, alt=alt, panels=(panel,))


def _rule_mark(report: Report, condition: Condition, probability: Decimal) -> Mark:
    rule = report.described_rule
    inside = rule.announced[members_of(rule.cells, condition)]
    label = condition_text(report.process, condition)
    return Mark(label, float(probability), int(inside.min()) / rule.scale, int(inside.max()) / rule.scale)
