"""``atreport diff``: what changed between two versions of a report, and what the pair reveals."""

import io
import subprocess
import tarfile
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.show import show_table
from atreport.cli.talk import MOST_ROWS, AsJson, Quiet, print_json, say
from atreport.errors import EXIT_FINDINGS, EXIT_FINE, NotAReport, OutputError, UsageError
from atreport.export.diff import PARTS, Difference, diff_html, find_changes, name_report, summary
from atreport.private.audited import make_publishable
from atreport.private.prepare import prepare
from atreport.report.model import Report, in_words_of, translated
from atreport.report.reader import read_published_report
from atreport.spec.load import SPEC_ENDINGS
from atreport.text.language import count, gettext, use_locale
from atreport.text.tables import Column, make_table
from atreport.verification.union_attack import (
    attack_union,
    compose_odds,
    composed_in_words,
    not_comparable,
    told_in_words,
)

_WHAT = "A published report (folder or file), a spec, or a spec at a git revision: SPEC@v1.0."


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=_WHAT)],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The same, newer.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the comparison as a page.")
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> int:
    """Show what changed between two versions of a report, and what the pair reveals."""
    after = report_of(new)
    before = report_of(old)
    found = compare_reports(before, after)
    if html is not None:
        page = comparison_page(before, after)
        try:
            html.write_text(page, encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{html}: the page could not be written: {error.strerror}.") from None
        if not quiet:
            say(f"{html}: written")
    if as_json:
        print_json({**asdict(found), "reveals_more": bool(found.reveals)})
    else:
        _show(found)
    return EXIT_FINDINGS if found.reveals else EXIT_FINE


def _show(found: Difference) -> None:
    print(f"before: {found.old}\nafter:  {found.new}\n{summary(found)}")
    for remark in found.remarks:
        print(remark)
    print()
    columns = [Column("what", names_row=True), Column("before"), Column("after")]
    for part, title in PARTS.items():
        if changes := found.of(part):
            rows = [[each.what, _cut(each.before), _cut(each.after)] for each in changes[:MOST_ROWS]]
            more = len(changes) - MOST_ROWS
            left_out = f"… and {count(more)} more; --json lists all" if more > 0 else ""
            show_table(make_table(part, title, columns, rows, left_out))
    if found.reveals:
        print("Together the two reports tell more than the newer one promises:")
        for sentence in found.reveals[:MOST_ROWS]:
            print(f"  {sentence}")
    elif not found.remarks:  # which say what could not be measured
        print("Together the two reports tell no more than the newer one promises.")
    for sentence in found.together:
        print(sentence)


def _cut(text: str, most: int = 300) -> str:
    """A long text as a terminal shows it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


# Compare two reports: what changed between them, and what the pair reveals that the newer one alone does not.


def compare_reports(old: Report, new: Report) -> Difference:
    """Everything that differs between two reports, the older first, and what both together tell.

    A function of the two reports: nothing else is read. Where the newer one has translations into its language, both are
    compared in these words, so that the same thing has the same name in both.
    """
    old, new = in_words_of(old, new), translated(new)
    remarks = []
    if not_comparable([old], new):
        remarks.append(
            gettext(
                "The reports ask about other attributes or outcomes, so cells cannot be matched one by one."
            )
        )
    elif new.policy.population == "withheld":
        remarks.append(
            gettext(
                "The newer report withholds the number of people, so what the pair reveals cannot be measured from the two. "
                "Its publisher’s build measures it, against the ledger."
            )
        )
    composed = compose_odds([old], new) if old.cells != new.cells else None
    return Difference(
        old=name_report(old),
        new=name_report(new),
        changes=find_changes(old, new),
        reveals=tuple(told_in_words(each, new) for each in attack_union([old], new)),
        remarks=tuple(remarks),
        together=() if composed is None else (f"{composed_in_words(composed, new)}.",),
    )


def comparison_page(old: Report, new: Report) -> str:
    """The comparison as one self-contained page, in the language of the newer report."""
    with use_locale(new.report.language):
        return diff_html(compare_reports(old, new), translated(new))


# Turn what a user names (a published report, a spec, or a spec at a git revision) into a report.
#
# A spec's report is made, so its data are read: that makes this confidential, though what comes out is
# public. The report of a revision is made from everything the repository held at that revision, by the
# program that runs now.


def report_of(name: str) -> Report:
    """A report: read where it is published, made where a spec is named."""
    path = Path(name)
    if not path.exists() and "@" in name:
        spec, _, revision = name.rpartition("@")
        return _at_revision(Path(spec), revision)
    return _made(path) if path.suffix.lower() in SPEC_ENDINGS else read_published_report(path)


def _made(spec: Path) -> Report:
    """The report of a spec, in memory; refused where a build would be."""
    return make_publishable(prepare(spec)).report


def _at_revision(spec: Path, revision: str) -> Report:
    folder = spec.parent.resolve()
    while not folder.is_dir():  # the spec's folder may be gone by now
        folder = folder.parent
    top = Path(_git(folder, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    inside = (spec.parent.resolve() / spec.name).relative_to(top)
    if revision.startswith("-"):
        raise UsageError(f"{revision}: no revision of git")
    commit = _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", revision=revision)
    tree = _git(top, "archive", "--format=tar", commit.decode().strip())
    with tempfile.TemporaryDirectory(prefix="atreport-") as place:
        with tarfile.open(fileobj=io.BytesIO(tree)) as archive:
            archive.extractall(place, filter="data")
        if not (Path(place) / inside).is_file():
            raise NotAReport(f"{spec}@{revision}: there is no such spec at that revision.")
        return _made(Path(place) / inside)


def _git(folder: Path, *arguments: str, revision: str | None = None) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("SPEC@revision needs git, which is not installed.") from None
    if done.returncode != 0:
        if revision is not None:
            raise UsageError(
                f"{revision}: git knows no such revision here. Write a tag, a branch or a commit."
            )
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(f"{folder}: git says: {said[-1] if said else 'failed'}")
    return done.stdout
