"""``atreport check``: may it be published, what would it say, and what stands in the way?"""

import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import typer

from atreport.api.check import CheckResult
from atreport.api.check import check as check_spec
from atreport.cli.show import progress_of, show_labelled, show_table
from atreport.cli.talk import (
    MOST_ROWS,
    AsJson,
    Quiet,
    SpecPaths,
    error_entry,
    print_json,
    say,
    with_run_options,
)
from atreport.compose.notes import (
    distance_sentence,
    is_only_rounded,
    is_unchanged,
    left_out_in_short,
    rates_kept,
)
from atreport.compose.promise import confidence_words, no_protection_words
from atreport.core.certify import counted_groups
from atreport.errors import EXIT_FINE, EXIT_REFUSED, AtreportError
from atreport.pages.measures import interval_text, measure_name, threshold_text, units
from atreport.pages.sections.fairness import directed, verdict_summary
from atreport.pages.sections.summary import fairness_headline
from atreport.pages.wording import verdict_cell
from atreport.private.data.run_options import RunOptions
from atreport.private.true_rule import warn_of_certainty
from atreport.report.model import Report
from atreport.spec.load import specs_named
from atreport.text.numbers import counted, factor, percent
from atreport.text.tables import Column, Table, make_table


@with_run_options
def check(
    specs: SpecPaths,
    details: Annotated[
        bool, typer.Option("--details", help="Show every promise, group, verdict and small cell too.")
    ] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    options: RunOptions,
) -> int:
    """Say whether each spec can be published, what it would say, and what stands in the way. Writes nothing."""
    found = specs_named(specs)
    results: list[dict[str, Any]] = []
    code = EXIT_FINE
    for path in found:
        try:
            with progress_of(path, quiet=quiet) as progress:
                result = check_spec(path, progress, options)
        except AtreportError as error:
            code = max(code, error.exit_code)
            results.append(error_entry(path, error))
            if not as_json:
                say(str(error))
            continue
        if not result.publishable:
            code = max(code, EXIT_REFUSED)
        results.append(_check_entry(path, result))
        if not as_json:
            _show_check(path, result, details=details)
    if as_json:
        print_json({"ok": code == EXIT_FINE, "results": results})
    elif len(found) > 1:
        fine = sum(bool(result["ok"]) for result in results)
        print(f"{fine} of {len(found)} specs can be published.")
    return code


def _check_entry(path: Path, result: CheckResult) -> dict[str, Any]:
    privacy = result.spec.policy.privacy
    return {
        "spec": str(path),
        "ok": result.publishable,
        "problems": [],
        "fidelity": distance_sentence(result.report.policy.fidelity),
        "beta": float(result.announcement.beta),
        "gamma": float(result.announcement.gamma),
        "ceiling": {k: float(v) for k, v in privacy.model_dump(exclude_none=True).items()}
        if privacy
        else None,
        "lift": float(result.announcement.lift),
        "odds": None if result.announcement.odds is None else float(result.announcement.odds),
        "rates": None if result.announcement.rule.rates is None else float(result.announcement.rule.rates),
        "no_protection": warn_of_certainty(result.announcement),
        "within_ceiling": not result.above,
        "ceilings_not_kept": result.above,
        "groups": result.group_rows(),
        "small_cells": result.small_cell_rows(),
        "certain_cells": result.certain_cell_rows(),
        "small_shares": result.small_share_rows(),
        "refused": result.refused,
        "refusals": list(result.refusals),
        "warnings": list(result.warnings),
        "says": [text for _, text in summary(result)],
        "verdicts": dict(
            Counter(a.verdict for a in result.report.fairness if a.verdict and not a.is_of_one_group)
        ),
        "exact_beta": result.exact_beta,
        "law": list(result.law),
    }


def _show_check(path: Path, result: CheckResult, *, details: bool) -> None:
    """May it be published, what would it say, what stands in the way: a screen; the rest on request."""
    print(f"{path}: {conclusion(result)}")
    about = ""
    for label, text in summary(result):
        show_labelled("" if label == about else label, text)
        about = label or about
    for warning in (*result.warnings, *result.law):
        show_labelled("WARNING", warning, to=sys.stderr)
    if not details:
        print(f"  Groups, small cells and all verdicts: atreport check --details {path}")
        return
    print()
    _show_promises(result)
    show_table(result.group_table(MOST_ROWS), caption=False)
    if result.report.fairness:
        show_table(verdict_table(result.report, MOST_ROWS))
    if result.exact_beta is not None and result.spec.form is not None:  # a law wants exact figures
        law = result.spec.form.exact_figures_wanted_by
        beta = f"{result.exact_beta:.{result.announcement.decimals}f}"
        print(f"  exact      {law} want exact figures: that is 'fidelity: {{delta: 1}}', with β = {beta}")
    _show_small(result)


