"use strict";
// The studio's page: an editor, the report of what stands in it, sliders, attacks, a build. It asks this machine only.

const $ = (id) => document.getElementById(id);
const TAB = crypto.randomUUID();
const KEY = { "X-Studio-Key": localStorage.getItem("atreport-studio") || "" };
const SLIDERS = [
  { key: "delta", label: "δ, fidelity", least: 0, most: 1, step: 0.005, start: 0.9 },
  { key: "alpha", label: "α, fidelity", least: 0.05, most: 1, step: 0.005, start: 0.9 },
  { key: "rates", label: "rates kept within 1 − r", least: 0.8, most: 1, step: 0.001, start: 0.99, optional: true },
  { key: "beta", label: "ceiling on β", least: 0.01, most: 1, step: 0.005, start: 0.9, optional: true },
  { key: "lift", label: "ceiling on lift", least: 1, most: 20, step: 0.1, start: 2, optional: true },
  { key: "odds", label: "ceiling on odds", least: 1, most: 100, step: 0.5, start: 9, optional: true },
];
const state = { version: "", savedText: "", checked: "", own: null, news: 0, began: {}, stages: {} };

// ---- asking ---------------------------------------------------------------------------------------------------------

async function ask(address, question) {
  try {
    const answer = await fetch(address, {
      method: "POST", headers: { "Content-Type": "application/json", ...KEY }, body: JSON.stringify({ tab: TAB, ...question }),
    });
    if (answer.status === 409 || answer.ok || answer.status === 500) return await answer.json();
    return { ok: false, problems: [{ message: await answer.text(), hint: "", line: null }] };
  } catch {
    return { ok: false, gone: true, problems: [{ message: "The studio is not running any more: start it again.", hint: "", line: null }] };
  }
}

function begin(job) { state.began[job] = performance.now(); state.stages[job] = job; showStage(); }
function end(job) { delete state.began[job]; delete state.stages[job]; showStage(); }

function showStage() {
  const jobs = Object.keys(state.began).filter((job) => performance.now() - state.began[job] > 700);
  const words = jobs.map((job) => {
    const seconds = Math.floor((performance.now() - state.began[job]) / 1000);
    const stage = state.stages[job];
    return `${stage.startsWith(job) ? stage : `${job}: ${stage}`} · ${seconds} s`;
  });
  const text = words.join("; ");
  if ($("stage").textContent !== text) $("stage").textContent = text;
}
setInterval(showStage, 500);

// ---- the editor -----------------------------------------------------------------------------------------------------

function showNumbers(wrong = new Set()) {
  const lines = $("text").value.split("\n").length;
  const numbers = $("numbers");
  while (numbers.children.length > lines) numbers.lastChild.remove();
  while (numbers.children.length < lines) {
    const line = document.createElement("div");
    line.textContent = numbers.children.length + 1;
    numbers.append(line);
  }
  [...numbers.children].forEach((line, index) => line.classList.toggle("wrong", wrong.has(index + 1)));
  numbers.scrollTop = $("text").scrollTop;
}

function isUnsaved() { return $("text").value !== state.savedText; }

function showSaved() {
  const unsaved = isUnsaved();
  $("saved").textContent = unsaved ? "not saved" : "saved";
  $("save").disabled = !unsaved;
  $("build").disabled = unsaved;
  document.title = `${unsaved ? "• " : ""}${$("name").textContent} – atreport ${$("mode").textContent}`;
}

function goTo(line, column) {
  const text = $("text"), lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Math.max((column || 1) - 1, 0);
  text.focus();
  text.setSelectionRange(start, start);
  text.scrollTop = Math.max(0, (line - 6) * 20);
}

function showProblems(problems) {
  const list = $("problem-list");
  list.replaceChildren();
  showNumbers(new Set(problems.map((each) => each.line).filter(Boolean)));
  for (const each of problems) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    const place = each.line ? `Line ${each.line}${each.column ? `, column ${each.column}` : ""}: ` : "";
    button.textContent = `${place}${each.message}${each.hint ? `\n${each.hint}` : ""}`;
    button.addEventListener("click", () => each.line && goTo(each.line, each.column));
    item.append(button);
    list.append(item);
  }
  const count = problems.length;
  $("problem-count").textContent = count === 0 ? "No problems." : count === 1 ? "1 problem." : `${count} problems.`;
  $("problem-count").className = count ? "bad" : "quiet";
}

