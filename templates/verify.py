"""Check a published algorithmic transparency report with nothing but Python (3.10 or newer) and this file.

    python3 verify.py [--accept figures] [FOLDER or report.json]

It recalculates the figures of report.json from the published rule and population, in exact arithmetic, and compares the
other files of the folder with it. It shares no code with the program that made the report.
What it leaves to `atreport verify` it names. Figures that the report hides what they follow from are named too, and make the exit
code 1: --accept figures says that you accept them as not checked.
Exit code 0: everything that this file checks holds. 1: something does not, or could not be calculated and was not accepted; it is
named. 2: there was nothing to check.
"""

import base64
import csv
import hashlib
import json
import math
import os
import re
import signal
import stat
import sys
import uuid
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, getcontext
from fractions import Fraction
from functools import partial
from itertools import combinations, islice, product
from pathlib import Path

getcontext().prec = 50
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(E[-+]?[0-9]+)?")
MEASURES = "measure,group_a,group_b,given,value,interval_low,interval_high,a_priori,threshold,verdict,outcome,sampling_low,sampling_high,sampling_level"
PARTS = (
    "figures",
    "pages",
    "charts",
    "pdf",
    "sheets",
)  # as `atreport verify` has them; here figures alone matter
MOST_BYTES, MOST_DIGITS = 100_000_000, 40  # no file of a report is larger, no number in it longer
# files that cannot be listed in the checksums
UNLISTED = ("SHA256SUMS", "SHA256SUMS.sig", "SHA256SUMS.tsr", "attestation.intoto.json")
FILES = (
    "report.html", "report.pdf", "report.json", "report.ods", "report.xlsx", "cells.csv", "measures.csv",
    "cells.csv-metadata.json", "measures.csv-metadata.json", "dcat.jsonld", "atrs.json", "algoritmeregister.json",
    "modelcard.cdx.json", "modelcard.md", "canada-adm.json", "ai-act.json", "style-logo.svg", "style-logo.png",
    "verify.py",
)  # fmt: skip  # and no others are those of a report
IN_A_LANGUAGE = re.compile(r"(.+)\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\.([a-z]+)")  # report.fr.html
RATES = ("true_positive", "false_positive")  # of those for whom the favourable outcome was right, was wrong
SIDES = {"equal_opportunity": [0], "false_negative": [0], "false_positive": [1], "equalised_odds": [0, 1]}
SIDES["predictive_parity"] = [0, 1]
PAGE_DATA = re.compile(r'<script type="application/json" id="report-data">(.*?)</script>', re.DOTALL)
PAGE_CATALOGUE = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
# pairs of numbers, the lower first; and the figures that intervals hold
PAIRS = ("interval", "unknown", "bounds", "people", "excluded_between")
ENCLOSED = ("value", "precision", "p", "published")
REPORTS = uuid.uuid5(uuid.NAMESPACE_URL, "urn:atreport:report")  # the namespace of their identifiers


def figure(found):
    """A number of the report; a text or a list in its place would be repeated by a product, until memory is full."""
    if not isinstance(found, (int, Decimal)):
        raise TypeError(f"{str(found)[:40]} is no number")
    return found


class Told(str):
    """A sentence that remembers its words and what fills their places, so that it can be told in another language."""


def told(words, /, **values):
    sentence = Told(words.format(**values))
    sentence.words, sentence.values = words, values
    return sentence


