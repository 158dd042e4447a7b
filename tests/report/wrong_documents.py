"""Documents that are no report.json: each made from an honest one by one change, with what the reader says of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atreport.report.writer import json_bytes, report_json
from tests.assessing import report_case

Document = dict[str, Any]
Change = Callable[[Document], None]


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """One way in which a document is not what a report is."""

    name: str
    change: Change
    place: str  # as the reader names it
    reason: str
    case: str = "credit_card"
    schema_too: bool = True  # a schema cannot count digits, and knows no context

    @property
    def document(self) -> Document:
        """The changed document."""
        document = honest(self.case)
        self.change(document)
        return document

    @property
    def content(self) -> bytes:
        """The changed document as a file."""
        return json_bytes(self.document)


def honest(case: str = "credit_card") -> Document:
    """The document of a report, as other programs read it."""
    document: Document = json.loads(report_json(report_case(case)))
    return document


def put(*path: str | int, value: Any) -> Change:
    """Another value at a place."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[path[-1]] = value

    return change


def leave_out(*path: str | int) -> Change:
    """A key less."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        del document[path[-1]]

    return change


def rename(*path: str | int, to: str) -> Change:
    """A key under another name."""

    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        document[to] = document.pop(path[-1])

    return change


COUNTS, FORM, RECORDS = "berkeley_admissions", "ll144_hiring_protected", "housing_records"
NUMBER, WHOLE, EXTRA = "expected a number", "valid integer", "Extra inputs are not permitted"
CATEGORY = ("form", "tables", 0, "categories", 0)

WRONG = [
    # numbers as texts, truth values as numbers
    Wrong(name="figure as text", change=put("privacy", "beta", value="0.675"), place="privacy, beta", reason=NUMBER),
    Wrong(name="figure true", change=put("privacy", "beta", value=True), place="privacy, beta", reason=NUMBER),
    Wrong(name="figure null", change=put("privacy", "beta", value=None), place="privacy, beta", reason=NUMBER),
    Wrong(name="probability as text", change=put("cells", 0, "announced", "approved", value="0"),
          place="cells, 1, announced, approved", reason=NUMBER),
    Wrong(name="probability false", change=put("cells", 0, "announced", "approved", value=False),
          place="cells, 1, announced, approved", reason=NUMBER),
    Wrong(name="decimals as text", change=put("policy", "decimals", value="4"), place="policy, decimals", reason=WHOLE),
    Wrong(name="decimals true", change=put("policy", "decimals", value=True), place="policy, decimals", reason=WHOLE),
    Wrong(name="decimals with a point", change=put("policy", "decimals", value=4.0), place="policy, decimals",
          reason=WHOLE, schema_too=False),
    Wrong(name="count as text", case=COUNTS, change=put("cells", 0, "population", value="825"),
          place="cells, 1, population", reason=WHOLE),
    Wrong(name="count true", case=COUNTS, change=put("cells", 0, "population", value=True),
          place="cells, 1, population", reason=WHOLE),
    Wrong(name="count of half a person", case=COUNTS, change=put("cells", 0, "population", value=825.5),
          place="cells, 1, population", reason=WHOLE),
    Wrong(name="flag as text", case=FORM, change=put(*CATEGORY, "under_two_percent", value="no"),
          place="form, tables, 1, categories, 1, under_two_percent", reason="valid boolean"),
    Wrong(name="flag as number", case=FORM, change=put(*CATEGORY, "under_two_percent", value=0),
          place="form, tables, 1, categories, 1, under_two_percent", reason="valid boolean"),
    Wrong(name="people as texts", case=FORM, change=put(*CATEGORY, "people", "interval", value=["1", "2"]),
          place="form, tables, 1, categories, 1, people, interval, 1", reason=WHOLE),
    Wrong(name="records as text", case=RECORDS, change=put("estimation", "excluded", value="5"),
          place="estimation, excluded", reason=WHOLE),
    Wrong(name="edge as text", case=RECORDS, change=put("estimation", "ranges", 0, "from", value="5"),
          place="estimation, ranges, 1, from", reason=NUMBER),
    Wrong(name="threshold as text", change=put("measures", 0, "threshold", value="0.3"),
          place="measures, 1, statistical_parity, threshold", reason="is a text"),
    Wrong(name="version as number", change=put("report", "version", value=1), place="report", reason="expected texts"),
    Wrong(name="title true", change=put("report", "title", value=True), place="report", reason="expected texts"),
    Wrong(name="value as number", change=put("process", "attributes", 0, "values", 0, value=1), place="process",
          reason="expected texts"),
    Wrong(name="text of a note as number", change=put("notes", 0, "text", value=5), place="notes, 1, text",
          reason="valid string"),
    Wrong(name="value of a cell as number", change=put("cells", 0, "gender", value=1), place="cells, 1, gender",
          reason="valid string"),
    # more digits than are printed
    Wrong(name="digits of a figure", change=put("privacy", "beta", value=0.67501), place="privacy, beta",
          reason="0.67501 has more digits than are printed", schema_too=False),
    Wrong(name="digits of a share", change=put("cells", 0, "share", value=0.123456789012345), place="cells, 1, share",
          reason="more digits than are printed", schema_too=False),
    Wrong(name="digits of hundredths", case=RECORDS, change=put("estimation", "faithfulness", value=0.555),
          place="estimation, faithfulness", reason="more digits than are printed", schema_too=False),
    # out of range
    Wrong(name="more than certain", change=put("privacy", "beta", value=1.5), place="privacy, beta",
          reason="1.5 is not at least 0 and at most 1"),
    Wrong(name="less than nothing", change=put("privacy", "beta", value=-0.5), place="privacy, beta", reason="at least 0"),
    Wrong(name="share of nobody", change=put("cells", 0, "share", value=0), place="cells, 1, share", reason="more than 0"),
    Wrong(name="nobody in a cell", case=COUNTS, change=put("cells", 0, "population", value=0),
          place="cells, 1, population", reason="greater than or equal to 1"),
    Wrong(name="too many decimals", change=put("policy", "decimals", value=12), place="policy, decimals",
          reason="less than or equal to 9"),
    # a key that may be left out, stated as null
    Wrong(name="null section", change=put("estimation", value=None), place="the document",
          reason="'estimation' is null; leave it out"),
    Wrong(name="null disclosure", change=put("disclosure", value=None), place="the document",
          reason="'disclosure' is null; leave it out"),
    Wrong(name="null part of a cell", change=put("cells", 0, "guarded", value=None), place="cells, 1",
          reason="'guarded' is null; leave it out"),
    Wrong(name="null part of an assessment", change=put("fairness", 0, "sampling", value=None), place="fairness, 1",
          reason="'sampling' is null; leave it out"),
    # unknown keys, missing keys, keys by another name
    Wrong(name="surprise", change=put("surprise", value=1), place="surprise", reason=EXTRA),
    Wrong(name="surprise inside", change=put("privacy", "surprise", value=1), place="privacy, surprise", reason=EXTRA),
    Wrong(name="surprise in the fidelity", change=put("policy", "fidelity", "epsilon", value=1),
          place="policy, fidelity, epsilon", reason=EXTRA),
    Wrong(name="surprise in the process", change=put("process", "surprise", value="x"), place="process, surprise",
          reason=EXTRA),
    Wrong(name="surprise in a measure", change=put("measures", 0, "surprise", value="x"),
          place="measures, 1, statistical_parity, surprise", reason=EXTRA),
    Wrong(name="surprise in a form", case=FORM, change=put("form", "fields", "surprise", value="x"),
          place="form, fields, surprise", reason=EXTRA),
    Wrong(name="no privacy", change=leave_out("privacy"), place="privacy", reason="Field required"),
    Wrong(name="no notes", change=leave_out("notes"), place="notes", reason="Field required"),
    Wrong(name="group without confidence", change=leave_out("privacy", "groups", 0, "beta"),
          place="privacy, groups, 1, beta", reason="Field required"),
    Wrong(name="range by its name here", case=RECORDS, change=rename("estimation", "ranges", 0, "from", to="low"),
          place="estimation, ranges, 1", reason="'low' is no key; 'from' is"),
    Wrong(name="rule by its name here", change=rename("rules", 0, "rules", 0, "if", to="condition"),
          place="rules, 1, rules, 1", reason="'condition' is no key; 'if' is"),
    # words that are not known, shapes that are not theirs
    Wrong(name="unknown measure", change=put("fairness", 0, "measure", value="x"), place="fairness, 1, measure",
          reason="no measure that this program knows"),
    Wrong(name="unknown measure asked for", change=put("measures", 0, "measure", value="x"), place="measures, 1",
          reason="'x' found using 'measure'"),
    Wrong(name="unknown verdict", change=put("fairness", 0, "verdict", value="fine"), place="fairness, 1, verdict",
          reason="Input should be 'meets'"),
    Wrong(name="unknown form", case=FORM, change=put("form", "template", value="x"), place="form, fields",
          reason="no such form"),
    Wrong(name="interval of three", change=put("fairness", 0, "interval", value=[0, 0, 1]),
          place="fairness, 1, interval", reason="at most 2 items"),
    Wrong(name="two kinds of fidelity", change=put("policy", "fidelity", "alpha", value=0.9), place="policy, fidelity",
          reason="exactly one of delta, alpha and bounds"),
    Wrong(name="no fidelity", change=put("policy", "fidelity", value={}), place="policy, fidelity",
          reason="exactly one of delta, alpha and bounds"),
    Wrong(name="one outcome", change=put("cells", 0, "announced", value={"approved": 1}),
          place="cells, 1, announced", reason="at least 2 items"),
    Wrong(name="no cells", change=put("cells", value=[]), place="cells", reason="at least 1 item"),
    Wrong(name="cells by name", change=put("cells", value={}), place="cells", reason="valid tuple"),
    Wrong(name="no day", change=put("report", "date", value="yesterday"), place="report, date",
          reason="'yesterday' is not a date"),
    Wrong(name="short digest", change=put("commitment", value={"method": "HMAC-SHA-256", "digest": "abc"}),
          place="commitment, digest", reason="should match pattern"),
    # parts that do not fit together
    Wrong(name="value that there is not", change=put("cells", 0, "gender", value="X"), place="cells",
          reason="no or an unknown value", schema_too=False),
    Wrong(name="cell without a value", change=leave_out("cells", 0, "gender"), place="cells",
          reason="no or an unknown value", schema_too=False),
    Wrong(name="cells in another order", change=lambda document: document["cells"].reverse(), place="cells",
          reason="not in order", schema_too=False),
    Wrong(name="outcome that there is not", change=rename("cells", 0, "announced", "approved", to="x"), place="cells",
          reason="no probability for an outcome", schema_too=False),
    Wrong(name="no decimals of shares", change=leave_out("policy", "share_decimals"), place="cells",
          reason="more digits than are printed", schema_too=False),
    Wrong(name="sum of what there is not", case=FORM,
          change=put("policy", "small_cells", "known_sums", 0, value={"of": {"x": "y"}, "people": 1}), place="cells",
          reason="unknown attribute", schema_too=False),
]  # fmt: skip
