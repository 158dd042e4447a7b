"""French words for forms that are published in two languages: numbers, figures of groups, what intervals are.

Attributes and values are the publisher's own words and stay as they are.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from decimal import Decimal

from atreport.kit.tables import Column, Table, make_table
from atreport.publication.notes import is_unchanged
from atreport.report.fairness import Assessment, GroupRate
from atreport.report.model import Report
from atreport.report.rule import PublishedFidelity

CERTAIN = (
    "Chaque intervalle est certain : le chiffre exact des données s’y trouve, car chaque probabilité annoncée respecte la "
    "fidélité énoncée dans le rapport. Ce n’est pas un intervalle de confiance, et il ne dit rien du hasard dans les "
    "données."
)
"""What an interval beside a figure means."""

MEASURES = {
    "statistical_parity": "Écart entre les taux",
    "conditional_statistical_parity": "Écart entre les taux, à situation égale",
    "p_percent_rule": "Rapport entre les taux",
    "impact_ratio": "Rapport au taux le plus élevé",
    "odds_ratio": "Rapport des cotes",
    "group_disparity": "Écart entre le taux le plus élevé et le plus bas",
    "individual": "Traitement de personnes semblables",
    "equal_opportunity": "Égalité des chances (écart)",
    "equalised_odds": "Égalité des cotes (écart)",
    "false_positive": "Taux de faux positifs (écart)",
    "false_negative": "Taux de faux négatifs (écart)",
    "predictive_parity": "Parité prédictive (écart)",
}
"""Every measure and every error rate that is compared."""

_MONTHS = (
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
)  # fmt: skip

KINDS = {
    "true_positive": "ont obtenu « {favourable} », parmi les personnes pour qui c’était le bon résultat",
    "false_positive": "ont obtenu « {favourable} », parmi les personnes pour qui c’était le mauvais résultat",
    "false_negative": "n’ont pas obtenu « {favourable} », parmi les personnes pour qui c’était le bon résultat",
    "predictive": "c’était le bon résultat, parmi les personnes qui ont obtenu « {favourable} »",
}
"""What each error rate is a share of."""

MOST_ROWS = 40
"""A document stays short however many groups are compared."""

FILE_OF_ALL = "report.json"

VERDICTS = {
    "meets": "oui, avec certitude",
    "does_not_meet": "non, avec certitude",
    "cannot_tell": "ne peut être déterminé",
}


def number(value: Decimal) -> str:
    """A number with a decimal comma."""
    return f"{value:f}".replace(".", ",")


def percent(value: Decimal) -> str:
    """A share as a percentage with all its decimals: 62,0 %."""
    return f"{number(value.scaleb(2))}\N{NO-BREAK SPACE}%"


def day(date: dt.date) -> str:
    """A day in words: 1er juin 2025."""
    return f"{'1er' if date.day == 1 else date.day} {_MONTHS[date.month - 1]} {date.year}"


def _points(share: Decimal) -> Decimal:
    shifted = share.scaleb(2)
    return shifted.to_integral_value() if shifted == shifted.to_integral_value() else shifted.normalize()


def announced_notice(fidelity: PublishedFidelity) -> str:
    """What a reader who expects exact figures must know first."""
    if is_unchanged(fidelity):
        return (
            "Les taux publiés ici sont exacts : rien n’a été modifié pour protéger des personnes. Les notes de divulgation "
            "disent ce que cela révèle."
        )
    limit = (
        f"Chaque probabilité annoncée s’écarte de la probabilité exacte d’au plus {number(_points(1 - fidelity.delta))} "
        "points de pourcentage. "
        if fidelity.delta is not None
        else ""
    )
    return (
        "Les taux publiés ici ont été modifiés volontairement afin de ne pas révéler de renseignements personnels. "
        f"{limit}À côté de chaque chiffre figure l’intervalle où se situe, avec certitude, le chiffre exact."
    )


def rate_table(report: Report) -> Table | None:
    """The favourable rate of every group that is compared, each once; None where there is none."""
    rows = [
        [group, percent(rate.value), _interval(rate)] for group, rate in _rates(report) if rate.kind is None
    ]
    if not rows:
        return None
    return make_table(
        "taux",
        f"Taux de « {report.process.outcome.favourable} » dans chaque groupe comparé",
        [
            Column("Groupe", names_row=True),
            Column("Taux annoncé", numeric=True),
            Column("Le taux exact se situe entre", numeric=True),
        ],
        rows[:MOST_ROWS],
        _left_out(rows),
    )


def error_table(report: Report) -> Table | None:
    """Every error rate that is compared, each once; None where there is none."""
    favourable = report.process.outcome.favourable
    rows = [
        [group, KINDS[rate.kind].format(favourable=favourable), percent(rate.value), _interval(rate)]
        for group, rate in _rates(report)
        if rate.kind is not None
    ]
    if not rows:
        return None
    return make_table(
        "taux-erreur",
        "Taux d’erreur de chaque groupe comparé",
        [
            Column("Groupe", names_row=True),
            Column("Part des personnes", names_row=True),
            Column("Part annoncée", numeric=True),
            Column("La part exacte se situe entre", numeric=True),
        ],
        rows[:MOST_ROWS],
        _left_out(rows),
    )


def _rates(report: Report) -> Iterator[tuple[str, GroupRate]]:
    """Every rate with the name of its group, each once."""
    yield from dict.fromkeys(
        (_group(report, assessment, rate), rate)
        for assessment in report.fairness
        for rate in assessment.rates or ()
    )


def measure_table(report: Report) -> Table | None:
    """Every measure that has a value; None where there is none."""
    rows = [
        [
            MEASURES[each.rate or each.measure],
            " et ".join(each.groups or ("tout le monde",)),
            number(each.result.value),
            f"{number(each.result.low)} et {number(each.result.high)}",
            VERDICTS[each.verdict] if each.verdict else "aucun seuil",
        ]
        for each in report.fairness
        if each.result is not None and not each.is_of_one_group
    ]
    if not rows:
        return None
    return make_table(
        "mesures",
        "Mesures d’équité",
        [
            Column("Mesure", names_row=True),
            Column("Groupes comparés", names_row=True),
            Column("Valeur annoncée", numeric=True),
            Column("La valeur exacte se situe entre", numeric=True),
            Column("Respecte le seuil"),
        ],
        rows[:MOST_ROWS],
        _left_out(rows),
    )


def _left_out(rows: Sequence[object]) -> str:
    left = len(rows) - MOST_ROWS
    return f"{left} autres figurent dans {FILE_OF_ALL}." if left > 0 else ""


def _group(report: Report, assessment: Assessment, rate: GroupRate) -> str:
    by = " · ".join(report.process.attribute(name).title for name in assessment.by or ())
    given = " · ".join((assessment.given or {}).values())
    return (f"{by} : {rate.group}" if by else rate.group) + (f", parmi {given}" if given else "")


def _interval(rate: GroupRate) -> str:
    return f"{percent(rate.low)} et {percent(rate.high)}"