class Report:
    """The figures of a report.json, what they are calculated from, and the findings so far."""

    def __init__(self, doc):
        self.doc, self.policy, self.cells = doc, doc["policy"], doc["cells"]
        self.findings, self.weights, self.slack = [], None, Fraction(0)
        self.shares, self.loose = [], {}
        for key, most in (("decimals", 9), ("share_decimals", 17), ("bound_decimals", 9)):
            if not 0 <= self.policy.get(key, 0) <= most:
                raise ValueError(f"{key} must lie between 0 and {most}")
        self.decimals, self.scale = self.policy["decimals"], 10 ** self.policy["decimals"]
        self.step, self.alpha = Decimal(1).scaleb(-self.decimals), self.policy["fidelity"].get("alpha")
        outcome = doc["process"]["outcome"]
        self.outcomes, self.favourable = outcome["values"], outcome["favourable"]
        self.attributes = {a["name"]: a for a in doc["process"]["attributes"]}
        self.joined = {n: a.get("joined", {}) for n, a in self.attributes.items()}
        self.sensitive = [name for name, a in self.attributes.items() if a["role"] == "sensitive"]
        self.qid_groups = {}  # the cells of each group, once they are known to be those of the report
        self.places = {n: {v: i for i, v in enumerate(a["values"])} for n, a in self.attributes.items()}
        self.log_bound = self.alpha and (-2 * Decimal(self.alpha).ln()).quantize(self.step, ROUND_CEILING)
        self.move = 1 - Fraction(self.policy["fidelity"].get("delta", 1))
        self.ratio = Fraction(self.alpha or 1)
        kept = self.policy["fidelity"].get("rates")
        # the most by which a group's rate can be off
        self.rate_move = None if kept is None else 1 - Fraction(kept)
        whole = math.lcm(self.scale, self.move.denominator, 10 ** self.policy.get("bound_decimals", 0))
        whole = math.lcm(whole, 1 if kept is None else self.rate_move.denominator)
        self.unit = whole * self.ratio.numerator * self.ratio.denominator  # probabilities are whole in it
        self.announced = {
            o: [int(figure(c["announced"][o]) * self.unit) for c in self.cells] for o in self.outcomes
        }
        bands = [self.band(i, cell) for i, cell in enumerate(self.cells)]
        self.lower, self.upper = ({o: [band[o][k] for band in bands] for o in self.outcomes} for k in (0, 1))
        self.exact = self.policy["small_cells"]["policy"] not in ("round", "suppress")
        published, guards = self.policy["population"], [cell.get("guarded", {}) for cell in self.cells]
        if published == "withheld" or (published == "shares" and not self.exact):
            pass  # no figure that depends on people can be calculated
        elif published == "counts":
            people = (c.get("population") or g["counted_as"] for c, g in zip(self.cells, guards))
            self.weights = [figure(of_cell) for of_cell in people]
        else:
            whole = 10 ** self.policy["share_decimals"]
            self.shares = [int(figure(cell["share"]) * whole) for cell in self.cells]
            # A share is off by half a step, a factor within 1 ± e; a rate or confidence, a weighted mean, by at most 2e; a
            # comparison of two by 4e; twice that allows for products of e. So much a figure may be off, to the safe side.
            self.slack = Fraction(8 * self.scale, 2 * min(self.shares) - 1)  # in printed steps
            self.weights = None if self.is_loose(1) else self.shares
        # people of whom nothing is announced stand behind the cells: nobody knows how they were decided
        self.left_out = [each["of"] for each in doc["privacy"]["unprotectable"].get("left_out", [])]
        self.left_out_weights = []
        for each in (
            doc["privacy"]["unprotectable"].get("left_out", []) if self.weights or self.shares else ()
        ):
            exact = (
                each["people"]
                if published == "counts"
                else each["share"] * 10 ** self.policy["share_decimals"]
            )
            self.left_out_weights.append(int(figure(exact)))
        between = [[figure(n) for n in g.get("people", (w, w))] for g, w in zip(guards, self.weights or ())]
        self.fewest, self.most = ([ends[k] for ends in between] for k in (0, 1))
        # version 0.1 gave wider intervals for some figures, and intervals of another kind for chance
        self.earlier = str(doc.get("generator", {}).get("atreport", "")).startswith("0.1.")
        self.made_bands, self.made_totals = {}, {}

    def band(self, i, cell):
        """Where the true probability of each outcome can lie in a cell, given the stated fidelity."""
        ends, one = {}, self.unit
        if "bounds" in self.policy["fidelity"]:
            low, high = (int(figure(bound) * one) for bound in cell["bounds"])
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
        for part in ("identifier", "intervals", "rule", "groups", "privacy", "fairness", "notes"):
            getattr(self, f"check_{part}")()

    def expect(self, holds, where, what, /, **values):
        if not holds:
            self.findings += [told("{where}: {what}", where=where, what=told(what, **values))]
        return holds

    def up(self, number):
        return Decimal(math.ceil(number * self.scale)).scaleb(-self.decimals)

    def fits(self, printed, exact, to, wider=0, slack=1):
        """Whether a figure is printed as recalculated, or off to the safe side by what the shares' rounding allows."""
        steps, exact, t = printed * self.scale, exact * self.scale, self.slack * slack
        a, b = {math.floor: (t + wider, 0), math.ceil: (0, t + wider), round: (t, t)}[to]
        return steps == to(exact) or (steps == int(steps) and to(exact - a) <= steps <= to(exact + b))

    def is_loose(self, slack):
        """Whether the shares' rounding leaves a figure more room than a hundredth, so that forged verdicts would pass."""
        return 100 * self.slack * slack > self.scale

    def expect_interval(self, where, figure, exact, slack=1):
        """A figure with its interval is (value, low, high) as recalculated; the interval wider if counts are not exact."""
        printed = [figure["value"], *figure["interval"]]
        if self.is_loose(slack):
            self.loose[where] = figure
        # how far open counts widen is not checked here; a logarithm of two rates stays below 100
        wider, to = 0 if self.exact and not self.earlier else 100 * self.scale, (round, math.floor, math.ceil)
        if not all(map(self.fits, printed, exact, to, [wider] * 3, [1, slack, slack])):
            again = ", ".join(f"{float(number):.{self.decimals + 2}f}" for number in exact)
            self.expect_figure(False, where, ", ".join(map(str, printed)), again)

    def expect_figure(self, right, where, stated, again):
        self.expect(right, where, "{stated} is stated; recalculated {again}", stated=stated, again=again)

    def check_identifier(self):
        """What catalogues know the report by: its DOI, or a UUID of publisher, title and version."""
        about = self.doc["report"]
        named = json.dumps([about[key] for key in ("publisher", "title", "version")], ensure_ascii=False)
        right = f"urn:uuid:{uuid.uuid5(REPORTS, named)}"
        right = f"https://doi.org/{about['doi']}" if "doi" in about else right
        stated = self.doc.get("identifier", right)
        self.expect(stated == right, "identifier", "should be {right}", right=right)

    def check_intervals(self):
        """No interval ends before it begins, and each holds the figure that it is of, whatever made it."""
        parts, number = [("", self.doc)], (int, Decimal)
        for where, part in parts:  # which grows
            inside = list(part.items() if isinstance(part, dict) else enumerate(part, 1))
            parts += [(f"{where}{name}, ", each) for name, each in inside if isinstance(each, (dict, list))]
            pairs = {k: v for k, v in inside if k in PAIRS and isinstance(v, list) and len(v) == 2}
            for ends in pairs.values():
                if all(isinstance(end, number) for end in ends):
                    self.expect(ends[0] <= ends[1], where[:-2], "an interval ends before it begins")
            if "interval" in pairs:
                low, high = map(figure, pairs["interval"])
                of = next((part[k] for k in ENCLOSED if isinstance(part.get(k), number)), low)
                self.expect(low <= of <= high, where[:-2], "a figure is outside its own interval")

    def check_rule(self):
        """Every cell is announced once, with probabilities of the printed decimals that make one."""
        lists = [a["name"] for a in self.doc["process"]["attributes"]], self.outcomes
        lists += tuple(a["values"] for a in self.attributes.values())
        right = all(len({*each}) == len(each) for each in lists)
        self.expect(right, "process", "a name or a value is listed twice")
        seen = set()
        for i, cell in enumerate(self.cells):
            key = tuple(cell.get(name) for name in self.attributes)
            known = all(cell.get(name) in self.places[name] for name in self.attributes) and key not in seen
            seen.add(key)
            steps = [cell["announced"][o] * self.scale for o in self.outcomes]
            whole = all(s >= 0 and s == int(s) for s in steps) and sum(steps) == self.scale
            low, a, high = (of[self.favourable][i] for of in (self.lower, self.announced, self.upper))
            right = known and whole and low <= a <= high and len(cell["announced"]) == len(steps)
            where = told("cell {key}", key=key)
            self.expect(right, where, "listed twice, unknown, not making one, or outside its bounds")
        if self.shares:
            whole = 10 ** self.policy["share_decimals"]
            right = all(c["share"] * whole == w > 0 for c, w in zip(self.cells, self.shares))
            right = right and abs(sum(self.shares) - whole) <= len(self.cells)
            times = [int(whole / (min(self.shares) + off)) for off in (Fraction(1, 2), Fraction(-1, 2))]
            digits = [min(self.decimals + len(str(n)) + 1, 18 - self.decimals, 15) for n in times]
            right = right and digits[0] <= self.policy["share_decimals"] <= digits[1]  # as the smallest needs
            wrong = told("the shares have too many digits, or do not add up to one")
            self.findings += [] if right else [wrong]

    def check_groups(self):
        """The confidence in each group, before and after the report, and the most that the report adds."""
        public = [name for name, a in self.attributes.items() if a["role"] == "public"]
        groups, stated = self.strata(public), self.doc["privacy"]["groups"]
        names = [tuple(map(group["qid"].get, public)) for group in stated]
        if not self.expect(names == list(groups), "privacy", "the groups are not those of the cells"):
            return
        self.qid_groups = groups
        for (key, members), group in zip(groups.items(), stated):
            where, number = group_named(key), len(members)
            self.expect(group["cells"] == number, where, "cells: there are {n}", n=number)
            right = "odds" not in group or group["odds"] == self.factor(self.odds(members))
            self.expect(right, where, "not the odds factor of the announced rule")
            self.check_move(where, group["prior"], group["beta"], group.get("odds", math.inf))
        if self.weights is not None:
            self.check_confidence(groups, stated)

    def check_move(self, where, before, after, odds):
        """However many people there are, a report moves a confidence by no more than the odds, and its highest not down."""
        right = before <= after
        if odds not in (None, math.inf):
            right = right and (after - self.step) * (1 - before + odds * before) <= odds * before
        self.expect(right, where, "a confidence that no number of people in the cells gives")

    def check_confidence(self, groups, stated):
        """Confidence and lift in each group, and the most that the report adds."""
        everybody, added = {"": [1] * len(self.cells)}, []
        for (key, members), group in zip(groups.items(), stated):
            where = group_named(key)
            beta, prior = (self.confidence(members, of) for of in (self.announced, everybody))
            least = self.confidence(members, everybody, up=False)
            for name, exact in (("beta", beta), ("prior", prior)):
                right = self.fits(group[name], exact, math.ceil)
                self.expect_figure(right, where, f"{name} {group[name]}", self.up(exact))
            if "lift" in group:
                lift = max(max(self.lifts(name, members).values()) for name in self.sensitive)
                right = self.fits_factor(group["lift"], lift)
                self.expect_figure(right, where, f"lift {group['lift']}", self.factor(lift))
            floors = [math.floor(least * self.scale - move) for move in (0, self.slack)]
            added.append([Fraction(group["beta"]) * self.scale - floor for floor in floors])
        least, most = (max(each[k] for each in added) for k in (0, 1))
        n = self.doc["privacy"]["contribution"]
        right = least <= Fraction(n) * self.scale <= most
        self.expect(right, "privacy", "contribution {n} is not the most that the report adds", n=n)

    def confidence(self, members, probabilities, up=True):
        """The largest confidence in a sensitive value, with as many who have it and as few others as there can be."""
        return max(max(self.confidences(n, members, probabilities, up).values()) for n in self.sensitive)

    def confidences(self, name, members, probabilities, up=True):
        """The same for each value of one attribute, the highest over all outcomes."""
        own, other = (self.most, self.fewest) if up else (self.fewest, self.most)
        largest = {self.cells[i][name]: Fraction(0) for i in members}
        for of_outcome in probabilities.values():
            parts, rest = dict.fromkeys(largest, 0), dict.fromkeys(largest, 0)
            for i in members:
                parts[self.cells[i][name]] += own[i] * of_outcome[i]
                rest[self.cells[i][name]] += other[i] * of_outcome[i]
            total = sum(rest.values())
            for value, part in parts.items():
                largest[value] = max(largest[value], Fraction(part, total - rest[value] + part or 1))
        return largest

    def lifts(self, name, members):
        """How many times as likely each value of an attribute becomes: its mean of an outcome by the group's."""
        largest, own = {}, {}
        for i in members:
            own.setdefault(self.cells[i][name], []).append(i)
        for of_outcome in self.announced.values():
            if lowest := self.mean(members, of_outcome, -1):
                for value, cells in own.items():
                    lift = self.mean(cells, of_outcome, 1) / lowest
                    largest[value] = max(largest.get(value, lift), lift)
        return largest

    def mean(self, members, figures, sign):
        """The highest (sign 1) or lowest (-1) mean over all numbers of people that are left open."""
        weights, mean = {i: self.most[i] for i in members}, None
        while True:
            people = sum(weights.values())
            found = Fraction(sum(weights[i] * figures[i] for i in members), people)
            if found == mean:
                return found
            mean = found
            for i in members:
                weights[i] = self.most[i] if sign * figures[i] > sign * mean else self.fewest[i]

    def odds(self, members):
        """The largest probability of an outcome by the least, over the cells; None: an outcome rules something out."""
        largest = Fraction(1)
        for figures in self.announced.values():
            low, high = min(figures[i] for i in members), max(figures[i] for i in members)
            if high and not low:
                return None
            largest = max(largest, Fraction(high or 1, low or 1))
        return largest

    def factor(self, number):
        """A factor as it is printed: rounded up to a step, and to 15 digits."""
        if number is None:
            return None
        steps, unit = math.ceil(number * self.scale), 1
        while steps >= 10**15 * unit:
            unit *= 10
            steps = -(-steps // unit) * unit
        return Decimal(steps).scaleb(-self.decimals)

    def fits_factor(self, printed, exact):
        """Whether a factor is printed as recalculated, or above it by what the shares' rounding allows."""
        return self.factor(exact) <= printed <= self.factor(exact * (1 + self.slack / self.scale))

    def check_privacy(self):
        """The report's own figures are the highest of its groups and attributes, and keep the publisher's ceilings."""
        privacy, ceiling = self.doc["privacy"], self.policy["privacy"] or {}
        beta, gamma, groups = privacy["beta"], privacy["gamma"], privacy["groups"]
        highest = max(group["beta"] for group in groups)
        right, figures = beta == highest, {"beta": beta, "highest": highest}
        self.expect(right, "privacy", "beta {beta} is not the highest of the groups, {highest}", **figures)
        exact = abs(-Decimal(beta).ln()).quantize(self.step, ROUND_FLOOR) if beta else 0
        right, figures = gamma == exact, {"gamma": gamma, "exact": exact}
        self.expect(right, "privacy", "gamma {gamma} is not -log(beta) rounded down, {exact}", **figures)
        kept = beta <= ceiling.get("beta", 1) and gamma >= ceiling.get("gamma", 0)
        self.expect(kept, "privacy", "the confidence is above the publisher's own ceiling")
        parts = [privacy, *groups]
        stated = {key in part for part in parts for key in ("lift", "odds")} | {"attributes" in privacy}
        old = str(self.doc.get("generator", {}).get("atreport", "")).startswith("0.1.")
        if stated == {False} and old:  # version 0.1 stated none of them
            asked = {"lift", "odds"} & {*ceiling} or any("ceilings" in a for a in self.attributes.values())
            self.expect(not asked, "privacy", "a ceiling on figures that are not stated")
        elif self.expect(stated == {True}, "privacy", "figures of lift, odds or values are left out"):
            lift, odds = privacy["lift"], [group["odds"] for group in groups]
            right = lift == max(group["lift"] for group in groups)
            self.expect(right, "privacy", "lift is not the highest of the groups")
            most = None if None in odds else max(odds)
            self.expect(privacy["odds"] == most, "privacy", "odds is not the highest of the groups")
            kept = lift <= ceiling.get("lift", lift)
            self.expect(kept, "privacy", "the lift is above the publisher's ceiling")
            kept = "odds" not in ceiling or (most is not None and most <= ceiling["odds"])
            self.expect(kept, "privacy", "the odds factor is above the publisher's own ceiling")
            self.check_attributes(privacy)
        self.check_left_out()
        rates = self.policy["fidelity"].get("rates", 0)
        right = 2 * self.scale * (1 - rates) >= 1 or not rates
        self.expect(right, "policy", "rates closer than can be printed")

    def check_left_out(self):
        """Those who are left out are as many as the share of groups and the number of records say; version 0.1 told none."""
        account, found = self.doc["privacy"]["unprotectable"], self.doc.get("estimation", {})
        groups = account["groups"] if account["policy"] == "suppress" else 0
        records = max(found.get("excluded_between", [found.get("excluded", 0)]))
        records = 0 if found.get("population") == "census" else records
        right = bool(self.left_out) == bool(groups or records)
        if self.policy["population"] == "counts" and self.exact:
            left_out = sum(self.left_out_weights) - records
            share = self.up(Fraction(left_out, left_out + sum(self.weights))) if groups else 0
            right = left_out > 0 and share == account["share"] if groups else left_out == 0
        right = self.earlier or (right and min(self.left_out_weights, default=1) > 0)
        self.expect(
            right, "privacy", "the people who are left out are not as many as the report says elsewhere"
        )

    def check_attributes(self, privacy):
        """Each sensitive attribute: its values that occur, their figures, and where each rises most."""
        stated = privacy["attributes"]
        most = {key: max(a[key] for a in stated) for key in ("beta", "lift")}
        right = [a["name"] for a in stated] == self.sensitive and most == {key: privacy[key] for key in most}
        where = "privacy"
        if not self.expect(right, where, "not the sensitive attributes, or not the highest of their figures"):
            return
        for entry in stated:
            name, values, where = entry["name"], entry["values"], f"privacy, {entry['name']}"
            occur = {cell[name] for cell in self.cells}
            expected = [value for value in self.attributes[name]["values"] if value in occur]
            right = [v["value"] for v in values] == expected
            right = right and entry["beta"] == max(v["after"] for v in values)
            right = right and entry["lift"] == max(v["lift"] for v in values)
            if not self.expect(right, where, "not its values, or not the highest of their figures"):
                continue
            ceilings = self.attributes[name].get("ceilings", {})
            for each in values:
                where = f"privacy, {name}, {each['value']}"
                kept = each["after"] <= ceilings.get(each["value"], 1)
                self.expect(kept, where, "the confidence is above the publisher's own ceiling")
                rise = each["rise"]
                right = rise["before"] <= each["before"] and rise["after"] <= each["after"]
                self.expect(right, where, "rises to more than the highest confidence")
                for of in (each, rise):
                    self.check_move(where, of["before"], of["after"], privacy["odds"])
            if self.weights is not None and self.qid_groups:
                self.check_values(name, values)

    def check_values(self, name, values):
        """The figures of every value of an attribute, from the rule and the people."""
        everybody, found = {"": [1] * len(self.cells)}, {each["value"]: {} for each in values}
        for key, members in self.qid_groups.items():
            before, after = (self.confidences(name, members, of) for of in (everybody, self.announced))
            for value, lift in self.lifts(name, members).items():
                found[value][key] = before[value], after[value], lift
        public = [name for name, a in self.attributes.items() if a["role"] == "public"]
        for each in values:
            of_groups, rise, where = found[each["value"]], each["rise"], f"privacy, {name}, {each['value']}"
            before, after, lift = (max(figures[k] for figures in of_groups.values()) for k in range(3))
            both = zip((each["before"], each["after"]), (before, after))
            right = all(self.fits(printed, exact, math.ceil) for printed, exact in both)
            right = right and self.fits_factor(each["lift"], lift)
            self.expect(right, where, "not the figures of the announced rule")
            place = tuple(map(rise["qid"].get, public))
            before, after, _ = of_groups.get(place, (-1, -1, 1))
            both = zip((rise["before"], rise["after"]), (before, after))
            right = all(self.fits(printed, exact, math.ceil) for printed, exact in both)
            ceil, steps = math.ceil, (Fraction(rise["after"]) - Fraction(rise["before"])) * self.scale
            # at least so much each group rises, whatever the shares' rounding hides
            least = {
                k: ceil(a * self.scale) - ceil(b * self.scale + self.slack)
                for k, (b, a, _) in of_groups.items()
            }
            first = next(key for key, risen in least.items() if risen == max(least.values()))
            right = right and max(least.values()) <= steps and (self.slack or first == place)
            self.expect(right, where, "not the group in which it rises most")

    def strata(self, names):
        """Cells that are alike in some attributes, in the order of the values."""
        found, order = {}, [self.places[name] for name in names]
        for i, cell in enumerate(self.cells):
            found.setdefault(tuple(cell[name] for name in names), []).append(i)
        return dict(sorted(found.items(), key=lambda item: [place[v] for place, v in zip(order, item[0])]))

    def groups(self, groups):
        """Name and values of each group of a measure, in the order of the report."""
        if not isinstance(groups, dict):
            names = [groups] if isinstance(groups, str) else groups
            keys = self.strata(names) if names is groups else {(v,): () for v in self.places[groups]}
            none = [(self.attributes[name].get("unknown"), *self.joined[name]) for name in names]
            finer = (product(*(self.joined[n].get(v, (v,)) for n, v in zip(names, key))) for key in keys)
            finer = islice((key for each in finer for key in each), 10**5)
            left_out = (tuple(map(of.get, names)) for of in self.left_out if {*names} <= of.keys())
            keys = {**keys, **dict.fromkeys(finer), **dict.fromkeys(left_out)}  # nobody may be published so
            keys = [key for key in keys if not any(value in no for value, no in zip(key, none))]
            groups = {" · ".join(key): dict(zip(names, zip(key))) for key in keys}
        return groups

    def members(self, where):
        """The cells of those who have some values, and of those who may: theirs stand for several, or they are left out."""
        sure, perhaps = [], []
        meant = {a: self.meant(a, v) for a, v in where.items()}
        for i, c in enumerate([*self.cells, *self.left_out]):
            if i < len(self.cells) and all(c[a] in v for a, v in where.items()):
                sure.append(i)
            elif all(a not in c or self.meant(a, (c[a],)) & v for a, v in meant.items()):
                perhaps.append(i)
        return sure, perhaps

    def meant(self, attribute, values):
        """Some values, and those that they stand for."""
        return {each for v in values for each in (v, *self.joined[attribute].get(v, ()))}

    def may_be_others(self, groups, asked):
        """Whether somebody who is left out may have a combination of values that nobody is known to have."""
        if not isinstance(asked, list):
            return False
        for of in self.left_out:
            told = {n: (of[n],) for n in asked if n in of}
            if any(value == (self.attributes[n].get("unknown"),) for n, value in told.items()):
                continue
            known = sum(all(values[n] == value for n, value in told.items()) for values in groups.values())
            number = 1
            for n in {*asked} - told.keys():
                values = self.meant(n, self.places[n]) - {self.attributes[n].get("unknown"), *self.joined[n]}
                number *= len(values)
            if known < number:
                return True
        return False

    def expected_measures(self):
        """What the entries of `fairness` must be, in order: what was asked, groups, stratum, members."""
        for asked in self.doc["measures"]:
            if asked["measure"] == "individual":
                if not any(self.joined.values()):
                    yield asked, None, None, {}
                continue
            given, groups = asked.get("given", []), self.groups(asked["groups"])
            if asked["measure"] == "error_rates":
                yield from self.expected_error_rates(asked, groups)
                continue
            for key in self.strata(given):
                if any(value in self.joined[name] for name, value in zip(given, key)):
                    continue
                where = dict(zip(given, key))
                inside = {}
                for name, of in groups.items():
                    alike = {a: (v,) if v in of.get(a, (v,)) else () for a, v in where.items()}
                    inside[name] = self.members({**of, **alike})
                present = {name: members for name, members in inside.items() if members[0]}
                where = where or None
                named = {"group_disparity": 0, "impact_ratio": 1}.get(asked["measure"], 2)
                hidden = any(perhaps and not sure for sure, perhaps in inside.values())
                if named < 2 and (hidden or self.may_be_others(groups, asked["groups"])):
                    continue
                for names in combinations(present, named) if len(present) > 1 else ():
                    members = {name: present[name] for name in names} if named == 2 else present
                    yield asked, [*names], where, members

    def expected_error_rates(self, asked, groups):
        """Every rate for every two groups, with the members of each for whom the favourable outcome was right, and wrong."""
        label, right = asked["label"], asked["positive"]
        unknown = self.attributes[label].get("unknown")
        wrong = [value for value in self.places[label] if value not in right and value != unknown]
        parts = {
            n: [self.members({**of, label: side}) for side in (right, wrong)] for n, of in groups.items()
        }
        for rate, pair in product(asked["rates"], combinations(parts, 2)):
            both = {name: [parts[name][k] for k in SIDES[rate]] for name in pair}
            if rate == "predictive_parity":
                known = not any(perhaps for of in both.values() for _, perhaps in of)
                there = known and all(any(self.favours(sure) for sure, _ in of) for of in both.values())
            else:
                there = all(sure for of in both.values() for sure, _ in of)
            if there:
                yield {**asked, "rate": rate}, [*pair], None, both

    def favours(self, members):
        return any(self.announced[self.favourable][i] for i in members)

    def check_fairness(self):
        """Every measure that was asked for is there, in order, with the right figures, interval, bound and verdict."""
        stated = self.doc["fairness"]
        expected = list(islice(self.expected_measures(), len(stated) + 1))
        same = len(stated) == len(expected)
        if not self.expect(same, "fairness", "not the comparisons that were asked for"):
            return
        for place, (entry, (asked, names, given, members)) in enumerate(zip(stated, expected), 1):
            where, at_least = f"fairness {place}, {asked['measure']}", "p" in asked
            threshold = asked.get("p", asked.get("threshold"))
            what = [asked["measure"], given, asked.get("title"), threshold]
            same = what == [entry[key] for key in ("measure", "given", "title", "threshold")]
            same = same and (names is None or entry["groups"][: len(names)] == names)
            same = same and asked.get("rate") == entry.get("rate")
            by = [by] if isinstance(by := asked.get("groups"), str) else by if isinstance(by, list) else None
            same = same and entry.get("by", by if self.earlier else None) == by
            if not self.expect(same, where, "not the comparison that was asked for"):
                continue
            right = entry["verdict"] == verdict(entry["interval"], threshold, at_least, entry.get("at_least"))
            self.expect(right, where, "the verdict does not follow from the interval and the threshold")
            bound = self.bound(asked) if self.exact or asked["measure"] == "individual" else None
            labels = any("label" in each for each in self.doc["measures"])  # people are compared without them
            none = asked.get("rate") == "predictive_parity" or (asked["measure"] == "individual" and labels)
            if none or self.left_out or any(self.joined[n] for n in attributes_of(asked)):
                bound = None
            right, bounds = entry["a_priori"] == bound, {"bound": bound, "stated": entry["a_priori"]}
            self.expect(right, where, "a_priori is {bound}, not {stated}", **bounds)
            if asked["measure"] == "individual":
                pass  # over all pairs of cells: `atreport verify` does that
            elif self.weights is not None:
                check = self.check_error_rate if "rate" in asked else self.check_group_measure
                check(where, asked, entry, members)
            if asked["measure"] != "individual" and (self.weights is None or where in self.loose):
                self.check_any_population(where, asked, entry, members)

    def check_any_population(self, where, asked, entry, members):
        """However many people there are, a rate is a mean over cells, and a comparison follows from its rates."""
        rates = {}
        if not self.has_its_rates(where, entry, self.rates_of(asked, entry, members)):
            return
        if "log_ratio" in entry:
            self.check_log_of_printed(where, entry)
        for each in entry["rates"]:
            group, kind = each["group"], each.get("kind")
            parts = [members[group]] if kind is None else members[group]
            sure, perhaps = parts[-1 if kind == "false_positive" else 0]
            rate = [Fraction(n) for n in (each["value"], *each["interval"])]
            rates.setdefault(group, []).append(rate)
            if kind == "false_negative":
                rate = [1 - rate[0], 1 - rate[2], 1 - rate[1]]
            if kind != "predictive":
                of = told("{where}, rate of {group}", where=where, group=group)
                right = self.is_possible(sure, perhaps, *(n * self.scale for n in rate))
                self.expect(right, of, "a rate that no number of people in the cells gives")
        compare = {"p_percent_rule": ratio, "odds_ratio": lambda rates: odds_ratio(*rates)}
        if (
            len(self.outcomes) > 2
            or len(rates) != 2
            or asked["measure"] == "impact_ratio"
            or "by_outcome" in entry
        ):
            return
        of, half, step = (
            compare.get(asked["measure"], difference),
            Fraction(1, 2 * self.scale),
            1 / Fraction(self.scale),
        )

        def compared(change):
            pairs = zip(*([change(*rate) for rate in each] for each in rates.values()))
            return largest([of(pair if of is compare["odds_ratio"] else square(*pair)) for pair in pairs])

        near = compared(lambda value, *_: (value, max(0, value - half), min(1, value + half)))
        wide = compared(lambda *rate: rate)
        value, low, high = (Fraction(n) for n in (entry["value"], *entry["interval"]))
        right = near[1] - step <= value <= near[2] + step and wide[1] - step <= low and high <= wide[2] + step
        self.expect(right, where, "not the figure and interval of the rates that it compares")

    def is_possible(self, cells, perhaps, value, low, high):
        """Whether some numbers of people in these cells give a rate and its interval, in printed steps."""
        open_ended = perhaps or (not self.exact and any(self.joined.values())) or not cells
        ends = self.announced[self.favourable], *self.bands((self.favourable,))
        rows = [[Fraction(of[i] * self.scale, self.unit) for of in ends] for i in cells] or [
            [0, 0, self.scale]
        ]
        said, lower, upper = zip(*rows)
        half = Fraction(1, 2)
        right = low <= value <= high and min(said) - half <= value <= max(said) + half
        if not open_ended:
            right = right and low >= min(lower) - 1 and high <= max(upper) + 1
            if (
                self.exact and not self.shares
            ):  # beside shares, ends are those of the exact people or of the shares
                right = right and value - low <= max(a - b for a, b in zip(said, lower)) + half + 1
                right = right and high - value <= max(b - a for a, b in zip(said, upper)) + half + 1
        if self.rate_move is None:  # a kept rate may be narrower than any band
            right = right and low <= max(lower) and high >= min(upper)
            right = right and value - low >= min(a - b for a, b in zip(said, lower)) - half
            right = right and high - value >= min(b - a for a, b in zip(said, upper)) - half
        return right

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
        public = all(self.attributes[name]["role"] == "public" for name in attributes_of(asked))
        if self.rate_move is not None and "groups" in asked and public:  # whole groups, whose rates are kept
            move = min(move, self.rate_move)
        return self.up(min(Fraction(1), 2 * move))

    def bands(self, of):
        """The least and the most that the probability of any of some outcomes can be in each cell."""
        if of not in self.made_bands:
            rest, cells = [o for o in self.outcomes if o not in of], range(len(self.cells))
            low, high = (
                [[sum(f[o][i] for o in s) for i in cells] for s in (of, rest)]
                for f in (self.lower, self.upper)
            )
            low, high = (
                [max(a, self.unit - b) for a, b in zip(low[0], high[1])],
                [min(b, self.unit - a) for b, a in zip(high[0], low[1])],
            )
            self.made_bands[of] = low, high
        return self.made_bands[of]

    def totals(self, of):
        """The cells of each QID group, and what the sum of people × probability of some outcomes can be in it."""
        if of not in self.made_totals:
            public = [name for name, a in self.attributes.items() if a["role"] == "public"]
            groups = self.strata(public).values()
            self.made_totals[of] = [(cells, *self.total(of, cells)) for cells in groups]
        return self.made_totals[of]

    def total(self, of, cells):
        w, everybody = self.weights, sum(self.weights[i] for i in cells)
        off = everybody * int(self.rate_move * self.unit)
        said = {o: sum(w[i] * self.announced[o][i] for i in cells) for o in self.outcomes}
        chosen = {of, (), tuple(self.outcomes)}
        if len(self.outcomes) <= 6:
            chosen |= {s for k in range(1, len(self.outcomes)) for s in combinations(self.outcomes, k)}
        least, most = [], []
        for some in chosen:  # their sum, with what is missing and without what is too much
            low, high = (sum(w[i] * ends[i] for i in cells) for ends in self.bands(some)) if some else (0, 0)
            more, less = [o for o in of if o not in some], [o for o in some if o not in of]
            known = sum(said[o] for o in more) - sum(said[o] for o in less)
            least.append(low + known - off * (len(more) + len(less)))
            most.append(high + known + off * (len(more) + len(less)))
        return max(least), min(most)

    def furthest(self, of, worth):
        """People × probability of some outcomes in each cell that is worth something, where its worth is largest in sum."""
        (low, high), w, found = self.bands(of), self.weights, {}
        if self.rate_move is None:
            return {i: w[i] * (high[i] if each > 0 else low[i]) for i, each in worth.items()}
        for cells, least, most in self.totals(of):
            if not any(worth.get(i) for i in cells):
                continue
            spent = sum(w[i] * low[i] for i in cells)
            for i in sorted(cells, key=lambda i: -worth.get(i, 0)):
                limit = most if worth.get(i, 0) > 0 else least
                more = max(0, min(limit - spent, w[i] * (high[i] - low[i])))
                found[i], spent = w[i] * low[i] + more, spent + more
        return found

    def rate(self, of, members, perhaps=()):
        """The rate of some outcomes among those in a group, announced and at both ends, however many of `perhaps` join it."""
        people, w = Fraction(sum(self.weights[i] for i in members) * self.unit), self.weights
        ends = [self.furthest(of, dict.fromkeys(members, sign)) for sign in (-1, 1)]
        said = sum(w[i] * self.announced[o][i] for i in members for o in of)
        rate = [said / people, *(sum(end[i] for i in members) / people for end in ends)]
        nothing = [0] * len(self.left_out)
        low, high = (
            [*ends, *of_others]
            for ends, of_others in zip(self.bands(of), (nothing, [self.unit for _ in nothing]))
        )
        w = [*w, *self.left_out_weights]
        do = sum(w[i] * high[i] for i in perhaps)  # who gets the outcome joins, or who does not
        rate[1] *= people / (people + sum(w[i] * (self.unit - low[i]) for i in perhaps))
        rate[2] = (rate[2] * people + do) / (people + do)
        return rate

    def corners(self, of, a, b):
        """The announced rates of two groups, and the corners of all that the true ones can be, in order."""
        (first, first_perhaps), (second, second_perhaps) = a, b
        one, other = self.rate(of, *a), self.rate(of, *b)
        square = [(one[i], other[j]) for i, j in ((1, 1), (2, 1), (2, 2), (1, 2))]
        shared = {*first} & {*second}
        if not shared or first_perhaps or second_perhaps or not self.exact:
            return [(one[0], other[0]), *square]
        found, people = [], [Fraction(sum(self.weights[i] for i in g) * self.unit) for g in (first, second)]
        for u, v in ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)):
            worth = {**dict.fromkeys(first, u), **dict.fromkeys(second, v), **dict.fromkeys(shared, u + v)}
            end = self.furthest(of, worth)
            found.append(tuple(sum(end[i] for i in g) / n for g, n in zip((first, second), people)))
        return [(one[0], other[0]), *found]

    def slack_of(self, groups):
        """Where rates are kept, the rest of a QID group says something of a part of it, as often as it is larger."""
        if not self.slack or self.rate_move is None:
            return 1
        touched = [[c for c, *_ in self.totals((self.favourable,)) if {*c} & {*of}] for of, _ in groups]
        whole = [sum(self.weights[i] for c in each for i in c) for each in touched]
        parts = [sum(self.weights[i] for i in of) for of, _ in groups]
        return 1 + max(math.ceil(Fraction(n, m)) for n, m in zip(whole, parts)) * (whole != parts)

    def check_group_measure(self, where, asked, entry, members):
        """A comparison of groups, and the rates it is made from."""
        favourable, measure = (self.favourable,), asked["measure"]
        main = {group: self.rate(favourable, *of) for group, of in members.items()}
        slack = self.slack_of(list(members.values()))
        pair = partial(self.corners, favourable)
        if measure == "p_percent_rule":
            outcomes = self.outcomes if asked.get("outcomes") == "all" else favourable
            ratios = {o: ratio(self.corners((o,), *members.values())) for o in outcomes}
            exact = tuple(min(r[k] for r in ratios.values()) for k in range(3))
            if len(ratios) == 2:
                exact = (*exact[:2], smaller_of_both(pair(*members.values())))
            for each in entry.get("by_outcome", []):
                self.expect_interval(f"{where}, {each['outcome']}", each, ratios[each["outcome"]], slack)
            self.check_log_ratio(where, entry["log_ratio"], exact, slack)
        elif measure == "odds_ratio":
            exact = odds_ratio(*main.values())
        elif measure == "impact_ratio":
            own = members[entry["groups"][0]]
            exact = impact([pair(own, of) for name, of in members.items() if name != entry["groups"][0]])
            unions = self.unions(members).items()
            others = [rate[1] for names, rate in unions if entry["groups"][0] not in names]
            top = main[entry["groups"][0]][2]
            exact[2] = min([exact[2], *(top / low for low in others if low > top)])
        elif measure == "group_disparity":
            exact = largest([difference(pair(a, b)) for a, b in combinations(members.values(), 2)])
            rates = [*main.values(), *(unions := self.unions(members)).values()]
            if unions:
                exact[1] = max(exact[1], max(rate[1] for rate in rates) - min(rate[2] for rate in rates))
        else:
            first, *rest = self.outcomes
            sets = [(first, *s) for k in range(len(rest)) for s in combinations(rest, k)]
            differences = [difference(self.corners(of, *members.values())) for of in sets]
            exact = [Fraction(2 * end) / len(self.outcomes) for end in largest(differences)]
        self.expect_interval(where, entry, exact, slack)
        if not self.has_its_rates(where, entry, self.rates_of(asked, entry, members)):
            return
        for each in entry["rates"]:
            of = told("{where}, rate of {group}", where=where, group=each["group"])
            self.expect_interval(of, each, main[each["group"]], slack)
        self.check_chance(where, asked, entry, members, main)

    def unions(self, members):
        """The rates of two or more groups together that share nobody, where kept rates can make them narrower than each."""
        cells = [i for of, _ in members.values() for i in of]
        some = any(perhaps for _, perhaps in members.values())
        if self.rate_move is None or some or not self.exact or len(members) > 6 or len({*cells}) < len(cells):
            return {}
        chosen = (names for k in range(2, len(members)) for names in combinations(members, k))
        return {s: self.rate((self.favourable,), [i for name in s for i in members[name][0]]) for s in chosen}

    def is_counted(self, where, figure, joined):
        """Whether an interval that allows for chance can be calculated; where not, none is stated."""
        counted = self.exact and self.policy["population"] == "counts" and not self.earlier and not joined
        counted = counted and self.doc["process"].get("estimated_from") == "records"
        right = self.expect(
            self.earlier or ("sampling" in figure) == counted,
            where,
            "an interval for chance is missing, or nothing is published that it could be calculated from",
        )
        return counted and right

    def check_chance(self, where, asked, entry, members, main):
        """The intervals that allow for chance in the records too, where the number of cases behind each rate is published."""
        cases = {group: sum(self.weights[i] for i in of) for group, (of, _) in members.items()}
        for each in entry["rates"]:
            of = told("{where}, rate of {group}", where=where, group=each["group"])
            if self.is_counted(of, each, members[each["group"]][1]):
                exact = with_chance(main[each["group"]], cases[each["group"]], 0.05)
                self.expect_chance(of, each["sampling"], exact)
        if not self.is_counted(where, entry, [perhaps for _, perhaps in members.values() if perhaps]):
            return
        over_all = len(self.outcomes) > 2 and asked["measure"].endswith("statistical_parity")
        several = asked.get("outcomes") == "all" or over_all
        outcomes = self.outcomes if several else [self.favourable]
        error = 0.05 / (len(members) * (1 if len(self.outcomes) == 2 else len(outcomes)))
        by_chance = {
            o: {g: with_chance(self.rate((o,), *of), cases[g], error) for g, of in members.items()}
            for o in outcomes
        }
        exact = self.compare_apart(asked, entry, by_chance)
        self.expect_chance(where, entry["sampling"], exact[1:])

    def compare_apart(self, asked, entry, rates):
        """A measure from the rates of each outcome in each group, each anywhere in its interval."""
        measure, of = asked["measure"], rates.get(self.favourable) or next(iter(rates.values()))
        corners = {o: [square(a, b) for a, b in combinations(by.values(), 2)] for o, by in rates.items()}
        if measure == "p_percent_rule":
            ratios = [ratio(each) for by in corners.values() for each in by]
            return [min(r[k] for r in ratios) for k in range(3)]
        if measure == "odds_ratio":
            return odds_ratio(*of.values())
        if measure == "impact_ratio":
            own = entry["groups"][0]
            return impact([square(of[own], each) for name, each in of.items() if name != own])
        if measure == "group_disparity" or len(self.outcomes) == 2:
            return largest([difference(each) for each in corners[self.favourable]])
        return parity(*({o: by[g] for o, by in rates.items()} for g in of), len(self.outcomes))

    def expect_chance(self, where, stated, exact):
        """The interval is as recalculated (in floating point, so up to one printed step), rounded outward."""
        off = [(Fraction(s) - Fraction(e)) * self.scale for s, e in zip(stated["interval"], exact[-2:])]
        right = -1.001 <= off[0] <= 0.001 and -0.001 <= off[1] <= 1.001 and stated["level"] == Decimal("0.95")
        self.expect(right, where, "not the interval that allows for chance in the records")

    def check_error_rate(self, where, asked, entry, members):
        """A comparison of error rates, and those rates, with chance in the records too where cases are published."""
        favourable, sides, found, chance = (self.favourable,), SIDES[asked["rate"]], {}, {}
        groups, several = [*members], 2 * len(sides) if asked["rate"] != "predictive_parity" else 2
        for name, parts in members.items():
            cases = [sum(self.weights[i] for i in of) for of, _ in parts]
            rates = [self.rate(favourable, *part) if part[0] else [Fraction(0)] * 3 for part in parts]
            if asked["rate"] == "predictive_parity":
                found[name, "predictive"] = predictive(*zip(cases, rates))
                sums = [[n * end for end in rate] for n, rate in zip(cases, rates)]
                chance[name, "predictive"] = [share_with_chance(*sums, 0.05 / k) for k in (1, several)]
                continue
            for side, n, rate in zip(sides, cases, rates):
                kind = "false_negative" if asked["rate"] == "false_negative" else RATES[side]
                both = [rate, *(with_chance(rate, n, 0.05 / k) for k in (1, several))]
                if kind == "false_negative":
                    both = [(1 - value, 1 - high, 1 - low) for value, low, high in both]
                found[name, kind], chance[name, kind] = both[0], both[1:]
        kinds = [*dict.fromkeys(kind for _, kind in found)]
        if asked["rate"] == "predictive_parity":
            each = [square(*(found[name, "predictive"] for name in groups))]
        else:
            each = [self.corners(favourable, *(members[n][k] for n in groups)) for k in range(len(sides))]
        slack = self.slack_of([part for parts in members.values() for part in parts if part[0]])
        self.expect_interval(where, entry, error_rates(each), slack)
        by_chance = error_rates([square(*(chance[name, kind][1] for name in groups)) for kind in kinds])
        joined = {n: [perhaps for _, perhaps in parts if perhaps] for n, parts in members.items()}
        if self.is_counted(where, entry, any(joined.values())):
            self.expect_chance(where, entry["sampling"], by_chance[1:])
        if not self.has_its_rates(where, entry, self.rates_of(asked, entry, members)):
            return
        for rate in entry["rates"]:
            key = group, kind = rate["group"], rate["kind"]
            name = told("{where}, {kind} of {group}", where=where, kind=kind, group=group)
            self.expect_interval(name, rate, found[key], slack)
            if self.is_counted(name, rate, joined[group]):
                self.expect_chance(name, rate["sampling"], chance[key][0][1:])

    def check_log_ratio(self, where, figure, exact, slack):
        """The p% rule on the scale of logarithms."""
        if figure["interval"] is not None and exact[1] > 0:
            logs = [Decimal(e.denominator).ln() - Decimal(e.numerator).ln() for e in map(Fraction, exact)]
            name = told("{where}, log ratio", where=where)
            self.expect_interval(name, figure, [Fraction(logs[k]) for k in (0, 2, 1)], slack)
        bound = self.log_bound if self.exact and not self.left_out else None
        none = figure["interval"] is None
        right = figure["a_priori"] == bound and (none == (exact[1] == 0) or (none and not self.exact))
        self.expect(right, where, "the log ratio is not the logarithm of the ratio")

    def check_log_of_printed(self, where, entry):
        """However many people there are, the logarithm is that of the ratio as it is printed, as far as that is rounded."""
        figure, half = entry["log_ratio"], self.step / 2
        none = figure["interval"] is None
        right = none == (figure["value"] is None) and (not none or entry["interval"][0] == 0)
        if right and not none:
            ratio, (low, high) = entry["value"], entry["interval"]
            ends = (
                (ratio - half, ratio + half, half),
                (high - self.step, high, self.step),
                (low, low + self.step, self.step),
            )
            for printed, (least, most, off) in zip((figure["value"], *figure["interval"]), ends):
                right = right and printed >= (-most.ln() - off if most else 0)
                right = right and (least <= 0 or printed <= max(0, -least.ln()) + off)
        right = right and figure["a_priori"] == (self.log_bound if self.exact and not self.left_out else None)
        self.expect(right, where, "the log ratio is not the logarithm of the ratio")

    def rates_of(self, asked, entry, members):
        """The groups and kinds of the rates that a measure states; the impact ratio those of the two groups that it compares."""
        if "rate" not in asked:
            pair = asked["measure"] == "impact_ratio"
            return [(group, None) for group in members if not pair or group in entry["groups"]]
        kinds = [RATES[side] for side in SIDES[asked["rate"]]]
        kinds = {"false_negative": ["false_negative"], "predictive_parity": ["predictive"]}.get(
            asked["rate"], kinds
        )
        return [(group, kind) for group in members for kind in kinds]

    def has_its_rates(self, where, entry, expected):
        """Whether a measure states the rates of its groups, each once."""
        stated = [(each["group"], each.get("kind")) for each in entry["rates"]]
        right = sorted(map(str, stated)) == sorted(map(str, expected))
        return self.expect(right, where, "not the rates of its groups")

    def check_notes(self):
        """The notes state the confidence as the figures do: to programs, and in English also in words."""
        promise = [note for note in self.doc["notes"] if note["id"] == "promise"]
        stated = [note["arguments"].get("beta") for note in promise if "arguments" in note]
        right = all(beta == self.doc["privacy"]["beta"] for beta in stated)
        self.expect(right, "notes", "another confidence")
        if not self.doc["report"].get("language", "en").startswith("en"):
            return
        text = " ".join(note["text"] for note in promise)
        percent = [Decimal(self.doc["privacy"][key]) * 100 for key in ("beta", "contribution")]
        beta, added = (f"{number.normalize():f}" for number in percent)
        right = any(f" at most {beta}% {sure}" in text for sure in ("confident", "sure"))
        right = right and (" adds at most " not in text or f" adds at most {added} percentage point" in text)
        self.expect(
            right,
            "notes",
            "the promise should say {beta}%, and {added} percentage points where it adds",
            beta=beta,
            added=added,
        )


