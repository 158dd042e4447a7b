"""Compare two reports: what changed between them, and what the pair reveals that the newer one alone does not."""

from __future__ import annotations

from atreport.kit.language import say
from atreport.kit.language.spoken import speaking
from atreport.pages.diff import Difference, find_changes, name_report
from atreport.pages.diff_page import diff_html, make_diff_context
from atreport.report.model import Report
from atreport.report.translated import in_words_of, translated
from atreport.verification.composition import compose_odds, composed_in_words
from atreport.verification.union_attack import attack_union, not_comparable, told_in_words


def compare_reports(old: Report, new: Report) -> Difference:
    """Everything that differs between two reports, the older first, and what both together tell.

    A function of the two reports: nothing else is read. Where the newer one has translations into its language, both are
    compared in these words, so that the same thing has the same name in both.
    """
    old, new = in_words_of(old, new), translated(new)
    remarks = []
    if not_comparable([old], new):
        remarks.append(
            say("The reports ask about other attributes or outcomes, so cells cannot be matched one by one.")
        )
    elif new.policy.population == "withheld":
        remarks.append(
            say(
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
    with speaking(new.report.language):
        return diff_html(make_diff_context(compare_reports(old, new), translated(new)))
