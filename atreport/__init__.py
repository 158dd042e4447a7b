"""atreport: from a YAML spec to a published, privacy-certified algorithmic transparency report.

The stages, each a module that turns one frozen object into the next:

 1. spec      YAML → Spec                        ``atreport.spec``
 2. table     Spec + data → DecisionTable        ``atreport.confidential.data.table``
 3. fidelity  policy → bounds for every cell     ``atreport.confidential.mechanism.fidelity``
 4. solver    table + bounds → optimal mapping   ``atreport.confidential.mechanism.solver``
 5. release   rounds and certifies → Release     ``atreport.announcement``      — the only door in the wall —
 6. fairness  measures, intervals, verdicts      ``atreport.analysis.fairness``
 7. notes     disclosure notes                   ``atreport.pages.notes``
 8. figures   charts                             ``atreport.pages.charts``
 9. context   what templates see                 ``atreport.pages.context``
10. render    HTML and PDF                       ``atreport.kit.render``

``atreport.confidential.prepare`` runs the first five, ``atreport.commands.build`` the rest, in this order. Nothing after
stage 5 sees the true decision mapping.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from atreport.version import __version__

if TYPE_CHECKING:
    from atreport.announcement import Release
    from atreport.commands.build import BuildResult, build
    from atreport.confidential.mechanism.solver import Solution, solve
    from atreport.pages.measures_frame import measures_frame, rates_frame
    from atreport.spec.load import load_spec
    from atreport.spec.models.spec import Spec
    from atreport.verification import Verification, verify

__all__ = [
    "BuildResult",
    "Release",
    "Solution",
    "Spec",
    "Verification",
    "__version__",
    "build",
    "load_spec",
    "measures_frame",
    "rates_frame",
    "solve",
    "verify",
]

_IMPORTED_ON_FIRST_USE = {
    "BuildResult": "atreport.commands.build",
    "build": "atreport.commands.build",
    "Solution": "atreport.confidential.mechanism.solver",
    "solve": "atreport.confidential.mechanism.solver",
    "measures_frame": "atreport.pages.measures_frame",
    "rates_frame": "atreport.pages.measures_frame",
    "Release": "atreport.announcement",
    "load_spec": "atreport.spec.load",
    "Spec": "atreport.spec.models.spec",
    "Verification": "atreport.verification",
    "verify": "atreport.verification",
}


def __getattr__(name: str) -> Any:
    """Import the API on first use, so that ``atreport --help`` does not wait for NumPy."""
    if name in _IMPORTED_ON_FIRST_USE:
        return getattr(import_module(_IMPORTED_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module 'atreport' has no attribute '{name}'")