def group_named(key):
    return told("group {names}", names=", ".join(key)) if any(key) else told("group everybody")


def attributes_of(asked):
    """The attributes that tell whom a measure is about."""
    groups = asked.get("groups", [])
    named = {a for of in groups.values() for a in of} if isinstance(groups, dict) else groups
    label = [asked["label"]] if "label" in asked else []
    return [*([named] if isinstance(named, str) else named), *asked.get("given", []), *label]


def verdict(interval, threshold, should_reach, at_least):
    if threshold is None or interval is None:
        above = threshold is not None and at_least is not None and at_least > threshold
        return None if threshold is None else "does_not_meet" if above else "cannot_tell"
    low, high, limit = (-n for n in (*interval[::-1], threshold)) if should_reach else (*interval, threshold)
    return "meets" if high <= limit else "does_not_meet" if low > limit else "cannot_tell"


def square(a, b):
    """Two rates, each anywhere in its interval, as announced and as corners in order."""
    return [(a[0], b[0]), (a[1], b[1]), (a[2], b[1]), (a[2], b[2]), (a[1], b[2])]


def difference(rates):
    """|a - b| as announced, at least and at most, for two rates that can be anywhere between some corners."""
    value, *ends = (a - b for a, b in rates)
    return abs(value), max(0, min(ends), -max(ends)), max(max(ends), -min(ends))


