"""atreport: from a YAML spec to a published, privacy-certified algorithmic transparency report.

The stages, which docs/architecture.md walks through:

 1. spec          YAML → Spec                             ``atreport.spec``
 2. data          Spec + data → DecisionTable             ``atreport.confidential.data``
 3. mechanism     policy → bounds → rule to announce      ``atreport.confidential.mechanism``
 4. announcement  rounds and certifies → Announcement     ``atreport.announcement``   — the first door —
 5. analysis      a rule table → exact figures            ``atreport.analysis``
 6. publication   Announcement → Report                   ``atreport.publication``    — the second door —
 7. pages         Report → HTML, PDF, JSON, CSV           ``atreport.pages``

``atreport.confidential.prepare`` runs the first four, ``atreport.commands.build`` all of them. Nothing after stage 4
sees the true rule, and nothing after stage 6 sees more than is printed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from atreport.version import __version__

if TYPE_CHECKING:
    from atreport.commands.build import BuildResult, build
    from atreport.commands.frames.made_report import MadeReport
    from atreport.commands.frames.make_report import make_report
    from atreport.confidential.mechanism.solver import Solution, solve
    from atreport.pages.measures_frame import measures_frame, rates_frame
    from atreport.report.model import Report
    from atreport.spec.load import load_spec
    from atreport.spec.models.spec import Spec
    from atreport.verification import Verification, verify

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
    "BuildResult": "atreport.commands.build",
    "build": "atreport.commands.build",
    "MadeReport": "atreport.commands.frames.made_report",
    "make_report": "atreport.commands.frames.make_report",
    "Solution": "atreport.confidential.mechanism.solver",
    "solve": "atreport.confidential.mechanism.solver",
    "measures_frame": "atreport.pages.measures_frame",
    "rates_frame": "atreport.pages.measures_frame",
    "Report": "atreport.report.model",
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