def _show_promises(result: CheckResult) -> None:
    """What is promised, by how much, and whether the ceilings are kept."""
    announcement = result.announcement
    print(f"  fidelity   {distance_sentence(result.report.policy.fidelity)}")
    rates = announcement.rule.rates
    if rates is not None:
        print(
            f"  rates      of every group of the table below: within {100 * (1 - rates):f} points of the true ones"
        )
    print(
        f"  privacy    β = {announcement.beta} (γ = {announcement.gamma}): nobody is more confident of a sensitive value"
    )
    print(f"  lift       {announcement.lift}: no sensitive value becomes more than so many times as likely")
    odds = announcement.odds
    print(
        "  odds       no limit: an outcome can rule something out for certain"
        if odds is None
        else f"  odds       {odds}: for those who know a group, odds change by no more than this factor"
    )
    if announcement.cells.between is not None:
        print("             before: the most that the published counts cannot rule out")
    privacy = result.spec.policy.privacy
    asked = {} if privacy is None else {k: str(v) for k, v in privacy.model_dump(exclude_none=True).items()}
    for attribute in announcement.cells.process.attributes:
        asked |= {f"{attribute.name}: {value}": str(limit) for value, limit in attribute.ceilings.items()}
    for name, ceiling in asked.items():
        above = result.above.get("beta" if name == "gamma" else name)
        kept = "kept" if above is None else f"NOT kept in {counted_groups(above)}; a build would be refused"
        print(f"  ceiling    {name} {ceiling}: {kept}")


def _show_small(result: CheckResult) -> None:
    """What is small enough to give people away: cells, outcomes that are certain, shares."""
    small = result.small_cell_rows()
    done = what_is_done(result, len(small))
    where = " of the data, by their values before some were joined," if result.joined else ""
    _list(
        f"small cells: {len(small):,}{where} with fewer than {result.small_cell_limit} people ({done})",
        [f"{row.pop('population'):>3}  {_named(row)}" for row in small],
    )
    certain = result.certain_cell_rows()
    _list(
        f"certain outcomes: {len(certain):,} with an announced probability of exactly 0 or 1",
        [f"{row.pop('outcome')}: {_named(row)}" for row in certain],
    )
    shares = result.small_share_rows()
    _list(
        f"small shares: {counted(len(shares), 'category', 'categories')}{where} under 2 % of all people",
        [f"{100 * row.pop('share'):.2f} %  {_named(row)}" for row in shares],
    )