def largest(found):
    return [max(each[k] for each in found) for k in range(3)]


def parity(of_a, of_b, number):
    """The sum of |difference| over all outcomes, divided by their number, each rate anywhere in its interval."""
    both = [difference(square(of_a[o], of_b[o])) for o in of_a]
    ways = [(of_a, of_b), (of_b, of_a)]
    least = max(sum(max(0, x[o][1] - y[o][2]) for o in x) for x, y in ways)
    most = min(sum(max(0, x[o][2] - y[o][1]) for o in x) for x, y in ways)
    ends = sum(d[0] for d in both), 2 * least, min(2 * most, sum(d[2] for d in both))
    return [Fraction(end) / number for end in ends]


def share(a, b):
    """The smaller rate as a share of the larger; of two that are equal, 1."""
    low, high = sorted((Fraction(a), Fraction(b)))
    return low / high if low < high else Fraction(1)


def ratio(rates):
    value, *ends = (share(a, b) for a, b in rates)
    meet = min(a - b for a, b in rates[1:]) <= 0 <= max(a - b for a, b in rates[1:])
    return value, min(ends), Fraction(1) if meet else max(ends)


def smaller_of_both(rates):
    """The most that the smaller of both outcomes' ratios can be: at a corner, or on an edge where the two are equal."""
    if ratio(rates)[2] == 1:
        return Fraction(1)
    corners = rates[1:]
    points = [*corners]
    for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
        if (a + b - 1) * (c + d - 1) < 0:
            t = (a + b - 1) / (a + b - c - d)
            points.append((a + t * (c - a), b + t * (d - b)))
    return max(min(share(a, b), share(1 - a, 1 - b)) for a, b in points)


