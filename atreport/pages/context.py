"""Stage 9, **context**: turn a release and its assessments into the one object the templates see: text, ready to print.

Guarantee: everything here is a function of the release, the spec's public text and what follows from them. A document
stays short however many groups there are: long tables show their extremes and say where the rest is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from atreport.analysis.assessment import Assessment, NotAssessed
from atreport.analysis.explanations.figure import Explanation
from atreport.analysis.value_rates import ValueRate, value_rates
from atreport.announcement import Release
from atreport.kit.numbers import counted, percent, short
from atreport.kit.tables import Table
from atreport.pages.case_lookup import CaseLookup, case_lookup
from atreport.pages.charts import Figures
from atreport.pages.cover import Cover, make_cover, paragraphs
from atreport.pages.estimation_text import range_table
from atreport.pages.explanations.blocks import Block, explanation_blocks
from atreport.pages.fairness_tables import measure_table, rate_table
from atreport.pages.glossary import Term, glossary
from atreport.pages.headlines import (
    Headline,
    fidelity_formula,
    headlines,
    is_exact,
    largest_rise,
    verdict_summary,
)
from atreport.pages.notes import Note, distance_allowed
from atreport.pages.privacy_tables import group_table, spread_table
from atreport.pages.rights import gdpr15_fields, rights_texts
from atreport.pages.rule_tables import attribute_table, rule_table, value_rate_table
from atreport.pages.wording import quoted
from atreport.pages.worked_example import WorkedExample, worked_example
from atreport.spec.models.spec import PublicSpec


@dataclass(frozen=True, kw_only=True)
class DecisionText:
    """How the decision works, in words."""

    paragraphs: tuple[str, ...]
    outcome: str
    favourable: str
    others: str  # the other outcomes
    outcomes: str  # how many
    sensitive: str
    public: str
    cells: str
    groups: str


@dataclass(frozen=True, kw_only=True)
class MethodText:
    """How the figures were made, in words."""

    exact: bool  # the true rule is announced as it is
    mechanism: str  # optimal or calibrated
    distance: str
    formula: str
    objective: str
    ceiling: str | None
    decimals: str
    population: str  # shares, counts or withheld
    beta: str
    gamma: str
    estimated: bool  # from records or a model, and not given


@dataclass(frozen=True, kw_only=True)
class ReportContext:
    """A whole report, as text."""

    cover: Cover
    lead: tuple[str, ...]  # the publisher's own summary
    headlines: tuple[Headline, ...]
    decision: DecisionText
    attributes: Table
    ranges: Table | None  # the numbers that values stand for
    rules: Table
    value_rates: Table | None  # favourable rates by value, where the rules are too many to print
    lookup: CaseLookup | None
    explanation: tuple[Block, ...]  # rules, influence and dependence; empty where nothing was asked for
    unexplained: str  # what could not be explained because nobody is there; empty where nothing
    verdicts: str
    measures: Table | None
    measure_kinds: tuple[str, ...]
    rates: Table | None
    chance: bool  # intervals for what chance may have done are shown
    not_assessed: str
    groups: Table
    spread: Table | None
    rise: str
    certain: str  # groups in which everybody has the same value; empty where there is none
    notes: tuple[Note, ...]
    rights: tuple[tuple[str, str], ...]  # what people who are decided on should know, where the spec says it
    method: MethodText
    commitment: bool  # report.json holds a salted hash of the data
    example: WorkedExample | None
    glossary: tuple[Term, ...]
    figures: Figures


def make_context(
    release: Release,
    spec: PublicSpec,
    assessments: Sequence[Assessment],
    left_out: Sequence[NotAssessed],
    explanation: Explanation,
    notes: Sequence[Note],
    figures: Figures,
    rates: Sequence[ValueRate] | None = None,
) -> ReportContext:
    """The report as text. `rates` are those by value of each attribute; when left out, they are calculated."""
    return ReportContext(
        cover=make_cover(spec),
        lead=paragraphs(spec.report.summary),
        headlines=headlines(release, spec, assessments),
        decision=_decision(release, spec),
        attributes=attribute_table(spec.process),
        ranges=range_table(release.estimation, spec.process),
        rules=rule_table(release),
        value_rates=value_rate_table(spec.process, value_rates(release) if rates is None else rates),
        lookup=case_lookup(release),
        explanation=explanation_blocks(release, explanation),
        unexplained="; ".join(explanation.nobody),
        verdicts=verdict_summary(assessments),
        measures=measure_table(spec, assessments),
        measure_kinds=tuple(dict.fromkeys(a.measure for a in assessments)),
        rates=rate_table(release, spec, assessments),
        chance=any(a.sampling for a in assessments),
        not_assessed=counted(len(left_out), "comparison") if left_out else "",
        groups=group_table(release),
        spread=spread_table(release),
        rise=largest_rise(release),
        certain=_certain(release),
        notes=tuple(notes),
        rights=rights_texts(form_fields) if (form_fields := gdpr15_fields(spec)) else (),
        method=_method(release, spec),
        commitment=spec.disclosure.commitment is not None,
        example=worked_example(release),
        glossary=glossary(release, spec, assessments, explanation),
        figures=figures,
    )


def _decision(release: Release, spec: PublicSpec) -> DecisionText:
    process = spec.process
    number = len(process.outcome.values)
    return DecisionText(
        paragraphs=paragraphs(process.description),
        outcome=process.outcome.name,
        favourable=process.outcome.favourable,
        others=", ".join(
            f"“{value}”" for value in process.outcome.values if value != process.outcome.favourable
        ),
        outcomes={2: "two", 3: "three", 4: "four"}.get(number, str(number)),
        sensitive=quoted(process.of_role("sensitive")),
        public=quoted(process.of_role("public")) or "nothing about a person",
        cells=counted(len(release.cells), "combination"),
        groups=counted(len(release.group_beta), "group"),
    )


def _certain(release: Release) -> str:
    number = int((release.group_prior >= release.scale).sum())
    return counted(number, "group") if number else ""


def _method(release: Release, spec: PublicSpec) -> MethodText:
    privacy = spec.policy.privacy
    ceiling = None
    if privacy is not None:
        ceiling = (
            f"β ≤ {short(privacy.beta)}"
            if privacy.beta is not None
            else f"γ ≥ {short(privacy.gamma or Decimal(0))}"
        )
    return MethodText(
        exact=is_exact(release),
        mechanism=release.mechanism,
        distance=distance_allowed(release),
        formula=fidelity_formula(release),
        objective=spec.policy.objective,
        ceiling=ceiling,
        decimals=counted(release.decimals, "decimal"),
        population=release.population,
        beta=percent(release.beta),
        gamma=short(release.gamma),
        estimated=release.estimation is not None,
    )
