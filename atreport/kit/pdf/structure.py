"""Walk through every object of a PDF that a viewer can reach, and name what the PDF of a report does not have.

A list of what may be there and not of what may not: no script, action, form, layer, annotation, attachment or setting can be
forgotten in it. What is text there (metadata, bookmarks, what is read aloud) is gathered, to be compared with the page.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    IndirectObject,
    StreamObject,
    TextStringObject,
)

from atreport.kit.language import message
from atreport.kit.language.later import Remembered, say_later
from atreport.kit.pdf.content import Gathered

MOST_OBJECTS = 400_000

_STREAM = {"/Length": "", "/Filter": "", "/DecodeParms": ""}
_KINDS: dict[str, dict[str, str]] = {
    "trailer": {
        "/Root": "catalog", "/Info": "info", "/ID": "", "/Size": "", "/Type": "", "/W": "", "/Index": "", **_STREAM,
    },
    "catalog": {
        "/Type": "", "/Version": "", "/Pages": "pages", "/Outlines": "outlines", "/Lang": "", "/Names": "names",
        "/StructTreeRoot": "tree", "/ViewerPreferences": "preferences", "/MarkInfo": "marking", "/OutputIntents": "intent",
        "/AF": "file", "/Metadata": "metadata", "/PageMode": "",
    },
    "info": dict.fromkeys(
        ("/Producer", "/Title", "/Author", "/Subject", "/Keywords", "/Creator", "/CreationDate", "/ModDate"), ""
    ),
    "pages": {"/Type": "", "/Count": "", "/Kids": "pages", "/Parent": "up"},
    "page": {
        "/Type": "", "/Parent": "up", "/MediaBox": "", "/TrimBox": "", "/BleedBox": "", "/Contents": "stream",
        "/Resources": "resources", "/Tabs": "", "/StructParents": "", "/Annots": "annotation",
    },
    "annotation": {
        "/Type": "", "/Subtype": "", "/Rect": "", "/BS": "border", "/Contents": "", "/Dest": "destination",
        "/StructParent": "", "/F": "", "/P": "up",
    },
    "border": {"/W": "", "/Type": "", "/S": ""},
    "outlines": {
        "/Type": "", "/Count": "", "/First": "outlines", "/Last": "outlines", "/Next": "outlines", "/Prev": "outlines",
        "/Parent": "outlines", "/Title": "", "/Dest": "destination",
    },
    "destination": {},
    "names": {"/EmbeddedFiles": "files", "/Dests": "destinations"},
    "files": {"/Names": "file", "/Kids": "files", "/Limits": ""},
    "destinations": {"/Names": "destination", "/Kids": "destinations", "/Limits": ""},
    "file": {"/Type": "", "/F": "", "/UF": "", "/EF": "embedded", "/Desc": "", "/AFRelationship": ""},
    "embedded": {"/F": "content", "/UF": "content"},
    "content": {"/Type": "", "/Subtype": "", "/Params": "parameters", **_STREAM},
    "parameters": dict.fromkeys(("/CheckSum", "/Size", "/CreationDate", "/ModDate"), ""),
    "preferences": {"/DisplayDocTitle": ""},
    "marking": {"/Marked": ""},
    "intent": {
        "/Type": "", "/S": "", "/OutputConditionIdentifier": "", "/OutputCondition": "", "/RegistryName": "", "/Info": "",
        "/DestOutputProfile": "profile",
    },
    "profile": {"/N": "", "/Alternate": "", **_STREAM},
    "metadata": {"/Type": "", "/Subtype": "", **_STREAM},
    "stream": dict(_STREAM),
    "resources": {
        "/ExtGState": "states", "/XObject": "drawings", "/Pattern": "nothing", "/Shading": "nothing", "/ColorSpace":
        "colours", "/Font": "fonts", "/ProcSet": "", }, "nothing": {}, "states": {"*": "state"}, "state": {"/Type": "",
        "/ca": "", "/CA": ""}, "colours": {"*": "colour"}, "colour": {"/WhitePoint": "", "/Range": "", "/N": "",
        **_STREAM}, "drawings": {"*": "drawing"}, "drawing": { "/Type": "", "/Subtype": "", "/BBox": "", "/Resources":
        "resources", "/Group": "group", "/Matrix": "", **_STREAM, }, "picture": { **dict.fromkeys(
        ("/Type", "/Subtype", "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Interpolate", "/Length",
        "/Filter"), "", ), "/DecodeParms": "lines", },
        "lines": dict.fromkeys(("/Predictor", "/Columns", "/Colors"), ""),
        "group": {"/Type": "", "/S": "", "/I": "", "/K": "", "/CS": "colour"},
        "fonts": {"*": "font"}, "font": { "/Type": "", "/Subtype": "", "/BaseFont": "", "/Encoding":
        "", "/DescendantFonts": "descendant", "/ToUnicode": "stream", }, "descendant": { "/Type": "", "/Subtype": "",
        "/BaseFont": "", "/CIDSystemInfo": "system", "/CIDToGIDMap": "", "/FontDescriptor": "descriptor", "/W": "",
        "/DW": "", }, "system": dict.fromkeys(("/Registry", "/Ordering", "/Supplement"), ""), "descriptor": {
        **dict.fromkeys( ("/Type", "/FontName", "/FontFamily", "/FontStretch", "/FontWeight", "/Flags", "/FontBBox",
        "/ItalicAngle", "/Ascent", "/Descent", "/CapHeight", "/StemV", "/StemH", "/Leading", "/MissingWidth"), "", ),
        "/FontFile2": "program", "/FontFile3": "program", "/CIDSet": "stream", }, "program": {"/Length1": "", "/Subtype":
        "", **_STREAM}, "tree": {"/Type": "", "/K": "element", "/ParentTree": "numbers", "/ParentTreeNextKey": "",
        "/IDTree": "ids"}, "numbers": {"/Nums": "element", "/Kids": "numbers", "/Limits": ""}, "ids": {"/Names":
        "element", "/Kids": "ids", "/Limits": ""}, "element": { "/Type": "", "/S": "", "/P": "up", "/Pg": "up", "/K":
        "element", "/A": "look", "/ID": "", "/Alt": "", "/Lang": "", "/MCID": "", "/Obj": "up", }, "look": dict.fromkeys(
        ("/O", "/Scope", "/Headers", "/ColSpan", "/RowSpan", "/ListNumbering", "/Summary", "/BBox", "/Placement",
        "/Width", "/Height"), "", ), }  # fmt: skip
"""What may stand in an object, by the way that leads to it, and what stands there: "" for numbers, names and texts, "up" for
what is reached elsewhere."""

_SAID = {"outlines": "/Title", "element": "/Alt"}
_FONTS = {
    "font": {"/Subtype": "/Type0", "/Encoding": "/Identity-H"},
    "descendant": {"/CIDToGIDMap": "/Identity"},
}
_DANGEROUS = {
    "/JavaScript": message("a script"), "/JS": message("a script"),
    "/OpenAction": message("an action when it is opened"), "/AA": message("an action"), "/A": message("an action"),
    "/Launch": message("an action"), "/AcroForm": message("a form"), "/XFA": message("a form"),
    "/RichMedia": message("other media"), "/OCProperties": message("layers that can be switched off"),
    "/OCGs": message("layers that can be switched off"), "/Encrypt": message("a cipher"),
    "/Prev": message("a later change appended to it"), "/ActualText": message("text that replaces what is drawn"),
    "/Perms": message("permissions"), "/URI": message("addresses to call"), "/Collection": message("a portfolio"),
}  # fmt: skip


def walk_structure(reader: Any, found: Gathered) -> None:
    """Look at everything that can be reached from the file's trailer."""
    seen: set[tuple[int, str]] = set()
    waiting: list[tuple[Any, str]] = [(reader.trailer, "trailer")]
    while waiting:
        item, kind = waiting.pop()
        if isinstance(item, IndirectObject):
            key = (item.idnum, kind)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MOST_OBJECTS:
                found.name(say_later("more objects than a report has"))
                return
            item = item.get_object()
        if isinstance(item, ArrayObject):
            waiting += [(each, kind) for each in item]
        elif isinstance(item, DictionaryObject) and not (
            kind == "destination" and item.get("/Type") == "/Page"
        ):
            waiting += _entries(item, _kind(item, kind), found)


