// "Check this report": recalculate the figures from the rule and the population that the page carries, in whole numbers
// of any size, and compare. Works without a network. Where shares are rounded, a figure may be off to the safe side by
// what that rounding allows, as in verify.py.
(() => {
  "use strict";
  const place = document.querySelector(".self-check");
  const carried = document.getElementById("report-data");
  if (!place || !carried) return;

  // Fractions [n, d] with d > 0.
  const max = (a, b) => (a > b ? a : b);
  const less = (x, y) => x[0] * y[1] < y[0] * x[1];
  const minus = (x, y) => [x[0] * y[1] - y[0] * x[1], x[1] * y[1]];
  const plus = (x, y) => [x[0] * y[1] + y[0] * x[1], x[1] * y[1]];
  const largest = (list) => list.reduce((x, y) => (less(x, y) ? y : x));
  const least = (list) => list.reduce((x, y) => (less(y, x) ? y : x));
  const share = (x, y) => {
    const [small, large] = less(x, y) ? [x, y] : [y, x];
    return large[0] === 0n ? [1n, 1n] : [small[0] * large[1], small[1] * large[0]];
  };
  const floor = (n, d) => (n >= 0n ? n / d : -((-n + d - 1n) / d));
  const down = (x, scale) => floor(x[0] * scale, x[1]);
  const up = (x, scale) => -floor(-x[0] * scale, x[1]);
  const nearest = (x, scale) => {
    const twice = floor(2n * x[0] * scale, x[1]);
    const half = (twice + 1n) / 2n;
    const tie = 2n * x[0] * scale === twice * x[1] && twice % 2n !== 0n;
    return tie && half % 2n !== 0n ? half - 1n : half;
  };
  const zero = [0n, 1n];

  const check = (doc) => {
    const findings = [];
    const decimals = doc.policy.decimals;
    const scale = 10n ** BigInt(decimals);
    const steps = (number, places = decimals) => {
      const text = number.toFixed(places);
      if (Number(text) !== number) findings.push(number + " has more digits than are printed");
      return BigInt(text.replace(".", ""));
    };
    const outcomes = doc.process.outcome.values;
    const favourable = doc.process.outcome.favourable;
    const named = (role) => doc.process.attributes.filter((a) => a.role === role).map((a) => a.name);
    const announced = outcomes.map((o) => doc.cells.map((cell) => steps(cell.announced[o])));
    doc.cells.forEach((_, i) => {
      if (announced.reduce((sum, of) => sum + of[i], 0n) !== scale) findings.push("The probabilities of cell " + (i + 1) + " do not make one.");
    });
    const fits = (printed, exact, round, slack) => {
      const low = round === up ? exact : minus(exact, slack);
      const high = round === down ? exact : plus(exact, slack);
      return round(low, scale) <= printed && printed <= round(high, scale);
    };
    let weights = null, slack = zero;
    const exact = !["round", "suppress"].includes(doc.policy.small_cells.policy);
    if (doc.policy.population === "counts") weights = doc.cells.map((cell) => BigInt(cell.population ?? cell.guarded.counted_as));
    if (doc.policy.population === "shares" && exact) {
      weights = doc.cells.map((cell) => steps(cell.share, doc.policy.share_decimals));
      slack = [8n, 2n * weights.reduce((a, b) => (a < b ? a : b)) - 1n];
    }

    // Confidence, group by group.
    const groups = new Map();
    doc.cells.forEach((cell, i) => {
      const key = JSON.stringify(named("public").map((name) => cell[name]));
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    // The fewest and the most people in a cell; confidence is highest with the most of one value and the fewest others.
    const between = (i) => (doc.cells[i].guarded?.people ?? [weights[i], weights[i]]).map(BigInt);
    const confidence = (members, columns, highest = 1) => largest([zero, ...columns.flatMap((column) => named("sensitive").flatMap((name) => {
      const parts = new Map();
      let total = 0n;
      for (const i of members) {
        const [own, other] = [between(i)[highest] * column[i], between(i)[1 - highest] * column[i]];
        const part = parts.get(doc.cells[i][name]) ?? [0n, 0n];
        parts.set(doc.cells[i][name], [part[0] + own, part[1] + own - other]);
        total += other;
      }
      return [...parts.values()].filter((part) => part[0] > 0n).map(([own, more]) => [own, total + more]);
    }))]);
    const everybody = [doc.cells.map(() => 1n)];
    let added = null;
    for (const group of doc.privacy.groups) {
      const values = named("public").map((name) => group.qid[name]);
      const members = groups.get(JSON.stringify(values));
      const name = values.join(", ") || "everybody";
      if (!members || members.length !== group.cells) { findings.push("The cells of the group " + name + " are not all there."); continue; }
      if (!weights) continue;
      const prior = confidence(members, everybody);
      const least = exact ? prior : confidence(members, everybody, 0);
      if (!fits(steps(group.beta), confidence(members, announced), up, slack)) findings.push("Group " + name + ": the confidence is not " + group.beta + ".");
      if (!fits(steps(group.prior), prior, up, slack)) findings.push("Group " + name + ": the confidence before any report is not " + group.prior + ".");
      const [a, b] = [least, minus(least, slack)].map((p) => steps(group.beta) - down(p, scale));
      added = added ? [max(added[0], a), max(added[1], b)] : [a, b];
    }
    if (groups.size !== doc.privacy.groups.length) findings.push("Groups are missing.");
    const beta = doc.privacy.groups.reduce((most, group) => max(most, steps(group.beta)), 0n);
    if (steps(doc.privacy.beta) !== beta) findings.push("The report’s confidence is not the highest of its groups.");
    const contribution = steps(doc.privacy.contribution);
    if (added && (contribution < added[0] || contribution > added[1])) findings.push("What the report adds is not " + doc.privacy.contribution + ".");

    // Fairness: each measure from the rates beside it, and its verdict from its interval.
    for (const [index, entry] of doc.fairness.entries()) {
      const name = "Measure " + (index + 1) + " (" + entry.measure.replaceAll("_", " ") + ")";
      if (!entry.interval) continue;
      const atLeast = doc.measures.some((asked) => asked.measure === entry.measure && asked.p !== undefined);
      const [low, high] = entry.interval;
      const limit = entry.threshold;
      let verdict = null;
      if (limit !== null) {
        if (atLeast ? low >= limit : high <= limit) verdict = "meets";
        else verdict = (atLeast ? high < limit : low > limit) ? "does_not_meet" : "cannot_tell";
      }
      if (verdict !== entry.verdict) findings.push(name + ": the verdict does not follow from its interval.");
      if (low > high || entry.value > high || entry.value < low) findings.push(name + ": the figure is outside its interval.");
      const rates = (entry.rates ?? []).map((rate) => [rate.value, ...rate.interval].map((number) => [steps(number), scale]));
      if (rates.length < 2 || outcomes.length > 2 || entry.by_outcome) continue;
      const [a, b] = [rates[0], rates[rates.length - 1]];
      const ratio = ["p_percent_rule", "impact_ratio"].includes(entry.measure);
      let exact;
      if (entry.measure === "group_disparity") {
        exact = [minus(largest(rates.map((r) => r[0])), least(rates.map((r) => r[0])))];
      } else if (ratio) {
        exact = [share(a[0], b[0])];
      } else if (entry.measure.endsWith("statistical_parity")) {
        const gap = minus(a[0], b[0]);
        exact = [gap[0] < 0n ? [-gap[0], gap[1]] : gap];
      } else continue; // of any other measure the rates are checked here, and the figure by verify.py
      // Rates are printed rounded, so what follows from them is off by some steps: many for a ratio of small rates.
      const off = ratio ? [2n * scale, max(1n, max(a[0][0], b[0][0])) * scale] : [2n, scale];
      const value = [steps(entry.value), scale];
      if (less(plus(exact[0], off), value) || less(value, minus(exact[0], off))) findings.push(name + ": " + entry.value + " does not follow from the rates.");
    }

    // Rates of single attributes, from the cells.
    if (weights && doc.policy.fidelity.delta !== undefined && outcomes.length === 2) {
      const move = 10n ** 12n - BigInt(Math.round(doc.policy.fidelity.delta * 1e12));
      const whole = scale * 10n ** 12n;
      const column = announced[outcomes.indexOf(favourable)].map((a) => a * 10n ** 12n);
      const ends = [column, column.map((a) => max(0n, a - move * scale)), column.map((a) => (a + move * scale > whole ? whole : a + move * scale))];
      for (const asked of doc.measures) {
        const alone = doc.measures.filter((each) => each.measure === asked.measure).length === 1;
        if (!alone || typeof asked.groups !== "string" || asked.given) continue;
        for (const entry of doc.fairness.filter((each) => each.measure === asked.measure && !each.given)) {
          for (const rate of entry.rates ?? []) {
            const members = doc.cells.map((cell, i) => i).filter((i) => doc.cells[i][asked.groups] === rate.group);
            if (!members.length) continue;
            const people = members.reduce((sum, i) => sum + weights[i], 0n) * whole;
            const [value, low, high] = ends.map((of) => [members.reduce((sum, i) => sum + weights[i] * of[i], 0n), people]);
            const wider = exact ? slack : [1n, 1n]; // what numbers left open add to an interval is not recalculated here
            const right = fits(steps(rate.value), value, nearest, slack) && fits(steps(rate.interval[0]), low, down, wider) && fits(steps(rate.interval[1]), high, up, wider);
            if (!right) findings.push("The rate of “" + rate.group + "” is not " + rate.value + " in " + rate.interval.join(" to ") + ".");
          }
        }
      }
    }
    return { findings: [...new Set(findings)], partial: !weights };
  };

  // Does the page print what its data say? Every figure of its tables must be one that the data give.
  const printed = (doc) => {
    const text = (steps) => String(steps);
    const known = new Set();
    const collect = (value) => {
      if (typeof value === "number") {
        for (const factor of [1, 100]) known.add(text(Number((value * factor).toFixed(12))));
      } else if (value && typeof value === "object") Object.values(value).forEach(collect);
    };
    collect([doc.privacy, doc.fairness]);
    doc.privacy.groups.forEach((group) => collect(Number((group.beta - group.prior).toFixed(12))));
    const findings = [];
    for (const cell of document.querySelectorAll("#table-groups td.number, #table-measures td.number")) {
      for (const figure of cell.textContent.match(/\d+\.\d+/g) ?? []) {
        if (!known.has(text(Number(figure)))) findings.push("The page prints " + figure + ", which the data do not give.");
      }
    }
    return [...new Set(findings)];
  };

  const button = place.querySelector("button");
  const output = place.querySelector("output");
  const say = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
  button.addEventListener("click", () => {
    let lines;
    try {
      const doc = JSON.parse(carried.textContent);
      const found = check(doc);
      found.findings.push(...printed(doc));
      place.dataset.result = found.findings.length ? "findings" : "holds";
      const size = doc.cells.length + " cells, " + doc.privacy.groups.length + " groups and " + doc.fairness.length + " measures";
      lines = found.findings.length
        ? [say("p", "This copy does not hold. Do not rely on it before its publisher has explained what follows."), list(found.findings)]
        : [say("p", "What was checked holds: " + size + " were recalculated from the published rule in exact arithmetic.")];
      if (found.partial) lines.push(say("p", "The number of people is not published, so confidence and rates could not be recalculated."));
    } catch (error) {
      place.dataset.result = "findings";
      lines = [say("p", "This copy does not hold: its data cannot be read.")];
    }
    lines.push(say("p", "A page cannot check everything, nor itself: the command atreport verify and the file verify.py check more, and only someone who may see the data can check that the announced rule is as close to the true one as stated."));
    output.replaceChildren(...lines);
  });
  const list = (items) => {
    const element = document.createElement("ul");
    element.append(...items.slice(0, 20).map((item) => say("li", item)));
    return element;
  };
  place.hidden = false;
})();
