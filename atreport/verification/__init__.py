"""Check a published report without any confidential data, offline, in exact arithmetic.

Each check is a function that yields findings in plain words; :func:`verify` runs them in the order in which a reader would
doubt a report: are these the files that were published, do the figures follow from one another, and does every file say
the same? A new figure in report.json needs a check here and, where it can be short, in ``templates/verify.py``.

Nothing that a report says about itself turns a check off: what cannot be compared here is named, and is not passed.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from atreport.compose import in_language
from atreport.compose.generator import same_program
from atreport.errors import AtreportError
from atreport.export.spreadsheets import SHEET_FILES
from atreport.pages.catalogue import CATALOGUE_FILE
from atreport.report.model import Report
from atreport.report.reader import Published, read_published
from atreport.text.language import (
    LazyMessage,
    gettext,
    list_and,
    message,
    ngettext,
    primary,
    resolve,
    use_locale,
)
from atreport.verification.files import (
    added_findings,
    attachment_findings,
    checksum_findings,
    edition_of,
    folder_findings,
    further_languages,
    page_data_findings,
    signature_findings,
    statement_findings,
    told_in,
)
from atreport.verification.findings import Check, Compared, NotChecked, Verification, attached, check
from atreport.verification.ledger import ledger_findings, release_words
from atreport.verification.rebuild import Rebuild, StyleFiles, find_style_files, pdf_dangers, sheet_dangers
from atreport.verification.recalculation import (
    Recalculation,
    SecondReading,
    any_population_findings,
    checksum_statements,
    explanation_findings,
    is_for_any_population,
    measure_findings,
    people_findings,
    privacy_findings,
    second_reading,
    table_findings,
)
from atreport.verification.signature import ATTESTATION, SIGNATURE, STAMP, attestation_findings, stamp_check
from atreport.version import __version__

_SIGNED = message("Who signed these files: give the publisher's public key with --key.")
_NOT_SIGNED = message(
    "Who published these files: they are not signed. Compare the checksums with the publisher's own copy."
)
_STAMPED = message(
    "When these files were published: give the time-stamp authority's root certificate with --stamp-root."
)
_TRUTH = message(
    "Whether the announced rule is as close to the true rule as stated, and whether no better protected rule was possible. "
    "That takes the data: the publisher's auditor can check it with `atreport verify --with-data SPEC`."
)
_OTHER_VERSION = message(
    "The words of {what}: this report says that it was made with atreport {made}, and this is atreport {here}. Install "
    "that version to compare them word by word."
)
_SAME_PAGE = message("the page is the one that the figures give, byte for byte")
_SAME_WORDS = message(
    "the page is the one that the figures give, byte for byte, but for its charts and fonts"
)
_SAME_PDF = message("the PDF is the one that the figures give, byte for byte")
_SAME_SHEETS = message("{files}: as the figures give it, byte for byte")
_HARMLESS_PDF = message("the PDF holds no script, action, form or other media, and calls no address")
_HARMLESS_SHEETS = message("{files}: no macro, formula or link to elsewhere is in it")


def verify(
    path: str | Path,
    key: str | Path | None = None,
    *,
    ledger: str | Path | None = None,
    stamp_root: str | Path | None = None,
    accept: Collection[str] = (),
) -> Verification:
    """Check a published report, offline.

    Args:
        path: A public folder, a report.json, a PDF or a page.
        key: The publisher's public key: checks the signature and the attestation too.
        ledger: The publisher's ledger, or a proof from it: checks that the report is recorded there.
        stamp_root: The root certificate of a time-stamp authority that the reader trusts: checks the time stamp.
        accept: Any of figures, pages, charts, pdf and sheets: what the reader accepts as not checked where it
            cannot be calculated or compared.
    """
    published = read_published(path)
    language = "en" if published.report is None else published.report.report.language
    with use_locale(language):
        found = _verify(published, key, ledger, stamp_root)
    return replace(found, language=primary(language)).accepting(accept)


def _verify(
    published: Published, key: str | Path | None, ledger: str | Path | None, stamp_root: str | Path | None
) -> Verification:
    """The same of files that were read, told in the language that is spoken: the report's."""
    what = gettext("report.json has the form that its schema describes")
    found: list[Check | NotChecked] = [check("schema", what, published.wrong), *_file_checks(published)]
    limits: list[str] = []
    if key is not None:
        what = gettext("the publisher signed these files")
        found.append(check("signature", what, signature_findings(published, Path(key))))
        if ATTESTATION in published.files:
            what = gettext("the publisher's attestation names these files and these figures")
            found.append(check("attestation", what, attestation_findings(published, Path(key))))
    else:
        limits.append(gettext(_SIGNED if SIGNATURE in published.files else _NOT_SIGNED))
    if {SIGNATURE, ATTESTATION, STAMP} & {*published.files}:
        what = gettext("what was added to the finished files has the form it should have, and is about them")
        found.append(check("added", what, added_findings(published)))
    if stamp_root is not None:
        found.append(stamp_check(published, Path(stamp_root)))
    elif STAMP in published.files:
        limits.append(gettext(_STAMPED))
    report = published.report
    if report is not None:
        if ledger is not None:
            what = gettext("the report is recorded in the publisher's ledger")
            found.append(check("ledger", what, ledger_findings(report, Path(ledger))))
        with second_reading(published) as fetch:
            made_again = _made_again(published, report)
            reading = fetch()
        found += [_figures(report, reading), *made_again]
        if reading.loose:
            what = ngettext(
                reading.loose,
                "How wide the interval of {number} figure is was not calculated: where rates are kept, the shares have too "
                "few digits.",
                "How wide the intervals of {number} figures are was not calculated: where rates are kept, the shares have "
                "too few digits.",
            )
            found.append(NotChecked(part="figures", what=what))
    return Verification(
        path=published.path,
        title="" if report is None else report.report.title,
        checks=tuple(each for each in found if isinstance(each, Check)),
        limits=(*limits, gettext(_TRUTH)),
        release=() if report is None else tuple(_release(report, key, ledger)),
        not_checked=tuple(each for each in found if isinstance(each, NotChecked)),
    )


