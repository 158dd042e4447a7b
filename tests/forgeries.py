"""Forgeries of a published report by somebody who knows the program: what no check may accept.

Each is made on a report as it was published, and again (`downgraded`) on one in which the forger let `generator` name other
libraries, consistently in every file. Checksums are always made to match.

Files are made again and compared byte for byte, so one change of a kind stands for all: `test_uncompared.py` changes any byte.
Of what is *not* compared where other libraries made it, there is every kind that is dangerous to open.
"""

import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from atreport.export.files import checksums, public_files
from atreport.report.reader import read_report
from atreport.report.writer import json_bytes
from tests.catalogues import SUMS, restated

Files = Mapping[str, bytes]
Edit = Callable[[str], str]
Forge = Callable[[bytes], bytes]


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
        *_of_folders(files),
        *_of_versions(files),
    ]


def replaced(old: str, new: str) -> Edit:
    """One text for another, which must be there."""

    def edit(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return edit


def matched(pattern: str, new: str | Callable[[re.Match[str]], str]) -> Edit:
    """Another text for the first match of a pattern, of which there must be one."""

    def edit(text: str) -> str:
        changed, number = re.subn(pattern, new, text, count=1, flags=re.DOTALL)
        assert number, pattern
        assert changed != text, pattern
        return changed

    return edit


def _before(place: str, new: str) -> Edit:
    return replaced(place, new + place)


def _swapped_fonts(page: str) -> str:
    """Regular letters for bold ones: another file that is a font."""
    files = re.findall(r"(?<=base64,)[A-Za-z0-9+/]{2000,}={0,2}", page)
    return page.replace(files[0], "@").replace(files[1], files[0]).replace("@", files[1])


def _of_chart(edit: Edit) -> Edit:
    """An edit of the first chart."""

    def changed(page: str) -> str:
        start = page.index('<svg xmlns="http://www.w3.org/2000/svg"')
        end = page.index("</svg>", start) + len("</svg>")
        return page[:start] + edit(page[start:end]) + page[end:]

    return changed


def _moved(pattern: str, by: float) -> Edit:
    """A number in the first chart, moved."""
    return _of_chart(matched(pattern, lambda m: f"{m[1]}{float(m[2]) + by:.2f}"))


PAGES: Mapping[str, Mapping[str, Edit]] = {
    "style": {
        "notes hidden": _before("</style>", "#notes{display:none}"),
        "a sentence added": _before("</style>", 'body::after{content:"Audited and approved"}'),
        "a second sheet": _before("</head>", "<style>td{display:none}</style>"),
        "on an element": replaced("<main>", '<main style="display:none">'),
        "for nobody who listens": replaced("<main>", '<main aria-hidden="true">'),
        "a rule left out": matched(r"(?<=\n)[a-z.#][^{}\n]*\{[^{}]*\}", ""),
        "a font that draws other letters": matched(
            r"(?<=base64,)[A-Za-z0-9+/]{2000}", lambda m: m[0][:1000] + m[0][1000:][::-1]
        ),
        "no font": matched(r"(?<=base64,)[A-Za-z0-9+/]{2000,}={0,2}", ""),
        "the fonts swapped": _swapped_fonts,
    },
    "script": {
        "one more": _before("</body>", "<script>document.title='x'</script>"),
        "none": matched(r"<script>.*</script>", ""),
        "a word of it": replaced('"use strict"', '"use  strict"'),
        "on load": replaced("<body>", '<body onload="document.title=1">'),
        "in a frame": _before("</main>", '<iframe srcdoc="x"></iframe>'),
        "policy renamed": replaced("http-equiv=\"Content-Security-", "http-equiv=\"X-Content-Security-"),
        "policy wider": replaced("default-src 'none'", "default-src *"),
        "another base": _before("</head>", '<base href="https://example.org/">'),
        "the data of the page": matched(r'id="report-data"', 'id="report-datum"'),
    },
    "words": {
        "at least for at most": replaced(" at most ", " at least "),
        "a heading": matched(r"(<h2[^>]*>)[^<]*", r"\1No findings"),
        "a sentence": _before("</main>", "<p>This report was audited.</p>"),
        "a section gone": matched(r'<section[^>]*id="notes".*?</section>', ""),
        "a row twice": matched(r"(?<=</tr>\n)<tr>.*?</tr>", lambda m: m[0] + m[0]),
        "two rows swapped": matched(r"(<tr>(?:(?!</tr>).)*</tr>)\n(<tr>(?:(?!</tr>).)*</tr>)", r"\2\n\1"),
        "a cell": matched(r"(<td[^>]*>)[^<]+", r"\g<1>0%"),
        "the publisher": matched(r'(name="author" content=")[^"]*', r"\1Somebody else"),
        "the language": replaced('lang="en"', 'lang="fr"'),
        "a comment": _before("</main>", "<!-- audited -->"),
        "a space": _before("</main>", "  "),
        "a letter that looks alike": matched(r"(?<=<p>)([^<]*?)a", "\\1\N{CYRILLIC SMALL LETTER A}"),
        "a letter without width": matched(r"(?<=<p>)([^<]*?)e", "\\1e\N{ZERO WIDTH SPACE}"),
        "a link elsewhere": matched(r'href="#[^"]*"', 'href="https://example.org"'),
        "something after the end": lambda page: page + "<p>Audited</p>",
        "no UTF-8": lambda page: page.replace("<main>", "<main>\udcff", 1),
        "a byte order mark": lambda page: "\ufeff" + page,
        "other line ends": lambda page: page.replace("\n", "\r\n"),
    },
    "charts": {
        "a mark moved": _moved(r'(clip-path="url[^>]*>\s*<use [^>]*x=")([\d.]+)', 40),
        "a mark moved by two points": _moved(r'(clip-path="url[^>]*>\s*<use [^>]*x=")([\d.]+)', 2.5),
        "a label's figure": _of_chart(matched(r"(<text[^>]*>)(\d)", lambda m: m[1] + str((int(m[2]) + 1) % 10))),
        "what is read aloud": _of_chart(matched(r"(<title[^>]*>)[^<]*", r"\1Nothing to see")),
        "a cover": _of_chart(_before("</svg>", '<rect x="0" y="0" width="500" height="500" style="fill: #ffffff"/>')),
        "foreign content": _of_chart(_before("</svg>", "<foreignObject><p>Audited</p></foreignObject>")),
        "a script": _of_chart(_before("</svg>", "<script>x()</script>")),
        "a colour from elsewhere": _of_chart(matched(r"var\(--chart-accent, #[0-9a-f]{6}\)", "url(https://example.org)")),
        "a drawing within": _of_chart(_before("</svg>", '<svg viewBox="0 0 1 1">')),
        "gone": _of_chart(lambda _: ""),
        "twice": _of_chart(lambda chart: chart + chart),
    },
}  # fmt: skip


def _of_pages(files: Files, where: str) -> Iterator[Forgery]:
    """Forgeries of report.html, and of nothing else."""
    page = files["report.html"].decode()
    for kind, edits in PAGES.items():
        for what, edit in edits.items():
            yield Forgery(kind, what + where, partial(_forged_page, files, page, edit))


def _forged_page(files: Files, page: str, edit: Edit) -> Files:
    forged = edit(page).encode("utf-8", "surrogateescape")
    assert forged != files["report.html"]
    return with_sums({**files, "report.html": forged})


def _edited(edit: Callable[[Pdf], object]) -> Forge:
    """A PDF opened, changed and written again."""

    def forge(content: bytes) -> bytes:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            edit(pdf)
            out = io.BytesIO()
            pdf.save(out)
            return out.getvalue()

    return forge


def _annotation(subtype: str, **entries: Any) -> Forge:
    """Something that lies on the first page."""
    made = Dictionary(Type=Name.Annot, Subtype=Name("/" + subtype), Rect=[50, 50, 300, 120], F=4, **entries)
    return _page("Annots", Array([made]))


def _root(key: str, value: Callable[[Pdf], object]) -> Forge:
    """An entry of the catalogue, in which a PDF says what is to happen when it is opened."""
    return _edited(lambda pdf: pdf.Root.__setitem__("/" + key, value(pdf)))


def _page(key: str, value: object) -> Forge:
    """An entry of the first page."""
    return _edited(lambda pdf: pdf.pages[0].obj.__setitem__("/" + key, value))


def _drawn(extra: bytes) -> Forge:
    """Something drawn after everything on the third page; from the upper left corner, in points."""

    def edit(pdf: Pdf) -> None:
        sheet = pdf.pages[2]
        sheet.Contents.write(b"q\n" + sheet.Contents.read_bytes() + b"\nQ\n" + extra)

    return _edited(edit)


def _script(_: Pdf | None = None) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def _attached(name: str, content: bytes) -> Forge:
    return _edited(lambda pdf: pdf.attachments.__setitem__(name, content))


def _link_to_the_web(pdf: Pdf) -> None:
    """A link of the report, led elsewhere."""
    links = (
        each for each in pdf.objects if isinstance(each, Dictionary) and each.get("/Subtype") == Name.Link
    )
    link = next(links)
    del link["/Dest"]
    link["/A"] = Dictionary(S=Name.URI, URI=String("https://example.org"))


def _form(pdf: Pdf) -> None:
    """A field to fill in, filled in."""
    field = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("x"), V=String("Audited"))
    field.Rect = Array([50, 50, 300, 90])
    widget = pdf.make_indirect(field)
    pdf.pages[0].Annots = Array([widget])
    pdf.Root["/AcroForm"] = Dictionary(Fields=[widget])