def odds_ratio(a, b):
    """The smaller odds as a share of the larger. Odds, r / (1 - r), rise with the rate."""
    pairs = [sorted(map(Fraction, pair)) for pair in ((a[0], b[0]), (a[1], b[2]), (a[2], b[1]))]
    value, one, other = (
        low * (1 - high) / (high * (1 - low)) if low < high else Fraction(1) for low, high in pairs
    )
    return value, min(one, other), other if a[2] < b[1] else one if b[2] < a[1] else Fraction(1)


def impact(with_others):
    """A group's rate as a share of the highest, from its rate together with that of each other group."""
    capped = [[share(a, b) if a < b else Fraction(1) for a, b in rates] for rates in with_others]
    ends = [(value, min(corners), max(corners)) for value, *corners in capped]
    return [min(each[k] for each in ends) for k in range(3)]


def with_chance(rate, cases, error):
    """Where the long-run rate can lie, given where the recorded one does: the exact binomial ends of the extreme counts."""
    fewest = max(0, math.ceil(rate[1] * cases - Fraction(1, 10**6)))
    most = min(cases, math.floor(rate[2] * cases + Fraction(1, 10**6)))
    fewest, most = sorted((fewest, most))
    return rate[0], lower_end(fewest, cases, error / 2), 1 - lower_end(cases - most, cases, error / 2)


