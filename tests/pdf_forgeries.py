"""Forgeries of a report's PDF: each a function from its bytes to others."""

import io
import re
from collections.abc import Callable
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

Forge = Callable[[bytes], bytes]


def _edited(edit: Callable[[Pdf], None]) -> Forge:
    def forge(content: bytes) -> bytes:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            edit(pdf)
            out = io.BytesIO()
            pdf.save(out)
            return out.getvalue()

    return forge


def _drawn(extra: bytes, *, first: bool = False, page: int = 0) -> Forge:
    """Something drawn after everything on a page, or before; from the upper left corner, in points."""

    def edit(pdf: Pdf) -> None:
        sheet = pdf.pages[page]
        old = sheet.Contents.read_bytes()
        sheet.Contents.write(extra + b"\n" + old if first else b"q\n" + old + b"\nQ\n" + extra)

    return _edited(edit)


def _content(pattern: bytes, new: bytes, page: int = 2) -> Forge:
    """The first match in a page's content replaced."""

    def edit(pdf: Pdf) -> None:
        sheet = pdf.pages[page]
        old = sheet.Contents.read_bytes()
        changed, number = re.subn(pattern, new, old, count=1, flags=re.DOTALL)
        assert number, pattern
        sheet.Contents.write(changed)

    return _edited(edit)


def _font(pdf: Pdf) -> bytes:
    return str(next(iter(pdf.pages[0].Resources.Font.keys()))).encode()


def _literal(pdf: Pdf) -> None:
    """A white rectangle over the page, and text in a string of letters."""
    sheet = pdf.pages[0]
    box = b"q 1 1 1 rg 0 0 600 850 re f Q BT " + _font(pdf) + b" 20 Tf 1 0 0 1 90 700 Tm (\\000\\001) Tj ET\n"
    sheet.Contents.write(b"q\n" + sheet.Contents.read_bytes() + b"\nQ\n" + box)


def _plain_font(pdf: Pdf) -> None:
    """Text in a font that every viewer has."""
    sheet = pdf.pages[0]
    sheet.Resources.Font["/Helv"] = pdf.make_indirect(
        Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    )
    sheet.Contents.write(
        b"q\n" + sheet.Contents.read_bytes() + b"\nQ\nBT /Helv 20 Tf 1 0 0 1 90 700 Tm <41> Tj ET\n"
    )


def _annotation(subtype: str, **entries: Any) -> Forge:
    def edit(pdf: Pdf) -> None:
        made = Dictionary(
            Type=Name.Annot, Subtype=Name("/" + subtype), Rect=[50, 50, 300, 120], F=4, **entries
        )
        sheet = pdf.pages[0]
        if "/Annots" not in sheet:
            sheet.Annots = Array()
        sheet.Annots.append(pdf.make_indirect(made))

    return _edited(edit)


def _root(key: str, value: Callable[[Pdf], object]) -> Forge:
    def edit(pdf: Pdf) -> None:
        pdf.Root[Name("/" + key)] = value(pdf)

    return _edited(edit)


def _page_key(key: str, value: object, page: int = 0) -> Forge:
    def edit(pdf: Pdf) -> None:
        pdf.pages[page].obj[Name("/" + key)] = value

    return _edited(edit)


def _script(_: Pdf | None = None) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def _first(pdf: Pdf, condition: Callable[[Dictionary], bool]) -> Dictionary:
    return next(item for item in pdf.objects if isinstance(item, Dictionary) and condition(item))


def _link(pdf: Pdf) -> Dictionary:
    return _first(pdf, lambda item: item.get("/Subtype") == Name.Link)


def _set_link(key: str, value: object) -> Forge:
    def edit(pdf: Pdf) -> None:
        link = _link(pdf)
        if key == "A":
            del link["/Dest"]
        link[Name("/" + key)] = value

    return _edited(edit)


def _info(key: str) -> Forge:
    def edit(pdf: Pdf) -> None:
        pdf.docinfo[Name("/" + key)] = String("Audited")

    return _edited(edit)


