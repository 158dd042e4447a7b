"""A report as sheets, before it is any file: texts in the first column, then at most one table.

Sheets follow the accessibility list of the UK's Analysis Function (docs/spreadsheets.md): a title in A1, no empty cell in a
table (a mark says why there is no figure), one heading row, nothing merged, nothing hidden.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from atreport.compose.notes import is_only_rounded, is_unchanged
from atreport.pages.layout import paragraphs
from atreport.pages.measures import EVERYBODY_COMPARED, MEASURES, measure_name
from atreport.pages.wording import EVERYBODY, VERDICTS
from atreport.report.explanation import Influence, Kind
from atreport.report.fairness import Assessment, NotAssessedReason
from atreport.report.figures import Condition, Sampling
from atreport.report.model import Note, Report
from atreport.report.people import PublishedCell
from atreport.spec.fairness import RateKind
from atreport.spec.process import Process
from atreport.spec.spec import ReportInfo
from atreport.text.language import gettext, list_or, message, pgettext
from atreport.text.numbers import long_date

Entry = str | int | Decimal
"""What a cell holds: a text, which is never a formula, or a number with its printed decimals."""

MOST_DIGITS = 15
"""A spreadsheet calculates with so many digits; a longer number stands in it as a text, whole."""

MOST_CHARACTERS = 30_000
"""The longest text that every spreadsheet keeps in one cell is a little longer."""

LONGEST_HEADING = 250
"""Of a column, in characters: Excel refuses tables with longer ones."""

NOT_APPLICABLE, NOT_AVAILABLE, CONFIDENTIAL = "[z]", "[x]", "[c]"
MARKS = {
    NOT_APPLICABLE: message("{mark} means: not applicable."),
    NOT_AVAILABLE: message("{mark} means: no figure, because nothing limits it for certain."),
    CONFIDENTIAL: message("{mark} means: not published, because it would be about few people."),
}
"""What stands in a cell without a figure, as in the statistics of the United Kingdom, and why; to be said with `gettext`."""


@dataclass(frozen=True, kw_only=True)
class SheetTable:
    """One table with one heading row; every cell of it is filled."""

    name: str
    heading: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """One sheet: lines of text, the first of which is its title, and perhaps a table below them."""

    name: str
    lines: tuple[str, ...]
    table: SheetTable | None = None
    names_sheets: bool = False  # the first column of the table leads to the sheets that it names
    wraps: bool = False  # lines of text are wrapped: where no narrow table is below them

    @property
    def rows(self) -> tuple[tuple[Entry, ...], ...]:
        """Every row of the sheet, from the first on."""
        lines = tuple((line,) for line in self.lines)
        return lines if self.table is None else (*lines, self.table.heading, *self.table.rows)


@dataclass(frozen=True, kw_only=True)
class Workbook:
    """All sheets of a report, and what the file says about itself."""

    info: ReportInfo
    sheets: tuple[Sheet, ...]


Field = tuple[str, Entry | None]
"""The heading of a column, and what stands below it in one row; None: nothing, since it does not apply there."""


Records = Iterable[Sequence[Field]]


def make_table(name: str, records: Records) -> SheetTable:
    """A table of records with the same headings, whose long numbers are texts. Columns have names of their own.

    A column in which no record has anything is left out.
    """
    rows = list(records)
    columns = [column for column in zip(*rows, strict=True) if any(entry is not None for _, entry in column)]
    entries = ([NOT_APPLICABLE if entry is None else _kept_whole(entry) for _, entry in c] for c in columns)
    return SheetTable(
        name=f"table_{name.lower()}",
        heading=_distinct(column[0][0] for column in columns),
        rows=tuple(zip(*entries, strict=True)),
    )


def table_sheet(key: str, name: str, title: str, lines: Sequence[str], records: Records) -> Sheet:
    """A sheet with a table: its title, what it is about, and what the marks in it mean."""
    table = make_table(key, records)
    found = {entry for row in table.rows for entry in row}
    marks = [gettext(meaning, mark=mark) for mark, meaning in MARKS.items() if mark in found]
    about = gettext(
        "This worksheet contains one table. Terms and limits are explained in the worksheet {notes}.",
        notes=pgettext("worksheet", "Notes"),
    )
    return Sheet(name=name, lines=(title, about, *lines, *marks), table=table)


def decimals_of(number: int | Decimal) -> int:
    """To how many decimals a number is printed."""
    exponent = number.as_tuple().exponent if isinstance(number, Decimal) else 0
    return max(0, -exponent) if isinstance(exponent, int) else 0


def printed(entry: Entry) -> str:
    """An entry as it is shown: a number with all its decimals."""
    return f"{entry:f}" if isinstance(entry, Decimal) else str(entry)


def _kept_whole(entry: Entry) -> Entry:
    if isinstance(entry, str):
        return entry
    digits = len(Decimal(entry).as_tuple().digits)
    return entry if digits <= MOST_DIGITS else printed(entry)


def _distinct(heading: Iterable[str]) -> tuple[str, ...]:
    """Names of columns, of which spreadsheets take none twice, in whatever letters."""
    names: dict[str, str] = {}
    for title in heading:
        wanted = name = " ".join(title.split())[:LONGEST_HEADING]
        number = 2
        while name.casefold() in names:
            ending = f" ({number})"
            name, number = wanted[: LONGEST_HEADING - len(ending)] + ending, number + 1
        names[name.casefold()] = name
    return tuple(names.values())


# Where things stand on a sheet, the same in every kind of file: widths of columns, places of tables.

EXTRA = "spreadsheets"
"""The extra that brings the libraries which make these files."""

NARROWEST, WIDEST, PAGE = 12, 60, 90
"""Widths in characters: of a table's columns, and of a sheet of text."""


