"use strict";
/* The roofline: log-log, a marker for each kernel and memory level, roofs of what is chosen. */
Report.startRoofline = function (data, kernels) {
  const place = document.getElementById("roofline-chart");
  if (!place || !data.points.length) return;
  const WIDTH = 1120, HEIGHT = 500, LEFT = 74, RIGHT = 26, TOP = 26, BOTTOM = 46;
  const SHAPES = { hbm: "circle", l2: "square", l1: "diamond", lds: "triangle" };
  const NAMES = { hbm: "HBM", l2: "L2", l1: "L1", lds: "LDS" };
  const kernelBox = document.getElementById("roofline-kernel");
  const precisionBox = document.getElementById("roofline-precision");
  const levelBoxes = [...document.querySelectorAll("[data-roofline-level]")];
  const used = [...new Set(data.points.map((point) => point.kernel))];
  for (const number of used) kernelBox.append(new Option(kernels[number].short, number));
  if (used.length > 3 && data.levels.includes("hbm")) {
    for (const box of levelBoxes) box.checked = box.value === "hbm";
  }

  function chosen() {
    const kernel = kernelBox.value, precision = precisionBox.value;
    const levels = new Set(levelBoxes.filter((box) => box.checked).map((box) => box.value));
    return { kernel, precision, levels };
  }

  /* All roofs of the levels that are chosen, and of the types that are chosen or occur. */
  function roofsFor({ precision, levels }) {
    const types = new Set(precision === "all" ? data.precisions : [precision]);
    const memory = data.roofs.filter((roof) => roof.kind === "memory" && levels.has(roof.level));
    const compute = data.roofs.filter((roof) => roof.kind === "compute" && types.has(roof.precision));
    const merged = new Map(); // roofs at one height share a line and its label
    for (const roof of compute) {
      const key = roof.value + roof.unit;
      if (merged.has(key)) merged.get(key).names.push(roof.name);
      else merged.set(key, { ...roof, names: [roof.name] });
    }
    return { memory, compute: [...merged.values()].sort((a, b) => b.value - a.value) };
  }

  function decades(low, high) {
    return [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  }

  function draw() {
    const choice = chosen();
    const points = data.points.filter((point) => point.precision === choice.precision
      && choice.levels.has(point.level) && (choice.kernel === "" || point.kernel === Number(choice.kernel)));
    const roofs = roofsFor(choice);
    const shown = points.length ? points : data.points;
    const top = Math.max(...roofs.compute.map((roof) => roof.value), ...shown.map((point) => point.rate));
    const ridges = roofs.memory.map((roof) => top / roof.value);
    const [x0, x1] = decades(Math.min(...shown.map((p) => p.intensity), ...ridges) / 1.6,
      Math.max(...shown.map((p) => p.intensity), ...ridges) * 1.6);
    const [y0, y1] = decades(Math.min(...shown.map((point) => point.rate)) / 1.6, top * 1.3);
    const x = (value) => LEFT + (Math.log10(value) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    const y = (value) => HEIGHT - BOTTOM - (Math.log10(value) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);

    const chart = Report.svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": "Roofline: performance over arithmetic intensity" });
    for (let power = x0; power <= x1; power++) {
      const at = x(10 ** power);
      Report.svg("line", { class: "grid", x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }, chart);
      Report.svg("text", { x: at, y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, chart).textContent = String(10 ** power);
    }
    const unit = points.length && points[0].precision === "i8" ? "GOP/s" : "GFLOP/s";
    for (let power = y0; power <= y1; power++) {
      const at = y(10 ** power);
      Report.svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }, chart);
      const tick = power >= 3 ? `${10 ** (power - 3)} T${unit.slice(1)}` : `${Number((10 ** power).toPrecision(1))} ${unit}`;
      Report.svg("text", { x: LEFT - 8, y: at + 4, "text-anchor": "end" }, chart).textContent = tick.replace(/OP\/s|FLOP\/s/, "");
    }
    Report.svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, chart).textContent =
      unit === "GOP/s" ? "operations per byte" : "FLOP per byte";
    Report.svg("text", { x: LEFT, y: TOP - 12, "text-anchor": "end" }, chart).textContent = unit.slice(1);

    drawRoofs(chart, roofs, { x, y, x0, x1, y0, top });
    const guide = Report.svg("path", { class: "guide" }, chart);
    for (const point of points) drawPoint(chart, point, guide, { x, y, roofs, unit });
    place.replaceChildren(chart);
    drawLegend(choice, points);
    document.getElementById("roofline-count").textContent =
      points.length ? "" : "No kernel has a point for this choice.";
  }

  function drawRoofs(chart, roofs, { x, y, x0, x1, y0, top }) {
    const first = new Set();
    const widest = Math.max(...roofs.memory.map((roof) => roof.value), 0);
    const labelled = [];
    for (const roof of roofs.memory) {
      const other = first.has(roof.level);
      first.add(roof.level);
      const from = Math.max(10 ** x0, 10 ** y0 / roof.value), to = top / roof.value;
      if (to <= from) continue;
      const line = Report.svg("line", { class: other ? "roof other" : "roof", x1: x(from), y1: y(from * roof.value), x2: x(to), y2: y(top) }, chart);
      tipOf(line, roof);
      const angle = Math.atan2(y(top) - y(from * roof.value), x(to) - x(from)) * 180 / Math.PI;
      // Labels of neighbours start at different heights, so that lines that are close do not mix theirs.
      const along = 0.06 + 0.17 * (labelled.length % 3);
      const at = { x: x(from) + (x(to) - x(from)) * along, y: y(from * roof.value) + (y(top) - y(from * roof.value)) * along };
      labelled.push(roof);
      const label = Report.svg("text", { class: "roof-label halo", x: at.x, y: at.y - 5, transform: `rotate(${angle} ${at.x} ${at.y})` }, chart);
      label.textContent = `${roof.name} ${Report.rate(roof.value, roof.unit)}`;
    }
    let above = -Infinity;
    for (const [index, roof] of roofs.compute.entries()) {
      const from = Math.max(10 ** x0, widest ? roof.value / widest : 0);
      const line = Report.svg("line", { class: index ? "roof other" : "roof", x1: x(from), x2: x(10 ** x1), y1: y(roof.value), y2: y(roof.value) }, chart);
      tipOf(line, roof);
      const below = y(roof.value) - 5 < above + 13;
      above = below ? y(roof.value) + 13 : y(roof.value) - 5;
      const label = Report.svg("text", { class: "roof-label halo", x: x(10 ** x1) - 4, y: above, "text-anchor": "end" }, chart);
      const names = roof.names.length > 3 ? roof.names.slice(0, 3).join(", ") + " …" : roof.names.join(", ");
      label.textContent = `${names} ${Report.rate(roof.value, roof.unit)}`;
    }
  }

  function tipOf(line, roof) {
    const names = roof.names ? roof.names.join(", ") : roof.name;
    const text = `${names}: ${Report.rate(roof.value, roof.unit)}\n${roof.origin}: ${roof.source}`;
    line.addEventListener("pointermove", (event) => Report.showTip(text, event.clientX, event.clientY));
    line.addEventListener("pointerleave", Report.hideTip);
  }

  function shape(level, cx, cy, size) {
    if (SHAPES[level] === "circle") return ["circle", { cx, cy, r: size }];
    const corners = SHAPES[level] === "square" ? [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => [a * 0.88, b * 0.88])
      : SHAPES[level] === "diamond" ? [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]] : [[0, -1.2], [1.15, 0.9], [-1.15, 0.9]];
    return ["polygon", { points: corners.map(([a, b]) => `${cx + a * size},${cy + b * size}`).join(" ") }];
  }

  function drawPoint(chart, point, guide, { x, y, roofs, unit }) {
    const cx = x(point.intensity), cy = y(point.rate);
    const [kind, where] = shape(point.level, cx, cy, 4.5 + 5 * Math.sqrt(kernels[point.kernel].share));
    const roof = lowestRoof(point, roofs);
    const lines = [kernels[point.kernel].name, `${Report.rate(point.rate, unit)} at ${Report.digits(point.intensity)} per byte of ${NAMES[point.level]}`,
      `${NAMES[point.level]}: ${Report.rate(point.gbps, "GB/s")}` + (point.share_of_roof === null ? "" : `, ${Report.percent(point.share_of_roof)} of its roof`)];
    if (roof) lines.push(`${Report.percent(point.rate / roof.height)} of the height of the roofs above it (${roof.name})`);
    if (point.upper_bound) lines.push(`bytes are an upper bound: ${point.upper_bound}`);
    if (point.suspect) lines.push(`SUSPECT ${point.suspect}`);
    const text = lines.join("\n");
    const marker = Report.svg(kind, { ...where, class: point.suspect ? "point suspect" : "point", tabindex: 0, role: "img",
      "aria-label": text, style: `fill: ${Report.color(point.kernel)}` + (point.suspect ? `; stroke: ${Report.color(point.kernel)}` : "") }, chart);
    const show = (left, above) => {
      Report.showTip(text, left, above);
      if (roof) guide.setAttribute("d", `M${cx},${cy}V${y(roof.height)}`);
    };
    const hide = () => { Report.hideTip(); guide.removeAttribute("d"); };
    marker.addEventListener("pointermove", (event) => show(event.clientX, event.clientY));
    marker.addEventListener("pointerleave", hide);
    marker.addEventListener("focus", () => { const box = marker.getBoundingClientRect(); show(box.right, box.bottom); });
    marker.addEventListener("blur", hide);
  }

  /* The first roof of its level and the highest of its type: what the kernel could reach at this intensity. */
  function lowestRoof(point, roofs) {
    const memory = roofs.memory.find((roof) => roof.level === point.level);
    const compute = roofs.compute[0];
    const heights = [];
    if (memory) heights.push({ name: memory.name, height: memory.value * point.intensity });
    if (compute) heights.push({ name: compute.names[0], height: compute.value });
    return heights.sort((a, b) => a.height - b.height)[0];
  }

  function drawLegend(choice, points) {
    const legend = document.getElementById("roofline-legend");
    const present = [...new Set(points.map((point) => point.kernel))].sort((a, b) => a - b);
    const entries = present.filter((number, at) => number < 7 || at < 3).map((number) => {
      const swatch = Report.element("span", { class: "swatch" });
      swatch.style.background = Report.color(number);
      return Report.element("span", { title: kernels[number].name }, swatch, Report.element("bdi", {}, kernels[number].short));
    });
    if (entries.length < present.length) {
      const swatch = Report.element("span", { class: "swatch" });
      swatch.style.background = Report.color(7);
      entries.push(Report.element("span", {}, swatch, `${present.length - entries.length} more`));
    }
    for (const level of data.levels.filter((one) => choice.levels.has(one))) {
      const icon = Report.svg("svg", { viewBox: "0 0 14 14", width: 14, height: 14, style: "width:14px" });
      const [kind, where] = shape(level, 7, 7, 4.6);
      Report.svg(kind, { ...where, style: "fill: var(--soft)" }, icon);
      entries.push(Report.element("span", {}, icon, NAMES[level]));
    }
    legend.replaceChildren(...entries);
  }

  for (const box of [kernelBox, precisionBox, ...levelBoxes]) box.addEventListener("change", draw);
  draw();
};