def _xmp(old: bytes, new: bytes, times: int = 1) -> Forge:
    def edit(pdf: Pdf) -> None:
        text = pdf.Root.Metadata.read_bytes()
        assert old in text, old
        pdf.Root.Metadata.write(text.replace(old, new, times))

    return _edited(edit)


def _attached(name: str, content: bytes) -> Forge:
    def edit(pdf: Pdf) -> None:
        pdf.attachments[name] = content

    return _edited(edit)


def _rename_attachment(pdf: Pdf) -> None:
    content = pdf.attachments["cells.csv"].get_file().read_bytes()
    del pdf.attachments["cells.csv"]
    pdf.attachments["cells.csv.exe"] = content


def _described(pdf: Pdf) -> None:
    _first(pdf, lambda item: item.get("/Type") == Name.Filespec)["/Desc"] = String("Audited")


def _bookmark(pdf: Pdf) -> None:
    pdf.Root.Outlines.First["/Title"] = String("Audited")


def _aloud(pdf: Pdf) -> None:
    _first(pdf, lambda item: "/Alt" in item)["/Alt"] = String("No group is worse off")


def _instead(pdf: Pdf) -> None:
    _first(pdf, lambda item: item.get("/S") == Name.P)["/ActualText"] = String("No group is worse off")


def _other_table(pdf: Pdf) -> None:
    """The table of letters says that two digits are each other; the text is drawn accordingly."""
    font = next(iter(pdf.pages[0].Resources.Font.values()))
    table = font.ToUnicode.read_bytes()
    font.ToUnicode.write(
        table.replace(b"<0031>", b"<@>").replace(b"<0037>", b"<0031>").replace(b"<@>", b"<0037>")
    )


def _other_letters(pdf: Pdf) -> None:
    """Every font draws another letter: its outlines are in another order."""
    from fontTools.ttLib import TTFont

    for font in pdf.pages[0].Resources.Font.values():
        program = font.DescendantFonts[0].FontDescriptor.FontFile2
        with TTFont(io.BytesIO(program.read_bytes())) as read:
            names = read.getBestCmap()
            glyphs = read["glyf"].glyphs
            for one, other in (("1", "7"), ("e", "o"), ("a", "d"), ("t", "n")):
                a, b = names[ord(one)], names[ord(other)]
                glyphs[a], glyphs[b] = glyphs[b], glyphs[a]
            out = io.BytesIO()
            read.save(out)
        program.write(out.getvalue())


def _layer(pdf: Pdf) -> None:
    """A layer that can be switched off, with the page in it."""
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("x")))
    pdf.Root["/OCProperties"] = Dictionary(OCGs=[group], D=Dictionary(OFF=[group]))
    sheet = pdf.pages[2]
    sheet.Resources["/Properties"] = Dictionary(MC0=group)
    sheet.Contents.write(b"/OC /MC0 BDC\n" + sheet.Contents.read_bytes() + b"\nEMC\n")


def _picture(pdf: Pdf) -> None:
    image = Stream(pdf, b"\xff\xff\xff")
    for key, value in {
        "Type": Name.XObject, "Subtype": Name.Image, "Width": 1, "Height": 1, "ColorSpace": Name.DeviceRGB, "BitsPerComponent": 8,
    }.items():  # fmt: skip
        image[Name("/" + key)] = value
    sheet = pdf.pages[2]
    sheet.Resources.XObject["/Seal"] = pdf.make_indirect(image)
    sheet.Contents.write(b"q\n" + sheet.Contents.read_bytes() + b"\nQ\nq 500 0 0 700 50 50 cm /Seal Do Q\n")


