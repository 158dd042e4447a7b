"""What catalogues are told of a report, for tests: read from its files, and made to match files that were changed."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from atreport.export.files import checksums
from atreport.report.writer import json_bytes

DCAT = "dcat.jsonld"
SUMS = "SHA256SUMS"


def of_page(page: bytes) -> Any:
    """What a page tells search engines."""
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page.decode(), re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


def file_of(entry: Mapping[str, Any]) -> str:
    """The name of the file that an entry of dcat.jsonld is about."""
    return str(entry.get("dcat:downloadURL", entry)["@id"])


def restated(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, with the checksums in dcat.jsonld and SHA256SUMS made to match: by somebody who can write them too."""
    left = {name: content for name, content in files.items() if name != SUMS}
    if DCAT in left:
        document = json.loads(left[DCAT])
        for part in ("dcat:distribution", "dct:relation"):
            entries = [entry for entry in document.get(part, []) if file_of(entry) in left]
            for entry in entries:
                content = left[file_of(entry)]
                entry["dcat:byteSize"]["@value"] = str(len(content))
                entry["spdx:checksum"]["spdx:checksumValue"]["@value"] = hashlib.sha256(content).hexdigest()
            document[part] = entries
        left[DCAT] = json_bytes(document)
    return {**left, SUMS: checksums(left)}