function setText(text) {
  const area = $("text");
  area.focus();
  area.select();
  // so that Ctrl Z brings the text before it back; where that is not to be had, at least the text is right
  if (!document.execCommand("insertText", false, text)) area.value = text;
  if (area.value !== text) area.value = text;
  area.setSelectionRange(0, 0);
  area.scrollTop = 0;
  edited();
}

let waiting = 0;
function edited() {
  showNumbers();
  showSaved();
  clearTimeout(waiting);
  waiting = setTimeout(() => { check(); draft(); }, 400);
}

// What is wrong and what the policy is are known long before the report of a large table is made.
async function check() {
  const text = $("text").value;
  const answer = await ask("/policy", { text });
  if (answer.superseded || text !== $("text").value) return;
  if (!answer.ok) { if ("report" in state.began) showProblems(answer.problems); return; }
  const same = JSON.stringify(state.own) === JSON.stringify(answer.policy);
  Object.assign(state, { checked: text, own: answer.policy });
  showProblems([]);
  if (same) { tryPolicy(); return; }  // what is being tried stays, while something else is edited
  fillSliders();
  showFigures(answer);
  settle(null);
}

async function save(overwrite = false) {
  const text = $("text").value;
  const answer = await ask("/save", { text, version: state.version, overwrite });
  if (answer.changed) { $("changed").hidden = false; $("reload").focus(); return; }
  if (!answer.ok) { showProblems(answer.problems); return; }
  state.version = answer.version;
  state.savedText = text;
  $("changed").hidden = true;
  showSaved();
}

async function load(first) {
  const answer = await (await fetch("/spec", { headers: KEY })).json();
  if (!answer.ok) { showProblems(answer.problems); return; }
  Object.assign(state, { version: answer.version, savedText: answer.text });
  if (first) {
    state.news = answer.news;
    $("name").textContent = answer.name;
    $("output").textContent = answer.output;
    if (!answer.editor) { document.body.classList.add("preview"); $("mode").textContent = "preview"; }
    $("text").value = answer.text;
    edited();
  } else if ($("text").value !== answer.text) {
    if (document.body.classList.contains("preview")) { $("text").value = answer.text; edited(); } else setText(answer.text);
  }
  $("changed").hidden = true;
  showSaved();
}

// ---- the report -----------------------------------------------------------------------------------------------------

function note(text) {
  const box = document.createElement("div");
  box.textContent = text;
  $("report-notes").append(box);
}

async function draft() {
  const text = $("text").value;
  begin("report");
  const answer = await ask("/draft", { text });
  if (answer.superseded) return;
  end("report");
  $("report-notes").replaceChildren();
  showProblems(answer.ok ? [] : answer.problems);
  if (!answer.ok) {
    $("report-line").textContent = "This spec cannot be built as it stands. Below is the last report that could be made.";
    if (document.body.classList.contains("preview")) answer.problems.forEach((each) => note(`${each.line ? `Line ${each.line}: ` : ""}${each.message}`));
    return;
  }
  answer.refused.forEach((each) => note(`A build would refuse this draft.\n${each}`));
  answer.warnings.forEach((each) => note(`Warning: ${each}`));
  const cells = Number(answer.cells).toLocaleString("en");
  $("report-line").textContent = `β = ${answer.beta}, ${cells} cells.${answer.refused.length ? " Refused as it stands: a draft, not a report." : ""}`;
  showReport(answer.page);
}

function showReport(page) {
  const frame = $("report");
  let place = 0;
  try { place = frame.contentWindow.scrollY; } catch { /* nothing is shown yet */ }
  frame.addEventListener("load", () => { try { frame.contentWindow.scrollTo(0, place); } catch { /* gone again */ } }, { once: true });
  frame.src = `/page/${page}`;
  $("own-tab").href = `/report/${page}`;
  $("own-tab").hidden = false;
}

