"""``atreport verify``: does a published report hold, as far as anybody can tell without the data?"""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.cli.talk import MOST_ROWS, AsJson, print_json
from atreport.errors import EXIT_FINDINGS, EXIT_FINE, UsageError
from atreport.text.language import count, gettext, ngettext, use_locale
from atreport.verification.findings import PARTS, Verification
from atreport.verification.watched import verify_watched


def verify(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A public folder, report.json, report.pdf or report.html.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="The publisher's public key (PEM), to check the signature.")
    ] = None,
    ledger: Annotated[
        Path | None,
        typer.Option(
            "--ledger",
            metavar="FILE",
            help="The publisher's ledger (releases.jsonl), or a proof from it: is the report recorded there?",
        ),
    ] = None,
    stamp_root: Annotated[
        Path | None,
        typer.Option(
            "--stamp-root",
            metavar="FILE",
            help="The root certificate (PEM) of the time-stamp authority you trust, to check the time stamp.",
        ),
    ] = None,
    with_data: Annotated[
        Path | None,
        typer.Option(
            "--with-data",
            metavar="SPEC",
            help="For an auditor who may see the data: also check fidelity and optimality, and build the report again.",
        ),
    ] = None,
    salt: Annotated[
        Path | None,
        typer.Option(
            "--salt",
            metavar="FILE",
            help="With --with-data: the commitment.json that the publisher shows. Default: the one beside the folder.",
        ),
    ] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept",
            metavar="PART",
            help="Accept that this part is not checked: figures, where the report does not publish what they follow from; "
            "pages, charts, pdf or sheets, where other versions are installed here than the report was made with. Repeat it "
            "for several.",
        ),
    ] = None,
    time: Annotated[
        int | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            min=1,
            help="Processor time after which the check is given up. Default: by the size of the report.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check a published report without any confidential data."""
    if unknown := set(accept or ()) - {*PARTS}:
        raise UsageError(f"--accept {min(unknown)}: choose from {', '.join(PARTS)}.")
    if salt is not None and with_data is None:
        raise UsageError("--salt goes with --with-data: without the data there is nothing to try it on.")
    result = verify_watched(path, time, key=key, ledger=ledger, stamp_root=stamp_root)
    if with_data is not None:
        # the whole confidential side, which takes half a second and which nobody needs who only holds the report
        from atreport.private.auditor import verify_with_data

        result = verify_with_data(path, with_data, key, salt=salt, outside=result)
    result = result.accepting(accept or ())
    if as_json:
        print_json(_entry(result))
    else:
        show_verification(result)
    return EXIT_FINE if result.passed else EXIT_FINDINGS


def _entry(result: Verification) -> dict[str, Any]:
    return {
        "path": str(result.path),
        "release": list(result.release),
        "holds": result.holds,
        "passed": result.passed,
        "checks": [
            {"id": each.id, "what": each.what, "holds": each.holds, "findings": list(each.findings)}
            for each in result.checks
        ],
        "not_checked": [asdict(each) for each in result.not_checked],
        "cannot_be_checked": list(result.limits),
    }


def show_verification(result: Verification) -> None:
    """A result in plain words, in the language of the report."""
    with use_locale(result.language):
        words = {True: gettext("holds"), False: gettext("DOES NOT HOLD")}
        wide = max(map(len, words.values())) + 1
        untitled = gettext("a report")
        print(f"{result.path}: {result.title or untitled}")
        for sentence in result.release:
            print(f"  {sentence}")
        for each in result.checks:
            print(f"  {words[each.holds]:{wide}} {each.what}")
            for finding in each.findings[:MOST_ROWS]:
                print(f"{'':{wide + 5}}{finding}")
            if len(each.findings) > MOST_ROWS:
                more = gettext(
                    "… and {number} more; --json lists all", number=count(len(each.findings) - MOST_ROWS)
                )
                print(f"{'':{wide + 5}}{more}")
        for missed in result.not_checked:
            mark = gettext("not checked, accepted") if missed.accepted else gettext("NOT CHECKED")
            print(f"  {mark:{wide}} {missed.part}: {missed.what}")
        print(gettext("Cannot be checked from what was given:"))
        for limit in result.limits:
            print(f"  {limit}")
        print(_conclusion(result))


def _conclusion(result: Verification) -> str:
    """The verdict in a sentence: what holds, what does not, and what nobody here can say."""
    if not result.holds:
        return ngettext(
            len(result.findings),
            "{number} finding: do not rely on this copy before its publisher has explained it.",
            "{number} findings: do not rely on this copy before its publisher has explained them.",
        )
    missed = dict.fromkeys(each.part for each in result.not_checked if not each.accepted)
    if not missed:
        return gettext("Everything that was checked holds.")
    options = " ".join(f"--accept {part}" for part in missed)
    return "\n  ".join(
        (
            gettext(
                "Everything that was checked holds. Not checked, neither passed nor doubted: {parts}.",
                parts=", ".join(missed),
            ),
            gettext("To say that you accept it: {options}", options=options)
            if {*missed} == {"figures"}  # no other version calculates what is not published
            else gettext(
                "Install the versions that the report names, or say that you accept it: {options}",
                options=options,
            ),
        )
    )
