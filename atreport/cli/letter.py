"""``atreport letter``: the answer to one data subject, from the published report alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, formats_of, print_json, say
from atreport.errors import EXIT_FINE, MissingLibrary
from atreport.pages.documents import letter_html, letter_pdf
from atreport.pages.letter import letter_context
from atreport.pages.own_case import parse_record
from atreport.publish import write_private
from atreport.report.published import read_published_report

FORMATS = ("html", "pdf")


def letter(
    report: Annotated[
        Path,
        typer.Argument(
            metavar="REPORT",
            help="A published report: its public folder, report.json, report.html or report.pdf.",
        ),
    ],
    record: Annotated[
        str,
        typer.Option("--record", help="The person's data, such as gender=F,income=high.", show_default=False),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that gets letter.html and letter.pdf.")
    ] = Path("letter"),
    formats: Annotated[
        str | None,
        typer.Option(help="Comma-separated: html, pdf. Default: both, if this machine can make them."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write the letter to one data subject (GDPR, Article 15). Reads the published report and nothing else."""
    wanted = formats_of(formats, FORMATS) or FORMATS
    published = read_published_report(report)
    context = letter_context(published, parse_record(published, record))
    files: dict[str, bytes] = {}
    if "html" in wanted:
        files["letter.html"] = letter_html(context).encode()
    if "pdf" in wanted:
        try:
            files["letter.pdf"] = letter_pdf(context)
        except MissingLibrary as error:
            if formats is not None:
                raise
            say(f"The PDF was not made: {error}")
    paths = [str(path) for path in write_private(output, files)]
    if as_json:
        print_json({"ok": True, "files": paths})
    else:
        print("\n".join(paths))
    return EXIT_FINE
