"""Make the invented data of the gallery: ``python docs/gallery/make_data.py``. It always writes the same files.

No person stands behind any row. A function a case draws people and decides on them by an invented rule with some chance
in it; the spec of the same name says how the file is read.
"""

import csv
import io
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

DATA = Path(__file__).parent / "specs" / "data"

Chances = Mapping[str, float]


def _draw(random: Random, chances: Chances) -> str:
    return random.choices(list(chances), list(chances.values()))[0]


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return out.getvalue()


def _decided(heading: Sequence[str], favourable: str, cases: Iterable[tuple[tuple[str, ...], bool]]) -> str:
    """Cells of decided cases: how many there were, and the share that was decided favourably."""
    people: Counter[tuple[str, ...]] = Counter()
    favoured: Counter[tuple[str, ...]] = Counter()
    for cell, decision in cases:
        people[cell] += 1
        favoured[cell] += decision
    rows = [(*cell, people[cell], f"{favoured[cell] / people[cell]:.10f}") for cell in sorted(people)]
    return _csv([*heading, "population", favourable], rows)


def admissions() -> str:
    """9,400 applications to a university that says it does not look at who asks for a bursary."""
    random = Random(1)
    cases = []
    for _ in range(9400):
        gender = _draw(random, {"women": 0.56, "men": 0.44})
        school = _draw(random, {"in the province": 0.58, "elsewhere in Canada": 0.24, "abroad": 0.18})
        bursary = _draw(random, {"asked for": 0.42 if school != "abroad" else 0.3, "not asked for": 0.6})
        top = 0.3 + (0.06 if gender == "women" else 0) + (0.05 if school == "abroad" else 0)
        grades = _draw(random, {"under 80": 0.6 - top, "80 to 89": 0.4, "90 and over": top})
        chance = {"under 80": 0.18, "80 to 89": 0.47, "90 and over": 0.81}[grades]
        chance += 0.04 if school == "in the province" else -0.03
        cases.append(((gender, school, bursary, grades), random.random() < chance))
    return _decided(("gender", "school", "bursary", "grades"), "admitted", cases)


SCORECARD: dict[str, dict[str, int]] = {
    "age": {"18 to 29": 0, "30 to 49": 1, "50 and over": 1},
    "residence": {"city": 0, "country": 0},
    "income": {"under 2,000": 0, "2,000 to 3,999": 3, "4,000 and over": 5},
    "employment": {"permanent": 3, "other": 0},
    "home": {"owned": 1, "rented": 0},
    "loans": {"none": 1, "one or more": 0},
    "customer": {"five years or more": 1, "under five years": 0},
    "amount": {"up to 10,000": 1, "over 10,000": 0},
    "term": {"up to three years": 0, "over three years": 0},
    "record": {"no late payment": 4, "late payments": 0},
}
"""The points that the invented bank gives for each answer."""


def credit_ten() -> str:
    """46,000 applications for a loan by ten attributes: who they are, and how often the scorecard lets them pass."""
    random = Random(10)
    people: Counter[tuple[str, ...]] = Counter()
    for _ in range(46_000):
        age = _draw(random, {"18 to 29": 0.3, "30 to 49": 0.45, "50 and over": 0.25})
        young = age == "18 to 29"
        income = _draw(
            random, {"under 2,000": 0.45 if young else 0.25, "2,000 to 3,999": 0.45, "4,000 and over": 0.2}
        )
        rich = income == "4,000 and over"
        person = {
            "age": age,
            "residence": _draw(random, {"city": 0.6, "country": 0.4}),
            "income": income,
            "employment": "permanent"
            if rich or not young
            else _draw(random, {"permanent": 0.6, "other": 0.4}),
            "home": "rented" if young or not rich else _draw(random, {"owned": 0.7, "rented": 0.3}),
            "loans": "none" if young else _draw(random, {"none": 0.55, "one or more": 0.45}),
            "customer": "under five years"
            if young
            else _draw(random, {"five years or more": 0.6, "under five years": 0.4}),
            "amount": _draw(random, {"up to 10,000": 0.65, "over 10,000": 0.35}),
        }
        large = person["amount"] == "over 10,000"
        person["term"] = (
            "over three years"
            if large
            else _draw(random, {"up to three years": 0.7, "over three years": 0.3})
        )
        person["record"] = _draw(random, {"no late payment": 0.86, "late payments": 0.14})
        people[tuple(person[name] for name in SCORECARD)] += 1
    rows = []
    for cell, number in sorted(people.items()):
        if number < 10:  # the bank lets a clerk decide alone, and leaves them out of the report
            continue
        points = sum(SCORECARD[name][value] for name, value in zip(SCORECARD, cell, strict=True))
        approved = 0 if points < 8 else 1 if points > 11 else (points - 7) / 5  # in between a clerk decides
        rows.append((*cell, number, f"{approved:g}"))
    return _csv([*SCORECARD, "population", "approved"], rows)


