"use strict";
/* Source and instructions side by side, coloured by what they cost; a click on one shows it in the other. */
Report.startCode = function (data) {
  const box = document.getElementById("code-dispatch");
  if (!box || !data.dispatches.length) return;
  const sourceTable = document.getElementById("code-source"), isaTable = document.getElementById("code-isa");
  for (const [number, traced] of data.dispatches.entries()) box.append(new Option(traced.title, number));

  const heat = (share, most) => (share >= 0.0005 && most > 0 ? `background: rgba(var(--heat), ${(0.06 + 0.6 * Math.sqrt(share / most)).toFixed(3)})` : "");
  const shown = (share) => (share >= 0.0005 ? Report.percent(share) : "");
  const figure = (value) => (value === null || value === 0 ? "" : Report.digits(Math.round(value * 10) / 10));

  function row(cells, attributes) {
    const made = Report.element("tr", attributes);
    for (const [text, kind, style] of cells) {
      const cell = Report.element("td", { class: kind }, text);
      if (style) cell.setAttribute("style", style);
      made.append(cell);
    }
    return made;
  }

  function head(table, titles) {
    const made = Report.element("tr", {});
    for (const [title, kind] of titles) made.append(Report.element("th", { class: kind }, title));
    table.tHead.replaceChildren(made);
  }

  function drawSource(traced) {
    const most = Math.max(0, ...traced.sources.map((line) => line.share));
    head(sourceTable, [["cost", "number"], ["line", "number"], ["source", ""]]);
    const rows = [];
    let file = null;
    for (const [number, line] of traced.sources.entries()) {
      const cut = line.place.lastIndexOf(":"), path = line.place.slice(0, cut);
      if (path !== file) {
        file = path;
        rows.push(row([["", ""], ["", ""], [path, "text muted"]], { class: "cold" }));
      }
      rows.push(row([[shown(line.share), "number", heat(line.share, most)], [line.place.slice(cut + 1), "number muted"], [line.text ?? "(the file is not in the trace)", "text"]],
        { "data-source": number, class: line.share > 0 ? "" : "cold" }));
    }
    sourceTable.tBodies[0].replaceChildren(...rows);
    sourceTable.closest(".pane").hidden = !traced.sources.length;
  }

  function drawIsa(traced) {
    const most = Math.max(0, ...traced.lines.map((line) => line.share));
    head(isaTable, [["cost", "number"], ["instruction", ""], ["class", ""], ...traced.columns.map((title) => [title, "number"])]);
    isaTable.tBodies[0].replaceChildren(...traced.lines.map((line) =>
      row([[shown(line.share), "number", heat(line.share, most)], [line.text, "text"], [line.kind, "muted"], ...line.figures.map((value) => [figure(value), "number"])],
        { "data-source": line.source, class: line.figures[0] ? "" : "cold" })));
  }

  function draw() {
    const traced = data.dispatches[Number(box.value)];
    const parts = [...traced.facts];
    if (traced.states.length) parts.push("waves were " + traced.states.map(([state, share]) => `${state} ${Report.percent(share)}`).join(", "));
    if (traced.mix.length) parts.push("executed: " + traced.mix.slice(0, 6).map(([kind, share]) => `${kind} ${Report.percent(share)}`).join(", "));
    if (traced.left_out) parts.push(traced.left_out);
    document.getElementById("code-facts").textContent = parts.join("; ") + ".";
    document.getElementById("code-warnings").hidden = !traced.warnings.length;
    document.getElementById("code-warnings").replaceChildren(...traced.warnings.map((warning) => Report.element("li", {}, warning)));
    drawSource(traced);
    drawIsa(traced);
  }

  function link(from, to) {
    from.tBodies[0].addEventListener("click", (event) => {
      const number = event.target.closest("tr")?.dataset.source;
      for (const table of [from, to]) for (const one of table.querySelectorAll("tr.linked")) one.classList.remove("linked");
      if (number === undefined || number === "-1") return;
      for (const table of [from, to]) for (const one of table.querySelectorAll(`tr[data-source="${CSS.escape(number)}"]`)) one.classList.add("linked");
      const first = to.querySelector("tr.linked");
      if (first) to.closest(".code").scrollTop = first.offsetTop - 60;
    });
  }

  link(sourceTable, isaTable);
  link(isaTable, sourceTable);
  box.addEventListener("change", draw);
  draw();
};
