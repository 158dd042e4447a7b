"""Forgeries of a published report by somebody who knows the program: what no check may accept.

Each is made on a report as it was published, and again (`downgraded`) on one in which the forger let `generator` name other
libraries, consistently in every file. Checksums are always made to match.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from atreport.export.files import checksums, public_files
from atreport.report.reader import read_report
from atreport.report.writer import json_bytes
from tests.catalogues import DCAT, SUMS, restated
from tests.pdf_forgeries import PDF_FORGERIES

Files = Mapping[str, bytes]
Edit = Callable[[str], str]


@dataclass(frozen=True)
class Forgery:
    """One forgery: the files that it leaves, and what else it puts into the folder."""

    kind: str
    what: str
    make: Callable[[], Files]  # made when asked for: there are hundreds
    folders: tuple[str, ...] = ()
    links: Mapping[str, str] = field(default_factory=dict)  # name → where it leads
    sizes: Mapping[str, int] = field(default_factory=dict)  # files of so many bytes

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"

    @property
    def files(self) -> Files:
        """The files that it leaves."""
        return self.make()


def with_sums(files: Files) -> dict[str, bytes]:
    """The files with checksums that match, in dcat.jsonld too."""
    return restated(files)


def downgraded(files: Files, **versions: str) -> dict[str, bytes]:
    """The same report, made by other versions, as it says in every file."""
    report = read_report(files["report.json"], "report.json")
    named = {**report.generator, **versions}
    return public_files(report.model_copy(update={"generator": named}))


def forgeries(files: Files, other: Files) -> list[Forgery]:
    """Every forgery, on a report as it was published and on the same in the name of other libraries."""
    return [
        *_of_pages(files, ""),
        *_of_pages(other, ", other libraries"),
        *_of_pdfs(files, ""),
        *_of_pdfs(other, ", other libraries"),
        *_of_catalogues(files, ""),
        *_of_catalogues(other, ", other libraries"),
        *_of_folders(files),
        *_of_versions(files),
    ]


def _replaced(old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return edit


def _matched(pattern: str, new: str | Callable[[re.Match[str]], str]) -> Edit:
    def edit(text: str) -> str:
        changed, number = re.subn(pattern, new, text, count=1, flags=re.DOTALL)
        assert number, pattern
        assert changed != text, pattern
        return changed

    return edit


def _before(place: str, new: str) -> Edit:
    return _replaced(place, new + place)


STYLE = {
    "notes hidden": _before("</style>", "#notes{display:none}"),
    "limits hidden": _before("</style>", "#note-limits{visibility:hidden}"),
    "notes without size": _before("</style>", ".note{font-size:0}"),
    "white words": _before("</style>", "main p{color:#fff}"),
    "a sentence added": _before("</style>", 'body::after{content:"Audited and approved"}'),
    "figures replaced": _before("</style>", 'td{font-size:0}td::before{content:"0%";font-size:12pt}'),
    "moved away": _before("</style>", "#privacy{position:absolute;left:-9999px}"),
    "seen through": _before("</style>", "table{opacity:0}"),
    "cut": _before("</style>", "main{clip-path:inset(100%)}"),
    "only on paper": _before("</style>", "@media print{#fairness{display:none}}"),
    "only in the dark": _before("</style>", "@media (prefers-color-scheme:dark){td{color:#000}}"),
    "another sheet": _before("</style>", "@import url(https://example.org/x.css);"),
    "another font": _before("</style>", "@font-face{font-family:x;src:url(https://example.org/x)}"),
    "a second sheet": _before("</head>", "<style>td{display:none}</style>"),
    "a linked sheet": _before("</head>", '<link rel="stylesheet" href="x.css">'),
    "on an element": _replaced("<main>", '<main style="display:none">'),
    "hidden by name": _replaced("<main>", "<main hidden>"),
    "inert": _replaced("<main>", "<main inert>"),
    "for nobody who listens": _replaced("<main>", '<main aria-hidden="true">'),
    "a class": _replaced("<main>", '<main class="skip">'),
    "a rule left out": _matched(r"(?<=\n)[a-z.#][^{}\n]*\{[^{}]*\}", ""),
    "a colour": _matched(r"#[0-9a-f]{6}(?=;)", "#ffffff"),
    "a font that draws other letters": _matched(
        r"(?<=base64,)[A-Za-z0-9+/]{2000}", lambda m: m[0][:1000] + m[0][1000:][::-1]
    ),
    "no font": _matched(r"(?<=base64,)[A-Za-z0-9+/]{2000,}={0,2}", ""),
    "the fonts swapped": lambda page: _swapped_fonts(page),
}


def _swapped_fonts(page: str) -> str:
    """Regular letters for bold ones: another file that is a font."""
    files = re.findall(r"(?<=base64,)[A-Za-z0-9+/]{2000,}={0,2}", page)
    return page.replace(files[0], "@").replace(files[1], files[0]).replace("@", files[1])


_CSP = 'http-equiv="Content-Security-Policy"'
SCRIPT = {
    "one more": _before("</body>", "<script>document.title='x'</script>"),
    "one before": _before("</head>", "<script src='x.js'></script>"),
    "another": _replaced("(() => {", "alert(1); (() => {"),
    "none": _matched(r"<script>.*</script>", ""),
    "a word of it": _replaced('"use strict"', '"use  strict"'),
    "on load": _replaced("<body>", '<body onload="document.title=1">'),
    "on click": _replaced("<main>", '<main onclick="x()">'),
    "on error": _before("</main>", '<img src="x" onerror="x()">'),
    "in a link": _before("</main>", '<a href="javascript:x()">more</a>'),
    "in a frame": _before("</main>", '<iframe srcdoc="x"></iframe>'),
    "in a frame elsewhere": _before("</main>", '<iframe src="https://example.org"></iframe>'),
    "in an object": _before("</main>", '<object data="x"></object>'),
    "in an embedded file": _before("</main>", '<embed src="x">'),
    "as a module": _before("</body>", '<script type="module">x()</script>'),
    "in a drawing": _before("</main>", "<svg><script>x()</script></svg>"),
    "when a drawing loads": _before("</main>", "<svg onload='x()'></svg>"),
    "in a form": _before("</main>", '<form action="https://example.org"><button>Check</button></form>'),
    "policy renamed": _replaced(_CSP, 'http-equiv="X-Content-Security-Policy"'),
    "policy gone": _matched(rf"<meta {_CSP}[^>]*>\n?", ""),
    "policy wider": _replaced("default-src 'none'", "default-src *"),
    "policy for any script": _matched(r"script-src 'sha256-[^']*'", "script-src 'unsafe-inline'"),
    "policy in a comment": _matched(rf"<meta {_CSP}[^>]*>", lambda m: f"<!--{m[0]}-->"),
    "elsewhere": _before("</head>", '<meta http-equiv="refresh" content="0;url=https://example.org">'),
    "another base": _before("</head>", '<base href="https://example.org/">'),
    "an early look": _before("</head>", '<link rel="prefetch" href="https://example.org">'),
    "the data of the page": _matched(r'id="report-data"', 'id="report-datum"'),
}

WORDS = {
    "at least for at most": _replaced(" at most ", " at least "),
    "not left out": _replaced(" not ", " "),
    "the title": _matched(r"<title>[^<]*", "<title>Audited report"),
    "the heading": _matched(r"(<h1[^>]*>)[^<]*", r"\1Audited report"),
    "a heading": _matched(r"(<h2[^>]*>)[^<]*", r"\1No findings"),
    "a sentence": _before("</main>", "<p>This report was audited.</p>"),
    "a sentence before": _replaced("<main>", "<main><p>Audited.</p>"),
    "a paragraph gone": _matched(r"<p>(?:(?!</p>).)*</p>", ""),
    "a section gone": _matched(r'<section[^>]*id="notes".*?</section>', ""),
    "a row gone": _matched(r"(?<=</tr>\n)<tr>.*?</tr>", ""),
    "a row twice": _matched(r"(?<=</tr>\n)<tr>.*?</tr>", lambda m: m[0] + m[0]),
    "two rows swapped": _matched(r"(<tr>(?:(?!</tr>).)*</tr>)\n(<tr>(?:(?!</tr>).)*</tr>)", r"\2\n\1"),
    "a cell": _matched(r"(<td[^>]*>)[^<]+", r"\g<1>0%"),
    "the publisher": _matched(r'(name="author" content=")[^"]*', r"\1Somebody else"),
    "the description": _matched(r'(name="description" content=")[^"]*', r"\1Audited"),
    "the language": _replaced('lang="en"', 'lang="fr"'),
    "the day": _matched(r'(dcterms\.created" content=")[^"]*', r"\g<1>2020-01-01T00:00:00Z"),
    "a comment": _before("</main>", "<!-- audited -->"),
    "an empty element": _before("</main>", "<span></span>"),
    "a space": _before("</main>", "  "),
    "a letter that looks alike": _matched(r"(?<=<p>)([^<]*?)a", "\\1\N{CYRILLIC SMALL LETTER A}"),
    "a letter without width": _matched(r"(?<=<p>)([^<]*?)e", "\\1e\N{ZERO WIDTH SPACE}"),
    "written backwards": _matched(r"(?<=<p>)", "\N{RIGHT-TO-LEFT OVERRIDE}"),
    "a link elsewhere": _matched(r'href="#[^"]*"', 'href="https://example.org"'),
    "another link": _matched(r'href="#summary"', 'href="#glossary"'),
    "an id": _matched(r'id="privacy"', 'id="privacy2"'),
    "an address": _before("</main>", '<a href="mailto:x@example.org">Ask</a>'),
    "a picture": _before("</main>", '<img alt="Seal of approval" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'),
    "something after the end": lambda page: page + "<p>Audited</p>",
    "something before the beginning": lambda page: "<!doctype html><p>Audited</p>" + page,
    "no UTF-8": lambda page: page.replace("<main>", "<main>\udcff", 1),
    "a byte order mark": lambda page: "\ufeff" + page,
    "other line ends": lambda page: page.replace("\n", "\r\n"),
    "the doctype": _replaced("<!doctype html>", "<!doctype html SYSTEM 'about:legacy-compat'>"),
    "struck out": _matched(r"(?<=<p>)([^<]+)", r"<s>\1</s>"),
    "folded away": _matched(r"<section", "<details><section"),
}  # fmt: skip


def _in_chart(edit: Edit) -> Edit:
    """An edit of the first chart."""

    def changed(page: str) -> str:
        start = page.index('<svg xmlns="http://www.w3.org/2000/svg"')
        end = page.index("</svg>", start) + len("</svg>")
        return page[:start] + edit(page[start:end]) + page[end:]

    return changed


def _moved(pattern: str, by: float) -> Edit:
    """A number in a chart, moved."""
    return _matched(pattern, lambda m: f"{m[1]}{float(m[2]) + by:.2f}")


CHARTS = {
    "a mark moved": _moved(r'(clip-path="url[^>]*>\s*<use [^>]*x=")([\d.]+)', 40),
    "a mark moved by two points": _moved(r'(clip-path="url[^>]*>\s*<use [^>]*x=")([\d.]+)', 2.5),
    "a mark lifted": _moved(r'(clip-path="url[^>]*>\s*<use [^>]*y=")([\d.]+)', 9),
    "a line longer": _moved(r'(<path d="M [\d.]+ [\d.]+ L )([\d.]+)(?= [\d.]+ " clip-path)', 30),
    "a line elsewhere": _moved(r'(<path d="M )([\d.]+)(?= [\d.]+ L [\d.]+ [\d.]+ " clip-path)', -30),
    "another form of line": _matched(r'd="M ([\d. ]+) L ', r'd="M \1 C '),
    "a label": _matched(r"(<text[^>]*>)[^<]+", r"\g<1>Safe"),
    "a label's figure": _matched(r"(<text[^>]*>)(\d)", lambda m: m[1] + str((int(m[2]) + 1) % 10)),
    "what is read aloud": _matched(r"(<title[^>]*>)[^<]*", r"\1Nothing to see"),
    "a sentence": _before("</svg>", '<text x="9" y="9">Audited</text>'),
    "foreign content": _before("</svg>", '<foreignObject width="99" height="9"><p>Audited</p></foreignObject>'),
    "a picture": _before("</svg>", '<image href="data:image/png;base64,AA=="/>'),
    "a link": _before("</svg>", '<a href="https://example.org"><text>more</text></a>'),
    "a script": _before("</svg>", "<script>x()</script>"),
    "a script when it loads": _replaced("<svg ", '<svg onload="x()" '),
    "motion": _before("</svg>", '<animate attributeName="x" to="9"/>'),
    "a change later": _before("</svg>", '<set attributeName="opacity" to="0"/>'),
    "a style sheet": _before("</svg>", "<style>text{display:none}</style>"),
    "another drawing": _before("</svg>", '<use xlink:href="https://example.org/x.svg#a" x="0" y="0"/>'),
    "a drawing within": _before("</svg>", '<svg viewBox="0 0 1 1">'),
    "not filled": _replaced('style="fill: none', 'style="display: none; fill: none'),
    "seen through": _matched(r'(style="[^"]*fill: var)', r'style="opacity: 0; fill: var'),
    "another colour": _matched(r"var\(--chart-accent, #[0-9a-f]{6}\)", "var(--chart-muted, #566470)"),
    "a colour from elsewhere": _matched(r"var\(--chart-accent, #[0-9a-f]{6}\)", "url(https://example.org)"),
    "a mark gone": _matched(r"<use [^>]*/>(?!.*<use )", ""),
    "a mark twice": _matched(r"<use [^>]*/>", lambda m: m[0] + m[0]),
    "a cover": _before("</svg>", '<rect x="0" y="0" width="500" height="500" style="fill: #ffffff"/>'),
    "another frame": _matched(r'viewBox="0 0 [\d.]+', 'viewBox="0 0 60'),
    "cut": _matched(r"(<clipPath[^>]*>\s*<rect [^>]*width=\")[\d.]+", r"\g<1>9"),
    "turned": _replaced("<g>", '<g transform="scale(-1 1)">'),
    "a comment": _before("</svg>", "<!-- audited -->"),
    "an instruction": _before("</svg>", "<?xml-stylesheet href='x'?>"),
    "data that are no data": _before("</svg>", "<![CDATA[<p>]]>"),
    "an entity": _before("</svg>", "<text x='1' y='1'>&#65;</text>"),
    "an attribute twice": _matched(r'(<text style="[^"]*")', r'\1 style="display:none"'),
    "words swapped": lambda chart: _swapped_words(chart),
    "gone": lambda _: "",
    "twice": lambda chart: chart + chart,
}  # fmt: skip


def _swapped_words(chart: str) -> str:
    """Two labels change places."""
    found = re.findall(r"<text[^>]*>([^<]+)</text>", chart)
    first, second = found[0], next(word for word in found if word != found[0])
    return (
        chart.replace(f">{first}<", ">\0<", 1).replace(f">{second}<", f">{first}<", 1).replace("\0", second)
    )


def _of_pages(files: Files, where: str) -> Iterator[Forgery]:
    """Forgeries of report.html, and of nothing else."""
    page = files["report.html"].decode()
    kinds: dict[str, Mapping[str, Edit]] = {
        "style": STYLE,
        "script": SCRIPT,
        "words": WORDS,
        "charts": {what: _in_chart(edit) for what, edit in CHARTS.items()},
    }
    for kind, edits in kinds.items():
        for what, edit in edits.items():
            yield Forgery(kind, what + where, partial(_forged_page, files, page, edit))


def _forged_page(files: Files, page: str, edit: Edit) -> Files:
    forged = edit(page).encode("utf-8", "surrogateescape")
    assert forged != files["report.html"]
    return with_sums({**files, "report.html": forged})


_DIGEST = r'("@value": ")[0-9a-f]{64}(", "@type": "xsd:hexBinary")'
_UUID = r"urn:uuid:[0-9a-f]{8}"
_ELSEWHERE = "urn:uuid:00000000"
CATALOGUES: Mapping[str, Mapping[str, Edit]] = {
    "dcat.jsonld": {
        "a checksum": _matched(_DIGEST, rf"\g<1>{'0' * 64}\g<2>"),
        "a size": _matched(r'"@value": "\d+"', '"@value": "1"'),
        "the identifier": _matched(_UUID, _ELSEWHERE),
        "the title": _matched(r'("dct:title": \{\s*"@value": ")', r"\1Audited: "),
        "the publisher": _matched(r'("foaf:name": \{\s*"@value": ")', r"\1Not "),
        "the day": _matched(r"\d{4}-\d{2}-\d{2}", "2020-01-01"),
        "a licence": _replaced(
            '"dcat:version"', '"dct:license": "https://example.org/any",\n  "dcat:version"'
        ),
        "a file elsewhere": _replaced('"@id": "cells.csv"', '"@id": "https://example.org/cells.csv"'),
        "a file less": _matched(r'\n    \{"@type": "dcat:Distribution"[^\n]*', ""),
        "another context": _replaced("http://www.w3.org/ns/dcat#", "https://example.org/"),
        "no JSON": lambda _: "audited",
        "nothing": lambda _: "{}",
    },
    "report.json": {
        "the identifier": _matched(_UUID, _ELSEWHERE),
        "a DOI for an identifier": _matched(r"urn:uuid:[-0-9a-f]{36}", "https://doi.org/10.1234/audited"),
        "the schema": _replaced("urn:atreport:schema:report:1", "urn:atreport:schema:report:2"),
    },
    "cells.csv-metadata.json": {
        "a datatype": _replaced('"base": "decimal"', '"base": "string"'),
        "a limit": _replaced('"maximum": "1"', '"maximum": "2"'),
        "a value": _matched(r'("format": "\^\()', r"\1audited|"),
        "a description": _matched(r'("dc:description": ")', r"\1Not "),
        "the key": _matched(r'"primaryKey": \["[^"]*"', '"primaryKey": ["share"'),
        "the table": _replaced('"url": "cells.csv"', '"url": "https://example.org/cells.csv"'),
    },
    "measures.csv-metadata.json": {
        "a datatype": _replaced('"base": "decimal"', '"base": "string"'),
        "what may be empty": _replaced('"required": true', '"required": false'),
        "a verdict": _replaced("cannot_tell", "audited"),
    },
    "report.html": {
        "the name": _matched(r'("@type":"Report".*?"name":")', r"\1Audited: "),
        "the identifier": _matched(r'(ld\+json">.*?"identifier":")urn:uuid:[0-9a-f]{8}', rf"\1{_ELSEWHERE}"),
        "a checksum": _matched(r'("sha256":")[0-9a-f]{64}', rf"\g<1>{'0' * 64}"),
        "a licence": _replaced('"@type":"Report",', '"@type":"Report","license":"https://example.org/any",'),
        "that it runs": _replaced('type="application/ld+json"', 'type="module"'),
        "gone": _matched(r'<script type="application/ld\+json">.*?</script>\n', ""),
    },
}
"""What catalogues are told, changed: in dcat.jsonld, beside the tables, in report.json and in the page."""


def _of_catalogues(files: Files, where: str) -> Iterator[Forgery]:
    for name, edits in CATALOGUES.items():
        for what, edit in edits.items():
            yield Forgery("catalogue", f"{name}, {what}{where}", partial(forged_text, files, name, edit))


def forged_text(files: Files, name: str, edit: Edit) -> Files:
    """One file changed; the checksums match, those in dcat.jsonld too, unless it is the one that was changed."""
    forged = {**files, name: edit(files[name].decode()).encode()}
    if name != DCAT:
        return with_sums(forged)
    return {**forged, SUMS: checksums({key: content for key, content in forged.items() if key != SUMS})}


def _of_pdfs(files: Files, where: str) -> Iterator[Forgery]:
    """Forgeries of report.pdf, and of nothing else."""
    for (kind, what), forge in PDF_FORGERIES.items():
        yield Forgery(kind, what + where, partial(_forged_pdf, files, forge))


def _forged_pdf(files: Files, forge: Callable[[bytes], bytes]) -> Files:
    return with_sums({**files, "report.pdf": forge(files["report.pdf"])})


def _left(kind: str, what: str, files: Files, **further: Any) -> Forgery:
    """A forgery that is no more than these files."""
    return Forgery(kind, what, partial(dict, files), **further)


def _of_folders(files: Files) -> Iterator[Forgery]:
    """What a folder holds besides, or does not."""
    for name in (
        "audit.txt",
        "index.html",
        "report.docx",
        ".hidden",
        "README.md",
        "report.json.bak",
        "annex.json",
    ):
        added = {**files, name: b"Audited"}
        yield _left("folder", f"{name}, listed", with_sums(added))
        yield _left("folder", f"{name}, not listed", {**with_sums(files), name: b"Audited"})
    yield _left(
        "folder", "another verifier", with_sums({**files, "verify.py": b"print('Everything holds.')\n"})
    )
    yield _left("folder", "a folder", with_sums(files), folders=("more",))
    yield _left("folder", "a folder public", with_sums(files), folders=("public/public",))
    yield _left("folder", "a link", with_sums(files), links={"more.txt": "/etc/passwd"})
    yield _left("folder", "a link to a folder", with_sums(files), links={"more": "/etc"})
    yield _left("folder", "a large file", with_sums(files), sizes={"cells.parquet": 200_000_000})
    for name in sorted(files.keys() - {SUMS}):
        rest = {key: content for key, content in files.items() if key != name}
        yield _left(
            "folder", f"{name} is a link", {**rest, SUMS: with_sums(files)[SUMS]}, links={name: "/etc/passwd"}
        )
        yield _left("folder", f"{name} is gone", {**rest, SUMS: with_sums(files)[SUMS]})
        yield _left(
            "folder",
            f"{name} is not listed",
            {**files, SUMS: checksums({k: v for k, v in rest.items() if k != SUMS})},
        )
    sums = with_sums(files)[SUMS]
    for what, changed in {
        "no checksums": None,
        "empty checksums": b"",
        "a checksum twice": sums + sums.splitlines(keepends=True)[0],
        "a checksum of elsewhere": sums + b"0" * 64 + b"  ../../secret\n",
        "no checksum": sums + b"audited by an expert\n",
    }.items():
        rest = {name: content for name, content in files.items() if name != SUMS}
        yield _left("folder", what, rest if changed is None else {**rest, SUMS: changed})  # fmt: skip


def _of_versions(files: Files) -> Iterator[Forgery]:
    """What a report says about its maker."""
    document = json.loads(files["report.json"])
    alone = {
        name: content
        for name, content in files.items()
        if name in ("report.json", "cells.csv", "measures.csv")
    }
    generators: dict[str, dict[str, str]] = {
        f"another {name}": {**document["generator"], name: "9.9.9"} for name in document["generator"]
    }
    generators |= {
        "an auditor": {**document["generator"], "audited-by": "1.0"},
        "no version": {**document["generator"], "matplotlib": "audited by an expert"},
        "nobody": {},
        "no program": {k: v for k, v in document["generator"].items() if k != "atreport"},
    }
    for what, generator in generators.items():
        changed = json_bytes({**document, "generator": generator})
        yield _left("versions", what, with_sums({**files, "report.json": changed}))
        if what not in {f"another {name}" for name in document["generator"] if name != "atreport"}:
            yield _left("versions", f"{what}, data alone", with_sums({**alone, "report.json": changed}))
    notes = json_bytes(
        {
            **document,
            "generator": {**document["generator"], "atreport": "0.1.0"},
            "notes": [*document["notes"], {"id": "audit", "title": "Audit", "text": "Audited."}],
        }
    )
    yield _left("versions", "a note in the name of 0.1.0", with_sums({**alone, "report.json": notes}))