def lower_end(favourable, cases, chance):
    """The probability with which so many cases or more are favourable with this chance (Clopper and Pearson)."""
    low, high = 0.0, 1.0
    while favourable and high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(favourable, cases, middle) < chance else (low, middle)
    return low


def tail(favourable, cases, p):
    """The chance of so many favourable cases or more: the incomplete beta function, by its continued fraction."""
    a, b = favourable, cases - favourable + 1
    if not 0 < p < 1:
        return float(p >= 1)
    if p > (a + 1) / (a + b + 2):
        return 1 - fraction(b, a, 1 - p)
    return fraction(a, b, p)


def fraction(a, b, x):
    tiny, m = 1e-300, 0
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    found = d
    while m < 10**6:
        m += 1
        for number in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1 / ((1 + number * d) or tiny), (1 + number / c) or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    log = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(log) * found / a


def error_rates(pairs):
    """The largest of the differences of rates of two groups."""
    return largest([difference(rates) for rates in pairs])


def share_with_chance(part, rest, error):
    """Where a long-run share can lie, given where the numbers of cases in it and beside it lie."""
    off = Fraction(1, 10**6)
    whole = [sorted((math.ceil(n[1] - off), math.floor(n[2] + off))) for n in (part, rest)]
    (few, most), (few_beside, most_beside) = ([max(0, n) for n in ends] for ends in whole)
    low, high = ((n, n + m) for n, m in ((few, most_beside), (few_beside, most)))
    return 0, lower_end(*low, error / 2) if low[0] else 0, 1 - (lower_end(*high, error / 2) if high[0] else 0)


