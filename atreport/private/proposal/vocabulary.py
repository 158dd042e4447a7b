"""What names of columns and texts in them suggest: the words that `init` knows, in one place.

A word suggests, it proves nothing: whatever follows from it is shown with its reason, and the author has the last word.
Patterns are matched against whole words of a name ("age" is a word of "age_cat" and of "ageGroup", not of "wage").
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Protected = Literal["sex", "race", "age", "disability"]

PROTECTED: dict[Protected, str] = {
    "sex": "sex|gender|male|female|man|woman|sexe|genre|sexo|sesso|geschlecht|geslacht",
    "race": "race|racial|ethnic|ethnicity|ethnicities|afam|black|white|hispan|hispanic|latino|asian|colou?r|minority|caste|"
    "rasse",
    "age": "age|ages|agecat|agegroup|agegrp|agerange|ageband|alter|edad|eta|leeftijd",
    "disability": "disab\\w*|handicap\\w*|impair\\w*|behinder\\w*",
}
"""Columns by which people are compared first, in this order."""

NEAR_PROTECTED = "nationality|national|citizen\\w*|foreign\\w*|migrant|marital\\w*|married|single|pregnan\\w*|familienstand"
"""Columns by which people are compared next: what a law may protect, and others can often see."""

KNOWN_TO_OTHERS = (
    "region|state|district|city|town|county|country|province|canton|department|dept|owner|selfemp\\w*|student|address|"
    "home|dependents|kids|children|job|occupation|profession"
)
"""Columns that others may know of a person."""

MUST_NOT_BE_INFERRED = (
    "income|incomes|inc|appinc|atotinc|cototinc|salary|wages?|earnings|einkommen|gehalt|revenu|ingresos|reddito",
    "health|diagnosis|diagnoses|illness|disease|medical|medication|religion|orientation|union",
    "debts?|arrears|bankrupt\\w*|delinq\\w*|derogatory|priors|convictions?|records|reports|chist|mhist|phist|pirat|hirat|lvrat",
    "balance|assets|savings|wealth|expenditure|expenses|benefits?|credit",
    "gpa|mcat",
)
"""Columns that people would not want to be inferred of them, the most usual first."""

DECISIONS = (
    "decisions?|decided|approv\\w*|admit\\w*|admission|accept\\w*|grant|granted|den(y|ied|ial)|reject\\w*|refus\\w*|declin\\w*|"
    "hired?|released|callback|shortlisted|awarded|offered|eligible|eligibility|outcome|passed|"
    "entscheidung|bewilligt|genehmigt|angenommen|abgelehnt|accord[ée]e?|aprobado|concedid[oa]|accolt[oa]|toegekend"
)
"""Names of columns that say how cases were decided."""

LIKELY_DECISIONS = (
    "result|survived|survival|default|defaulted|churn|attrition|recid|recidivism|reoffended|verdict|selected|"
    "ergebnis|fail(ed)?"
)
"""Names that often are those of an outcome."""

PERHAPS_DECISIONS = "status|card|call|class|label|target|action|loan|y|grade|response"
"""Names that sometimes are; in the last column some of them mostly are."""

USUAL_LAST = "class|label|target|y|outcome|response"
"""What the last column of a file for machine learning is called."""

GOOD_ENDS = (
    "approved|accepted|granted|admitted|hired|awarded|offered|eligible|pass(ed)?|good|released|success(ful)?|"
    "qualified|selected|survived|promoted|bewilligt|genehmigt|accord[ée]e?|bestanden"
)
BAD_ENDS = (
    "denied|rejected|refused|declined|fail(ed)?|bad|ineligible|not \\w+|un(successful|qualified)|not_\\w+|default(ed)?|died|"
    "detained|abgelehnt|refus[ée]e?"
)
"""What outcomes are called that people hope for, and those they fear."""

HOPED_FOR = (
    "approv\\w*|admit\\w*|admission|accept\\w*|grant|granted|hired?|released|callback|shortlisted|awarded|offered|eligible|"
    "eligibility|passed|survived|survival|promoted|bewilligt|genehmigt|angenommen|accord[ée]e?|aprobado|concedid[oa]|toegekend"
)
FEARED = (
    "den(y|ied|ial)|reject\\w*|refus\\w*|declin\\w*|default|defaulted|fail(ed)?|recid|recidivism|reoffended|"
    "evicted|dismissed"
)
"""Columns of yes and no: what a yes means for people."""

YES = frozenset(["yes", "y", "true", "t", "1", "1.0", "ja", "oui", "si", "sí"])
NO = frozenset(["no", "n", "false", "f", "0", "0.0", "nein", "non", "nee"])

NEGATED = "not?|non|un|without"

NAMES_OF_PEOPLE = (
    "name|names|first|last|firstname|lastname|forename|surname|fullname|middle|nachname|vorname|nom|prenom"
)
IDENTIFIERS = "id|ids|uid|uuid|guid|ssn|nino|rownames?|caseid|passport"
NUMBERS_OF_CASES = "index|number|nr|no|ref|reference|key|account|case"
BIRTH = "dob|birth\\w*|born|geburtsdatum|naissance"
CONTACTS = "emails?|e-?mail|phone|telephone|mobile|street|zip|zipcode|postcode|postal|plz|ip|url"
COUNTS = "freq|frequency|frequencies|counts?|n|cases|anzahl"


def words_of(name: str) -> list[str]:
    """The words of a column's name, in lower case: "ageCat", "age_cat" and "age cat" have the same ones."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return "".join(c if c.isalnum() else " " for c in parted).lower().split()


def names(pattern: str, name: str) -> bool:
    """Whether a name has a word that a pattern knows."""
    return any(re.fullmatch(pattern, word) for word in words_of(name))


def protected_as(name: str) -> Protected | None:
    """Which protected characteristic a name suggests."""
    return next((kind for kind, pattern in PROTECTED.items() if names(pattern, name)), None)


def is_yes_and_no(values: Sequence[str]) -> bool:
    """Whether a column's two texts are a yes and a no."""
    lower = {value.lower() for value in values}
    return len(values) == len(lower) == 2 and len(lower & YES) == 1 and len(lower & NO) == 1


def end_of(value: str) -> Literal["good", "bad"] | None:
    """Whether the text of an outcome says by itself that people hope for it or fear it."""
    text = " ".join(value.lower().replace("-", " ").split())
    if re.fullmatch(BAD_ENDS, text):
        return "bad"
    return "good" if re.fullmatch(GOOD_ENDS, text) else None


# Questions about a file of records: what init asks on a terminal, and otherwise answers where it is sure or
# leaves open.


@dataclass(frozen=True, kw_only=True)
class PossibleAnswer:
    """One possible answer, and why it may be the right one."""

    answer: str
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Question:
    """What only the author of a spec can say, what speaks for each answer, and which are taken for sure."""

    about: str  # the option of the command line that answers it: outcome, favourable, public, sensitive
    text: str
    choices: tuple[PossibleAnswer, ...]  # the likeliest first
    also: tuple[str, ...] = ()  # further answers that are allowed, but not shown
    likely: tuple[str, ...] = ()  # what a terminal offers as the default
    sure: bool = False  # whether the likely answer can be taken without asking
    several: bool = False  # whether more than one answer may be given


Ask = Callable[[Question], tuple[str, ...] | None]
"""Who answers: some of the choices, or None to leave the question open in the spec."""


def only_what_is_sure(question: Question) -> tuple[str, ...] | None:
    """The answers of one who does not want to be asked."""
    return question.likely if question.sure else None
