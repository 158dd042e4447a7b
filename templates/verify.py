"""Check a published algorithmic transparency report with nothing but Python (3.10 or newer) and this file.

    python3 verify.py [FOLDER or report.json]

It recalculates the figures of report.json from the published rule and population, in exact arithmetic, and compares the
other files of the folder with it. It shares no code with the program that made the report.
Exit code 0: everything checked holds. 1: something does not, and it is named. 2: there was nothing to check.
"""

import csv
import hashlib
import json
import math
import re
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

getcontext().prec = 50
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?")
MEASURES = "measure,group_a,group_b,given,value,interval_low,interval_high,a_priori,threshold,verdict,outcome,sampling_low,sampling_high,sampling_level"
PAGE_DATA = re.compile(r'<script type="application/json" id="report-data">(.*?)</script>', re.DOTALL)


class Report:
    """The figures of a report.json, what they are calculated from, and the findings so far."""

    def __init__(self, doc):
        self.doc, self.policy, self.cells = doc, doc["policy"], doc["cells"]
        self.findings, self.unchecked, self.weights, self.slack = [], [], None, Fraction(0)
        self.decimals, self.scale = self.policy["decimals"], 10 ** self.policy["decimals"]
        self.step, self.alpha = Decimal(1).scaleb(-self.decimals), self.policy["fidelity"].get("alpha")
        outcome = doc["process"]["outcome"]
        self.outcomes, self.favourable = outcome["values"], outcome["favourable"]
        self.attributes = {a["name"]: a for a in doc["process"]["attributes"]}
        self.places = {n: {v: i for i, v in enumerate(a["values"])} for n, a in self.attributes.items()}
        self.log_bound = self.alpha and (-2 * Decimal(self.alpha).ln()).quantize(self.step, ROUND_CEILING)
        self.move = 1 - Fraction(self.policy["fidelity"].get("delta", 1))
        self.ratio = Fraction(self.alpha or 1)
        whole = math.lcm(self.scale, self.move.denominator, 10 ** self.policy.get("bound_decimals", 0))
        self.unit = whole * self.ratio.numerator * self.ratio.denominator  # probabilities are whole in it
        self.announced = {o: [int(c["announced"][o] * self.unit) for c in self.cells] for o in self.outcomes}
        bands = [self.band(i, cell) for i, cell in enumerate(self.cells)]
        self.lower, self.upper = ({o: [band[o][k] for band in bands] for o in self.outcomes} for k in (0, 1))
        self.exact = self.policy["small_cells"]["policy"] not in ("round", "suppress")
        published, guards = self.policy["population"], [cell.get("guarded", {}) for cell in self.cells]
        if published == "withheld" or (published == "shares" and not self.exact):
            self.unchecked.append("confidence, rates and measures: the number of people is not published")
        elif published == "counts":
            self.weights = [c.get("population") or g["counted_as"] for c, g in zip(self.cells, guards)]
            if not self.exact:
                self.unchecked.append("how far open numbers widen intervals; `atreport verify` checks it")
        else:
            self.weights = [int(cell["share"] * 10 ** self.policy["share_decimals"]) for cell in self.cells]
            # A share is off by half a step, a factor within 1 ± e; a rate or confidence, a weighted mean, by at most 2e; a
            # comparison of two by 4e; twice that allows for products of e. So much a figure may be off, to the safe side.
            self.slack = Fraction(8 * self.scale, 2 * min(self.weights) - 1)  # in printed steps
        between = [g.get("people", (w, w)) for g, w in zip(guards, self.weights or ())]
        self.fewest, self.most = ([ends[k] for ends in between] for k in (0, 1))

    def band(self, i, cell):
        """Where the true probability of each outcome can lie in a cell, given the stated fidelity."""
        ends, one = {}, self.unit
        if "bounds" in self.policy["fidelity"]:
            low, high = (int(bound * one) for bound in cell["bounds"])
            rest = (one - high if len(self.outcomes) == 2 else 0, one - low)
            return {o: (low, high) if o == self.favourable else rest for o in self.outcomes}
        up, down, move = self.ratio.denominator, self.ratio.numerator, int(self.move * one)
        for o in self.outcomes:
            a = self.announced[o][i]
            ends[o] = (max(0, a * down // up - move), min(one, a * up // down + move))
        least, most = (sum(e[k] for e in ends.values()) for k in (0, 1))
        for o, (low, high) in ends.items():
            ends[o] = (max(low, one - most + high), min(high, one - least + low))
        return ends

    def check(self):
        for part in ("rule", "groups", "privacy", "fairness", "notes"):
            getattr(self, f"check_{part}")()

    def expect(self, holds, finding):
        self.findings += [] if holds else [finding]
        return holds

    def up(self, number):
        return Decimal(math.ceil(number * self.scale)).scaleb(-self.decimals)

    def fits(self, printed, exact, to, wider=0):
        """Whether a figure is printed as recalculated, or off to the safe side by what the shares' rounding allows."""
        steps, exact, t = printed * self.scale, exact * self.scale, self.slack
        a, b = {math.floor: (t + wider, 0), math.ceil: (0, t + wider), round: (t, t)}[to]
        return steps == to(exact) or (steps == int(steps) and to(exact - a) <= steps <= to(exact + b))

    def expect_interval(self, where, figure, exact):
        """A figure with its interval is (value, low, high) as recalculated; the interval wider if counts are not exact."""
        printed = [figure["value"], *figure["interval"]]
        wider = 0 if self.exact else 10 * self.scale
        if not all(map(self.fits, printed, exact, (round, math.floor, math.ceil), [wider] * 3)):
            again = ", ".join(f"{float(number):.{self.decimals + 2}f}" for number in exact)
            self.findings.append(f"{where}: {', '.join(map(str, printed))} is stated; recalculated {again}")

    def check_rule(self):
        """Every cell is announced once, with probabilities of the printed decimals that make one."""
        seen = set()
        for i, cell in enumerate(self.cells):
            key = tuple(cell.get(name) for name in self.attributes)
            known = all(cell.get(name) in self.places[name] for name in self.attributes) and key not in seen
            seen.add(key)
            steps = [cell["announced"][o] * self.scale for o in self.outcomes]
            whole = all(s >= 0 and s == int(s) for s in steps) and sum(steps) == self.scale
            low, a, high = (of[self.favourable][i] for of in (self.lower, self.announced, self.upper))
            right = known and whole and low <= a <= high and len(cell["announced"]) == len(steps)
            self.expect(right, f"cell {key}: listed twice, unknown, not making one, or outside its bounds")
        if self.slack:
            whole = 10 ** self.policy["share_decimals"]
            right = all(c["share"] * whole == w > 0 for c, w in zip(self.cells, self.weights))
            right = right and abs(sum(self.weights) - whole) <= len(self.cells)
            self.expect(right, "the shares have too many digits, or do not add up to one")

    def check_groups(self):
        """The confidence in each group, before and after the report, and the most that the report adds."""
        public = [name for name, a in self.attributes.items() if a["role"] == "public"]
        groups, stated = self.strata(public), self.doc["privacy"]["groups"]
        names = [tuple(map(group["qid"].get, public)) for group in stated]
        same = self.expect(names == list(groups), "privacy: the groups are not those of the cells")
        if not same or self.weights is None:
            return
        everybody, added = {"": [1] * len(self.cells)}, []
        for (key, members), group in zip(groups.items(), stated):
            where = f"group {', '.join(key) or 'everybody'}"
            beta, prior = (self.confidence(members, of) for of in (self.announced, everybody))
            least = self.confidence(members, everybody, up=False)
            for name, exact in (("beta", beta), ("prior", prior)):
                finding = f"{where}: {name} {group[name]} is stated; recalculated {self.up(exact)}"
                self.expect(self.fits(group[name], exact, math.ceil), finding)
            self.expect(group["cells"] == len(members), f"{where}: has {len(members)} cells")
            floors = [math.floor(least * self.scale - move) for move in (0, self.slack)]
            added.append([Fraction(group["beta"]) * self.scale - floor for floor in floors])
        least, most = (max(each[k] for each in added) for k in (0, 1))
        contribution = self.doc["privacy"]["contribution"]
        right = least <= Fraction(contribution) * self.scale <= most
        self.expect(right, f"privacy: contribution {contribution} is not the most that the report adds")

    def confidence(self, members, probabilities, up=True):
        """The largest confidence in a sensitive value, with as many who have it and as few others as there can be."""
        largest, (own, other) = Fraction(0), (self.most, self.fewest) if up else (self.fewest, self.most)
        for name in (name for name, a in self.attributes.items() if a["role"] == "sensitive"):
            for of_outcome in probabilities.values():
                parts, rest = {}, {}
                for i in members:
                    value = self.cells[i][name]
                    parts[value] = parts.get(value, 0) + own[i] * of_outcome[i]
                    rest[value] = rest.get(value, 0) + other[i] * of_outcome[i]
                total = sum(rest.values())
                largest = max([largest, *(Fraction(n, total - rest[v] + n) for v, n in parts.items() if n)])
        return largest

    def check_privacy(self):
        """The report's own confidence is the highest of its groups, and keeps the publisher's ceiling."""
        privacy, ceiling = self.doc["privacy"], self.policy["privacy"] or {}
        beta, gamma = privacy["beta"], privacy["gamma"]
        highest = max(group["beta"] for group in privacy["groups"])
        self.expect(beta == highest, f"privacy: beta {beta} is not the highest of the groups, {highest}")
        exact = abs(-Decimal(beta).ln()).quantize(self.step, ROUND_FLOOR) if beta else 0
        self.expect(gamma == exact, f"privacy: gamma {gamma} is not -log(beta) rounded down, {exact}")
        kept = beta <= ceiling.get("beta", 1) and gamma >= ceiling.get("gamma", 0)
        self.expect(kept, "privacy: the confidence is above the publisher's own ceiling")

    def strata(self, names):
        """Cells that are alike in some attributes, in the order of the values."""
        found, order = {}, [self.places[name] for name in names]
        for i, cell in enumerate(self.cells):
            found.setdefault(tuple(cell[name] for name in names), []).append(i)
        return dict(sorted(found.items(), key=lambda item: [place[v] for place, v in zip(order, item[0])]))

    def groups(self, groups):
        """Name and cells of each group of a measure, in the order of the report."""
        if not isinstance(groups, dict):
            names = [groups] if isinstance(groups, str) else groups
            keys = self.strata(names) if names is groups else {(v,): () for v in self.places[groups]}
            unknown = {self.attributes[name].get("unknown") for name in names}
            groups = {" · ".join(key): dict(zip(names, zip(key))) for key in keys if not unknown & {*key}}
        found = {}
        for name, where in groups.items():
            found[name] = {i for i, c in enumerate(self.cells) if all(c[a] in v for a, v in where.items())}
        return found

    def expected_measures(self):
        """What the entries of `fairness` must be, in order: what was asked, groups, stratum, members."""
        for asked in self.doc["measures"]:
            if asked["measure"] == "individual":
                yield asked, None, None, {}
                continue
            given, groups = asked.get("given", []), self.groups(asked["groups"])
            for key, stratum in self.strata(given).items():
                inside = {name: members.intersection(stratum) for name, members in groups.items()}
                present = {name: sorted(members) for name, members in inside.items() if members}
                where = dict(zip(given, key)) or None
                named = {"group_disparity": 0, "impact_ratio": 1}.get(asked["measure"], 2)
                for names in combinations(present, named) if len(present) > 1 else ():
                    members = {name: present[name] for name in names} if named == 2 else present
                    yield asked, [*names], where, members

    def check_fairness(self):
        """Every measure that was asked for is there, in order, with the right figures, interval, bound and verdict."""
        stated, expected = self.doc["fairness"], list(self.expected_measures())
        if not self.expect(len(stated) == len(expected), f"fairness: {len(expected)} entries are expected"):
            return
        for place, (entry, (asked, names, given, members)) in enumerate(zip(stated, expected), 1):
            where, at_least = f"fairness {place}, {asked['measure']}", "p" in asked
            threshold = asked.get("p", asked.get("threshold"))
            what = [asked["measure"], given, asked.get("title"), threshold]
            same = what == [entry[key] for key in ("measure", "given", "title", "threshold")]
            same = same and (names is None or entry["groups"][: len(names)] == names)
            if not self.expect(same, f"{where}: not the comparison that was asked for"):
                continue
            right = entry["verdict"] == verdict(entry["interval"], threshold, at_least)
            self.expect(right, f"{where}: the verdict does not follow from the interval and the threshold")
            bound = self.bound(asked) if self.exact or asked["measure"] == "individual" else None
            self.expect(entry["a_priori"] == bound, f"{where}: a_priori is {bound}, not {entry['a_priori']}")
            if asked["measure"] == "individual":
                self.unchecked.append(f"{where}, over all pairs of cells; `atreport verify` checks it")
            elif self.weights is not None:
                self.check_group_measure(where, asked, entry, members)

    def bound(self, asked):
        """How far the measure can be from its true value at this fidelity, whatever the figures."""
        if factors := {"p_percent_rule": 2, "impact_ratio": 2, "odds_ratio": 4}.get(asked["measure"]):
            return self.up(1 - self.ratio**factors if self.alpha else 1)
        if asked.get("metric") == "relative":
            return self.log_bound
        if "bounds" in self.policy["fidelity"]:
            low, high = self.lower[self.favourable], self.upper[self.favourable]
            move = Fraction(max(b - a for a, b in zip(low, high)), self.unit)
        else:
            move = (1 - self.ratio) / (1 + self.ratio) + self.move
        return self.up(min(Fraction(1), 2 * move))

    def check_group_measure(self, where, asked, entry, members):
        """A comparison of groups, and the rates it is made from."""
        several = asked.get("outcomes") == "all" or (len(self.outcomes) > 2 and "parity" in asked["measure"])
        outcomes, w, rates = self.outcomes if several else [self.favourable], self.weights, {}
        figures = self.announced, self.lower, self.upper
        for group, of in members.items():
            people = Fraction(sum(w[i] for i in of) * self.unit)
            rates[group] = {o: [sum(w[i] * f[o][i] for i in of) / people for f in figures] for o in outcomes}
        main = {group: of[self.favourable] for group, of in rates.items()}
        if asked["measure"] == "p_percent_rule":
            ratios = {o: ratio(*(of[o] for of in rates.values())) for o in rates[entry["groups"][0]]}
            exact = tuple(min(r[k] for r in ratios.values()) for k in range(3))
            for each in entry.get("by_outcome", []):
                self.expect_interval(f"{where}, {each['outcome']}", each, ratios[each["outcome"]])
            self.check_log_ratio(where, entry["log_ratio"], exact)
        elif asked["measure"] == "odds_ratio":
            exact = odds_ratio(*main.values())
        elif asked["measure"] == "impact_ratio":
            exact = impact(main, entry["groups"][0])
        elif asked["measure"] == "group_disparity":
            exact = disparity(list(main.values()))
        else:
            exact = parity(*rates.values(), len(self.outcomes))
        self.expect_interval(where, entry, exact)
        for each in entry["rates"]:
            if self.expect(each["group"] in main, f"{where}: a group that does not exist"):
                self.expect_interval(f"{where}, rate of {each['group']}", each, main[each["group"]])

    def check_log_ratio(self, where, figure, exact):
        """The p% rule on the scale of logarithms."""
        if figure["interval"] is not None and exact[1] > 0:
            logs = [Decimal(e.denominator).ln() - Decimal(e.numerator).ln() for e in map(Fraction, exact)]
            self.expect_interval(f"{where}, log ratio", figure, [Fraction(logs[k]) for k in (0, 2, 1)])
        bound = self.log_bound if self.exact else None
        right = [figure["a_priori"], figure["interval"] is None] == [bound, exact[1] == 0]
        self.expect(right, f"{where}: the log ratio is not the logarithm of the ratio")

    def check_notes(self):
        """The notes state the confidence, and what the report adds to it, as the figures do."""
        text = " ".join(note["text"] for note in self.doc["notes"] if note["id"] == "promise")
        stated = [Decimal(self.doc["privacy"][key]) * 100 for key in ("beta", "contribution")]
        beta, added = (f"{number.normalize():f}" for number in stated)
        right = f" at most {beta}% confident" in text and f" adds at most {added} percentage point" in text
        self.expect(right, f"notes: the promise should say {beta}% and {added} percentage points")


def verdict(interval, threshold, at_least):
    if threshold is None or interval is None:
        return None if threshold is None else "cannot_tell"
    low, high, limit = (-n for n in (*interval[::-1], threshold)) if at_least else (*interval, threshold)
    return "meets" if high <= limit else "does_not_meet" if low > limit else "cannot_tell"


def parity(of_a, of_b, number):
    """The sum of |difference| over all outcomes, divided by their number; of two outcomes one says it all."""
    both = [disparity([of_a[o], of_b[o]]) for o in of_a]
    if number == 2:
        return both[0]
    ways = [(of_a, of_b), (of_b, of_a)]
    least = max(sum(max(0, x[o][1] - y[o][2]) for o in x) for x, y in ways)
    most = min(sum(max(0, x[o][2] - y[o][1]) for o in x) for x, y in ways)
    ends = sum(d[0] for d in both), 2 * least, min(2 * most, sum(d[2] for d in both))
    return [Fraction(end) / number for end in ends]


def ratio(a, b, share=lambda low, high: low / high):
    """The smaller rate as a share of the larger, or their odds; of two that are equal, 1."""
    pairs = [sorted(map(Fraction, pair)) for pair in ((a[0], b[0]), (a[1], b[2]), (a[2], b[1]))]
    value, one, other = (share(low, high) if low < high else Fraction(1) for low, high in pairs)
    return value, min(one, other), other if a[2] < b[1] else one if b[2] < a[1] else Fraction(1)


def odds_ratio(a, b):
    """The smaller odds as a share of the larger. Odds, r / (1 - r), rise with the rate."""
    return ratio(a, b, lambda low, high: low * (1 - high) / (high * (1 - low)))


def impact(rates, name):
    """A group's rate as a share of the highest: its own rate and all others at opposite ends."""
    highest = [max(rate[k] for group, rate in rates.items() if group != name) for k in (0, 2, 1)]
    return [Fraction(own) / top if own < top else Fraction(1) for own, top in zip(rates[name], highest)]


def disparity(rates):
    """The largest difference between any two rates."""
    low = max(0, max(r[1] for r in rates) - min(r[2] for r in rates))
    value = max(r[0] for r in rates) - min(r[0] for r in rates)
    return value, low, max(a[2] - b[1] for a, b in permutations(rates, 2))


def expected_tables(doc):
    """The rows of cells.csv and measures.csv, as report.json has them."""
    names, outcomes = [a["name"] for a in doc["process"]["attributes"]], doc["process"]["outcome"]["values"]
    names = names + {"counts": ["population"], "shares": ["share"]}.get(doc["policy"]["population"], [])
    cells = [names + outcomes + ["lower", "upper"] * ("bounds" in doc["policy"]["fidelity"])]
    for c in doc["cells"]:
        cells.append([c.get(n) for n in names] + [c["announced"][o] for o in outcomes] + c.get("bounds", []))
    unknown = any("unknown" in f for f in doc["fairness"])
    measures = [MEASURES.split(",") + ["unknown_low", "unknown_high"] * unknown]
    for f in doc["fairness"]:
        chance = [*s["interval"], s["level"]] if (s := f.get("sampling")) else [None] * 3
        given = "; ".join(f"{k}={v}" for k, v in (f["given"] or {}).items())
        row = [f["measure"], *(f["groups"] or ["", ""]), given, f["value"], *(f["interval"] or ["", ""])]
        row += [f["a_priori"], f["threshold"], f["verdict"], f.get("outcome"), *chance]
        measures.append(row + f.get("unknown", {"interval": [None, None]})["interval"] * unknown)
    return {"cells.csv": cells, "measures.csv": measures}


def plain(entry):
    """An entry of a table as it is compared: numbers by value, texts letter by letter."""
    text = "" if entry is None else str(entry)
    return Decimal(text) if NUMBER.fullmatch(text) else text


def check_tables(contents, doc):
    """The tables, where they are among the files, have the rows of report.json."""
    for name, expected in expected_tables(doc).items():
        if name in contents:
            rows = csv.reader(contents[name].decode().splitlines())
            if [[plain(e) for e in row] for row in rows] != [[plain(e) for e in row] for row in expected]:
                yield f"{name}: does not say what report.json says"


def check_files(folder, doc):
    """The other files of the folder say what report.json says, and none was altered after it was published."""
    contents = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    yield from check_tables(contents, doc)
    page = PAGE_DATA.search(contents.get("report.html", b"").decode())
    if page and json.loads(page[1], parse_float=Decimal) != doc:
        yield "report.html: carries other data than report.json"
    for line in contents.get("SHA256SUMS", b"").decode().splitlines():
        digest, _, name = line.partition("  ")
        if hashlib.sha256(contents.get(name, b"")).hexdigest() != digest:
            yield f"{name}: missing, or altered since its checksum was taken"


def main(arguments):
    path = Path(arguments[0] if arguments else ".")
    try:
        doc = json.loads((path / "report.json" if path.is_dir() else path).read_bytes(), parse_float=Decimal)
    except (OSError, ValueError) as error:
        print(f"{path}: no report that can be checked ({error})", file=sys.stderr)
        return 2
    try:
        report = Report(doc)
        report.check()
        findings = report.findings + (list(check_files(path, doc)) if path.is_dir() else [])
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        print(f"DOES NOT HOLD  report.json: its parts do not fit together ({error!r})")
        return 1
    print(*[f"DOES NOT HOLD  {finding}" for finding in findings], sep="\n", end="\n" * bool(findings))
    for item in [*report.unchecked, "whether the announced rule is as close to the true one as stated"]:
        print(f"not checked    {item}")
    print(f"{len(findings)} findings" if findings else "Everything that was checked holds.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
