"""Every confidential file of a build, in memory."""

from collections.abc import Callable, Collection

from atreport.errors import MissingLibrary
from atreport.pages.layout import Layout
from atreport.pages.pdf import render
from atreport.private.annex import Annex, annex_json
from atreport.private.commitment import FILE as COMMITMENT
from atreport.private.commitment import SaltedDigest
from atreport.report.writer import json_bytes

TEMPLATE = "annex.html.j2"


def confidential_files(
    annex: Annex,
    formats: Collection[str],
    commitment: SaltedDigest | None = None,
    *,
    do_without_pdf: Callable[[str], None] | None = None,
) -> dict[str, bytes]:
    """The confidential files, by their names. A pure function of its arguments.

    `do_without_pdf` is called with the reason where this machine cannot make a PDF, which is then left out; without it
    that is an error.
    """
    files: dict[str, bytes] = {}
    if "json" in formats:
        files["annex.json"] = json_bytes(annex_json(annex))
    if commitment is not None:
        files[COMMITMENT] = commitment.confidential
    if not {"html", "pdf"} & set(formats):
        return files
    # Here and not above: it draws charts, and importing matplotlib would take a third of the time of a build of JSON.
    from atreport.private.annex.context import make_annex_context

    manuscript = Layout(TEMPLATE, make_annex_context(annex))
    if "html" in formats:
        files["annex.html"] = manuscript.for_screen().encode()
    if "pdf" in formats:
        try:
            files["annex.pdf"] = render(manuscript)
        except MissingLibrary as error:
            if do_without_pdf is None:
                raise
            do_without_pdf(str(error))
    return files