def _other_letters(pdf: Pdf) -> None:
    """The table of letters says that two digits are each other; the text is drawn accordingly."""
    font = next(iter(pdf.pages[0].Resources.Font.values()))
    table = font.ToUnicode.read_bytes()
    font.ToUnicode.write(
        table.replace(b"<0031>", b"<@>").replace(b"<0037>", b"<0031>").replace(b"<@>", b"<0037>")
    )


def _identified_otherwise(pdf: Pdf) -> None:
    text = pdf.Root.Metadata.read_bytes()
    pdf.Root.Metadata.write(text.replace(b"<dc:identifier>urn:uuid:", b"<dc:identifier>urn:uuid:0"))


def _appended(content: bytes) -> bytes:
    """A later change: the catalogue again, with something to do when the file is opened."""
    root = re.search(rb"/Root\s+(\d+)\s+0\s+R", content)
    number: bytes = root[1] if root else b"1"
    start = len(content) + 1
    previous: bytes = re.findall(rb"startxref\s+(\d+)", content)[-1]
    obj = number + b" 0 obj\n<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>\nendobj\n"
    table = start + len(obj)
    return (
        content + b"\n" + obj + b"xref\n" + number + b" 1\n%010d 00000 n \n" % start
        + b"trailer\n<</Size 99999/Root " + number + b" 0 R/Prev " + previous + b">>\nstartxref\n%d\n%%%%EOF\n" % table
    )  # fmt: skip


