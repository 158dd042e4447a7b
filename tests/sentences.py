"""What is wrong with a generated sentence, whatever it is about: number and verb, doubled words, blanks, full stops.

Texts of a spec (labels, titles) can say anything; so the specs whose sentences are looked at have tame ones.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape

NOT_PLURAL = "is|was|has|does|its|this|plus|minus|less|class|as|us|yes|thus|always|perhaps|across|various|odds|progress|fairness"
"""Words that end in s and count nothing, or count one."""

WRONG: dict[str, re.Pattern[str]] = {
    "1 and a plural": re.compile(rf"(?<![\d.,/–-])\b1 (?:more |other |true |different |fairness |published |recorded )?(?!(?:{NOT_PLURAL})\b)[a-z]+s\b"),
    "1 and a plural verb": re.compile(r"(?<![\d.,/–-])\b1 [a-z]+ (?:are|were|have)\b"),
    "a plural noun of one": re.compile(r"\b(?:these|those|all|[Tt]he) 1\b"),
    "several and a singular": re.compile(r"(?<![\d.,/])\b(?:[2-9]|[1-9]\d+) (?:group|cell|person|record|comparison|value|release|finding|rate|percentage point|point)\b(?! of one)"),
    "several and a singular verb": re.compile(r"(?<![\d.,/])(?<!\b1 of )\b(?:[2-9]|[1-9]\d+) [a-z]+s (?:is|was|has)\b"),
    "two things and a singular verb": re.compile(r"(?:^|[.:;] )(?:Only )?[“`'][^“”`']+[”`'](?:, [“`'][^“”`']+[”`'])* and [“`'][^“”`']+[”`'] (?:is|was|has)\b"),
    "one thing and a plural verb": re.compile(r"(?:^|[.:;] )(?:Only )?[“`'][^“”`']+[”`'] (?:are|were|have)\b"),
    "for none it": re.compile(r"\bnone it\b"),
    "a colon before it": re.compile(r"probability[:,] it (?:differs|is|stays)\b"),
    "a doubled word": re.compile(r"\b([A-Za-z]+) \1\b"),
    "a doubled blank": re.compile(r"[^\s] {2,}[^\s]"),
    "a blank before a mark": re.compile(r"[^\s.…] [.,;:!?](?:\s|$)"),
    "two marks": re.compile(r"[,;:]\s*[.,;:]|[^.]\.\.(?:\s|$)"),
    "a value of the program": re.compile(r"(?<!^)(?<!\. )\bNone\b|\b(?:nan|NaN|inf|Decimal)\b|[{}]|\(\)"),
    "a and a vowel": re.compile(r"\b[Aa] (?:attribute|outcome|hour|unknown|interval|announced|observer|adversary|error|end)\b"),
}  # fmt: skip
"""Mistakes, by what they are; none occurs in any sentence, for none, one, two or many of anything."""


FRENCH = re.compile(r"\b(?:le|la|les|des|une|est|et)\b.*\b(?:le|la|les|des|une|est|et)\b")
"""Two small words that only a French sentence has: there a blank stands before a colon."""


def faults(sentence: str) -> list[str]:
    """Every mistake in a sentence, with what was found."""
    return [
        f"{what}: {match.group(0)!r} in {sentence!r}"
        for what, wrong in WRONG.items()
        if what != "a blank before a mark" or not FRENCH.search(sentence)
        for match in wrong.finditer(sentence)
    ]


def unended(paragraphs: Iterable[str]) -> list[str]:
    """Paragraphs that end without a full stop."""
    return [text for text in paragraphs if not re.search(r"[.!?:…][”’)]?$", text)]


_BLOCK = re.compile(r"<(?:p|li|caption|figcaption|dd|title|desc)\b[^>]*>(.*?)</(?:p|li|caption|figcaption|dd|title|desc)>", re.S)  # fmt: skip


def of_page(html: str) -> Iterator[str]:
    """The sentences of a page: its paragraphs, lists, captions and descriptions, without marks."""
    for block in _BLOCK.findall(re.sub(r"<(script|style)\b.*?</\1>", "", html, flags=re.S)):
        text = " ".join(unescape(re.sub(r"<[^>]+>", "", block)).split())
        if text:
            yield text


_LABEL = re.compile(
    r"^\s*(?:says|verdicts|privacy|fidelity|in the way|to know|lift|odds|rates|ceiling|exact|WARNING)? {2,}"
)


def of_terminal(output: str) -> Iterator[str]:
    """The paragraphs of a command's output, put together from their lines; lists of values are left out."""
    paragraph: list[str] = []
    for line in [*output.splitlines(), ""]:
        indent = len(line) - len(line.lstrip())
        listed = 4 <= indent < 14
        if (indent < 14 or line.strip().startswith("- ")) and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        if line.strip() and not listed:
            paragraph.append(_LABEL.sub("", line).strip())
