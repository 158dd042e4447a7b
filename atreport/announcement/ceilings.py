"""The publisher's ceilings, and whether printed figures keep them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from atreport.inference import UNBOUNDED
from atreport.population.cells import Cells, IntArray, Protected, run_starts
from atreport.spec.models.policy import Policy, PrivacyCeiling
from atreport.spec.models.process import Process


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """What no printed figure may exceed; None: anything."""

    beta: Decimal | None = None
    lift: Decimal | None = None
    odds: Decimal | None = None
    values: Mapping[tuple[str, str], Decimal] = field(default_factory=dict)  # by attribute and value

    def __bool__(self) -> bool:
        return any(number is not None for number in (self.beta, self.lift, self.odds)) or bool(self.values)

    def of_values(self, cells: Cells, protected: Protected) -> list[Decimal | None]:
        """The ceiling of each (QID group, value) of a sensitive attribute."""
        attribute = cells.process.attribute(protected.attribute)
        by_code = [self.values.get((attribute.name, value)) for value in attribute.values]
        codes = cells.column(attribute.name)[protected.order[protected.starts]]
        return [by_code[code] for code in codes.tolist()]


NO_CEILINGS = Ceilings()


def ceilings_of(policy: Policy, process: Process) -> Ceilings:
    """The ceilings of a spec."""
    privacy = policy.privacy
    return Ceilings(
        beta=ceiling_on_beta(privacy),
        lift=None if privacy is None else privacy.lift,
        odds=None if privacy is None else privacy.odds,
        values={(a.name, value): number for a in process.attributes for value, number in a.ceilings.items()},
    )


def ceiling_on_beta(privacy: PrivacyCeiling | None) -> Decimal | None:
    """The ceiling as a confidence; a required uncertainty γ is the confidence e^-γ, rounded down."""
    if privacy is None or privacy.gamma is None:
        return privacy.beta if privacy else None
    with localcontext() as context:
        context.prec = 40
        return (-privacy.gamma).exp().quantize(Decimal("1e-15"), rounding=ROUND_FLOOR)


@dataclass(frozen=True, kw_only=True, eq=False)
class Figures:
    """Printed figures of a rule, in whole steps: by group, and the confidence in each value by attribute."""

    beta: IntArray
    lift: NDArray[np.int64] | NDArray[np.object_]
    odds: IntArray
    after: tuple[tuple[Protected, IntArray], ...]


def above_ceilings(
    cells: Cells, figures: Figures, ceilings: Ceilings, decimals: int
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Each ceiling in the words of the spec, and in which QID groups it is exceeded."""
    for name in ("beta", "lift", "odds"):
        ceiling = getattr(ceilings, name)
        if ceiling is not None:
            steps = getattr(figures, name)
            yield name, (steps > in_steps(ceiling, decimals)) | (steps == UNBOUNDED)
    for protected, after in figures.after if ceilings.values else ():
        codes = cells.column(protected.attribute)[protected.order[protected.starts]]
        for code, value in enumerate(cells.process.attribute(protected.attribute).values):
            if (limit := ceilings.values.get((protected.attribute, value))) is not None:
                above = (after > in_steps(limit, decimals)) & (codes == code)
                yield (
                    f"{protected.attribute}: {value}",
                    np.logical_or.reduceat(above, run_starts(protected.group)),
                )


def in_steps(ceiling: Decimal, decimals: int) -> int:
    """The most whole printed steps that keep a ceiling."""
    return int(Fraction(ceiling) * 10**decimals)
