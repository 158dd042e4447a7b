"""Forms that are written down: a YAML file a form, named as in ``report.template``, and the models made of them.

A file has each field of its form once: what the spec calls it, how readers meet it, which rule asks for it, what it takes.
The model that reads it, its JSON, the schema, what ``check`` asks and warns of, the page and the letter follow from that.
What a file may say is :class:`FormData`, :class:`FieldData` and what they are made of; an unknown word in it is an error.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import yaml
from pydantic import AfterValidator, Discriminator, Field, Tag, create_model, model_validator
from pydantic.fields import FieldInfo

from atreport.errors import SpecProblem
from atreport.forms.fields import (
    Bilingual,
    Contact,
    FormSection,
    Month,
    RegulatorForm,
    Stated,
    StatedDate,
    Under,
    WebAddress,
    check_groups_compared,
)
from atreport.spec.process import Process, unknown_attribute
from atreport.spec.values import Code, Key, Line, Text
from atreport.spec.yaml import Document, listed_twice, missing_key

FOLDER = Path(__file__).parent

KINDS: Mapping[str, Any] = {
    "text": Stated,
    "date": StatedDate,
    "line": Line,
    "code": Code,
    "web": WebAddress,
    "contact": Contact,
    "month": Month,
    "bilingual": Bilingual,
    "texts of attributes": Annotated[dict[Key, Text], Field(min_length=1)],
}
"""What a field may take. Texts and dates may be withheld."""

ON_THE_PAGE = "on the page"
"""The kind of a field that the page has and the spec has not: the program fills it in."""

SAID = frozenset(
    {"label", "in_letter", "point", "title", "subtitle", "law", "opening", "notice", "figures", "files", "called"}
)  # fmt: skip
"""The words of a file whose texts readers meet: they are messages, to be said, and `tools/messages.py` looks for them."""


class FieldData(FormSection):
    """What a file says of one field, or of a section: a field with fields of its own."""

    kind: str = "text"
    label: str = ""  # how readers meet it
    in_letter: str = ""  # how readers of a letter do, where that is another way
    name: str = ""  # what the standard calls it, in the standard's language
    number: str = ""  # of a section: what the standard's numbers of its fields begin with
    point: str = ""  # the point of the law that asks for it, for readers
    rule: str | bool = False  # the rule that asks for it: withholding it is warned of; true: the point
    help: str | None = None  # for authors
    about: str = ""  # of a section, for authors: what stands in it
    required: bool | str = True  # "in specs": reports of earlier versions do not have it
    default: Any = None
    withheld: bool = True  # a text: whether it may be withheld
    under: int | None = None  # so many characters
    choice: tuple[str, ...] = ()  # nothing else
    many: bool = False  # a list
    or_one: bool = False  # or one without a list
    least: int | None = None  # so many entries
    asked_where: Mapping[str, str] = {}  # other fields, and what they look like then
    only_where: Mapping[str, str] = {}  # other fields, and what they must be
    otherwise: str = ""  # what is wrong where they are not
    not_before: str = ""  # another field
    shown_empty: bool = False  # on the page
    is_heading: bool = False  # over its fields on the page, and no section of the spec
    fields: Mapping[str, Self] = {}

    @model_validator(mode="before")
    @classmethod
    def _hand_down(cls, given: Any) -> Any:
        """What a section says of kind and rule holds for its fields too, unless they say otherwise."""
        given = given or {}
        common = {word: given[word] for word in ("kind", "rule") if word in given}
        fields = {key: common | (each or {}) for key, each in given.get("fields", {}).items()}
        return {**given, "fields": fields}


class DocumentData(FormSection):
    """The document that is published in place of the standard report, where there is nothing special about it."""

    subtitle: str
    notice: str  # what the form is for, before what its figures are
    figures: str = ""  # the title over the figures of groups
    is_certain: bool = False  # whether it is said that intervals are no confidence intervals
    files: Mapping[str, str] = {}  # the same for programs, and what each of them is
    file_begins: Mapping[str, str] = {}


class LetterSection(FormSection):
    """A section of a letter: words of the form, or what is made from the report under the section's name."""

    title: str = ""
    fields: tuple[str, ...] = ()


class LetterData(FormSection):
    """The letter to one person for which the form has the words."""

    kind: str  # in ``atreport letter --as``
    title: str
    subtitle: str
    law: str
    opening: str
    sender: str  # the field that names it
    words: str = ""  # the section of the form with the words, where it has more than those
    tells_outcome: bool = (
        False  # whether the decision is told, where it is given; if not, the form's words do
    )
    sections: Mapping[str, LetterSection | None]


class FormData(FormSection):
    """What a file says of its form. Without a document the standard report is published, with the form's texts in it."""

    called: str  # in a register of reports
    about: str
    cited: str = "{rule}"  # how a rule of a field is cited
    language: str = "en"  # of the standard's names
    needs_groups: bool = False  # whether a measure must compare some
    document: DocumentData | None = None
    letter: LetterData | None = None
    fields: Mapping[str, FieldData]


def flat(fields: Mapping[str, FieldData]) -> Iterator[tuple[str, FieldData]]:
    """The keys that the spec has, in their order, whatever headings stand over them on the page."""
    for key, each in fields.items():
        if each.is_heading:
            yield from flat(each.fields)
        elif each.kind != ON_THE_PAGE:
            yield key, each


def every_field(
    fields: Mapping[str, FieldData], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], FieldData]]:
    """Every field with its path, those of sections too, but for sections that are lists."""
    for key, each in flat(fields):
        yield (*path, key), each
        if not each.many:
            yield from every_field(each.fields, (*path, key))


