"""atreport: from a YAML spec to a published, privacy-certified algorithmic transparency report.

The stages, each a module that turns one frozen object into the next:

 1. spec      YAML → Spec                        ``atreport.spec``
 2. table     Spec + data → DecisionTable        ``atreport.confidential.table``
 3. fidelity  policy → bounds for every cell     ``atreport.confidential.fidelity``
 4. solver    table + bounds → optimal mapping   ``atreport.confidential.solver``
 5. release   rounds and certifies → Release     ``atreport.release``      — the only door in the wall —
 6. fairness  measures, intervals, verdicts      ``atreport.public.fairness``
 7. notes     disclosure notes                   ``atreport.public.notes``
 8. figures   charts                             ``atreport.public.figures``
 9. context   what templates see                 ``atreport.public.context``
10. render    HTML and PDF                       ``atreport.public.render``

``atreport.build`` runs them in this order. Nothing after stage 5 sees the true decision mapping.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from atreport.build import BuildResult, build
from atreport.version import __version__

if TYPE_CHECKING:
    from atreport.confidential.solver import Solution, solve
    from atreport.public.measures_frame import measures_frame, rates_frame
    from atreport.public.verify import Verification, verify
    from atreport.release import Release
    from atreport.spec.load import load_spec
    from atreport.spec.models import Spec

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
    "Solution": "atreport.confidential.solver",
    "solve": "atreport.confidential.solver",
    "measures_frame": "atreport.public.measures_frame",
    "rates_frame": "atreport.public.measures_frame",
    "Release": "atreport.release",
    "load_spec": "atreport.spec.load",
    "Spec": "atreport.spec.models",
    "Verification": "atreport.public.verify",
    "verify": "atreport.public.verify",
}


def __getattr__(name: str) -> Any:
    """Import the rest of the API on first use, so that ``atreport --help`` does not wait for NumPy."""
    if name in _IMPORTED_ON_FIRST_USE:
        return getattr(import_module(_IMPORTED_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module 'atreport' has no attribute '{name}'")
