"""Turn a report into selection rates and adverse impact: Uniform Guidelines, 29 CFR § 1607.4.

The four-fifths rule is a screening rule. A difference is called significant, or not, only where that holds for the exact
rates too, wherever in their ranges they lie.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.forms.eeoc import EEOCForm
from atreport.pages.forms.form_context import (
    FormContext,
    RemarkedTable,
    ShownSection,
    announced_notice,
    checking_section,
    filled_in,
    form_field,
    form_tables,
    notes_section,
    numbered,
    people_text,
)
from atreport.pages.layout import make_cover, paragraphs
from atreport.pages.wording import verdict_cell
from atreport.report.form import Category, FormTable, Significance, Total
from atreport.report.model import Report
from atreport.text.language import count, gettext, message, ngettext
from atreport.text.numbers import digits, full_percent, full_percent_interval, percent
from atreport.text.tables import Cell, Column, Table, make_table

LEVEL = Decimal("0.05")
"""A difference that would be this rare by chance alone, or rarer, is called significant: a convention."""

SMALL_SHARE = Decimal("0.02")
"""For groups with a smaller share of the labour force or workforce, § 1607.15 asks for no determination."""

FOUR_FIFTHS_RULE = message(
    "A selection rate below four fifths of the highest group’s rate “will generally be regarded by the Federal enforcement "
    "agencies as evidence of adverse impact”. Smaller differences may be adverse impact too, “where they are significant in "
    "both statistical and practical terms”, or where the user’s actions have discouraged applicants disproportionately on "
    "grounds of race, sex or ethnic group. Greater differences may not be adverse impact where they are “based on small "
    "numbers and are not statistically significant”, or where special recruiting or other programs make the pool of "
    "candidates atypical (29 CFR § 1607.4 D)."
)
"""What § 1607.4 D says; the words in quotation marks are its own."""

SCREENS = message(
    "The tables below are screens that tell where to look closer. They are no legal findings, and say nothing about "
    "practical significance or about what discouraged applicants. A verdict is given only where it holds for the exact "
    "figures, wherever in their ranges they lie. Each group’s difference is tested against the group with the highest "
    "announced rate, which is named in each row (Fisher’s exact test, two-sided). The level of 5% is a convention; § 1607.4 "
    "names none."
)
"""How the tables are to be read."""

RESCISSION = message(
    "Before you rely on this form: the agenda of the Equal Employment Opportunity Commission lists the rescission of these "
    "guidelines (RIN 3046-AB43, and RIN 3046-AB45 on records). Check whether 29 CFR part 1607 is still in force."
)
"""What the Unified Agenda of autumn 2025 says; a reader must look up what became of it."""

SMALL_GROUPS = message(
    "For a group that is under 2% both of the labour force in the relevant area and of the applicable workforce, the "
    "guidelines ask for no determination of adverse impact (§ 1607.15 A (2) (a))."
)


def context(report: Report) -> FormContext:
    """The statement as text."""
    form: EEOCForm = filled_in(report)
    tables = form_tables(report)
    wants = gettext("The Uniform Guidelines look at the rates of every group.")
    return FormContext(
        cover=make_cover(report),
        subtitle=gettext("Selection rates and adverse impact (29 CFR § 1607.4)"),
        notice=(*announced_notice(report, wants), gettext(RESCISSION)),
        sections=(
            *numbered(
                (
                    ShownSection(
                        id="procedure",
                        title=gettext("The selection procedure"),
                        text=paragraphs(report.process.description),
                        fields=tuple(form_field(label, value) for label, value in _fields(report, form)),
                    ),
                    ShownSection(
                        id="results",
                        title=gettext("Selection rates, four-fifths screening and significance"),
                        text=(gettext(FOUR_FIFTHS_RULE), gettext(SCREENS), *_small(report, tables)),
                        tables=tuple(t for each in tables for t in _tables(report, form, each)),
                    ),
                )
            ),
            notes_section(report.notes),
            checking_section(report, ("cells.csv", "measures.csv", "SHA256SUMS")),
        ),
    )


def _fields(report: Report, form: EEOCForm) -> Iterator[tuple[str, object]]:
    yield gettext("User"), report.report.publisher
    yield gettext("Job or group of jobs"), form.job
    yield gettext("Selection procedure"), form.procedure
    yield gettext("Period covered"), form.period
    yield gettext("Source of the numbers"), form.data_source
    yield gettext("Components of the selection process"), form.components
    if form.screening is not None:
        yield (
            gettext("Another screen beside four fifths, and why"),
            gettext(
                "{share} of the highest rate. {reason}",
                share=percent(form.screening.at_least),
                reason=form.screening.because,
            ),
        )


def _small(report: Report, tables: Sequence[FormTable]) -> tuple[str, ...]:
    under = report.policy.small_cells.under
    rows = [row for each in tables for row in each.categories]
    open_ = sum(not row.people.is_exact for row in rows)
    if open_:
        return (
            ngettext(
                open_,
                "Two duties conflict here: the guidelines ask for the numbers of every group, and numbers of fewer than "
                "{under} people can reveal something about those people. In {number} row the number is not printed exactly, "
                "and no test of significance is made with it.",
                "Two duties conflict here: the guidelines ask for the numbers of every group, and numbers of fewer than "
                "{under} people can reveal something about those people. In {number} rows the number is not printed "
                "exactly, and no test of significance is made with it.",
                under=count(under),
            ),
        )
    small = sum(0 < row.people.fewest < under for row in rows)
    if not small:
        return ()
    return (
        ngettext(
            small,
            "Two duties conflict here: the guidelines ask for the numbers of every group, and {number} row has fewer than "
            "{under} people, who could be recognised. The publisher has chosen to print the numbers.",
            "Two duties conflict here: the guidelines ask for the numbers of every group, and {number} rows have fewer than "
            "{under} people, who could be recognised. The publisher has chosen to print the numbers.",
            under=count(under),
        ),
    )


def _tables(report: Report, form: EEOCForm, each: FormTable) -> tuple[RemarkedTable, ...]:
    title = report.process.attribute(each.table).title
    return (
        RemarkedTable(table=_rates(title, each), stacks=True),
        RemarkedTable(table=_impact(title, form, each), remarks=_remarks(form, each), stacks=True),
    )


def _rates(title: str, each: FormTable) -> Table:
    """Applicants, selected and rates by group, and of everybody (§ 1607.4 B)."""
    rows: list[tuple[str, Category | Total]] = [(row.category, row) for row in each.categories]
    if each.total is not None:
        everybody = (
            gettext("All applicants, including the unknown")
            if each.unknown_people.most
            else gettext("All applicants")
        )
        rows.append((everybody, each.total))
    return make_table(
        f"eeoc-{each.table}",
        gettext("{attribute}: selection rates", attribute=title),
        [
            Column(title, names_row=True),
            Column(gettext("Applicants"), numeric=True),
            Column(gettext("Selected, as announced"), numeric=True),
            Column(gettext("Selection rate"), numeric=True),
            Column(gettext("Exact rate lies in"), numeric=True),
        ],
        [
            [
                name,
                people_text(row.people),
                people_text(row.selected) if row.people.published is not None else gettext("suppressed"),
                full_percent(row.rate.value) if row.rate else gettext("nobody"),
                full_percent_interval(row.rate.low, row.rate.high) if row.rate else "–",
            ]
            for name, row in rows
        ],
    )


def _impact(title: str, form: EEOCForm, each: FormTable) -> Table:
    """Shares of the highest rate, screens and tests; columns for another screen and for the unknown where there are any."""
    has_unknown = _tells_of_unknown(each)
    other = (
        []
        if form.screening is None
        else [gettext("At least {share}", share=percent(form.screening.at_least))]
    )

    def cells(row: Category) -> Iterator[Cell | str]:
        yield row.category
        if row.impact_ratio is None:
            yield from ("–" if row.rate is None else gettext("no rate above 0"), "–")
        else:
            yield full_percent(row.impact_ratio.value)
            yield full_percent_interval(row.impact_ratio.low, row.impact_ratio.high)
        yield verdict_cell(row.four_fifths) if row.four_fifths else Cell("–")
        if other:
            yield verdict_cell(row.screened) if row.screened else Cell("–")
        yield _difference_text(row)
        if has_unknown:
            yield full_percent_interval(*row.unknown) if row.unknown else "–"

    return make_table(
        f"eeoc-{each.table}-impact",
        gettext("{attribute}: four-fifths screening and significance", attribute=title),
        [
            Column(title, names_row=True),
            Column(gettext("Share of the highest rate"), numeric=True),
            Column(gettext("Exact share lies in"), numeric=True),
            Column(gettext("At least four fifths")),
            *map(Column, other),
            Column(gettext("Difference at the 5% level")),
            *([Column(gettext("Whoever the unknown are"), numeric=True)] if has_unknown else []),
        ],
        [list(cells(row)) for row in each.categories],
    )


def _tells_of_unknown(each: FormTable) -> bool:
    """Whether a table has a column on what the unknown could change: there are some, and a rate is above 0."""
    return any(row.unknown for row in each.categories)


def _difference_text(row: Category) -> str:
    """The test of one group, with the group it is compared with; or why there is none."""
    test = row.significance
    if test is None:
        return gettext("highest rate") if row.highest else gettext("not tested")
    alone, against = _significance_words(test)
    if test.against is None:
        return gettext(alone, p=digits(test.p))
    return gettext(against, group=test.against, p=digits(test.p))


def _significance_words(test: Significance) -> tuple[str, str]:
    """Whether a difference is significant, as far as that holds for the exact rates; without and with the other group."""
    least, most = test.interval
    if most < LEVEL:
        return message("significant (p {p})"), message("significant (against {group}, p {p})")
    if least >= LEVEL:
        return message("not significant (p {p})"), message("not significant (against {group}, p {p})")
    return message("cannot be told (p {p})"), message("cannot be told (against {group}, p {p})")


def _remarks(form: EEOCForm, each: FormTable) -> tuple[str, ...]:
    remarks = []
    stated = {} if form.labour_force is None else form.labour_force.shares.get(each.table, {})
    small = [name for name, share in stated.items() if share < SMALL_SHARE]
    if small and form.labour_force is not None:
        named = ngettext(
            len(small),
            "As the user states, this group is under 2% of the labour force or workforce: {groups} ({source}).",
            "As the user states, these groups are each under 2% of the labour force or workforce: {groups} ({source}).",
            groups=", ".join(small),
            source=form.labour_force.source.rstrip("."),
        )
        remarks.append(f"{named} {gettext(SMALL_GROUPS)}")
    if each.unknown_people.most:
        remarks.append(
            gettext(
                "Applicants who are in none of these groups because their group is unknown: {people}.",
                people=people_text(each.unknown_people),
            )
        )
    if _tells_of_unknown(each):
        remarks.append(
            gettext(
                "The last column shows where the share of the announced rates could lie, whichever groups the unknown "
                "belong to."
            )
        )
    return tuple(remarks)