def _named(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _list(heading: str, lines: list[str]) -> None:
    """A heading and its lines, the first of them where there are many; nothing where there are none."""
    if not lines:
        return
    print(f"  {heading}")
    for line in lines[:MOST_ROWS]:
        print(f"    {line}")
    if len(lines) > MOST_ROWS:
        print(f"    … and {len(lines) - MOST_ROWS:,} more; --json lists all")


# What a publisher wants to know first, in words: may it be published, what would it say, what stands in the
# way.
#
# Confidential: what would be refused, and why, depends on the true rule. Everything else is what the report
# would print.

MOST_VERDICTS = 3
"""How many thresholds that are not met are listed; ``--details`` lists all verdicts."""

Line = tuple[str, str]
"""What it is about, in a word; and a sentence or two."""


def conclusion(result: CheckResult) -> str:
    """May it be published?"""
    if result.publishable:
        return "can be published"
    number = len(result.refusals)
    what = "one thing stands" if number == 1 else f"{number} things stand"
    return f"CANNOT be published: {what} in the way"


def summary(result: CheckResult) -> list[Line]:
    """What the report would say, what stands in the way, and what should be known first: a screen in all."""
    says, in_the_way = list(_says(result.report)), list(_in_the_way(result))
    # what stands in the way comes first: what the report would say matters once it can be published
    first = [*says, *in_the_way] if result.publishable else [*in_the_way, *says]
    return [*first, *_to_know(result)]


def _says(report: Report) -> Iterator[Line]:
    """What readers would learn: the headline, the verdicts, the promise, and how close to the truth it is."""
    yield "says", fairness_headline(report).answer[0]
    verdicts = verdict_summary(report.fairness)
    if verdicts:
        yield "verdicts", verdicts
        yield from (("", f"- {each}") for each in _listed(report))
    before = max(group.prior for group in report.privacy.groups)
    yield (
        "privacy",
        " ".join(
            filter(
                None,
                (
                    no_protection_words(report),
                    confidence_words(report, "a person"),
                    f"Without any report they could already be up to {percent(before)} sure.",
                ),
            )
        ),
    )
    if "odds" in report.privacy.model_fields_set:
        yield "", _whatever_they_believed(report.privacy.odds)
    fidelity = report.policy.fidelity
    changed = (
        "The rule is printed as it is, unchanged."
        if is_unchanged(fidelity)
        else f"The rule is printed as it is, rounded to {counted(report.policy.decimals, 'decimal')}."
        if is_only_rounded(report)
        else distance_sentence(fidelity)
    )
    yield "fidelity", " ".join(filter(None, (changed, rates_kept(report))))


def _whatever_they_believed(odds: Decimal | None) -> str:
    """The promise to readers who start from another belief than the population."""
    if odds is None:
        return "For somebody who believes something else than the population tells, there is no limit."
    if odds == 1:
        return "Somebody who knows a person’s group learns nothing from the decision, whatever they believed before."
    return (
        f"Whatever somebody who knows a person’s group believed before, their odds change by a factor of at most "
        f"{factor(odds)}."
    )


def _listed(report: Report) -> Iterator[str]:
    """The thresholds that are certain not to be met: the first of them, and how many more there are."""
    missed = [
        f"{measure_name(a)}, {directed(report, a)} ({threshold_text(a.threshold, unit, is_ratio=a.is_ratio)})"
        for a, unit in zip(report.fairness, units(report), strict=True)
        if a.verdict == "does_not_meet" and a.threshold is not None and not a.is_of_one_group
    ]
    yield from (f"not met: {each}" for each in missed[:MOST_VERDICTS])
    if len(missed) > MOST_VERDICTS:
        yield f"and {counted(len(missed) - MOST_VERDICTS, 'more threshold')} not met"


def _in_the_way(result: CheckResult) -> Iterator[Line]:
    left_out = left_out_in_short(result.report)
    if left_out and any(each.verdict == "cannot_tell" for each in result.report.fairness):
        yield "in the way", f"{'Of publishing: nothing. ' * result.publishable}Of verdicts: {left_out}"
    elif result.publishable:
        yield "in the way", "Nothing."
    title = f"{result.spec.document.title}: "
    for refusal in result.refusals:
        yield "in the way", refusal.removeprefix(title)


def _to_know(result: CheckResult) -> Iterator[Line]:
    """What a build would publish all the same, and a publisher may not want."""
    small = len(result.small_cell_rows())
    if small and result.refused is None:
        what = "cell of the data has" if small == 1 else "cells of the data have"
        yield (
            "to know",
            f"{small:,} {what} fewer than {result.small_cell_limit} people ({what_is_done(result, small)}).",
        )
    certain = len(result.certain_cell_rows())
    if certain:
        yield "to know", f"{counted(certain, 'cell')} with an announced probability of exactly 0 or 1."
    shares = len(result.small_share_rows())
    if shares:
        yield "to know", f"{counted(shares, 'category', 'categories')} with under 2 % of all people."


def verdict_table(report: Report, most: int) -> Table:
    """Every comparison: where its true figure lies, and the verdict; so many of them."""
    judged = [
        (f"{measure_name(a)}, {directed(report, a)}", interval_text(a, unit), a)
        for a, unit in zip(report.fairness, units(report), strict=True)
        if not a.is_of_one_group
    ]
    more = len(judged) - most
    return make_table(
        "verdicts",
        "Verdicts",
        [Column("comparison", names_row=True), Column("true figure"), Column("verdict")],
        [(about, lies_in, verdict_cell(a.verdict)) for about, lies_in, a in judged[:most]],
        f"… and {counted(more, 'more comparison')}; measures.csv of a build lists all" if more > 0 else "",
    )


def what_is_done(result: CheckResult, number: int) -> str:
    """What a build does with so many small cells."""
    they_are, they = ("it is", "it") if number == 1 else ("they are", "they")
    return {
        "warn": f"published as {they_are}",
        "round": "all numbers are published rounded",
        "suppress": f"suppressed, with others from which {they} could be worked out",
        "refuse": "a build would be refused",
    }[result.spec.policy.small_cells.policy]
