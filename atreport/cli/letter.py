"""``atreport letter``: letters to one person, from the published report alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import AsJson, formats_of, print_json, say
from atreport.errors import EXIT_FINE, MissingLibrary, UsageError
from atreport.pages.documents import letter_html, letter_pdf
from atreport.pages.notices import KINDS, compose_letter, letter_json
from atreport.pages.own_case import parse_record
from atreport.publish import write_private
from atreport.report.published import read_published_report
from atreport.report.writer import json_bytes
from atreport.spec.problems import did_you_mean

FORMATS = ("html", "pdf", "json")


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
    kind: Annotated[
        str | None,
        typer.Option(
            "--as",
            help=f"The kind of letter: {', '.join(KINDS)}. Default: the one that the report's form is for.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that gets letter.html and letter.pdf.")
    ] = Path("letter"),
    formats: Annotated[
        str | None,
        typer.Option(
            help="Comma-separated: html, pdf, json. Default: html and pdf, if this machine can make them."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Write the letter to one person: what was used about them and why. Reads the published report and nothing else."""
    wanted = formats_of(formats, FORMATS) or FORMATS[:2]
    if kind is not None and kind not in KINDS:
        raise UsageError(f"--as: there is no letter '{kind}'; {did_you_mean(kind, KINDS, listing='kinds')}")
    published = read_published_report(report)
    context = compose_letter(published, parse_record(published, record), kind)
    files: dict[str, bytes] = {}
    if "json" in wanted:
        files["letter.json"] = json_bytes(letter_json(context))
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