// ---- the policy -----------------------------------------------------------------------------------------------------

function makeSliders() {
  for (const slider of SLIDERS) {
    const row = document.createElement("div");
    row.className = "slider";
    row.id = `slider-${slider.key}`;
    const label = document.createElement("label"), range = document.createElement("input"), number = document.createElement("input");
    if (slider.optional) {
      const on = document.createElement("input");
      on.type = "checkbox";
      on.id = `on-${slider.key}`;
      label.append(on, " ");
      on.addEventListener("change", () => { useSliders(); tryPolicy(); });
    }
    label.append(slider.label);
    Object.assign(range, { type: "range", id: `range-${slider.key}`, min: slider.least, max: slider.most, step: slider.step });
    Object.assign(number, { type: "number", id: `number-${slider.key}`, min: slider.least, max: slider.key === "lift" || slider.key === "odds" ? "" : slider.most, step: "any" });
    range.setAttribute("aria-label", `${slider.label}, slider`);
    number.setAttribute("aria-label", `${slider.label}, number`);
    range.addEventListener("input", () => { number.value = range.value; tryPolicy(); });
    number.addEventListener("input", () => { range.value = number.value; tryPolicy(); });
    row.append(label, range, number);
    $("sliders").append(row);
  }
}

function fillSliders() {
  const own = state.own;
  if (!own) return;
  for (const slider of SLIDERS) {
    const value = own[slider.key] ?? slider.start;
    $(`range-${slider.key}`).value = value;
    $(`number-${slider.key}`).value = value;
    if (slider.optional) $(`on-${slider.key}`).checked = own[slider.key] !== null;
  }
  $("slider-delta").hidden = own.delta === null;
  $("slider-alpha").hidden = own.alpha === null;
  useSliders();
}

function useSliders() {
  for (const slider of SLIDERS.filter((each) => each.optional)) {
    const on = $(`on-${slider.key}`).checked;
    $(`slider-${slider.key}`).classList.toggle("off", !on);
    $(`range-${slider.key}`).disabled = $(`number-${slider.key}`).disabled = !on;
  }
}

function chosen() {
  const found = {};
  for (const slider of SLIDERS) {
    const used = slider.optional ? $(`on-${slider.key}`).checked : state.own[slider.key] !== null;
    found[slider.key] = used ? $(`number-${slider.key}`).value : null;
  }
  return found;
}

// At rest, the figures that a build would print: they take as long as a draft, in a process of their own.
let turn = 0;
function settle(policy) {
  const mine = ++turn;
  setTimeout(async () => {
    if (mine !== turn || $("panel-policy").hidden) return;
    begin("exact policy");
    const answer = await ask("/policy", { text: state.checked, policy, exactly: true });
    if (answer.superseded || mine !== turn) return;
    end("exact policy");
    showFigures(answer, true);
  }, 600);
}

let asking = false, again = false;
async function tryPolicy() {
  if (!state.own) return;
  turn += 1;
  end("exact policy");
  if (asking) { again = true; return; }  // the latest is asked for when the one before it is there
  asking = true;
  begin("policy");
  const answer = await ask("/policy", { text: state.checked, policy: chosen() });
  asking = false;
  end("policy");
  if (again) { again = false; tryPolicy(); return; }
  if (answer.superseded) return;
  showFigures(answer);
  settle(chosen());
}