def predictive(right, wrong):
    """The share of those for whom it was right among all who got it: (people, rate with its ends) of both."""
    (n, r), (m, w) = right, wrong

    def part(some, rest, of_nothing):
        return Fraction(some, some + rest) if some + rest else Fraction(of_nothing)

    return part(n * r[0], m * w[0], 0), part(n * r[1], m * w[2], 1), part(n * r[2], m * w[1], 0)


def expected_tables(doc):
    """The rows of cells.csv and measures.csv, as report.json has them."""
    names, outcomes = [a["name"] for a in doc["process"]["attributes"]], doc["process"]["outcome"]["values"]
    names = names + {"counts": ["population"], "shares": ["share"]}.get(doc["policy"]["population"], [])
    cells = [names + outcomes + ["lower", "upper"] * ("bounds" in doc["policy"]["fidelity"])]
    for c in doc["cells"]:
        cells.append([c.get(n) for n in names] + [c["announced"][o] for o in outcomes] + c.get("bounds", []))
    unknown = any("unknown" in f for f in doc["fairness"])
    rates = any("rate" in f for f in doc["fairness"])
    measures = [MEASURES.split(",") + ["unknown_low", "unknown_high"] * unknown + ["rate"] * rates]
    for f in doc["fairness"]:
        chance = [*s["interval"], s["level"]] if (s := f.get("sampling")) else [None] * 3
        given = "; ".join(f"{k}={v}" for k, v in (f["given"] or {}).items())
        row = [f["measure"], *(f["groups"] or ["", ""]), given, f["value"], *(f["interval"] or ["", ""])]
        row += [f["a_priori"], f["threshold"], f["verdict"], f.get("outcome"), *chance]
        row += f.get("unknown", {"interval": [None, None]})["interval"] * unknown
        measures.append(row + [f.get("rate")] * rates)
    return {"cells.csv": cells, "measures.csv": measures}


def plain(entry):
    """An entry of a table as it is compared: numbers by value, texts letter by letter."""
    text = "" if entry is None else str(entry)
    # an apostrophe keeps spreadsheets from calculating
    text = text[1:] if text[:2] in ("'=", "'+", "'-", "'@") else text
    return Decimal(text) if NUMBER.fullmatch(text) else text


def check_tables(contents, doc):
    """The tables, where they are among the files, have the rows of report.json."""
    for name, expected in expected_tables(doc).items():
        if name in contents:
            rows = csv.reader(contents[name].decode().splitlines())
            if [[plain(e) for e in row] for row in rows] != [[plain(e) for e in row] for row in expected]:
                yield told("{name}: does not say what report.json says", name=name)


def stated_checksums(node):
    """Every file that a description of the report names with its checksum."""
    if isinstance(node, list):
        for entry in node:
            yield from stated_checksums(entry)
    elif isinstance(node, dict):
        address = node.get("dcat:downloadURL") or node.get("contentUrl") or node
        checksum = node.get("spdx:checksum", {}).get("spdx:checksumValue", {}).get("@value")
        if checksum or "sha256" in node:
            yield address.get("@id"), checksum or node["sha256"]
        for entry in node.values():
            yield from stated_checksums(entry)


def check_catalogue(contents):
    """The checksums that dcat.jsonld and the pages state are those of the files, and dcat.jsonld names all files."""
    names = [name for name in contents if name.endswith(".html")]
    pages = {name: PAGE_CATALOGUE.search(contents[name].decode()) for name in names}
    texts = {name: page and page[1] for name, page in pages.items()}
    texts["dcat.jsonld"] = contents.get("dcat.jsonld")
    for where, text in texts.items():
        stated = list(stated_checksums(read_json(text))) if text else []
        for name, digest in stated:
            if name in contents and hashlib.sha256(contents[name]).hexdigest() != digest:
                yield told("{where}: states another checksum than {name} has", where=where, name=name)
    if texts["dcat.jsonld"] and {name for name, _ in stated} != contents.keys() - {"dcat.jsonld", *UNLISTED}:
        yield told("dcat.jsonld: does not name the files that are beside it")


def number(text):
    """A number as it is written. One that is longer than any report prints could take for ever to calculate with."""
    found = Decimal(text)
    if len(text) > MOST_DIGITS or not found.is_finite() or abs(found.adjusted()) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return found


def once(pairs):
    """An object in which no key is given twice: two readers could see different figures."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key is given twice")
    return dict(pairs)


def whole_number(text):
    return int(number(text))


def read_json(content):
    exactly = {"parse_float": number, "parse_int": whole_number, "parse_constant": number}
    text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
    found = json.loads(text, object_pairs_hook=once, **exactly)
    # half a character can be written so, and not shown: an error here
    if re.search(r"\\u[dD][89a-fA-F]", text):
        json.dumps(found, ensure_ascii=False, default=str).encode()
    return found


def read_file(path):
    """The bytes of a plain file of bounded size; a link leads elsewhere, and a pipe has no end."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
            raise OSError(f"{path.name}: no plain file, or larger than any of a report")
        return file.read(MOST_BYTES)


