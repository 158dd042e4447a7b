"""Name a report for catalogues: by its DOI where the publisher has one, else by a UUID that anybody can calculate again.

The same publisher, title and version give the same identifier, whatever the figures: a corrected report is a new version.
"""

from __future__ import annotations

import json
import uuid

from atreport.spec.models.spec import ReportInfo

NAMESPACE = uuid.UUID("b7d6725e-eab1-53f4-bf36-9990545bc393")
"""Of the UUIDs of reports: itself the UUID of the address urn:atreport:report.

Never to be changed, since identifiers stand in other people's catalogues.
"""


def identify(info: ReportInfo) -> str:
    """The identifier of a report: the address of its DOI, or a UUID (version 5) of publisher, title and version."""
    if info.doi is not None:
        return f"https://doi.org/{info.doi}"
    named = json.dumps([info.publisher, info.title, info.version], ensure_ascii=False)
    return f"urn:uuid:{uuid.uuid5(NAMESPACE, named)}"