def _kind(item: DictionaryObject, kind: str) -> str:
    if kind == "drawing" and item.get("/Subtype") == "/Image":
        return "picture"
    return "page" if kind == "pages" and item.get("/Type") == "/Page" else kind


def _entries(item: DictionaryObject, kind: str, found: Gathered) -> list[tuple[Any, str]]:
    """The entries of an object that are to be looked at."""
    allowed = _KINDS[kind]
    entries = []
    for key in item:
        leads_to = allowed.get(key, allowed.get("*"))
        value = item.raw_get(key)
        if leads_to is None:
            found.name(_foreign(key, kind))
        elif leads_to == "":
            if _holds_objects(value):
                found.name(say_later("an object under “{key}” in its {kind}", key=key[1:40], kind=kind))
        elif leads_to != "up":
            entries.append((value, leads_to))
    _gather(item, kind, found)
    return entries


def _foreign(key: str, kind: str) -> Remembered:
    if key in _DANGEROUS:
        return say_later(_DANGEROUS[key])
    return say_later("“{key}” in its {kind}", key=key[1:40], kind=kind)


def _holds_objects(value: Any, depth: int = 0) -> bool:
    """Whether a value is more than numbers, names and texts."""
    value = value.get_object() if isinstance(value, IndirectObject) else value
    if isinstance(value, ArrayObject):
        return depth > 3 or any(_holds_objects(each, depth + 1) for each in value)
    return isinstance(value, DictionaryObject) and bool(value)


