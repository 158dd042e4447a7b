"""The catalogues of messages, and one report in all languages: the words differ, and no figure does."""

import ast
import datetime as dt
import importlib.util
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pikepdf
import pytest

from atreport.api.check import check
from atreport.compose import in_every_language, in_language, published_name
from atreport.pages.documents import LaidOut, lay_out
from atreport.pages.layout import embed_fonts
from atreport.report.model import Report
from atreport.spec.load import load_spec
from atreport.text import language as messages_of
from atreport.text.language import LANGUAGES, count, ngettext, signs_of, use_locale
from atreport.text.numbers import long_date, percent
from atreport.verification.ledger import facts_of
from atreport.write_folder import language_of, named_in
from tests.assessing import SPECS, THREE_REPORTS, report_of
from tests.example import example_spec, write_example
from tests.pseudo import publisher_texts

TOOL = Path(__file__).parents[1] / "tools" / "messages.py"
FURTHER = [code for code in LANGUAGES if code != "en"]
ALL = ("date: 2026-01-15\n", "date: 2026-01-15\n  languages: [en, fr, de, nl]\n")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """tools/messages.py."""
    spec = importlib.util.spec_from_file_location("messages_tool", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def report() -> Report:
    """The example, in all languages."""
    return report_of(example_spec(ALL))


@pytest.mark.parametrize("code", FURTHER)
def test_every_message_is_translated(tool: ModuleType, code: str) -> None:
    """A message without a translation would stand in English among others; a lost place loses a figure, a lost tag breaks the page."""
    assert list(tool.problems(tool.read(tool.CATALOGUES / f"{code}.po"), tool.extract())) == []


WORD = re.compile(r"[^\W\d_]{2,}")


def test_no_sentence_is_the_same_in_two_languages(tool: ModuleType) -> None:
    """Thirty-two sentences stood in German in French and Dutch reports: a catalogue had been copied from another."""
    said: dict[tuple[str, ...], str] = {}
    for code in FURTHER:
        for entry in tool.read(tool.CATALOGUES / f"{code}.po"):
            of_message = (
                (entry.id, entry.string) if isinstance(entry.id, str) else (entry.id[0], entry.string[0])
            )
            for language, sentence in zip(("en", code), of_message, strict=True):
                if len(WORD.findall(re.sub(r"\{\w+\}|<[^>]*>", "", sentence))) > 3:
                    key = (entry.context or "", of_message[0], sentence)
                    assert said.setdefault(key, language) == language, sentence


SPEAKING = {
    "gettext": 0, "message": 0, "plural": 0, "lazy_gettext": 0, "format_message": 0, "told": 0, "ngettext": 1, "format_messages": 1, "pgettext": 1,
    "expect": 2,
}  # fmt: skip
"""The functions that are given a message, and as which argument."""


def _called(node: ast.AST) -> str:
    """The name of what is called, be it a function or a method; empty where nothing is."""
    called = node.func if isinstance(node, ast.Call) else None
    return str(getattr(called, "id", getattr(called, "attr", "")))


def test_every_call_is_seen_by_the_tool(tool: ModuleType) -> None:
    """A message inside an f-string is not extracted, so no translator ever sees it."""
    known = {each.id if isinstance(each.id, str) else each.id[0] for each in tool.extract()}
    unseen = []
    for path in ((tool.TOP / "atreport").rglob("*.py"), [tool.TOP / "templates" / "verify.py"]):
        for file in path:
            if file.relative_to(tool.TOP).parts[1] in ("cli", "studio", "private"):
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                place = SPEAKING.get(_called(node))
                if place is None or len(node.args) <= place:  # type: ignore[attr-defined]
                    continue
                given = node.args[place]  # type: ignore[attr-defined]
                hidden = isinstance(given, ast.JoinedStr)
                if hidden or (isinstance(given, ast.Constant) and given.value not in known):
                    unseen.append(f"{file.name}:{given.lineno}")
    assert unseen == []


FOUND_BY = (
    "atreport/report/pdf*.py", "atreport/untrusted.py", "atreport/spec/house_style.py", "atreport/verification/[!_cguw]*.py", "atreport/verification/__init__.py",
    "atreport/verification/ledger.py", "templates/verify.py",
)  # fmt: skip
"""The modules in which a sentence ends in a finding, whose language is the report's."""
TO_PUBLISHERS = {"NotAReport", "UsageError"}
"""Errors that end the command, before or without a report whose language is known; they speak English."""
TO_AUTHORS = {
    "house_style.py": {"published_png", "read_style", "_logo", "_with_text", "_read", "_PLAIN_SVG", "_BELOW"},
    "ledger.py": {"record", "refuse_lost_releases", "attack_earlier_releases", "_union_warnings", "_broken"},
    "signature.py": {"load_signing"},
}
"""What stands in these modules and speaks to the author of a spec or to the one who publishes: in English."""
OF_FOLDERS = {"check_languages", "check_files", "main", "give_up", "read_file", "left_out", "out_of_scope"}
"""What verify.py says of a folder, and of what it leaves out, by itself; `atreport verify` finds that in its own words."""


SENTENCE = re.compile(r"\A[^<\[\n]*[a-z]{2,} [a-z]{2,}[^<\[\n]*\Z")
"""Two words or more, in one line; not markup, a pattern or a table of names."""
LOOKED_FOR = {
    "atreport verify", " at most ", " adds at most ", " percentage point", "Which part of ISO 14289 the file conforms to",
}  # fmt: skip
"""What is looked for in other texts, and told to nobody."""


def test_no_sentence_of_a_finding_hides_from_the_tool(tool: ModuleType) -> None:
    """Every sentence in what ends in a finding is a message: one more in plain English would be told to French readers."""
    files = sorted({file for pattern in FOUND_BY for file in tool.TOP.glob(pattern)})
    assert len(files) > 10
    hidden = {
        file.name: [
            sentence
            for node in ast.parse(file.read_text(encoding="utf-8")).body
            if not _defined(node) & TO_AUTHORS.get(file.name, set())
            for sentence in _sentences(node)
        ]
        for file in files
    }
    assert [f"{name}:{each.lineno}: {each.value!r}" for name in hidden for each in hidden[name]] == []


def _defined(node: ast.AST) -> set[str]:
    """What a statement of a module gives a name to."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    return {each.id for each in getattr(node, "targets", ()) if isinstance(each, ast.Name)}


def test_hidden_sentences_are_found() -> None:
    """Otherwise the test above would hold for any module."""
    code = 'def f(x):\n    """Some words here."""\n    yield gettext("these are told")\n    yield f"{x}: these are not"\n'
    assert [sentence.value for sentence in _sentences(ast.parse(code))] == [": these are not"]


def _sentences(node: ast.AST) -> Iterator[ast.Constant]:
    """Texts of two words or more that no function says: docstrings, errors to publishers and errors of ours aside."""
    said = _called(node) in {*SPEAKING, "Field"} or (
        isinstance(node, ast.FunctionDef) and node.name in OF_FOLDERS
    )
    aside = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        aside = _called(node.exc) in TO_PUBLISHERS or _is_plain_error(node.exc)
    if said or aside:
        return
    text = node.value if isinstance(node, ast.Constant) else None
    if isinstance(text, str) and SENTENCE.search(text) and text not in LOOKED_FOR:
        yield node  # type: ignore[misc]  # it is the constant
    for inner in ast.iter_child_nodes(node):
        yield from _sentences(inner)


def _is_plain_error(raised: ast.Call) -> bool:
    """A ValueError or TypeError, whose words are shown to nobody: they are raised where a caller tells its own."""
    return _called(raised) in ("ValueError", "TypeError", "TimeoutError")


def test_faults_are_found(tool: ModuleType, tmp_path: Path) -> None:
    """Otherwise the tests above would hold for any catalogue."""
    path = tmp_path / "fr.po"
    path.write_text(
        'msgid "at {a} of <b>{b}</b>"\nmsgstr "à {a}"\n\n'
        'msgid "{number} man"\nmsgid_plural "{number} men"\nmsgstr[0] "un homme"\nmsgstr[1] ""\n',
        encoding="utf-8",
    )
    assert len(list(tool.faults(tool.read(path)))) >= 4


def test_a_language_with_six_plural_forms_is_one_file(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Welsh counts 0, 1, 2, 3, 6 and other numbers each in its own way, by CLDR; Babel's own header has four forms."""
    catalogue = tool.started("cy")
    catalogue.add(
        ("{number} dog", "{number} dogs"),
        tuple(f"{{number}} {form}" for form in ("zero", "one", "two", "few", "many", "other")),
    )
    tool.write(tmp_path / "cy.po", catalogue)
    monkeypatch.setattr(messages_of, "CATALOGUES", tmp_path)
    assert list(tool.faults(tool.read(tmp_path / "cy.po"))) == []
    with use_locale("cy"):
        said = [ngettext(number, "{number} dog", "{number} dogs") for number in (0, 1, 2, 3, 6, 4, 100)]
    messages_of.catalogue.cache_clear()
    assert said == ["0 zero", "1 one", "2 two", "3 few", "6 many", "4 other", "100 other"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_fonts_have_every_letter_of_a_language(tool: ModuleType, code: str) -> None:
    """A letter that is missing would come from another font, or be an empty box."""
    with use_locale(code):
        days = [long_date(dt.date(2026, month, 15)) for month in range(1, 13)]
        written = [count(1_234_567), percent(Decimal("0.6754")), *days]
    if code != "en":
        for entry in tool.read(tool.CATALOGUES / f"{code}.po"):
            written += entry.string if isinstance(entry.string, tuple | list) else [entry.string]
    written += LANGUAGES.values()
    assert embed_fonts(f"<p>{''.join(written)}</p>", "truetype").complete
    assert not {"\N{NARROW NO-BREAK SPACE}", "\N{HYPHEN}"} & {*"".join(written)}


def test_all_languages_are_one_release(report: Report) -> None:
    """The ledger, catalogues and programs know a version by facts and an identifier that no language changes."""
    one = report_of(example_spec())
    for edition in (report, *in_every_language(report)):
        assert facts_of(edition) == facts_of(one)
        assert edition.identifier == one.identifier


def test_languages_differ_in_words_alone(report: Report) -> None:
    """What report.json says to programs is the same in every language."""
    documents = [edition.as_json() for edition in in_every_language(report)]
    assert [document["report"]["language"] for document in documents] == ["en", "fr", "de", "nl"]
    for document in documents:
        document["report"].pop("language")
        document["notes"] = [{**note, "title": "", "text": ""} for note in document["notes"]]
    assert documents == documents[:1] * 4
    assert in_language(in_language(report, "fr"), "en") == report


@pytest.mark.parametrize("code", FURTHER)
def test_figures_are_the_same_in_every_language(report: Report, code: str) -> None:
    """Every number of the page, read with the signs of its language, is in the page of every other language as often."""
    there, here = _numbers(report, "en"), _numbers(report, code)
    assert sum(there.values()) > 100
    assert (there - here, here - there) == (Counter(), Counter())


@pytest.mark.slow
@pytest.mark.parametrize("name", THREE_REPORTS)
def test_figures_are_the_same_on_paper_and_screen_in_every_language(name: str) -> None:
    """The same for three real reports, on the page and on the one from which the PDF is set."""
    whole = report_of(load_spec(next(spec for spec in SPECS if spec.stem == name)))
    own = sorted(publisher_texts(whole) - {long_date(whole.report.date)}, key=len, reverse=True)
    for page in (LaidOut.html, LaidOut.printed_page):
        there = _numbers_in(_text_of(page(lay_out(whole))), "en", own)
        assert sum(there.values()) > 100
        for code in FURTHER:
            here = _numbers_in(_text_of(page(lay_out(in_language(whole, code)))), code, own)
            assert (there - here, here - there) == (Counter(), Counter()), (page.__name__, code)


def test_legal_references_are_translated() -> None:
    """A law that the publisher names in two languages stood in one of them alone, and `check` said that all was translated."""
    own = "disclosure:\n  legal: [Article 22]\n", "translations: {fr: {Article 22: L'article 22}}\n"
    spec = example_spec(ALL, ("disclosure:\n", own[1] + own[0]))
    notes = {note.id: note.text for note in in_language(report_of(spec), "fr").notes}
    assert notes["legal-1"] == "L'article 22"


def test_names_of_files_say_their_language(report: Report) -> None:
    """And lead back to the name in the main language; tables are for all."""
    french = in_language(report, "fr").report
    names = ("report.html", "modelcard.cdx.json", "cells.csv", "measures.csv-metadata.json")
    assert [published_name(name, french) for name in names] == [
        "report.fr.html", "modelcard.cdx.fr.json", "cells.csv", "measures.csv-metadata.json",
    ]  # fmt: skip
    assert language_of(named_in("report.pdf", "fr-CA")) == ("report.pdf", "fr-CA")
    for name in (
        "report.html",
        "modelcard.cdx.json",
        "SHA256SUMS",
        "SHA256SUMS.sig",
        "attestation.intoto.json",
    ):
        assert language_of(name) == (name, None)


def test_pages_lead_to_each_other(report: Report) -> None:
    """A reader who meets the wrong language finds the right one; the PDF names its file."""
    page = lay_out(in_language(report, "fr")).html()
    assert '<html lang="fr"' in page
    assert page.count('rel="alternate"') == 4
    assert '<a href="report.html" hreflang="en" lang="en">English</a>' in page
    assert 'hreflang="fr" lang' not in page
    assert '<span lang="de">Deutsch</span> (report.de.pdf)' in lay_out(report).printed_page()
    assert "hreflang" not in lay_out(report_of(example_spec())).html()


def test_the_tags_of_a_pdf_say_its_languages(report: Report) -> None:
    """A screen reader would pronounce “Français” as English, and a French report too."""
    with pikepdf.open(io.BytesIO(lay_out(in_language(report, "fr")).pdf({}))) as pdf:
        assert pdf.Root.Lang == "fr"
        marked = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and "/Lang" in each]
        passages = [str(each.Lang) for each in marked if each.get("/Type") == "/StructElem"]
    assert passages == ["en", "de", "nl"]


def test_check_says_what_is_not_translated(tmp_path: Path) -> None:
    """Otherwise a publisher learns from a reader that half of a page is in another language."""
    some = ("disclosure:\n", "translations: {fr: {F: Femmes, M: Hommes}}\ndisclosure:\n")
    path = write_example(tmp_path, ("date: 2026-01-15\n", "date: 2026-01-15\n  languages: [en, fr]\n"), some)
    (told,) = [warning for warning in check(path).warnings if "translation" in warning]
    assert "no translation into fr" in told
    assert "“Credit card applications”" in told
    assert "Femmes" not in told


def test_an_address_needs_no_translation(tmp_path: Path) -> None:
    """A report that is translated whole would be warned of its e-mail address for ever."""
    contact = "date: 2026-01-15\n  languages: [en, fr]\n  contact: "
    told = {}
    for words in ("us@example.org", "https://example.org/us", "Write to us@example.org"):
        path = write_example(tmp_path, ("date: 2026-01-15\n", f"{contact}{words}\n"))
        (told[words],) = [warning.split()[2] for warning in check(path).warnings if "translation" in warning]
    assert told["us@example.org"] == told["https://example.org/us"]
    assert int(told["Write to us@example.org"]) == int(told["us@example.org"]) + 1


def _numbers(report: Report, code: str) -> Counter[str]:
    """The numbers in the text of a page."""
    page = lay_out(in_language(report, code)).html()
    return _numbers_in(_text_of(page), code, ("1.0.0", "100k-200k", "<100k", ">200k", "2026-01-15"))


def _text_of(page: str) -> str:
    shown = _Text()
    shown.feed(page)
    return " ".join(shown.texts)


def _numbers_in(text: str, code: str, own: Iterable[str]) -> Counter[str]:
    """The numbers in a text, by the signs of its language, as English writes them without thousands."""
    for words in own:  # a publisher's “0.8” is taken out where it stands alone, and not out of 0.8163
        text = re.sub(rf"(?<![\d.,]){re.escape(words)}(?![\d.,]?\d)", " ", text)
    signs = signs_of(code)
    group, decimal = map(re.escape, (signs.group, signs.decimal))
    number = re.compile(rf"\d{{1,3}}(?:{group}\d{{3}})+(?:{decimal}\d+)?(?!\d)|\d+(?:{decimal}\d+)?")
    return Counter(
        found.replace(signs.group, "").replace(signs.decimal, ".") for found in number.findall(text)
    )


class _Text(HTMLParser):
    """The texts of a page that readers see."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._skip = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._skip = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self._skip = False

    def handle_data(self, data: str) -> None:
        if not self._skip:
            self.texts.append(data)