def _encrypted(content: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(content)) as pdf:
        out = io.BytesIO()
        pdf.save(out, encryption=pikepdf.Encryption(owner="x", user=""))
        return out.getvalue()


_WEB, _PROGRAM = (
    Dictionary(S=Name.URI, URI=String("https://example.org")),
    Dictionary(S=Name.Launch, F=String("x.exe")),
)
DANGEROUS_PDFS: Mapping[str, Forge] = {
    "a page with an action": _page("AA", Dictionary(O=_script())),
    "a film": _annotation("Movie", Movie=Dictionary(F=String("x"))),
    "a sound": _annotation("Sound"),
    "an attached file on the page": _annotation("FileAttachment"),
    "a link to the web": _annotation("Link", A=_WEB),
    "a link that starts a program": _annotation("Link", A=_PROGRAM),
    "a link turned to the web": _edited(_link_to_the_web),
    "a form": _edited(_form),
    "a script when opened": _root("OpenAction", _script),
    "a program started when opened": _root("OpenAction", lambda _: _PROGRAM),
    "another first page": _root("OpenAction", lambda pdf: Array([pdf.pages[3].obj, Name.Fit])),
    "an action when closed": _root("AA", lambda _: Dictionary(WC=_script())),
    "scripts by name": _edited(lambda pdf: pdf.Root.Names.__setitem__("/JavaScript", Dictionary(Names=[String("x"), _script()]))),
    "an address": _root("URI", lambda _: Dictionary(Base=String("https://example.org"))),
    "a later change": _appended,
    "bytes after the end": lambda content: content + b"\nAudited\n",
    "bytes before the beginning": lambda content: b"Audited\n" + content,
    "a cipher": _encrypted,
}  # fmt: skip
"""What could harm who opens it: found whichever libraries made the PDF."""

PDFS: Mapping[tuple[str, str], Forge] = {
    **{("pdf", what): forge for what, forge in DANGEROUS_PDFS.items()},
    ("pdf", "a white rectangle and other text"): _drawn(b"1 1 1 rg 0 0 600 850 re f BT (\\000\\001) Tj ET"),
    ("pdf", "letters that are read otherwise"): _edited(_other_letters),
    ("pdf", "free text"): _annotation("FreeText", Contents=String("Audited"), DA=String("/Helv 12 Tf")),
    ("pdf", "a page gone"): _edited(lambda pdf: pdf.pages.__delitem__(3)),
    ("pdf", "its title"): _edited(lambda pdf: pdf.docinfo.__setitem__("/Title", String("Audited"))),
    ("pdf", "its identifier in the metadata"): _edited(_identified_otherwise),
    ("attachments", "one more"): _attached("audit.txt", b"Audited"),
    ("attachments", "a program"): _attached("verify.exe", b"MZ"),
    ("attachments", "another report.json"): _attached("report.json", b"{}"),
    ("attachments", "another cells.csv"): _attached("cells.csv", b"gender\n"),
    ("attachments", "another description of cells.csv"): _attached("cells.csv-metadata.json", b"{}"),
    ("attachments", "an empty one"): _attached("", b""),
}


def _of_pdfs(files: Files, where: str) -> Iterator[Forgery]:
    """Forgeries of report.pdf, and of nothing else."""
    for (kind, what), forge in PDFS.items():
        yield Forgery(kind, what + where, partial(_forged_pdf, files, forge))


def _forged_pdf(files: Files, forge: Forge) -> Files:
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