def _form(pdf: Pdf) -> None:
    """A drawing that holds a cover, called outside of charts."""
    drawing = Stream(pdf, b"1 1 1 rg 0 0 600 850 re f")
    drawing["/Type"], drawing["/Subtype"], drawing["/BBox"] = Name.XObject, Name.Form, Array([0, 0, 600, 850])
    drawing["/Resources"] = Dictionary()
    sheet = pdf.pages[2]
    sheet.Resources.XObject["/Cover"] = pdf.make_indirect(drawing)
    sheet.Contents.write(b"q\n" + sheet.Contents.read_bytes() + b"\nQ\n/Cover Do\n")


def _acro_form(pdf: Pdf) -> None:
    widget = pdf.make_indirect(
        Dictionary(
            Type=Name.Annot,
            Subtype=Name.Widget,
            FT=Name.Tx,
            T=String("x"),
            V=String("Audited"),
            Rect=[50, 50, 300, 90],
        )
    )
    pdf.pages[0].Annots = Array([widget])
    pdf.Root["/AcroForm"] = Dictionary(Fields=[widget])


def _page_twice(pdf: Pdf) -> None:
    pdf.pages.append(pdf.pages[2])


def _pages_swapped(pdf: Pdf) -> None:
    one, other = pdf.pages[2], pdf.pages[3]
    pdf.pages[2], pdf.pages[3] = other, one


def _page_gone(pdf: Pdf) -> None:
    del pdf.pages[3]


def _blank_page(pdf: Pdf) -> None:
    pdf.add_blank_page()
    pdf.pages[-1].Contents = pdf.make_stream(b"0 0 0 rg 50 50 200 200 re f")


def _appended(content: bytes) -> bytes:
    """A later change: the catalogue again, with something to do when the file is opened."""
    root = re.search(rb"/Root (\d+) 0 R", content) or re.search(rb"/Root\s+(\d+)\s+0\s+R", content)
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


_EVERYWHERE = b"0 0 600 850 re "
_TM = rb"1 0 0 -1 ([\d.]+) ([\d.]+) Tm"