def _release(report: Report, key: str | Path | None, ledger: str | Path | None) -> Iterator[str]:
    """Which release this is: an older one, properly signed, may stand where a newer one is looked for."""
    said = report.report
    yield gettext("Version {version} of {date}.", version=said.version, date=said.date.isoformat())
    if ledger is not None:
        yield from release_words(report, Path(ledger))
    elif key is not None:
        yield gettext(
            "A signature does not tell whether there is a newer release. Give the publisher’s ledger with --ledger, or "
            "compare version and date with what the publisher shows."
        )


def _file_checks(published: Published) -> Iterator[Check]:
    """Are these the files that were published?"""
    if published.path.is_dir():
        what = gettext("every file has the checksum that was published for it, and no other file is there")
        yield check("checksums", what, [*checksum_findings(published), *folder_findings(published)])
    yield from _document_checks(published)


def _document_checks(published: Published) -> Iterator[Check]:
    """Do the PDF and the page of one language carry the figures that are beside them?"""
    if published.attachments is not None:
        what = gettext("the data are attached to the PDF, the same as beside it")
        yield check("attachments", what, attachment_findings(published))
    if "report.html" in published.files:
        what = gettext("the page carries the same figures as report.json")
        yield check("page-data", what, page_data_findings(published))


def _figures(report: Report, reading: SecondReading) -> Check:
    """Do the figures follow from one another? As the verifier finds that is shipped beside reports."""
    cells = len(report.cells)
    what = ngettext(
        cells,
        "every figure was recalculated from {number} published cell, in exact arithmetic",
        "every figure was recalculated from {number} published cells, in exact arithmetic",
    )
    if is_for_any_population(report):
        what = ngettext(
            cells,
            "what needs no number of people was recalculated from {number} published cell, in exact arithmetic",
            "what needs no number of people was recalculated from {number} published cells, in exact arithmetic",
        )
    return check("figures", what, map(resolve, reading.findings))


def _made_again(published: Published, report: Report) -> list[Check | NotChecked]:
    """Does this program make the same of the figures, and does every file say the same? And what is left out.

    Each part of the report has the form it should have, but the parts may not fit together.
    """
    try:
        with np.errstate(all="ignore"):
            return [*_program_checks(published, Recalculation(report))]
    except AtreportError:
        raise
    except Exception as error:  # in as many ways as there are functions that make a report
        why = error.args[0] if error.args else ""
        reason = resolve(why) if isinstance(why, LazyMessage) else type(error).__name__
        finding = gettext("report.json: the report cannot be made again from it: {reason}", reason=reason)
        return [check("tables", gettext("report.json is what the figures give"), [finding])]


def _figure_checks(found: Recalculation) -> Iterator[Check]:
    """What this program calculated a second time, and of the rest what it looked for."""
    report, inferred = found.stated, gettext("what can be inferred was calculated a second time")
    what = ngettext(
        len(report.fairness),
        "{number} fairness measure was calculated a second time, by this program",
        "{number} fairness measures were calculated a second time, by this program",
    )
    if is_for_any_population(report):
        inferred = gettext(
            "the odds factors were calculated a second time, and some population gives the confidences"
        )
        what = ngettext(
            len(report.fairness),
            "some population gives the rates of {number} fairness measure, and the figure follows from them",
            "some population gives the rates of {number} fairness measures, and their figures follow from them",
        )
    yield check("privacy", inferred, privacy_findings(report))
    findings = [*people_findings(report), *measure_findings(found), *any_population_findings(found)]
    yield check("measures", what, findings)
    what = gettext(
        "names, ranges, groups left out and guarded cells are stated as the other parts of the report have them"
    )
    yield check("statements", what, statement_findings(report))
    if (report.influence or report.rules) and report.policy.population != "withheld":
        what = ngettext(
            len(report.influence),
            "{number} influence or point of a curve, and the rules, were calculated again",
            "{number} influences and points of curves, and the rules, were calculated again",
        )
        yield check("explanation", what, explanation_findings(found))