def _gather(item: DictionaryObject, kind: str, found: Gathered) -> None:
    """What is text in an object, and whether it is of a type that belongs there."""
    if kind == "info":
        found.metadata += [(key[1:], str(item[key])) for key in item]
    elif kind == "metadata" and isinstance(item, StreamObject):
        found.metadata += _texts_of_xml(item.get_data(), found)
    elif kind == "annotation":
        if item.get("/Subtype") != "/Link":
            subtype = str(item.get("/Subtype"))[1:40]
            found.name(say_later("an annotation of the kind “{kind}”", kind=subtype))
        else:
            found.links += [str(item[key]) for key in ("/Dest", "/Contents") if key in item]
    elif kind == "drawing" and item.get("/Subtype") != "/Form":
        found.name(say_later("a drawing of another kind than those of reports"))
    elif kind == "file":
        found.metadata += [("attached", str(item[key])) for key in ("/F", "/UF", "/Desc") if key in item]
    elif kind in _FONTS and any(item.get(key) != value for key, value in _FONTS[kind].items()):
        found.name(say_later("a font of another kind than those of reports"))
    if kind in _SAID and isinstance(item.get(_SAID[kind]), TextStringObject):
        (found.outline if kind == "outlines" else found.spoken).append(str(item[_SAID[kind]]))


def _texts_of_xml(content: bytes, found: Gathered) -> list[tuple[str, str]]:
    """Every text and attribute of the metadata, with the name it stands under."""
    if b"<!" in content:
        found.name(say_later("metadata that are more than plain XML"))
        return []
    try:
        root = ElementTree.fromstring(content.strip())  # without declarations, which were refused above
    except ElementTree.ParseError:
        found.name(say_later("metadata that cannot be read"))
        return []
    texts = []
    for element in root.iter():
        name = re.sub(r"\{.*\}", "", element.tag)
        texts += [(name, text.strip()) for text in (element.text, element.tail) if text and text.strip()]
        texts += [(re.sub(r"\{.*\}", "", key), value) for key, value in element.attrib.items() if value]
    return texts
