"""Keep the catalogues of messages (`atreport/languages/*.po`) up to date with the code and the templates.

    python tools/messages.py            add new messages to every catalogue, take out those that are gone
    python tools/messages.py --check    change nothing; say what is missing or untranslated, and exit 1 if anything is
    python tools/messages.py --start cy begin a catalogue for another language

A message is what `gettext`, `pgettext`, `ngettext`, `message`, `plural` and `lazy_gettext` of
`atreport/text/language.py` are called with, `format_message` and `format_messages`
of `atreport/compose/message.py`, `told` and `expect` of `templates/verify.py`,
`gettext` and `ngettext` in templates and in the scripts of pages, and what stands under the words of `SAID` in the files of
forms (`atreport/forms/*.yaml`). A translator edits the PO file with any editor for such files. New
messages that look like old ones get their translation marked as fuzzy: those are not used until somebody has read them.
"""

import argparse
import io
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from babel.plural import to_gettext

from atreport.forms.written import form_texts

TOP = Path(__file__).parents[1]
CATALOGUES = TOP / "atreport" / "languages"
IN_PYTHON = {
    "gettext": None,
    "pgettext": ((1, "c"), 2),
    "message": None,
    "plural": (1, 2),
    "ngettext": (2, 3),
    "lazy_gettext": None,
    "format_message": None,
    "format_messages": (3, 4),
    "told": None,
    "expect": (3,),
}
IN_TEMPLATES = {"say": None, "say_many": (2, 3), "say_in": ((1, "c"), 2), "message": None}
"""Which arguments of which functions are messages: (2, 3) are singular and plural, (1, "c") a context."""


def of_forms(
    file: IO[bytes],
    keywords: Collection[str],  # noqa: ARG001 the signature is Babel's
    comment_tags: Collection[str],  # noqa: ARG001
    options: Any,  # noqa: ARG001
) -> Iterator[tuple[int, str, str, list[str]]]:
    """The messages of a form's file, as Babel wants them."""
    return ((0, "message", text, []) for text in form_texts(file.read().decode()))


SOURCES: tuple[tuple[list[tuple[str, Any]], dict[str, Any]], ...] = (
    (
        [
            # The studio and the annex speak English, to the publisher, and so does the command line: by a `say`.
            ("atreport/studio/**.py", "ignore"),
            ("atreport/private/**.py", "ignore"),
            ("atreport/**.py", "python"),
            ("atreport/forms/**.yaml", of_forms),
            ("templates/verify.py", "python"),  # its findings are said again by `atreport verify`
        ],
        IN_PYTHON,
    ),
    (
        [
            ("templates/**.j2", "jinja2.ext:babel_extract"),
            ("templates/studio/**.js", "ignore"),
            ("templates/**.js", "javascript"),
        ],
        IN_TEMPLATES,
    ),
)
"""Where messages are, and by which functions."""


_HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
_PLACE = re.compile(r"\{\w*\}")
_TAG = re.compile(r"</?\w+[^>]*>")


def started(language: str) -> Catalog:
    """An empty catalogue, with the plural forms of CLDR: those that Babel knows for PO files are others (Welsh has six)."""
    rules = to_gettext(Locale.parse(language).plural_form)
    header = _HEADER.format(language=language, plurals=rules)
    return read_po(io.BytesIO(header.encode()), locale=language)


def extract() -> Catalog:
    """Every message of the code and the templates."""
    found = Catalog(project="atreport", charset="utf-8", fuzzy=False)
    places: dict[tuple[str | None, str], set[str]] = {}
    messages: dict[tuple[str | None, str], tuple[str, ...] | str] = {}
    entries = chain.from_iterable(
        extract_from_dir(TOP, methods, keywords=keywords, directory_filter=_is_ours)
        for methods, keywords in SOURCES
    )
    for file, _, text, _, context in entries:
        first = text[0] if isinstance(text, tuple) else text
        places.setdefault((context, first), set()).add(file)
        if isinstance(text, tuple) or (context, first) not in messages:
            messages[context, first] = text
    for (context, first), text in sorted(messages.items(), key=lambda item: (item[0][1], item[0][0] or "")):
        # Files and no lines: a catalogue should change when a message does, not when code moves.
        found.add(text, locations=[(file, 0) for file in sorted(places[context, first])], context=context)
    return found


def _is_ours(folder: str) -> bool:
    return Path(folder).name not in {"__pycache__", "starter", "studio"}


def read(path: Path) -> Catalog:
    """The catalogue in a PO file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue, in the order of its messages and without a date."""
    with path.open("wb") as file:
        file.write(_HEADER.format(language=path.stem, plurals=catalogue.plural_forms).encode())
        write_po(
            file,
            catalogue,
            width=125,
            no_location=False,
            omit_header=True,
            include_lineno=False,
            ignore_obsolete=True,
        )


def updated(catalogue: Catalog, template: Catalog) -> Catalog:
    """The catalogue with the messages of the template."""
    catalogue.update(template, no_fuzzy_matching=False)
    return catalogue


def problems(catalogue: Catalog, template: Catalog) -> Iterator[str]:
    """What is missing, unsure, broken or left over in a catalogue."""
    yield from faults(catalogue)
    for wanted in template:
        if wanted.id and not _is_said(catalogue.get(wanted.id, wanted.context)):
            yield f"not translated: {wanted.id!r}"
    for entry in catalogue:
        if entry.id and template.get(entry.id, entry.context) is None:
            yield f"no longer said: {entry.id!r}"


def faults(catalogue: Catalog) -> Iterator[str]:
    """Translations that lost a place, a tag or a plural form. What is not translated at all is no fault."""
    for entry in catalogue:
        forms = entry.string if isinstance(entry.string, tuple | list) else (entry.string or "",)
        if not entry.id or not any(forms) or entry.fuzzy:
            continue
        originals = entry.id if isinstance(entry.id, tuple | list) else (entry.id,)
        if len(originals) > 1 and (len(forms) != catalogue.num_plurals or not all(forms)):
            yield f"{len([form for form in forms if form])} of {catalogue.num_plurals} plural forms: {entry.id!r}"
        for form in forms:
            if not any(_parts(form, _PLACE) == _parts(one, _PLACE) for one in originals):
                yield f"other places in braces: {form!r} of {entry.id!r}"
            if not any(_parts(form, _TAG) == _parts(one, _TAG) for one in originals):
                yield f"other tags: {form!r} of {entry.id!r}"


def _parts(text: str, kind: re.Pattern[str]) -> list[str]:
    """The places or tags of a message, whatever their order: a translator may move them."""
    return sorted(kind.findall(text))


def _is_said(entry: Message | None) -> bool:
    if entry is None or entry.fuzzy:
        return False
    return all(entry.string) if isinstance(entry.string, tuple | list) else bool(entry.string)


def main(arguments: Sequence[str] | None = None) -> int:
    """Update or check the catalogues."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything is missing")
    parser.add_argument("--start", metavar="LANGUAGE", help="begin a catalogue")
    options = parser.parse_args(arguments)
    template = extract()
    if options.start:
        write(CATALOGUES / f"{options.start}.po", updated(started(options.start), template))
        return 0
    found = 0
    for path in sorted(CATALOGUES.glob("*.po")):
        catalogue = read(path)
        if not options.check:
            write(path, updated(catalogue, template))
        missing = list(problems(catalogue, template))
        found += len(missing)
        print(f"{path.name}: {len(template)} messages, {len(missing)} to do")
        for line in missing if options.check else ():
            print(f"  {line}")
    return 1 if options.check and found else 0


if __name__ == "__main__":
    sys.exit(main())
