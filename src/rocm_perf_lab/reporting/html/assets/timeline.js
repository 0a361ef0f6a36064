"use strict";
/* The timeline: a lane for each stream and host thread; zoom by dragging, buttons, keys or ctrl and wheel. */
Report.startTimeline = function (data, kernels) {
  const place = document.getElementById("timeline-chart");
  if (!place || data.missing) return;
  const WIDTH = 1120, LEFT = 150, RIGHT = 12, AXIS = 24, ROW = 15, GAP = 8, MOST_ROWS = 6, LEAST_SPAN = 20;
  const numbers = new Map(kernels.map((kernel, number) => [kernel.name, number]));
  const colors = data.names.map((name) => (numbers.has(name) ? Report.color(numbers.get(name)) : null));
  const lanes = data.lanes.map((lane) => ({ ...lane, rows: Math.min(MOST_ROWS, lane.bins.length ? 2 : 1 + lane.events.reduce((most, flags, index) => (index % 4 === 3 ? Math.max(most, flags >> 1) : most), 0)) }));
  const height = AXIS + lanes.reduce((sum, lane) => sum + lane.rows * ROW + GAP, 0) + 4;
  let from = 0, to = data.span_ns;
  const status = document.getElementById("timeline-view");
  const toTime = (x) => from + (x - LEFT) / (WIDTH - LEFT - RIGHT) * (to - from);

  function colorOf(name, kind) {
    if (kind === "gpu") return colors[name] || "var(--c7)";
    if (kind === "path" && /^(delay|host): /.test(data.names[name])) return "var(--line)";
    return colors[name] || "var(--host)";
  }

  function view(start, end) {
    const span = Math.min(data.span_ns, Math.max(LEAST_SPAN, data.bin_ns ? data.bin_ns * 8 : 0, end - start));
    const middle = (start + end) / 2;
    from = Math.max(0, Math.min(middle - span / 2, data.span_ns - span));
    to = from + span;
    draw();
  }

  function zoom(factor, at) {
    const where = at ?? (from + to) / 2;
    view(where - (where - from) * factor, where + (to - where) * factor);
  }

  const pan = (share) => view(from + (to - from) * share, to + (to - from) * share);

  function draw() {
    const scale = (WIDTH - LEFT - RIGHT) / (to - from);
    const x = (time) => LEFT + (time - from) * scale;
    const chart = Report.svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": "Timeline of streams and host threads" });
    drawAxis(chart, x);
    const clip = Report.svg("clipPath", { id: "timeline-clip" }, chart);
    Report.svg("rect", { x: LEFT, y: 0, width: WIDTH - LEFT - RIGHT, height }, clip);
    const inside = Report.svg("g", { "clip-path": "url(#timeline-clip)" }, chart);
    let y = AXIS;
    for (const [number, lane] of lanes.entries()) {
      const tall = lane.rows * ROW;
      const name = Report.svg("text", { class: "lane-name", x: LEFT - 8, y: y + Math.min(tall, ROW) / 2 + 4, "text-anchor": "end" }, chart);
      name.textContent = lane.name.length > 22 ? "…" + lane.name.slice(-21) : lane.name;
      Report.svg("title", {}, name).textContent = `${lane.name}: ${lane.count} events, busy ${Report.duration(lane.busy_ns)}`;
      Report.svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y + tall + GAP / 2, y2: y + tall + GAP / 2 }, chart);
      if (lane.bins.length) drawBins(inside, lane, number, x, y, tall);
      else drawEvents(inside, lane, number, x, y);
      y += tall + GAP;
    }
    brush = Report.svg("rect", { class: "brush", y: AXIS, height: height - AXIS, x: 0, width: 0 }, chart);
    place.replaceChildren(chart);
    status.textContent = `${Report.duration(from)} to ${Report.duration(to)} (${Report.duration(to - from)} of ${Report.duration(data.span_ns)})`;
  }

  function drawAxis(chart, x) {
    const rough = (to - from) / 8, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      Report.svg("line", { class: "grid", x1: x(time), x2: x(time), y1: AXIS - 6, y2: height }, chart);
      Report.svg("text", { x: x(time), y: 12, "text-anchor": "middle" }, chart).textContent = Report.duration(time).replace(/(\.\d*?)0+ /, "$1 ").replace(". ", " ");
    }
  }

  /* Events that are too narrow to be seen alone share a rectangle of one pixel. */
  function drawEvents(parent, lane, number, x, y) {
    const last = new Array(MOST_ROWS).fill(-Infinity);
    for (let at = 0; at < lane.events.length; at += 4) {
      const start = lane.events[at], end = start + lane.events[at + 1], flags = lane.events[at + 3];
      if (end < from || start > to) continue;
      const row = Math.min(flags >> 1, MOST_ROWS - 1), left = x(start), right = x(end);
      if (right < last[row] + 0.8) continue;
      const width = Math.max(0.8, right - left);
      last[row] = left + width;
      Report.svg("rect", { class: flags & 1 ? (lane.kind === "path" ? "event path" : "event critical") : "event", x: left, y: y + row * ROW + 1, width, height: ROW - 2, rx: width > 4 ? 2 : 0,
        style: `fill: ${colorOf(lane.events[at + 2], lane.kind)}`, "data-lane": number, "data-at": at }, parent);
      if (width > 60) {
        const label = Report.svg("text", { x: Math.max(left, LEFT) + 4, y: y + row * ROW + ROW - 4, style: "fill: var(--card); font-size: 10.5px; pointer-events: none" }, parent);
        const name = data.names[lane.events[at + 2]], short = numbers.has(name) ? kernels[numbers.get(name)].short : name;
        const room = Math.floor((Math.min(right, WIDTH - RIGHT) - Math.max(left, LEFT) - 8) / 6);
        label.textContent = short.length > room ? short.slice(0, Math.max(0, room - 1)) + "…" : short;
      }
    }
  }

  function drawBins(parent, lane, number, x, y, tall) {
    for (let at = 0; at < lane.bins.length; at += 4) {
      const start = lane.bins[at] * data.bin_ns, end = start + data.bin_ns;
      if (end < from || start > to) continue;
      const part = Math.max(0.06, (lane.bins[at + 1] >> 1) / 1000) * (tall - 2);
      Report.svg("rect", { class: lane.bins[at + 1] & 1 ? "event critical" : "event", x: x(start), y: y + 1 + (tall - 2 - part), width: Math.max(0.6, x(end) - x(start) + 0.3), height: part,
        style: `fill: ${colorOf(lane.bins[at + 2], lane.kind)}; stroke: none`, "data-lane": number, "data-at": at }, parent);
    }
  }

  function describe(target) {
    const lane = lanes[Number(target.dataset.lane)], at = Number(target.dataset.at);
    if (lane.bins.length) {
      const name = data.names[lane.bins[at + 2]], share = (lane.bins[at + 1] >> 1) / 1000;
      return `${lane.name}: busy ${Report.percent(share)} of ${Report.duration(data.bin_ns)} at ${Report.duration(lane.bins[at] * data.bin_ns)}\n${lane.bins[at + 3]} events begin here; most time: ${name}`
        + (lane.bins[at + 1] & 1 ? "\npartly on the critical path" : "");
    }
    return `${data.names[lane.events[at + 2]]}\n${lane.name}: ${Report.duration(lane.events[at + 1])}, from ${Report.duration(lane.events[at])}`
      + (lane.events[at + 3] & 1 ? "\non the critical path" : "");
  }

  /* ---- pointer and keys ---- */
  let brush, dragged = null;
  const svgX = (event) => { const box = place.getBoundingClientRect(); return (event.clientX - box.left) / box.width * WIDTH; };
  place.addEventListener("pointerdown", (event) => { dragged = svgX(event); place.setPointerCapture(event.pointerId); });
  place.addEventListener("pointermove", (event) => {
    if (dragged !== null) {
      const now = svgX(event);
      brush.setAttribute("x", Math.min(dragged, now));
      brush.setAttribute("width", Math.abs(now - dragged));
      Report.hideTip();
    } else if (event.target.dataset?.lane !== undefined) Report.showTip(describe(event.target), event.clientX, event.clientY);
    else Report.hideTip();
  });
  place.addEventListener("pointerup", (event) => {
    if (dragged === null) return;
    const [left, right] = [dragged, svgX(event)].sort((a, b) => a - b);
    dragged = null;
    if (right - left > 4) view(toTime(left), toTime(right));
    else brush.setAttribute("width", 0);
  });
  place.addEventListener("pointercancel", () => { dragged = null; });
  place.addEventListener("pointerleave", Report.hideTip);
  place.addEventListener("dblclick", () => view(0, data.span_ns));
  place.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, toTime(svgX(event)));
  }, { passive: false });
  place.addEventListener("keydown", (event) => {
    const actions = { "+": () => zoom(0.6), "=": () => zoom(0.6), "-": () => zoom(1 / 0.6), ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "0": () => view(0, data.span_ns) };
    if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  });
  const buttons = { in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.3), right: () => pan(0.3), all: () => view(0, data.span_ns) };
  for (const button of document.querySelectorAll("[data-timeline]")) button.addEventListener("click", buttons[button.dataset.timeline]);
  const only = document.getElementById("timeline-critical");
  if (only) only.addEventListener("change", () => place.classList.toggle("only-critical", only.checked));
  for (const row of document.querySelectorAll("[data-gap-start]")) {
    row.addEventListener("click", () => {
      const start = Number(row.dataset.gapStart), length = Number(row.dataset.gapLength);
      view(start - length, start + 2 * length);
      document.getElementById("timeline").scrollIntoView({ block: "start" });
    });
  }
  draw();
};
