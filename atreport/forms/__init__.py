"""The ``form`` section: one file a regulator's form, of the form's name in ``report.template``. This is the list of them.

A form is a model of what a regulator asks for beside the figures. What it asks of the rest of the spec, and which tables
it prints, is said in its own file too (see :class:`RegulatorForm`).
"""

from typing import Literal, get_args

from atreport.forms.adverse_action import AdverseActionForm
from atreport.forms.ai_act import AIActForm
from atreport.forms.algoritmeregister import AlgoritmeregisterForm
from atreport.forms.atrs import ATRSForm
from atreport.forms.california import CaliforniaForm
from atreport.forms.canada_adm import CanadaADMForm
from atreport.forms.colorado import ColoradoForm
from atreport.forms.eeoc import EEOCForm
from atreport.forms.gdpr15 import GDPR15Form
from atreport.forms.ll144 import LL144Form
from atreport.forms.model_card import ModelCardForm

Template = Literal[
    "standard",
    "ll144",
    "eeoc",
    "atrs",
    "gdpr15",
    "algoritmeregister",
    "model_card",
    "canada_adm",
    "ai_act",
    "adverse_action",
    "colorado",
    "california",
]
"""What ``report.template`` may say."""

Form = (
    LL144Form
    | EEOCForm
    | ATRSForm
    | GDPR15Form
    | AlgoritmeregisterForm
    | ModelCardForm
    | CanadaADMForm
    | AIActForm
    | AdverseActionForm
    | ColoradoForm
    | CaliforniaForm
)

FORMS: dict[str, type[Form]] = {form.template: form for form in get_args(Form)}
"""The form that goes with each template but the standard one."""