function showFigures(answer, exactly = false) {
  $("figures-note").textContent = exactly ? "These are the figures that a build would print."
    : "From the solver at once, rounded and certified. A build goes on to move single printed steps: its figures follow.";
  const rows = [], problem = !answer.ok ? answer.problems.map((each) => each.message).join(" ") : answer.possible ? "" : answer.why;
  $("policy-problem").textContent = problem;
  $("take-over").disabled = !answer.ok;
  if (answer.ok && answer.possible) {
    const names = answer.binding.names.join("; ") + (answer.binding.number > answer.binding.names.length ? `; and ${answer.binding.number - answer.binding.names.length} more` : "");
    const above = Object.entries(answer.above).map(([name, groups]) => `${name} (${groups} of ${answer.groups})`);
    const v = answer.verdicts;
    rows.push(
      ["β, the confidence that nobody exceeds", `${answer.beta} (before any report: ${answer.before})`],
      ["Lift: a value becomes at most so many times as likely", answer.lift],
      ["Odds: anybody's odds change at most by the factor", answer.odds ?? "no limit"],
      [answer.binding.number === 1 ? "The group that holds β up" : `${answer.binding.number} groups that hold β up`,
        names + (answer.binding.at_prior ? " (by the population alone)" : "")],
      ["Ceilings", above.length ? `not kept in some groups: ${above.join(", ")}` : chosenCeilings() ? "kept" : "none chosen", above.length ? "bad" : ""],
      ["Verdicts decided", v.all ? `${v.decided} of ${v.all}${v.decided ? ` (threshold met: ${v.meets}, not met: ${v.does_not_meet})` : ""}` : "no measure has a threshold"],
    );
    if (state.own.objective === "fidelity" && !exactly) rows.push(["The spec's objective", "fidelity: a build looks for the highest fidelity that keeps the ceilings; these are the figures at δ itself"]);
    if (answer.certain) rows.push(["Groups in which somebody can be certain", `${answer.certain} of ${answer.groups}`, "bad"]);
    if (!exactly) $("took").textContent = `${answer.milliseconds} ms`;
  } else $("took").textContent = "";
  $("figures").tBodies[0].replaceChildren(...rows.map(([name, value, tone]) => {
    const row = document.createElement("tr"), head = document.createElement("th"), cell = document.createElement("td");
    head.scope = "row";
    head.textContent = name;
    cell.textContent = value;
    if (tone) cell.className = tone;
    row.append(head, cell);
    return row;
  }));
}

function chosenCeilings() { const c = chosen(); return c.beta || c.lift || c.odds; }

async function takeOver() {
  const policy = chosen();
  // what was not touched stays as it is written: a ceiling given as gamma, rates left to the ceilings
  if (state.own.gamma && policy.beta === state.own.beta) delete policy.beta;
  if (state.own.best && policy.rates === null) delete policy.rates;
  const answer = await ask("/take-over", { text: $("text").value, policy });
  if (!answer.ok) { $("policy-problem").textContent = answer.problems.map((each) => each.message).join(" "); return; }
  setText(answer.text);
  $("take-over").focus();
  $("took").textContent = "taken over; not saved yet";
}

// ---- attacks and the build ------------------------------------------------------------------------------------------

function paragraph(text, tone) {
  const made = document.createElement("p");
  made.textContent = text;
  if (tone) made.className = tone;
  return made;
}

function tableOf(given) {
  const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  table.createCaption().textContent = given.caption;
  for (const column of given.columns) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = column.heading;
    if (column.numeric) cell.className = "number";
    head.append(cell);
  }
  for (const row of given.rows) {
    const line = body.insertRow();
    row.forEach((text, index) => {
      const cell = line.insertCell();
      cell.textContent = text;
      if (given.columns[index].numeric) cell.className = "number";
    });
  }
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "group");
  scroll.setAttribute("aria-label", given.caption);
  scroll.append(table);
  if (given.left_out) scroll.append(paragraph(given.left_out, "quiet"));
  return scroll;
}

async function attack() {
  const findings = $("findings");
  $("attack").disabled = true;
  $("stop-attacks").hidden = false;
  begin("attacks");
  const answer = await ask("/attacks", { text: $("text").value });
  end("attacks");
  $("attack").disabled = false;
  $("stop-attacks").hidden = true;
  findings.replaceChildren();
  if (!answer.ok) { findings.append(...(answer.problems || []).map((each) => paragraph(each.message, "bad"))); return; }
  findings.append(paragraph(answer.refused.length ? "A build would refuse this draft." : `The draft keeps its promise, β = ${answer.beta}.`, answer.refused.length ? "bad" : "good"));
  answer.refused.forEach((each) => findings.append(paragraph(each, "bad")));
  for (const part of answer.parts) {
    const heading = document.createElement("h3");
    heading.textContent = part.heading;
    findings.append(heading);
    if (part.text) findings.append(paragraph(part.text));
    part.tables.forEach((each) => findings.append(tableOf(each)));
    if (part.recommendation) findings.append(paragraph(`Recommendation. ${part.recommendation}`));
  }
}

