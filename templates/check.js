// "Check this report": recalculate the figures from the rule and the population that the page carries, in whole numbers
// of any size, and compare. Works without a network. Where shares are rounded, a figure may be off to the safe side by
// what that rounding allows, as in verify.py.
(() => {
  "use strict";
  const { say, written } = page;
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

  const figureNames = { beta: say("Confidence (β)"), gamma: say("Uncertainty (γ)"), lift: say("Times as likely"), odds: say("Odds factor") };

  const check = (doc) => {
    const findings = [];
    const decimals = doc.policy.decimals;
    const scale = 10n ** BigInt(decimals);
    const steps = (number, places = decimals) => {
      const text = number.toFixed(places);
      if (Number(text) !== number) findings.push(say("{number} has more digits than are printed.", { number: written(number) }));
      return BigInt(text.replace(".", ""));
    };
    const outcomes = doc.process.outcome.values;
    const favourable = doc.process.outcome.favourable;
    const named = (role) => doc.process.attributes.filter((a) => a.role === role).map((a) => a.name);
    const announced = outcomes.map((o) => doc.cells.map((cell) => steps(cell.announced[o])));
    doc.cells.forEach((_, i) => {
      if (announced.reduce((sum, of) => sum + of[i], 0n) !== scale) findings.push(say("The probabilities of cell {cell} do not make one.", { cell: i + 1 }));
    });
    const fits = (printed, exact, round, slack) => {
      const low = round === up ? exact : minus(exact, slack);
      const high = round === down ? exact : plus(exact, slack);
      return round(low, scale) <= printed && printed <= round(high, scale);
    };
    let weights = null, slack = zero, coarse = false;
    const exact = !["round", "suppress"].includes(doc.policy.small_cells.policy);
    if (doc.policy.population === "counts") weights = doc.cells.map((cell) => BigInt(cell.population ?? cell.guarded.counted_as));
    if (doc.policy.population === "shares" && exact) {
      weights = doc.cells.map((cell) => steps(cell.share, doc.policy.share_decimals));
      slack = [8n, 2n * weights.reduce((a, b) => (a < b ? a : b)) - 1n];
      coarse = 100n * slack[0] > slack[1]; // as in verify.py: a figure that may be off by more than a hundredth is not checked
      if (coarse) weights = null, slack = zero;
    }

    // Confidence, group by group.
    const groups = new Map();
    doc.cells.forEach((cell, i) => {
      const key = JSON.stringify(named("public").map((name) => cell[name]));
      groups.set(key, [...(groups.get(key) ?? []), i]);
    });
    // The fewest and the most people in a cell; confidence is highest with the most of one value and the fewest others.
    const between = (i) => (doc.cells[i].guarded?.people ?? [weights[i], weights[i]]).map(BigInt);
    const confidences = (attribute, members, columns, highest = 1) => {
      const found = new Map(members.map((i) => [doc.cells[i][attribute], zero]));
      for (const column of columns) {
        const parts = new Map([...found.keys()].map((value) => [value, [0n, 0n]]));
        let total = 0n;
        for (const i of members) {
          const [own, other] = [between(i)[highest] * column[i], between(i)[1 - highest] * column[i]];
          const part = parts.get(doc.cells[i][attribute]);
          parts.set(doc.cells[i][attribute], [part[0] + own, part[1] + own - other]);
          total += other;
        }
        for (const [value, [own, more]] of parts) if (own > 0n) found.set(value, largest([found.get(value), [own, total + more]]));
      }
      return found;
    };
    const confidence = (members, columns, highest = 1) =>
      largest(named("sensitive").flatMap((attribute) => [...confidences(attribute, members, columns, highest).values()]));
    // The highest (sign 1) or lowest (-1) mean of a column over all numbers of people that are left open.
    const mean = (members, column, sign) => {
      let weight = members.map((i) => between(i)[1]), found = null;
      for (;;) {
        const next = [members.reduce((sum, i, k) => sum + weight[k] * column[i], 0n), weight.reduce((a, b) => a + b)];
        if (found && !less(found, next) && !less(next, found)) return found;
        found = next;
        weight = members.map((i) => between(i)[sign * Number(column[i] * found[1] - found[0]) > 0 ? 1 : 0]);
      }
    };
    // How many times as likely each value becomes: its mean of an outcome by the group's.
    const lifts = (attribute, members) => {
      const found = new Map();
      for (const column of announced) {
        const lowest = mean(members, column, -1);
        if (lowest[0] === 0n) continue;
        for (const value of new Set(members.map((i) => doc.cells[i][attribute]))) {
          const own = mean(members.filter((i) => doc.cells[i][attribute] === value), column, 1);
          const lift = [own[0] * lowest[1], own[1] * lowest[0]];
          found.set(value, found.has(value) ? largest([found.get(value), lift]) : lift);
        }
      }
      return found;
    };
    // The largest probability of an outcome by the least, over cells; null: an outcome rules something out.
    const oddsOf = (members) => {
      let found = [1n, 1n];
      for (const column of announced) {
        const [low, high] = [least, largest].map((end) => end(members.map((i) => [column[i], 1n]))[0]);
        if (high > 0n && low === 0n) return null;
        if (high > 0n) found = largest([found, [high, low]]);
      }
      return found;
    };
    // Factors are rounded up to 15 digits where they have more.
    const factor = (exact) => {
      let found = up(exact, scale);
      for (let unit = 10n; found >= unit * 10n ** 14n; unit *= 10n) found = -floor(-found, unit) * unit;
      return found;
    };
    const fitsFactor = (printed, exact) => {
      const stated = steps(printed);
      return factor(exact) <= stated && stated <= factor(plus(exact, [exact[0] * slack[0], exact[1] * slack[1]]));
    };
    const everybody = [doc.cells.map(() => 1n)];
    let added = null;
    for (const group of doc.privacy.groups) {
      const values = named("public").map((name) => group.qid[name]);
      const members = groups.get(JSON.stringify(values));
      const name = values.join(", ") || say("everybody");
      if (!members || members.length !== group.cells) { findings.push(say("The cells of the group {name} are not all there.", { name })); continue; }
      const odds = oddsOf(members);
      const right = group.odds === undefined || (odds === null ? group.odds === null : group.odds !== null && steps(group.odds) === factor(odds));
      if (!right) findings.push(say("Group {name}: the odds factor is not {figure}.", { name, figure: written(group.odds) }));
      if (!weights) continue;
      if (group.lift !== undefined) {
        const lift = largest(named("sensitive").flatMap((attribute) => [...lifts(attribute, members).values()]));
        if (!fitsFactor(group.lift, lift)) findings.push(say("Group {name}: a value does not become {figure} times as likely.", { name, figure: written(group.lift) }));
      }
      const prior = confidence(members, everybody);
      const least = exact ? prior : confidence(members, everybody, 0);
      if (!fits(steps(group.beta), confidence(members, announced), up, slack)) findings.push(say("Group {name}: the confidence is not {figure}.", { name, figure: written(group.beta) }));
      if (!fits(steps(group.prior), prior, up, slack)) findings.push(say("Group {name}: the confidence before any report is not {figure}.", { name, figure: written(group.prior) }));
      const [a, b] = [least, minus(least, slack)].map((p) => steps(group.beta) - down(p, scale));
      added = added ? [max(added[0], a), max(added[1], b)] : [a, b];
    }
    if (groups.size !== doc.privacy.groups.length) findings.push(say("Groups are missing."));
    const beta = doc.privacy.groups.reduce((most, group) => max(most, steps(group.beta)), 0n);
    if (steps(doc.privacy.beta) !== beta) findings.push(say("The report’s confidence is not the highest of its groups."));
    const contribution = steps(doc.privacy.contribution);
    if (added && (contribution < added[0] || contribution > added[1])) findings.push(say("What the report adds is not {figure}.", { figure: written(doc.privacy.contribution) }));

    // Lift, odds and the figures of each sensitive value; version 0.1 stated none of them.
    const most = (list, key) => list.reduce((a, b) => (a === null || b[key] === null ? null : Math.max(a, b[key])), 0);
    if (doc.privacy.lift !== undefined) {
      for (const key of ["lift", "odds"]) if (doc.privacy[key] !== most(doc.privacy.groups, key)) findings.push(say("{figure}: the report’s is not the highest of its groups.", { figure: figureNames[key] }));
      for (const key of ["beta", "lift"]) if (doc.privacy[key] !== most(doc.privacy.attributes, key)) findings.push(say("{figure}: the report’s is not the highest of its sensitive attributes.", { figure: figureNames[key] }));
    }
    for (const entry of doc.privacy.attributes ?? []) {
      if (entry.beta !== most(entry.values, "after") || entry.lift !== most(entry.values, "lift")) findings.push(say("The figures of “{name}” are not the highest of its values.", { name: entry.name }));
      const ceilings = doc.process.attributes.find((a) => a.name === entry.name)?.ceilings ?? {};
      // Each group once: its key, and of each value the confidence before and after, and the lift.
      const ofGroups = !weights ? [] : [...groups.entries()].map(([key, members]) => [key, ...[everybody, announced].map((columns) => confidences(entry.name, members, columns)), lifts(entry.name, members)]);
      for (const each of entry.values) {
        const name = entry.name + " “" + each.value + "”";
        if (each.after > (Object.hasOwn(ceilings, each.value) ? ceilings[each.value] : 1)) findings.push(say("{name}: the confidence is above the publisher’s ceiling.", { name }));
        if (!weights) continue;
        const inside = ofGroups.filter(([, before]) => before.has(each.value));
        const found = inside.map(([, before, after]) => [before.get(each.value), after.get(each.value)]);
        const right = found.length > 0 && fits(steps(each.before), largest(found.map((f) => f[0])), up, slack) && fits(steps(each.after), largest(found.map((f) => f[1])), up, slack)
          && fitsFactor(each.lift, largest(inside.map(([, , , lift]) => lift.get(each.value))));
        if (!right) findings.push(say("{name}: the confidence does not go from {before} to {after}, {lift} times as likely.", { name, before: written(each.before), after: written(each.after), lift: written(each.lift) }));
        const place = inside.findIndex(([key]) => key === JSON.stringify(named("public").map((n) => each.rise.qid[n])));
        const risen = steps(each.rise.after) - steps(each.rise.before);
        const atLeast = found.map((f) => up(f[1], scale) - up(plus(f[0], slack), scale));
        const highest = atLeast.reduce(max, 0n);
        const fitting = place >= 0 && fits(steps(each.rise.before), found[place][0], up, slack) && fits(steps(each.rise.after), found[place][1], up, slack);
        if (!fitting || risen < highest || (slack === zero && place !== atLeast.indexOf(highest))) findings.push(say("{name}: this is not the group in which it rises most.", { name }));
      }
    }
    const ceiling = doc.policy.privacy ?? {};
    const above = { beta: doc.privacy.beta > ceiling.beta, gamma: doc.privacy.gamma < ceiling.gamma, lift: !(doc.privacy.lift <= ceiling.lift), odds: doc.privacy.odds === null || !(doc.privacy.odds <= ceiling.odds) };
    for (const key of Object.keys(ceiling)) if (above[key]) findings.push(say("{figure}: the publisher’s ceiling is not kept.", { figure: figureNames[key] }));

    // Fairness: each measure from the rates beside it, and its verdict from its interval.
    for (const [index, entry] of doc.fairness.entries()) {
      const name = say("Measure {number} ({id})", { number: index + 1, id: entry.measure });
      if (!entry.interval) continue;
      const atLeast = doc.measures.some((asked) => asked.measure === entry.measure && asked.p !== undefined);
      const [low, high] = entry.interval;
      const limit = entry.threshold;
      let verdict = null;
      if (limit !== null) {
        if (atLeast ? low >= limit : high <= limit) verdict = "meets";
        else verdict = (atLeast ? high < limit : low > limit) ? "does_not_meet" : "cannot_tell";
      }
      if (verdict !== entry.verdict) findings.push(say("{name}: the verdict does not follow from its interval.", { name }));
      if (low > high || entry.value > high || entry.value < low) findings.push(say("{name}: the figure is outside its interval.", { name }));
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
      if (less(plus(exact[0], off), value) || less(value, minus(exact[0], off))) findings.push(say("{name}: {figure} does not follow from the rates.", { name, figure: written(entry.value) }));
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
        if (doc.process.attributes.some((a) => a.name === asked.groups && a.joined)) continue; // verify.py checks who may be in a group
        const isPublic = named("public").includes(asked.groups);
        const kept = doc.policy.fidelity.rates;
        if (kept !== undefined && (!exact || (!isPublic && less(zero, slack)))) continue; // verify.py checks how far roundings go
        for (const entry of doc.fairness.filter((each) => each.measure === asked.measure && !each.given)) {
          for (const rate of entry.rates ?? []) {
            if (rate.kind === "predictive") continue; // verify.py checks it
            const counts = (cell) => !rate.kind || (asked.positive.includes(cell[asked.label]) ? rate.kind !== "false_positive"
              : rate.kind === "false_positive" && cell[asked.label] !== doc.process.attributes.find((a) => a.name === asked.label).unknown);
            const members = doc.cells.map((cell, i) => i).filter((i) => doc.cells[i][asked.groups] === rate.group && counts(doc.cells[i]));
            if (!members.length) continue;
            const people = members.reduce((sum, i) => sum + weights[i], 0n) * whole;
            const total = (of, cells) => cells.reduce((sum, i) => sum + weights[i] * of[i], 0n);
            let [value, low, high] = ends.map((of) => [total(of, members), people]);
            if (kept !== undefined) {
              // Rates of groups that are alike in all public attributes are kept: the rest of such a group takes up the rest of it.
              low = [0n, people];
              high = [0n, people];
              for (const cells of groups.values()) {
                const own = cells.filter((i) => members.includes(i));
                const rest = cells.filter((i) => !members.includes(i));
                const off = (10n ** 12n - BigInt(Math.round(kept * 1e12))) * scale * cells.reduce((sum, i) => sum + weights[i], 0n);
                const [all, least, most] = ends.map((of) => total(of, cells));
                if (!own.length) continue;
                low[0] += max(total(ends[1], own), max(least, all - off) - total(ends[2], rest));
                high[0] -= max(-total(ends[2], own), total(ends[1], rest) - (most < all + off ? most : all + off));
              }
            }
            if (rate.kind === "false_negative") [value, low, high] = [value, high, low].map(([n, d]) => [d - n, d]);
            // What numbers left open and people left out add to an interval is not recalculated here.
            const wider = exact && !doc.privacy.unprotectable.left_out ? slack : [1n, 1n];
            const right = fits(steps(rate.value), value, nearest, slack) && fits(steps(rate.interval[0]), low, down, wider) && fits(steps(rate.interval[1]), high, up, wider);
            if (!right) findings.push(say("The rate of “{group}” is not {figure}, between {low} and {high}.", { group: rate.group, figure: written(rate.value), low: written(rate.interval[0]), high: written(rate.interval[1]) }));
          }
        }
      }
    }
    return { findings: [...new Set(findings)], partial: !weights, coarse };
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
    const findings = [];
    const tables = ["values", "groups", "rates", "measures"];
    for (const cell of document.querySelectorAll(tables.map((name) => "#table-" + name + " td.number").join(", "))) {
      for (const figure of page.plain(cell.textContent).match(/\d+\.\d+/g) ?? []) {
        if (!known.has(text(Number(figure)))) findings.push(say("The page prints {figure}, which the data do not give.", { figure: written(figure) }));
      }
    }
    return [...new Set(findings)];
  };

  const button = place.querySelector("button");
  const output = place.querySelector("output");
  const line = (tag, textContent) => Object.assign(document.createElement(tag), { textContent });
  button.addEventListener("click", () => {
    let lines;
    try {
      const doc = JSON.parse(carried.textContent);
      const found = check(doc);
      found.findings.push(...printed(doc));
      place.dataset.result = found.findings.length ? "findings" : found.partial ? "partial" : "holds";
      const size = { cells: doc.cells.length, groups: doc.privacy.groups.length, measures: doc.fairness.length };
      lines = found.findings.length
        ? [line("p", say("This copy does not hold. Do not rely on it before its publisher has explained what follows.")), list(found.findings)]
        : found.partial
        ? [line("p", say("What needs no number of people holds. Recalculated in exact arithmetic from the published rule: cells {cells}.", size))]
        : [line("p", say("What was checked holds. Recalculated in exact arithmetic from the published rule: cells {cells}, groups {groups}, measures {measures}.", size))];
      if (found.partial) lines.push(line("p", found.coarse
        ? say("The shares of people have too few digits for confidence and rates to be recalculated.")
        : say("The number of people is not published, so confidence and rates could not be recalculated.")));
    } catch (error) {
      place.dataset.result = "findings";
      lines = [line("p", say("This copy does not hold: its data cannot be read."))];
    }
    lines.push(line("p", say("A page cannot check everything, nor itself: the command atreport verify and the file verify.py check more, and only someone who may see the data can check that the announced rule is as close to the true one as stated.")));
    output.replaceChildren(...lines);
  });
  const list = (items) => {
    const element = document.createElement("ul");
    element.append(...items.slice(0, 20).map((item) => line("li", item)));
    return element;
  };
  place.hidden = false;
})();
