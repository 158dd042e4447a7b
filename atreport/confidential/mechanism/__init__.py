"""Stage 3, **mechanism**: from a true table and a policy to a draft. One module a mechanism, listed here.

To add a mechanism, write a module with a :class:`WayToAnnounce`, list it, and give it a word in the spec and its sentences
in ``publication/notes.py``. Drafts, the auditor, attacks and the trade-off then know it.
"""

from __future__ import annotations

from atreport.confidential.mechanism.calibrated import CALIBRATED
from atreport.confidential.mechanism.optimal import OPTIMAL
from atreport.confidential.mechanism.way_to_announce import WayToAnnounce
from atreport.spec.models.policy import Mechanism

MECHANISMS: dict[Mechanism, WayToAnnounce] = {"optimal": OPTIMAL, "calibrated": CALIBRATED}

__all__ = ["MECHANISMS"]
