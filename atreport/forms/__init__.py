"""The ``form`` section: one file a regulator's form, of the form's name in ``report.template``. They are listed here.

A form is what a regulator asks for beside the figures. It is written down in a YAML file beside this one; those two whose
tables are special are modules.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from atreport.forms.eeoc import EEOCForm
from atreport.forms.fields import RegulatorForm
from atreport.forms.ll144 import LL144Form
from atreport.forms.written import form_model, names_of_files

_MODULES: dict[str, type[RegulatorForm]] = {"ll144": LL144Form, "eeoc": EEOCForm}
_FIRST = (
    "atrs", "gdpr15", "algoritmeregister", "model_card", "canada_adm", "ai_act", "adverse_action", "colorado", "california",
)  # fmt: skip
"""In the order in which they were added; what is added later follows by its name."""


class _Forms(Mapping[str, type[RegulatorForm]]):
    """Every form by its name. The model of one that is written down is made when it is asked for."""

    names = (*_MODULES, *_FIRST, *(name for name in names_of_files() if name not in _FIRST))

    def __getitem__(self, template: str) -> type[RegulatorForm]:
        if template not in self.names:
            raise KeyError(template)
        return _MODULES.get(template) or form_model(template)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


FORMS = _Forms()
"""The form that goes with each template but the standard one."""

if TYPE_CHECKING:
    Template = str
else:
    Template = Literal[("standard", *FORMS)]
"""What ``report.template`` may say."""


class _AnyForm:
    """A form of the list; its models are made when the model around it is."""

    def __get_pydantic_core_schema__(self, _source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(Union[tuple(FORMS.values())])  # noqa: UP007 as many as there are


Form = Annotated[RegulatorForm, _AnyForm()]