PDF_FORGERIES: dict[tuple[str, str], Forge] = {
    ("pdf", "a white rectangle and literal text"): _edited(_literal),
    ("pdf", "a white rectangle"): _drawn(b"1 1 1 rg " + _EVERYWHERE + b"f", page=2),
    ("pdf", "a white rectangle, even-odd"): _drawn(b"1 1 1 rg " + _EVERYWHERE + b"f*", page=2),
    ("pdf", "a white rectangle, filled and stroked"): _drawn(b"1 1 1 rg " + _EVERYWHERE + b"B", page=2),
    ("pdf", "a white rectangle in a chart"): _drawn(b"/Figure <</MCID 0>> BDC 1 1 1 rg " + _EVERYWHERE + b"f EMC", page=2),
    ("pdf", "a white rectangle as an artefact"): _drawn(b"/Artifact BMC 1 1 1 rg " + _EVERYWHERE + b"f EMC", page=2),
    ("pdf", "a white polygon"): _drawn(b"1 1 1 rg 0 0 m 600 0 l 600 850 l 0 850 l h f", page=2),
    ("pdf", "a thick line"): _drawn(b"1 1 1 RG 900 w 0 400 m 600 400 l S", page=2),
    ("pdf", "a curve"): _drawn(b"0 0 0 rg 50 50 m 60 60 70 60 80 50 c f"),
    ("pdf", "a shading"): _drawn(b"/Sh0 sh"),
    ("pdf", "an inline picture"): _drawn(b"q 500 0 0 700 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q", page=2),
    ("pdf", "text in a font of the viewer"): _edited(_plain_font),
    ("pdf", "text by another operator"): _drawn(b"BT <0001> ' ET"),
    ("pdf", "text on the next line"): _drawn(b"BT T* ET"),
    ("pdf", "an unknown operator"): _drawn(b"1 XX"),
    ("pdf", "a comment"): _drawn(b"% audited\n"),
    ("pdf", "a picture"): _edited(_picture),
    ("pdf", "a drawing outside charts"): _edited(_form),
    ("pdf", "a layer"): _edited(_layer),
    ("pdf", "text made invisible"): _content(rb"\nBT\n", b"\n3 Tr\nBT\n"),
    ("pdf", "text made white"): _content(rb"[\d.]+ [\d.]+ [\d.]+ rg\nBT", b"1 1 1 rg\nBT"),
    ("pdf", "text made tiny"): _content(rb"(/\S+) [\d.]+ Tf", rb"\1 0.1 Tf"),
    ("pdf", "text made huge"): _content(rb"(/\S+) [\d.]+ Tf", rb"\1 400 Tf"),
    ("pdf", "text moved off the page"): _content(_TM, rb"1 0 0 -1 9999 \2 Tm"),
    ("pdf", "text cut away"): _drawn(b"0 0 1 1 re W n", first=True, page=2),
    ("pdf", "a word left out"): _content(rb"\[<[^\]]*\]\s*TJ", b"[] TJ"),
    ("pdf", "a word twice"): _content(rb"(\[<[^\]]*\]\s*TJ)", rb"\1 \1"),
    ("pdf", "everything smaller"): _drawn(b"0.1 0 0 0.1 0 0 cm", first=True, page=2),
    ("pdf", "a page twice"): _edited(_page_twice),
    ("pdf", "a page gone"): _edited(_page_gone),
    ("pdf", "pages swapped"): _edited(_pages_swapped),
    ("pdf", "a page more"): _edited(_blank_page),
    ("pdf", "a page turned"): _page_key("Rotate", 180),
    ("pdf", "a page cropped"): _page_key("CropBox", Array([0, 0, 100, 100])),
    ("pdf", "a page scaled"): _page_key("UserUnit", 0.1),
    ("pdf", "a page with an action"): _page_key("AA", Dictionary(O=_script())),
    ("pdf", "a page shown for a second"): _page_key("Dur", 1),
    ("pdf", "a page with data of a program"): _page_key("PieceInfo", Dictionary(x=1)),
    ("pdf", "a thumbnail"): _page_key("Thumb", 1),
    ("pdf", "free text"): _annotation("FreeText", Contents=String("Audited"), DA=String("/Helv 12 Tf")),
    ("pdf", "a note"): _annotation("Text", Contents=String("Audited")),
    ("pdf", "a stamp"): _annotation("Stamp", Name=Name.Approved),
    ("pdf", "a square"): _annotation("Square", IC=Array([1, 1, 1])),
    ("pdf", "a highlight"): _annotation("Highlight", QuadPoints=Array([0, 0, 9, 0, 0, 9, 9, 9])),
    ("pdf", "ink"): _annotation("Ink", InkList=Array([Array([0, 0, 9, 9])])),
    ("pdf", "a redaction"): _annotation("Redact", OverlayText=String("Audited")),
    ("pdf", "a watermark"): _annotation("Watermark"),
    ("pdf", "a film"): _annotation("Movie", Movie=Dictionary(F=String("x"))),
    ("pdf", "a sound"): _annotation("Sound"),
    ("pdf", "an attached file on the page"): _annotation("FileAttachment"),
    ("pdf", "a link to the web"): _annotation("Link", A=Dictionary(S=Name.URI, URI=String("https://example.org"))),
    ("pdf", "a link that starts a program"): _annotation("Link", A=Dictionary(S=Name.Launch, F=String("x.exe"))),
    ("pdf", "a link with a look"): _annotation("Link", Dest=String("summary"), AP=Dictionary()),
    ("pdf", "a link turned to the web"): _set_link("A", Dictionary(S=Name.URI, URI=String("https://example.org"))),
    ("pdf", "a link to elsewhere"): _set_link("Dest", String("nowhere")),
    ("pdf", "a link that says something"): _set_link("Contents", String("Audited")),
    ("pdf", "a form"): _edited(_acro_form),
    ("pdf", "a script when opened"): _root("OpenAction", _script),
    ("pdf", "a program started when opened"): _root("OpenAction", lambda _: Dictionary(S=Name.Launch, F=String("x.exe"))),
    ("pdf", "another first page"): _root("OpenAction", lambda pdf: Array([pdf.pages[3].obj, Name.Fit])),
    ("pdf", "an action when closed"): _root("AA", lambda _: Dictionary(WC=_script())),
    ("pdf", "scripts by name"): _edited(lambda pdf: pdf.Root.Names.__setitem__("/JavaScript", Dictionary(Names=[String("x"), _script()]))),
    ("pdf", "an address"): _root("URI", lambda _: Dictionary(Base=String("https://example.org"))),
    ("pdf", "other page numbers"): _root("PageLabels", lambda _: Dictionary(Nums=[0, Dictionary(S=Name.r)])),
    ("pdf", "no toolbar"): _root("ViewerPreferences", lambda _: Dictionary(HideToolbar=True)),
    ("pdf", "a portfolio"): _root("Collection", lambda _: Dictionary(View=Name.T)),
    ("pdf", "requirements"): _root("Requirements", lambda _: Array([Dictionary(S=Name.EnableJavaScripts)])),
    ("pdf", "permissions"): _root("Perms", lambda _: Dictionary(x=1)),
    ("pdf", "threads"): _root("Threads", lambda _: Array([Dictionary(x=1)])),
    ("pdf", "a later change"): _appended,
    ("pdf", "bytes after the end"): lambda content: content + b"\nAudited\n",
    ("pdf", "bytes before the beginning"): lambda content: b"Audited\n" + content,
    ("pdf", "a cipher"): _encrypted,
    ("pdf", "letters that are read otherwise"): _edited(_other_table),
    ("pdf", "letters that look otherwise"): _edited(_other_letters),
    ("pdf", "a bookmark"): _edited(_bookmark),
    ("pdf", "what is read aloud"): _edited(_aloud),
    ("pdf", "text in place of text"): _edited(_instead),
    ("pdf", "its title"): _info("Title"),
    ("pdf", "its author"): _info("Author"),
    ("pdf", "its subject"): _info("Subject"),
    ("pdf", "its key words"): _info("Keywords"),
    ("pdf", "a key of its own"): _info("AuditedBy"),
    ("pdf", "its producer"): _info("Producer"),
    ("pdf", "its title in the metadata"): _xmp(b'<rdf:li xml:lang="x-default">', b'<rdf:li xml:lang="x-default">Audited '),
    ("pdf", "its author in the metadata"): _xmp(b"<rdf:Seq><rdf:li>", b"<rdf:Seq><rdf:li>Not "),
    ("pdf", "more metadata"): _xmp(b"</rdf:RDF>", b'<rdf:Description rdf:about="" x:audit="passed" xmlns:x="x"/></rdf:RDF>'),
    ("pdf", "its maker in the metadata"): _xmp(b"<xmp:CreatorTool>", b"<xmp:CreatorTool>audited "),
    ("pdf", "its identifier in the metadata"): _xmp(b"<dc:identifier>urn:uuid:", b"<dc:identifier>urn:uuid:0"),
    ("pdf", "no identifier in the metadata"): _xmp(b"dc:identifier>", b"dc:source>", times=2),
    ("pdf", "a licence in the metadata"): _xmp(
        b"</dc:identifier>", b"</dc:identifier><xmpRights:WebStatement>https://example.org</xmpRights:WebStatement>"
    ),
    ("attachments", "another description of cells.csv"): _attached("cells.csv-metadata.json", b"{}"),
    ("attachments", "one more"): _attached("audit.txt", b"Audited"),
    ("attachments", "a program"): _attached("verify.exe", b"MZ"),
    ("attachments", "another report.json"): _attached("report.json", b"{}"),
    ("attachments", "another cells.csv"): _attached("cells.csv", b"gender\n"),
    ("attachments", "another measures.csv"): _attached("measures.csv", b"measure\n"),
    ("attachments", "an empty one"): _attached("", b""),
    ("attachments", "renamed"): _edited(_rename_attachment),
    ("attachments", "described otherwise"): _edited(_described),
}  # fmt: skip
