// Conveniences only: everything the report says is in the page without them, and nothing here talks to a network.
(() => {
  "use strict";
  const { say } = page;
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // Links to headings that can be copied.
  for (const section of document.querySelectorAll("main [id]")) {
    const heading = section.matches("h2, h3") ? section : section.querySelector(":scope > h2, :scope > h3");
    if (!heading || heading.querySelector(".anchor")) continue;
    const button = make("button", { type: "button", className: "anchor", textContent: "#" });
    button.setAttribute("aria-label", say("Copy a link to “{heading}”", { heading: heading.textContent.trim() }));
    button.addEventListener("click", async () => {
      location.hash = section.id;
      try {
        await navigator.clipboard.writeText(location.href);
        button.textContent = say("copied");
      } catch {
        button.textContent = say("linked");
      }
      setTimeout(() => { button.textContent = "#"; }, 2000);
    });
    heading.append(" ", button);
  }

  // Tables that can be sorted and filtered.
  const figureIn = (text) => {
    const found = page.plain(text).match(/-?\d+(\.\d+)?/);
    return found ? Number(found[0]) : Number.POSITIVE_INFINITY;
  };
  for (const table of document.querySelectorAll("table[data-interactive]")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      const button = make("button", { type: "button" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const ascending = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        const text = (row) => row.cells[index].textContent.trim();
        const numeric = head.classList.contains("number");
        const sorted = [...rows].sort((a, b) =>
          numeric ? figureIn(text(a)) - figureIn(text(b)) : text(a).localeCompare(text(b), document.documentElement.lang, { numeric: true }));
        body.append(...(ascending ? sorted : sorted.reverse()));
      });
    });
    if (rows.length < 10) continue; // of few rows, none has to be looked for
    const status = make("span", { role: "status" });
    const input = make("input", { type: "search" });
    const show = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
      const left = rows.filter((row) => !row.hidden).length;
      status.textContent = words.length ? say("{left} of {all} rows", { left, all: rows.length }) : "";
    };
    input.addEventListener("input", show);
    const label = make("label", {}, say("Filter rows"), " ", input);
    table.closest(".table-block").prepend(make("div", { className: "filter" }, label, status));
  }

  // Look up your own case.
  const panel = document.querySelector(".lookup");
  if (panel) {
    const data = JSON.parse(document.getElementById("lookup-data").textContent);
    const cellOf = new Map(data.key.map((key, cell) => [key, cell]));
    const selects = [...panel.querySelectorAll("select")];
    const output = panel.querySelector("output");
    const outcomes = JSON.parse(panel.dataset.outcomes);
    const hundredths = (steps) => {
      const digits = String(steps).padStart(data.scale + 1, "0");
      const places = Math.max(data.scale - 2, 0);
      const inPercent = data.scale >= 2 ? digits : digits + "0".repeat(2 - data.scale);
      const whole = inPercent.slice(0, inPercent.length - places).replace(/^0+(?=\d)/, "");
      return places ? (whole + "." + inPercent.slice(-places)).replace(/\.?0+$/, "") : whole;
    };
    const percent = (steps) => page.percent(hundredths(steps));
    const signed = (steps) => say("{amount} points", { amount: (steps > 0 ? "+" : steps < 0 ? "−" : "") + page.written(hundredths(Math.abs(steps))) });
    const moves = (cell) => data.moved === undefined ? [] : [
      make("p", { textContent: say("Everybody’s average is {average}. The attributes share the difference from it as follows, in percentage points. The amounts are rounded, so they may not add up exactly.", { average: percent(data.average) }) }),
      make("ul", {}, ...data.moved.map((amounts, i) =>
        make("li", { textContent: selects[i].labels[0].textContent + ": " + signed(amounts[cell]) }))),
    ];
    const answer = () => {
      if (selects.some((select) => select.value === "")) return output.replaceChildren();
      let key = 0n;
      for (const select of selects) key = key * BigInt(select.options.length - 1) + BigInt(select.value);
      const cell = cellOf.get(String(key));
      if (cell === undefined) {
        return output.replaceChildren(make("p", { textContent: say("Nobody in the population has this combination of values, so there is no announced rule for it.") }));
      }
      const group = data.group[cell];
      const rules = outcomes.flatMap((outcome, i) => [
        make("p", { className: "big", textContent: percent(data.announced[i][cell]) }),
        make("p", { textContent: say("is the announced probability of “{outcome}”. The true probability lies between {low} and {high}.", { outcome, low: percent(data.low[i][cell]), high: percent(data.high[i][cell]) }) }),
      ]);
      output.replaceChildren(
        ...rules,
        ...moves(cell),
        make("p", { textContent: say("Before any report, someone who knows your public attributes as published here can be up to {before} sure of a sensitive value of yours. After this report, and the decision about you, it is at most {after}.", { before: percent(data.prior[group]), after: percent(data.beta[group]) }) }),
      );
    };
    panel.addEventListener("input", answer);
    panel.hidden = false;
    answer();
  }

  // Mark the section being read.
  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const section of document.querySelectorAll("main > section")) watcher.observe(section);
})();