async function build() {
  const built = $("built");
  $("build").disabled = true;
  $("stop-build").hidden = false;
  built.replaceChildren(paragraph("Building.", "quiet"));
  begin("build");
  const answer = await ask("/build", { version: state.version, pdf: $("pdf").checked });
  end("build");
  $("stop-build").hidden = true;
  showSaved();
  built.replaceChildren();
  if (answer.changed) { $("changed").hidden = false; built.append(paragraph("The file was changed by another program or tab: reload or overwrite it first.", "bad")); return; }
  if (!answer.ok) { built.append(...answer.problems.map((each) => paragraph(each.message, "bad"))); return; }
  built.append(paragraph(`Built in ${answer.folder}, β = ${answer.beta}.`, "good"));
  if (answer.missing) built.append(paragraph(`The PDF was not made: ${answer.missing}`, "bad"));
  answer.warnings.forEach((each) => built.append(paragraph(`Warning: ${each}`, "bad")));
  const list = document.createElement("ul");
  for (const file of answer.files) {
    const item = document.createElement("li");
    item.textContent = file;
    if (file.startsWith("confidential")) {
      const mark = document.createElement("span");
      mark.className = "secret-mark";
      mark.textContent = "not for publication";
      item.append(" ", mark);
    }
    list.append(item);
  }
  built.append(list);
}

// ---- tabs, keys, news -----------------------------------------------------------------------------------------------

const tabs = [...document.querySelectorAll("[role=tab]")];
function show(tab) {
  for (const each of tabs) {
    const on = each === tab;
    each.setAttribute("aria-selected", String(on));
    each.tabIndex = on ? 0 : -1;
    $(each.getAttribute("aria-controls")).hidden = !on;
  }
  if (tab.id === "tab-policy") tryPolicy();
}
for (const tab of tabs) {
  tab.addEventListener("click", () => show(tab));
  tab.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1 };
    if (!(event.key in steps)) return;
    const shown = tabs.filter((each) => each.offsetParent !== null);
    const next = shown[(shown.indexOf(tab) + steps[event.key] + shown.length) % shown.length];
    show(next);
    next.focus();
    event.preventDefault();
  });
}

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    if (isUnsaved() && !document.body.classList.contains("preview")) save();
  }
});
window.addEventListener("beforeunload", (event) => { if (isUnsaved()) event.preventDefault(); });

async function hear() {
  for (;;) {
    try {
      const answer = await fetch(`/news?after=${state.news}`, { headers: KEY });
      if (!answer.ok) throw new Error("refused");
      const found = await answer.json();
      state.news = found.number;
      for (const each of found.news) {
        if (each.kind === "stage" && each.tab === TAB && each.job in state.began) state.stages[each.job] = each.stage;
        if (each.kind === "data") draft();
        if (each.kind === "file") await fileChanged();
      }
      showStage();
    } catch {
      await new Promise((wake) => setTimeout(wake, 2000));
    }
  }
}

async function fileChanged() {
  const answer = await (await fetch("/spec", { headers: KEY })).json();
  if (!answer.ok || answer.version === state.version) return;
  if (isUnsaved() && answer.text !== $("text").value) { $("changed").hidden = false; return; }
  await load(false);
}

makeSliders();
$("text").addEventListener("input", edited);
$("text").addEventListener("scroll", () => { $("numbers").scrollTop = $("text").scrollTop; });
$("save").addEventListener("click", () => save());
$("reload").addEventListener("click", () => load(false));
$("overwrite").addEventListener("click", () => save(true));
$("take-over").addEventListener("click", takeOver);
$("as-spec").addEventListener("click", () => { fillSliders(); tryPolicy(); });
$("attack").addEventListener("click", attack);
$("build").addEventListener("click", build);
$("stop-attacks").addEventListener("click", () => ask("/stop", { job: "attacks" }));
$("stop-build").addEventListener("click", () => ask("/stop", { job: "build" }));
$("sliders").addEventListener("submit", (event) => event.preventDefault());
load(true).then(hear);