def widths(sheet: Sheet) -> tuple[int, ...]:
    """The width of each column in characters: as its entries need, within limits; longer texts are wrapped."""
    if sheet.table is None:
        return (PAGE,)
    return tuple(
        min(
            WIDEST, max(NARROWEST, _wide(title), *(len(printed(row[column])) + 2 for row in sheet.table.rows))
        )
        for column, title in enumerate(sheet.table.heading)
    )


def _wide(title: str) -> int:
    """What a heading needs that may be wrapped between words: its longest word, and a line of some."""
    return max(max(map(len, title.split()), default=0) + 3, min(len(title), 18))


def lines_of(sheet: Sheet, row: int) -> int:
    """How many lines the longest text of a row takes where texts are wrapped, counted generously: none is cut off."""
    if row < len(sheet.lines) and not sheet.wraps:
        return 1
    wide = widths(sheet)
    lengths = [len(printed(entry)) for entry in sheet.rows[row]]
    return max(1 if long < wide[at] else -(-long * 10 // (wide[at] * 9)) for at, long in enumerate(lengths))


def table_place(sheet: Sheet) -> tuple[int, int, int]:
    """The first and the last row of the sheet's table, counted from 1 with its heading, and its number of columns."""
    first = len(sheet.lines) + 1
    return first, len(sheet.rows), len(sheet.table.heading) if sheet.table else 1


def column_name(number: int) -> str:
    """The letters of a column, counted from 1: A, …, Z, AA."""
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


# All sheets of a report: cover, contents, notes and tables.


def workbook_of(report: Report) -> Workbook:
    """The sheets of a report: a function of the report alone."""
    notes, tables = _notes(report.notes), list(table_sheets(report))
    return Workbook(info=report.report, sheets=(_cover(report), _contents([notes, *tables]), notes, *tables))


def _cover(report: Report) -> Sheet:
    info = report.report
    lines = [
        info.title,
        gettext("Published by: {publisher}", publisher=info.publisher),
        gettext("Version {version}, {date}.", version=info.version, date=long_date(info.date)),
        *([gettext("Contact: {contact}", contact=info.contact)] if info.contact else []),
        *([gettext("Published at: {address}", address=info.url)] if info.url else []),
        *([gettext("Licence: {licence}", licence=info.licence)] if info.licence else []),
        *([gettext("Identifier: {identifier}", identifier=report.identifier)] if report.identifier else []),
        gettext(
            "This workbook holds the figures of the algorithmic transparency report on: {process}.",
            process=report.process.name,
        ),
        *paragraphs(info.summary),
        _closeness(report),
        gettext(
            "Every figure is the one that is printed in the report. Rates, shares and probabilities are between 0 and 1."
        ),
        gettext("Cells without a figure hold a mark in square brackets, which is explained above the table."),
        gettext(
            "The figures can be checked with the program atreport and the file report.json, which is published beside "
            "this one."
        ),
    ]
    pieces = [piece for line in lines for piece in _pieces(line)]
    return Sheet(name=pgettext("worksheet", "Cover"), lines=tuple(pieces), wraps=True)


def _closeness(report: Report) -> str:
    """Whether the announced rule is the true one, and where readers find more."""
    sheet = pgettext("worksheet", "Notes")
    if is_unchanged(report.policy.fidelity):
        return gettext("The announced rule is the true one. The worksheet {notes} says more.", notes=sheet)
    if is_only_rounded(report):
        return gettext(
            "The announced rule is the true one, rounded. The worksheet {notes} says more.", notes=sheet
        )
    return gettext(
        "The announced rule is close to the true one, but not equal to it. The worksheet {notes} says how close, and why.",
        notes=sheet,
    )


def _contents(sheets: Sequence[Sheet]) -> Sheet:
    what, holds = gettext("Worksheet"), gettext("What it holds")
    return Sheet(
        name=pgettext("worksheet", "Contents"),
        lines=(
            gettext("Contents"),
            gettext("This worksheet contains one table. It lists the worksheets, with links to them."),
        ),
        table=make_table("Contents", [[(what, sheet.name), (holds, sheet.lines[0])] for sheet in sheets]),
        names_sheets=True,
    )


def _notes(notes: Sequence[Note]) -> Sheet:
    table = make_table("Notes", _note_rows(notes)) if notes else None
    about = gettext("This worksheet contains one table.") if notes else gettext("This report has no notes.")
    return Sheet(name=pgettext("worksheet", "Notes"), lines=(gettext("Notes"), about), table=table)


def _note_rows(notes: Sequence[Note]) -> Iterator[list[Field]]:
    """Each paragraph is a row of its own, so that no cell is longer than a screen."""
    for number, note in enumerate(notes, start=1):
        for paragraph in paragraphs(note.text) or ("[z]",):
            for piece in _pieces(paragraph):
                yield [
                    (gettext("Note number"), gettext("note {number}", number=number)),
                    (gettext("Title"), note.title),
                    (gettext("Text"), piece),
                ]


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces that fit into a cell."""
    for start in range(0, len(text), MOST_CHARACTERS):
        yield text[start : start + MOST_CHARACTERS]


# The tables of a report, one sheet each: the rule, what it means for groups, what can be inferred, what
# decides.
#
# A table that has no row has no sheet. Ends of intervals stand in columns of their own, shares and rates
# between 0 and 1.

_CERTAIN = message("The true figure lies between the two ends for certain. They are rounded outward.")
_RATES: dict[RateKind | None, str] = {
    "true_positive": message("True positive rate"),
    "false_positive": message("False positive rate"),
    "false_negative": message("False negative rate"),
    "predictive": message("Predictive value"),
    None: message("Favourable rate"),
}
_KINDS: dict[Kind, str] = {
    "qii": message("Influence (QII)"),
    "shapley": message("Shapley value"),
    "permutation": message("Permutation importance"),
    "firm": message("Feature importance ranking measure"),
    "lime": message("Local weight"),
    "pdp": message("Partial dependence"),
    "ice": message("Individual curve"),
    "ale": message("Accumulated local effect"),
}


def _between(least: str, most: str, interval: tuple[Entry, Entry] | None) -> list[Field]:
    """The ends of an interval, each below its heading."""
    low, high = interval or (None, None)
    return [(least, low), (most, high)]


def _ends(interval: tuple[Entry, Entry] | None) -> list[Field]:
    return _between(gettext("Least it can be"), gettext("Most it can be"), interval)


def _chance(found: Sampling | None) -> list[Field]:
    """The interval that covers chance too."""
    least, most = gettext("Least with chance in the records"), gettext("Most with chance in the records")
    return [
        *_between(least, most, found.interval if found else None),
        (gettext("Level of that interval"), found.level if found else None),
    ]


def _compared(groups: tuple[str, str] | None) -> list[Field]:
    first, second = groups or (gettext(EVERYBODY_COMPARED), NOT_APPLICABLE)
    return [(gettext("First group"), first), (gettext("Second group"), second)]


def table_sheets(report: Report) -> Iterator[Sheet]:
    """Every table of the report that has rows."""
    for sheet in (
        _rule(report),
        _fairness(report),
        _group_rates(report),
        _not_assessed(report),
        _value_rates(report),
        _confidence(report),
        _sensitive_values(report),
        _influence(report),
    ):
        if sheet.table is not None and sheet.table.rows:
            yield sheet


def _rule(report: Report) -> Sheet:
    process, policy = report.process, report.policy
    size = gettext("People") if policy.population == "counts" else gettext("Share of people")
    outcomes = [
        (outcome, gettext("Announced probability of “{outcome}”", outcome=outcome))
        for outcome in process.outcome.values
    ]
    records: Records = (
        [
            *((attribute.title, cell.values[attribute.name]) for attribute in process.attributes),
            (size, None if policy.population == "withheld" else _size(cell)),
            *((heading, cell.announced[outcome]) for outcome, heading in outcomes),
            *_ends(cell.bounds),
        ]
        for cell in report.cells
    )
    lines = [
        gettext("One row for each combination of attributes. Probabilities and shares are between 0 and 1.")
    ]
    if policy.fidelity.bounds:
        favourable = process.outcome.favourable
        lines.append(
            gettext("Least and most are those of the true probability of “{outcome}”.", outcome=favourable)
        )
    title = gettext("The announced rule: {process}", process=process.name)
    return table_sheet("Rule", pgettext("worksheet", "Rule"), title, lines, records)


def _size(cell: PublishedCell) -> Entry:
    return _or(cell.share if cell.population is None else cell.population, CONFIDENTIAL)


def _fairness(report: Report) -> Sheet:
    least, most = gettext("Least for any unknown groups"), gettext("Most for any unknown groups")
    records: Records = (
        [
            (gettext("Measure"), measure_name(a)),
            *_compared(a.groups),
            (gettext("Among"), _values(a.given, report.process)),
            *_bounded(a),
            (gettext("Most it can move at this fidelity"), _or(a.a_priori, NOT_AVAILABLE)),
            (gettext("Threshold"), _or(a.threshold)),
            (gettext("Verdict"), gettext(VERDICTS[a.verdict][0]) if a.verdict else NOT_APPLICABLE),
            (gettext("Outcome that gives the value"), a.outcome or NOT_APPLICABLE),
            *_chance(a.sampling),
            *_between(least, most, a.unknown.interval if a.unknown else None),
        ]
        for a in report.fairness
    )
    lines = [
        gettext(_CERTAIN),
        gettext("A verdict compares the interval with the threshold. It is a screening, not a proof."),
    ]
    name, title = pgettext("worksheet", "Fairness"), gettext("Fairness measures")
    return table_sheet("Fairness", name, title, lines, records)


def _bounded(a: Assessment) -> list[Field]:
    """The value and the ends of its interval; where nothing bounds it from above, the least that it can be."""
    low, high = a.result.interval if a.result else (a.at_least, None)
    return [
        (gettext("Announced value"), _or(a.value, NOT_AVAILABLE)),
        *_ends((_or(low, NOT_AVAILABLE), _or(high, NOT_AVAILABLE))),
    ]


def _group_rates(report: Report) -> Sheet:
    rates = [(a, rate) for a in report.fairness for rate in a.rates or ()]
    people = any(rate.people for _, rate in rates)
    records: Records = dict.fromkeys(
        (
            (gettext("Measure"), measure_name(a)),
            (gettext("Among"), _values(a.given, report.process)),
            (gettext("Group"), rate.group),
            (gettext("Rate"), gettext(_RATES[rate.kind])),
            (gettext("Announced rate"), rate.value),
            *_ends(rate.interval),
            (gettext("People"), _or(rate.people, CONFIDENTIAL) if people else None),
            *_chance(rate.sampling),
        )
        for a, rate in rates
    )
    favourable = gettext("The favourable outcome is: {outcome}.", outcome=report.process.outcome.favourable)
    name, title = pgettext("worksheet", "Group_rates"), gettext("Rates by group")
    return table_sheet("Group_rates", name, title, [gettext(_CERTAIN), favourable], records)


_WHY_NOT_ASSESSED: dict[NotAssessedReason | None, str] = {
    None: message("Nobody is in at least one of the groups"),
    "joined": message("Published only under a joined value"),
    "left_out": message("People are left out, and nobody in this report is known to be in one of the groups"),
}


def _not_assessed(report: Report) -> Sheet:
    records: Records = (
        [
            (gettext("Measure"), MEASURES[each.measure].named_at(None, each.rate)),
            *_compared(each.groups),
            (gettext("Among"), _values(each.given, report.process)),
            (gettext("Why it could not be compared"), gettext(_WHY_NOT_ASSESSED[each.reason])),
        ]
        for each in report.not_assessed or ()
    )
    name, title = pgettext("worksheet", "Not_assessed"), gettext("Comparisons that could not be made")
    return table_sheet("Not_assessed", name, title, [], records)


def _value_rates(report: Report) -> Sheet:
    records: Records = (
        [
            (gettext("Attribute"), report.process.attribute(rate.attribute).title),
            (gettext("Value"), rate.of),
            (gettext("Favourable rate"), rate.value),
            *_ends(rate.interval),
        ]
        for rate in report.value_rates or ()
    )
    name, title = (
        pgettext("worksheet", "Rates_by_value"),
        gettext("Favourable rate by value of each attribute"),
    )
    return table_sheet("Rates_by_value", name, title, [gettext(_CERTAIN)], records)


def _confidence(report: Report) -> Sheet:
    names = [a for a in report.process.attributes if a.role == "public"]
    groups = report.privacy.groups
    lift, odds = (any(key in group.model_fields_set for group in groups) for key in ("lift", "odds"))
    records: Records = (
        [
            *([(a.title, group.qid[a.name]) for a in names] or [(gettext("People"), gettext(EVERYBODY))]),
            (gettext("Highest confidence before"), group.prior),
            (gettext("Highest confidence after"), group.beta),
            (gettext("Cells"), group.cells),
            (gettext("At most so many times as likely"), _or(group.lift) if lift else None),
            (gettext("Odds change at most by a factor of"), _or(group.odds, NOT_AVAILABLE) if odds else None),
        ]
        for group in groups
    )
    lines = [
        gettext(
            "Confidence is how sure someone who believes this report can be of a sensitive value of a person in the "
            "group. It is rounded up."
        )
    ]
    name, title = pgettext("worksheet", "Confidence"), gettext("What can be inferred about people, by group")
    return table_sheet("Confidence", name, title, lines, records)


def _sensitive_values(report: Report) -> Sheet:
    records: Records = (
        [
            (gettext("Sensitive attribute"), report.process.attribute(attribute.name).title),
            (gettext("Value"), each.value),
            (gettext("Highest confidence before"), each.before),
            (gettext("Highest confidence after"), each.after),
            (gettext("At most so many times as likely"), each.lift),
            (gettext("Group with the largest rise"), _values(each.rise.qid, report.process)),
            (gettext("Before in that group"), each.rise.before),
            (gettext("After in that group"), each.rise.after),
        ]
        for attribute in report.privacy.attributes or ()
        for each in attribute.values
    )
    name = pgettext("worksheet", "Sensitive_values")
    title = gettext("What can be inferred about people, by sensitive value")
    lines = [gettext("Figures are the highest over all groups and outcomes. They are rounded up.")]
    return table_sheet("Sensitive_values", name, title, lines, records)


def _influence(report: Report) -> Sheet:
    process = report.process
    records: Records = (
        [
            (gettext("Kind"), gettext(_KINDS[each.kind])),
            (
                gettext("Attributes"),
                ", ".join(process.attribute(name).title for name in each.attributes) or gettext("Base"),
            ),
            (gettext("Of"), _quantity(each, process)),
            (gettext("At"), _values(each.at, process) if each.at else NOT_APPLICABLE),
            (gettext("Announced value"), each.value),
            *_ends(each.interval or (NOT_AVAILABLE, NOT_AVAILABLE)),
            (gettext("Most it can move at this fidelity"), each.a_priori),
            (gettext("Share of draws that occur"), each.reach),
        ]
        for each in report.influence
    )
    lines = [gettext(_CERTAIN), gettext("An influence can be negative: the attribute then lowers the rate.")]
    name, title = pgettext("worksheet", "Influence"), gettext("Influence of attributes on the announced rule")
    return table_sheet("Influence", name, title, lines, records)


def _quantity(each: Influence, process: Process) -> str:
    if each.quantity is None:
        return gettext("Announced probability of “{outcome}”", outcome=process.outcome.favourable)
    title, group, minus = each.quantity.title, each.quantity.group, each.quantity.minus
    if minus is None:
        return gettext("{title}: {group}", title=title, group=_condition(group, process))
    return gettext(
        "{title}: {group}, less {other}",
        title=title,
        group=_condition(group, process),
        other=_condition(minus, process),
    )


def _condition(condition: Condition, process: Process) -> str:
    named = (
        gettext("{attribute}: {value}", attribute=process.attribute(name).title, value=list_or(values))
        for name, values in condition.items()
    )
    return "; ".join(named) or gettext(EVERYBODY)


def _values(values: Mapping[str, str] | None, process: Process) -> str:
    """People by their values, each with its attribute; or everybody."""
    return _condition({name: (value,) for name, value in (values or {}).items()}, process)


def _or(number: Decimal | int | None, mark: str = NOT_APPLICABLE) -> Entry:
    """A number, or the mark that says why there is none."""
    return mark if number is None else number
