"""atreport: from a YAML spec to a published, privacy-certified algorithmic transparency report.

The stages, which docs/architecture.md walks through:

 1. spec                YAML → Spec
 2. private.data        Spec and data → DecisionTable
 3. private.draft       policy → bounds → rule to announce
 4. core.certify        rounds and certifies → Announcement   — the first door —
 5. measures, explain   a rule table → exact figures
 6. compose             Announcement → Report                 — the second door —
 7. pages, export       Report → HTML, PDF, JSON, CSV

``atreport.private.prepare`` runs the first four, ``atreport.api.build`` all of them. Nothing after stage 4
sees the true rule, and nothing after stage 6 sees more than is printed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from atreport.version import __version__

if TYPE_CHECKING:
    from atreport.api.build import BuildResult, build
    from atreport.api.make_report import MadeReport, make_report, measures_frame, rates_frame
    from atreport.private.solver.arrays import Solution, solve
    from atreport.report.model import Report
    from atreport.spec.load import load_spec
    from atreport.spec.spec import Spec
    from atreport.verification import verify
    from atreport.verification.findings import Verification

__all__ = [
    "BuildResult",
    "MadeReport",
    "Report",
    "Solution",
    "Spec",
    "Verification",
    "__version__",
    "build",
    "load_spec",
    "make_report",
    "measures_frame",
    "rates_frame",
    "solve",
    "verify",
]

_IMPORTED_ON_FIRST_USE = {
    "atreport.api.build": ("BuildResult", "build"),
    "atreport.api.make_report": ("MadeReport", "make_report", "measures_frame", "rates_frame"),
    "atreport.private.solver.arrays": ("Solution", "solve"),
    "atreport.report.model": ("Report",),
    "atreport.spec.load": ("load_spec",),
    "atreport.spec.spec": ("Spec",),
    "atreport.verification": ("Verification", "verify"),
}


def __getattr__(name: str) -> Any:
    """Import the API on first use, so that ``atreport --help`` does not wait for NumPy."""
    for module, names in _IMPORTED_ON_FIRST_USE.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'atreport' has no attribute '{name}'")