def dosing() -> str:
    """2,600 patients who began to take an anticoagulant, and the dose that the clinic's calculator proposed."""
    random = Random(9)
    need: dict[str, dict[str, float]] = {
        "age": {"under 60": 0.5, "60 to 74": 0.0, "75 and over": -0.6},
        "weight": {"under 75 kg": -0.4, "75 kg and over": 0.4},
        "genotype": {"GG": 0.8, "AG": 0.0, "AA": -1.0},
    }
    people: Counter[tuple[str, ...]] = Counter()
    for _ in range(2600):
        sex = _draw(random, {"women": 0.47, "men": 0.53})
        age = _draw(random, {"under 60": 0.27, "60 to 74": 0.42, "75 and over": 0.31})
        light = 0.62 if sex == "women" else 0.31
        weight = _draw(random, {"under 75 kg": light, "75 kg and over": 1 - light})
        people[sex, age, weight, _draw(random, {"GG": 0.38, "AG": 0.46, "AA": 0.16})] += 1
    rows = []
    for cell, number in sorted(people.items()):
        wanted = sum(need[name][value] for name, value in zip(need, cell[1:], strict=True))
        reduced, increased = _logistic(-2.2 - 2 * wanted), _logistic(-2.2 + 2 * wanted)
        standard = 1 - round(reduced, 3) - round(increased, 3)
        rows.append((*cell, number, f"{reduced:.3f}", f"{standard:.3f}", f"{increased:.3f}"))
    return _csv(("sex", *need, "population", "reduced", "standard", "increased"), rows)


def _logistic(number: float) -> float:
    return 1 / (1 + math.exp(-number))


def benefits_uk() -> str:
    """11,300 claims for help with the rent: paid at once, or first looked at by an officer."""
    random = Random(4)
    cases = []
    for _ in range(11_300):
        area = _draw(random, {"harbour": 0.38, "hill": 0.34, "villages": 0.28})
        household = _draw(random, {"one adult": 0.44, "several adults": 0.2, "with children": 0.36})
        disability = _draw(random, {"declared": 0.27, "not declared": 0.73})
        deep = 0.2 if area == "harbour" else 0.13
        arrears = _draw(random, {"none": 0.55, "up to two months": 0.45 - deep, "over two months": deep})
        chance = {"none": 0.82, "up to two months": 0.6, "over two months": 0.31}[arrears]
        chance += (0.05 if household == "with children" else 0) - (0.03 if disability == "declared" else 0)
        cases.append(((area, household, disability, arrears), random.random() < chance))
    return _decided(("area", "household", "disability", "arrears"), "paid at once", cases)


def benefits_nl() -> str:
    """6,800 applications for special assistance in a Dutch city, by debts and country of birth."""
    random = Random(31)
    cases = []
    for _ in range(6800):
        district = _draw(random, {"Centrum": 0.4, "Havenkwartier": 0.35, "Zuid": 0.25})
        age = _draw(random, {"18 tot 35": 0.31, "35 tot 65": 0.47, "65 en ouder": 0.22})
        abroad = 0.36 if district == "Havenkwartier" else 0.21
        born = _draw(random, {"Nederland": 1 - abroad, "ander land": abroad})
        debts = _draw(random, {"geen": 0.57, "in schuldhulp": 0.2, "zonder hulp": 0.23})
        chance = {"geen": 0.74, "in schuldhulp": 0.63, "zonder hulp": 0.38}[debts]
        chance += (0.06 if age == "65 en ouder" else 0) - (0.01 if born == "ander land" else 0)
        cases.append(((district, age, born, debts), random.random() < chance))
    return _decided(("wijk", "leeftijd", "geboren", "schulden"), "meteen toegekend", cases)


def advertising() -> str:
    """240,000 people of working age on a network, and whether they were shown an advert for a leading position."""
    random = Random(26)
    cases = []
    for _ in range(240_000):
        gender = _draw(random, {"women": 0.45, "men": 0.46, "rather not say": 0.09})
        age = _draw(random, {"18 to 29": 0.36, "30 to 44": 0.37, "45 and over": 0.27})
        small, older = {"18 to 29": (0.12, 0.02), "30 to 44": (0.36, 0.28), "45 and over": (0.04, 0.6)}[age]
        children = _draw(random, {"none": 1 - small - older, "small or expected": small, "older": older})
        chance = {"women": 0.19, "men": 0.27, "rather not say": 0.23}[gender]
        chance += 0.05 if age == "30 to 44" else 0
        chance -= 0.07 if children == "small or expected" and gender != "men" else 0
        cases.append(((gender, age, children), random.random() < chance))
    return _decided(("gender", "age", "children"), "shown", cases)


def justice() -> str:
    """4,300 people who were accused, whether they waited for the trial at home, and whether they were arrested again."""
    random = Random(2016)
    rows = []
    for _ in range(4300):
        race = _draw(random, {"Black": 0.44, "Hispanic": 0.19, "White": 0.37})
        age = _draw(random, {"under 25": 0.28, "25 and over": 0.72})
        many = 0.24 if race == "Black" else 0.16
        convictions = _draw(random, {"0": 0.48, "2": 0.52 - many, "5": many})
        risk = {"0": 0.22, "2": 0.4, "5": 0.58}[convictions] + (0.1 if age == "under 25" else 0)
        again = random.random() < risk
        chance = {"0": 0.82, "2": 0.55, "5": 0.27}[convictions] - (0.07 if age == "under 25" else 0)
        chance += (0.05 if not again else -0.05) - (0.15 if race == "Black" else 0)
        released = "released" if random.random() < chance else "kept in custody"
        followed_up = random.random() > 0.012
        number = {"0": 0, "2": random.choice([1, 1, 2]), "5": random.choice([3, 3, 4, 5, 7, 9])}[convictions]
        known = race if random.random() > 0.03 else ""
        rows.append((known, age, number, ("yes" if again else "no") if followed_up else "", released))
    return _csv(("race", "age", "convictions", "rearrested", "decision"), rows)


CASES: tuple[Callable[[], str], ...] = (
    admissions, credit_ten, dosing, benefits_uk, benefits_nl, advertising, justice,
)  # fmt: skip


def main() -> None:
    """Write the file of every case."""
    DATA.mkdir(parents=True, exist_ok=True)
    for make in CASES:
        (DATA / f"{make.__name__}.csv").write_text(make(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