def languages_of(doc):
    """The languages of a report, the main one first."""
    return doc["report"].get("languages") or [doc["report"].get("language", "en")]


def main_name(name, further):
    """What a file is called in the main language, and its own language where that is another of the report."""
    found = IN_A_LANGUAGE.fullmatch(name)
    known = found is not None and found[2] in further
    return (f"{found[1]}.{found[3]}", found[2]) if known else (name, None)


def without_words(doc):
    """A report.json without what differs between languages."""
    about = {key: value for key, value in doc["report"].items() if key != "language"}
    words = ("title", "text")
    notes = [{key: value for key, value in note.items() if key not in words} for note in doc["notes"]]
    return {**doc, "report": about, "notes": notes}


def check_languages(contents, doc):
    """Every language that the report names is there, in files of its own, and says the same in other words."""
    main, *further = languages_of(doc)
    if doc["report"].get("language", "en") != main:
        yield "report.json: is not in the main language"
    documents = {None: doc}
    for name in sorted(contents):
        of_main, language = main_name(name, further)
        if of_main not in contents:
            yield f"{name}: there is no {of_main}, of which it is the translation"
        if of_main == "report.json" and language:
            documents[language] = read_json(contents[name])
            stated = documents[language]["report"].get("language")
            if stated != language or without_words(documents[language]) != without_words(doc):
                yield f"{name}: says something else than report.json in other words"
        for_all = name.startswith(("cells", "measures", "dcat", "style-", "verify"))
        in_words = language is None and name in FILES and not for_all
        for each in further if in_words else ():
            stem, _, ending = name.rpartition(".")
            if f"{stem}.{each}.{ending}" not in contents:
                yield f"{stem}.{each}.{ending}: missing"
    for name in contents:
        of_main, language = main_name(name, further)
        page = PAGE_DATA.search(contents[name].decode()) if of_main == "report.html" else None
        if page and read_json(page[1]) != documents.get(language, doc):
            yield f"{name}: carries other data than the report.json of its language"


def check_added(contents):
    """What was added to the finished files has the form it should have, and is about them, whoever made it."""
    sums, added = (
        hashlib.sha256(contents.get("SHA256SUMS", b"")),
        [contents.get(name) for name in UNLISTED[1:]],
    )
    signature, stamp, statement = added
    if signature is not None and len(decoded(signature.strip())) != 64:
        yield told("{name}: this is no signature", name=UNLISTED[1])
    if stamp is not None and not (stamp[:1] == b"\x30" and sums.digest() in stamp):
        yield told("{name}: this is no time stamp of {sums}", name=UNLISTED[2], sums=UNLISTED[0])
    if statement is not None:
        envelope = read_json(statement)
        stated = read_json(decoded(envelope["payload"]))
        named = {each["name"]: each["digest"]["sha256"] for each in stated["subject"]}
        keys = {"payload", "payloadType", "signatures"}, {"_type", "subject", "predicateType", "predicate"}
        if (envelope.keys(), stated.keys()) != keys or len(named) < len(stated["subject"]):
            yield told("{name}: it is a statement of another kind", name=UNLISTED[3])
        for name in sorted(contents.keys() - {*UNLISTED}):
            if named.get(name) != hashlib.sha256(contents[name]).hexdigest():
                yield told("{name}: it is not about this {file}", name=UNLISTED[3], file=name)


def decoded(text):
    """What is written in base64; nothing where something else is."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""


def check_files(folder, doc):
    """The other files of the folder say what report.json says, and none was altered or added after it was published."""
    contents = {}
    for file in folder.iterdir():
        try:
            contents[file.name] = read_file(file)
        except OSError:
            yield f"{file.name}: a folder, a link, or a file larger than any of a report"
    yield from check_tables(contents, doc)
    yield from check_catalogue(contents)
    yield from check_languages(contents, doc)
    yield from check_added(contents)
    style = doc.get("style", {})
    if "fonts" in style:
        yield "style.fonts: a report is set in its own fonts; another can draw other digits"
    named = {part["file"]: part["sha256"] for part in [style.get("logo")] if part}
    for name in {*named, *(name for name in contents if name.startswith("style-"))}:
        if hashlib.sha256(contents.get(name, b"")).hexdigest() != named.get(name):
            yield f"{name}: not the file that report.json names"
    listed = [line.partition("  ") for line in contents.get("SHA256SUMS", b"").decode().splitlines()]
    for digest, _, name in listed:
        if hashlib.sha256(contents.get(name, b"")).hexdigest() != digest:
            yield f"{name}: missing, or altered since its checksum was taken"
    for name in sorted(contents.keys() - {name for _, _, name in listed} - {*UNLISTED}):
        yield f"{name}: not listed in SHA256SUMS"
    for name in sorted(contents.keys() - {*UNLISTED}):
        if main_name(name, languages_of(doc)[1:])[0] not in FILES:
            yield f"{name}: no file of a report"


def left_out(report):
    """What the report does not let anybody calculate, or says that it does not: it is not checked until that is accepted."""
    if report.weights is None:
        why = "the shares have too few digits" if report.shares else "the number of people is not published"
        yield f"confidence, rates and measures: {why}"
    elif not report.exact:
        yield "how far open numbers widen intervals; `atreport verify` checks it"
    if report.loose:
        yield f"how wide {len(report.loose)} intervals are: where rates are kept, the shares have too few digits"
    if report.earlier:
        yield "how wide intervals are, and those for chance: version 0.1 had others"


def out_of_scope(doc):
    """What this file calculates of no report, whatever the report says; `atreport verify` does."""
    if doc.get("form", {}).get("tables") or any(
        doc.get(key) for key in ("influence", "rules", "value_rates")
    ):
        yield "influences, curves, rules, rates by value and tables of forms"
    if any("unknown" in entry for entry in doc["fairness"]):
        yield "what people of unknown group could make of measures"
    if any(entry["measure"] == "individual" for entry in doc["fairness"]):
        yield "individual fairness, over all pairs of cells"


def give_up(*_):
    raise TimeoutError("this takes longer than a report of this size should")


def set_limits(size):
    """A file that was made to take for ever is given up in words (not on Windows, which has no such limits)."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, give_up)
        signal.setitimer(signal.ITIMER_PROF, 12 + size / 20_000)  # seconds of processor time
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (800_000_000 + 100 * size, most))


def accepted(arguments):
    """What the reader accepts as not checked, and the other arguments."""
    parts, rest, words = [], [], iter(arguments)
    for word in words:
        if word == "--accept" or word.startswith("--accept="):
            parts += [word[9:] or next(words, "")]
        else:
            rest += [word]
    return parts, rest


def main(arguments, limit=None):
    parts, arguments = accepted(arguments)
    if {"-h", "--help"} & {*arguments}:
        print(__doc__.strip())
        return 0
    if wrong := [*({*parts} - {*PARTS}), *(word for word in arguments if word.startswith("-"))]:
        print(f"{wrong[0]}: no such option or part; --accept goes with {', '.join(PARTS)}", file=sys.stderr)
        return 2
    path = Path(arguments[0] if arguments else ".")
    try:
        content = read_file(path / "report.json" if path.is_dir() else path.resolve())
        if limit:
            limit(len(content))
        doc = read_json(content)
    except (OSError, ValueError, ArithmeticError, RecursionError, MemoryError) as error:
        print(f"{path}: no report that can be checked ({error})", file=sys.stderr)
        return 2
    try:
        report = Report(doc)
        report.check()
        findings = report.findings + (list(check_files(path, doc)) if path.is_dir() else [])
    except (OSError, MemoryError) as error:
        why = str(error) or "it takes more memory than a report of this size should"
        print(f"not checked    report.json ({why})")
        return 1
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError) as error:
        print(f"DOES NOT HOLD  report.json: its parts do not fit together ({error!r})")
        return 1
    print(*[f"DOES NOT HOLD  {finding}" for finding in findings], sep="\n", end="\n" * bool(findings))
    unchecked = [*left_out(report)]
    for item in unchecked:
        print(f"{'not checked   ' if 'figures' in parts else 'NOT CHECKED   '} figures: {item}")
    further = [f"{item}; `atreport verify` checks it" for item in out_of_scope(doc)]
    further += [
        f"{name}: who made it, and what it says of the report"
        for name in UNLISTED[1:]
        if (path / name).exists()
    ]
    further += ["the words and charts of pages and PDF; `atreport verify` makes them again"] * path.is_dir()
    for item in [*further, "whether the announced rule is as close to the true one as stated"]:
        print(f"not checked    {item}")
    left = unchecked and "figures" not in parts
    if left:
        print("Some figures were not calculated. To say that you accept it: --accept figures")
    number = f"{len(findings)} finding{'s' * (len(findings) > 1)}"
    print(number if findings else "Everything that was checked holds.")
    return 1 if findings or left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], set_limits))  # limits are for a process of its own: they last
