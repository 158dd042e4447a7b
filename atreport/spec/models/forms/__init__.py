"""The ``form`` section: one file a regulator's form, of the form's name in ``report.template``. This is the list of them.

A form is a model of what a regulator asks for beside the figures. What it asks of the rest of the spec, and which tables
it prints, is said in its own file too (see :class:`RegulatorForm`).
"""

from __future__ import annotations

from typing import Literal, get_args

from atreport.spec.models.forms.adverse_action import AdverseActionForm
from atreport.spec.models.forms.ai_act import AIActForm
from atreport.spec.models.forms.algoritmeregister import AlgoritmeregisterForm
from atreport.spec.models.forms.atrs import ATRSForm
from atreport.spec.models.forms.california import CaliforniaForm
from atreport.spec.models.forms.canada_adm import CanadaADMForm
from atreport.spec.models.forms.colorado import ColoradoForm
from atreport.spec.models.forms.eeoc import EEOCForm
from atreport.spec.models.forms.fields import WithheldField
from atreport.spec.models.forms.gdpr15 import GDPR15Form
from atreport.spec.models.forms.ll144 import LL144Form
from atreport.spec.models.forms.model_card import ModelCardForm
from atreport.spec.models.forms.regulator_form import RegulatorForm

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

__all__ = [
    "FORMS",
    "AIActForm",
    "ATRSForm",
    "AdverseActionForm",
    "AlgoritmeregisterForm",
    "CaliforniaForm",
    "CanadaADMForm",
    "ColoradoForm",
    "EEOCForm",
    "Form",
    "GDPR15Form",
    "LL144Form",
    "ModelCardForm",
    "RegulatorForm",
    "Template",
    "WithheldField",
]
