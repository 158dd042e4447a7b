"""Bayes' rule on the announced rule: the attack that the promise is about. Confidential.

An observer sees a person's group and outcome and takes the announced rule for the truth. That no conclusion is more
confident than the report promises for the group is checked, in whole numbers, in promises.py.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from atreport.core.cells import IntArray
from atreport.core.certify import Announcement
from atreport.core.exact import run_sums
from atreport.pages.wording import named_values
from atreport.private.attacks.finding import Case, Finding, Part
from atreport.private.data.decision_table import FloatArray
from atreport.private.true_rule import rounded, share
from atreport.text.language import count
from atreport.text.tables import Space, named, numeric, tabulate


@dataclass(frozen=True, kw_only=True, eq=False)
class Beliefs(Finding):
    """Every conclusion from a group and an outcome, the most confident first."""

    heading = "Taking the announced rule for the truth"

    announcement: Announcement
    cell: IntArray  # a cell with the public attributes and the sensitive value that are meant
    outcome: IntArray
    attribute: IntArray  # which sensitive attribute
    confidence: FloatArray
    before: FloatArray  # what the population alone tells

    def __len__(self) -> int:
        return len(self.cell)

    def _promised(self, place: int) -> int:
        """What the report promises about the value of a conclusion, in its group, in whole steps."""
        of_attribute = self.announcement.attributes[int(self.attribute[place])]
        return int(of_attribute.after[of_attribute.protected.index[self.cell[place]]])

    def records(self, most: int | None) -> list[dict[str, Any]]:
        """The conclusions as plain data: all, or so many of the most confident."""
        announcement, cells = self.announcement, self.announcement.cells
        public = cells.process.of_role("public")
        rows = []
        for i in range(len(self) if most is None else min(most, len(self))):
            cell = int(self.cell[i])
            attribute = cells.process.attribute(cells.protected[int(self.attribute[i])].attribute)
            rows.append(
                {
                    "qid": cells.labels(cell, public),
                    "outcome": cells.process.outcome.values[int(self.outcome[i])],
                    "attribute": attribute.name,
                    "value": cells.labels(cell, (attribute,))[attribute.name],
                    "confidence": rounded(self.confidence[i]),
                    "before": rounded(self.before[i]),
                    "promised": float(announcement.printed(self._promised(i))),
                }
            )
        return rows

    def as_json(self, most: int | None) -> dict[str, Any]:
        """The most confident conclusions, and how many there are."""
        return {"beliefs": {"total": len(self), "worst_first": self.records(most)}}

    def shown(self, space: Space) -> Part:
        """The most confident conclusions."""
        process = self.announcement.cells.process
        left_out = f"The {count(space.few)} most confident of {count(len(self))} conclusions; {space.more}."
        return Part(
            heading=self.heading,
            text="This is the observer whom the promise is about: one who sees a person’s group and outcome, and "
            "applies Bayes’ rule.",
            tables=(
                tabulate(
                    "beliefs",
                    "What an observer concludes who takes the announced rule for the truth",
                    [
                        named(
                            "Seen",
                            lambda row: " · ".join(
                                [*([named_values(process, row["qid"])] if row["qid"] else []), row["outcome"]]
                            ),
                        ),
                        named(
                            "Concluded",
                            lambda row: f"{process.attribute(row['attribute']).title}: {row['value']}",
                        ),
                        numeric("Before any report", "before", share),
                        numeric("Confidence", "confidence", share),
                        numeric("Promised at most", "promised", share),
                    ],
                    self.records(space.few),
                    left_out if len(self) > space.few else "",
                ),
            ),
        )


def attack_by_bayes(case: Case) -> Beliefs:
    """Bayes' rule on the announced mapping of a draft."""
    return beliefs_of(case.announcement)


def beliefs_of(announcement: Announcement) -> Beliefs:
    """Bayes' rule on the announced mapping for every group, outcome and sensitive value."""
    cells = announcement.cells
    everybody = run_sums(cells.population, cells.group_starts)
    parts = []
    for attribute, protected in enumerate(cells.protected):
        before = protected.sums(cells.population) / everybody[protected.group]
        for outcome, steps in enumerate(announcement.mapping.T):
            joint = cells.population * (steps / announcement.scale)
            mass = np.add.reduceat(joint, cells.group_starts)[protected.group]
            confidence = np.divide(protected.sums(joint), mass, out=np.zeros(len(mass)), where=mass > 0)
            parts.append(
                (
                    protected.order[protected.starts],
                    np.full(len(mass), outcome),
                    np.full(len(mass), attribute),
                    confidence,
                    before,
                )
            )
    cell, outcomes, attributes, confidence, before = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    worst = np.lexsort((outcomes, cell, -confidence.round(12)))
    return Beliefs(
        announcement=announcement,
        cell=cell[worst],
        outcome=outcomes[worst],
        attribute=attributes[worst],
        confidence=confidence[worst],
        before=before[worst],
    )