def _program_checks(published: Published, found: Recalculation) -> Iterator[Check | NotChecked]:
    yield from _figure_checks(found)
    if (why := found.leaves_out) is not None:
        yield NotChecked(part="figures", what=why)
    yield from _words(published, found.report)
    for language in further_languages(published):
        edition = edition_of(published, language)
        if edition is None:
            what = gettext("the report can be read ({language})", language=language)
            finding = gettext("its files in “{language}” hold no report", language=language)
            yield check(f"schema-{language}", what, [finding])
            continue
        in_words = _words(edition, in_language(found.report, language))
        yield from told_in(language, [*_document_checks(edition), *in_words])


def _words(published: Published, report: Report) -> Iterator[Check | NotChecked]:
    """Does every file of one language say what the figures give?"""
    style = find_style_files(published, report)
    if same_program(report.generator):
        yield from _same_everywhere(published, Rebuild(report, style.files), style)
    else:
        yield from _other_version(published, report)
    if report.style is not None or style.findings:
        what = gettext(
            "the files of the house style are those that report.json names, and nothing in them can run"
        )
        yield check("style", what, style.findings)


def _other_version(published: Published, report: Report) -> Iterator[Check | NotChecked]:
    """What can be compared of a report that another version made, and what cannot."""
    what = gettext("report.html, of the notes in report.json and of what catalogues are told")
    if "report.html" not in published.files:
        what = gettext("the notes in report.json and of what catalogues are told")
    made = report.generator.get("atreport", gettext("of an unknown version"))[:40]
    yield NotChecked(part="pages", what=gettext(_OTHER_VERSION, what=what, made=made, here=__version__))
    # the tables beside the report and in its PDF, where the files themselves cannot be made again
    findings = [
        *table_findings(published.content, published.files),
        *map(attached, table_findings(published.content, published.attachments or {})),
    ]
    yield check("tables", gettext("the tables have the rows of report.json"), findings)
    what = gettext("the checksums that catalogues are told hold")
    yield check("catalogue", what, checksum_statements(published.files))
    if published.pdf is not None:
        what = gettext("What report.pdf says and shows, for the same reason. Its attachments were checked.")
        missed = NotChecked(part="pdf", what=what)
        yield from _compared("pdf", "", [Compared([*pdf_dangers(published.pdf)], [missed])], _HARMLESS_PDF)
    sheets = {
        name: Compared(
            [*sheet_dangers(name, published.files[name])],
            [NotChecked(part="sheets", what=gettext("What {name} holds, for the same reason.", name=name))],
        )
        for name in SHEET_FILES
        if name in published.files
    }
    if sheets:
        yield from _compared("sheets", "", sheets.values(), _HARMLESS_SHEETS, files=list_and(sheets))


def _compared(
    id: str, what: str, found: Collection[Compared], harmless: str, **values: str
) -> Iterator[Check | NotChecked]:
    """The check of files that were made again, or what else is known of them where they could not be compared."""
    missed = [each for compared in found for each in compared.not_checked]
    findings = [finding for compared in found for finding in compared.findings]
    yield check(id, gettext(harmless if missed else what, **values), findings)
    yield from missed


def _same_everywhere(published: Published, again: Rebuild, style: StyleFiles) -> Iterator[Check | NotChecked]:
    files = published.files
    what = gettext(
        "report.json, its notes, the tables and what describes them say what the figures give, to the last digit"
    )
    yield check("tables", what, [*again.generator_findings(), *_data_findings(published, again)])
    if CATALOGUE_FILE in files:
        what = gettext(
            "what catalogues are told follows from the report, and has the checksums of these files"
        )
        yield check("catalogue", what, again.catalogue_findings(files))
    yield from style.not_checked
    if "report.html" in files and style.complete:
        yield from _compared("page", _SAME_PAGE, [again.compare_page(files["report.html"])], _SAME_WORDS)
    if published.pdf is not None and style.complete:
        pdf = again.compare_pdf(files["report.pdf"], published.pdf)
        yield from _compared("pdf", _SAME_PDF, [pdf], _HARMLESS_PDF)
    sheets = {name: again.compare_sheets(name, files[name]) for name in SHEET_FILES if name in files}
    if sheets:
        yield from _compared(
            "sheets", _SAME_SHEETS, sheets.values(), _HARMLESS_SHEETS, files=list_and(sheets)
        )


def _data_findings(published: Published, again: Rebuild) -> Iterator[str]:
    attachments = published.attachments or {}
    for name in again.data:
        if name in published.files:
            yield from again.data_findings(name, published.files[name])
        if name in attachments:
            yield from again.data_findings(name, attachments[name], attached(name))
    if published.source == "report.html" and again.report != published.report:
        yield gettext("report.html: the texts in its data are not those that belong to its figures")