class WrittenSection(FormSection):
    """A section whose fields stand in a file."""

    template: ClassVar[str]
    asks: ClassVar[Mapping[str, FieldData]]

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes the model of the same file again."""
        return _restored, (self.template, type(self).__name__, self.__getstate__())


_MODELS: dict[str, type[WrittenSection]] = {}
"""Every model that was made, by its name."""


def _restored(template: str, name: str, state: dict[str, Any]) -> WrittenSection:
    form_model(template)
    model = _MODELS[name]
    section = model.__new__(model)
    section.__setstate__(state)
    return section


class WrittenForm(WrittenSection, RegulatorForm):
    """A form whose fields stand in a file."""

    written: ClassVar[FormData]

    def find_problems(self, document: Document, process: Process | None) -> Iterator[SpecProblem]:
        """Groups are compared where they must be, and each field is as its file wants it beside the others."""
        if self.written.needs_groups:
            yield from check_groups_compared(document)
        for path, each in every_field(self.written.fields):
            yield from self._find_problems_at(path, each, document, process)

    def _find_problems_at(
        self, path: tuple[str, ...], each: FieldData, document: Document, process: Process | None
    ) -> Iterator[SpecProblem]:
        value, place = self.field_at(".".join(path)), ("form", *path)
        if value is None:
            asked = (
                re.fullmatch(pattern, str(self.field_at(other)), re.DOTALL)
                for other, pattern in each.asked_where.items()
            )
            if each.asked_where and all(asked):
                yield missing_key(document, place[:-1], path[-1])
            return
        if each.choice and each.many:
            yield from listed_twice(document, place, value)
        if each.kind == "texts of attributes" and process is not None:
            for name in value:
                yield from unknown_attribute(document, process, name, (*place, name))
        for other, wanted in each.only_where.items():
            if (found := self.field_at(other)) != wanted:
                hint = f"remove '{path[-1]}', or write '{other}: {wanted}'"
                yield document.problem(place, each.otherwise.format_map({other: found}), hint)
        first = self.field_at(each.not_before) if each.not_before else None
        if first is not None and value < first:
            yield document.problem(place, f"{value} is before {first}")


def names_of_files() -> list[str]:
    """The forms that are written down, by the names of their files."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def form_texts(text: str) -> Iterator[str]:
    """The messages of a file: the texts under its words that are said."""

    def found(part: Any, *, said: bool = False) -> Iterator[str]:
        if isinstance(part, dict):
            for word, inner in part.items():
                yield from found(inner, said=word in SAID or (said and "." in word))
        elif said and isinstance(part, str):
            yield part

    return found(_parsed(text))


def _parsed(text: str) -> dict[str, Any]:
    given: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return given


@cache
def form_data(template: str) -> FormData:
    """What the file of a form says."""
    return FormData.model_validate(_parsed((FOLDER / f"{template}.yaml").read_text(encoding="utf-8")))


@cache
def form_model(template: str) -> type[WrittenForm]:
    """The form of a file. Made when it is needed, since most reports have no form."""
    data = form_data(template)
    model: Any = _model(template, ("form",), data.about, data, data.fields)
    model.written = data
    model.called = data.called
    model.stands_in_the_report = data.document is None
    model.asked_since = tuple(key for key, each in flat(data.fields) if each.required == "in specs")
    model.required_by = dict(_rules(data))
    return model  # type: ignore[no-any-return]  # made of WrittenForm


def _model(
    template: str, path: tuple[str, ...], about: str, data: FormData, fields: Mapping[str, FieldData]
) -> type[WrittenSection]:
    """The model of a form, or of a section of it."""
    name = "".join(word.capitalize() for part in (template, *path) for word in part.split("_"))
    base = WrittenForm if path == ("form",) else WrittenSection
    inner = () if path == ("form",) else path
    definitions = {key: _definition(template, (*inner, key), data, each) for key, each in flat(fields)}
    model: Any = create_model  # with a base whose fields stand in a file, and which mypy cannot know
    model = model(name, __base__=base, __doc__=about, __module__=__name__, **definitions)
    model.template, model.asks = template, dict(flat(fields))
    _MODELS[name] = model
    return _MODELS[name]


def _definition(
    template: str, path: tuple[str, ...], data: FormData, each: FieldData
) -> tuple[Any, FieldInfo]:
    """The type of a field, and what it is without a value."""
    one: Any = KINDS[each.kind]
    if each.fields:
        one = _model(template, path, each.about or f"{each.name}.", data, each.fields)
    elif each.choice:
        one = Literal[each.choice]
    elif each.kind == "text" and not each.withheld:
        one = Text
    if each.under is not None:
        one = Annotated[one, AfterValidator(Under(each.under, data.language))]
    default: Any = ... if each.required is True else None
    if each.default is not None:
        default = one() if each.default == {} else () if each.default == [] else each.default
    limits: dict[str, Any] = {} if each.least is None else {"min_length": each.least}
    several = tuple[one, ...]
    if each.or_one:
        of_several = Annotated[several, Field(**limits), Tag("several")]
        one, limits = Annotated[Annotated[one, Tag("one")] | of_several, Discriminator(_one_or_several)], {}
    elif each.many:
        one = several
    if default is None:
        one = one | None
    found: FieldInfo = Field(default, description=each.help, **limits)
    return one, found


def _one_or_several(value: object) -> str:
    return "several" if isinstance(value, list | tuple) else "one"


def _rules(data: FormData) -> Iterator[tuple[str, str]]:
    """The rule that asks for a field, by its path."""
    for path, each in every_field(data.fields):
        if each.rule and not each.fields:
            rule = each.point if each.rule is True else each.rule
            parts = [(*path, part) for part in Bilingual.model_fields] if each.kind == "bilingual" else [path]
            yield from ((".".join(part), data.cited.format(rule=rule)) for part in parts)
