"use strict";
/* The occupancy calculator: a kernel's figures to start from, all of them to play with. */
Report.startOccupancy = function (data, kernels) {
  const form = document.getElementById("occupancy-form");
  if (!form) return;
  const WORDS = { waves: "wave slots", vgpr: "vector registers", sgpr: "scalar registers", lds: "LDS", barriers: "barriers", workgroup: "size of the workgroup" };
  const field = (name) => form.elements.namedItem(name);
  const number = (name) => Math.max(0, Math.floor(Number(field(name).value)) || 0);

  for (const [name, limits] of Object.entries(data.limits)) field("architecture").append(new Option(`${name} (${limits.generation})`, name));
  field("architecture").value = data.architecture || "gfx942";
  for (const demand of data.demands) field("kernel").append(new Option(kernels[demand.kernel].short, demand.kernel));

  const limitsNow = () => data.limits[field("architecture").value];

  function fillWaveSizes(wanted) {
    const sizes = limitsNow().waveSizes;
    field("waveSize").replaceChildren(...sizes.map((size) => new Option(size, size)));
    field("waveSize").value = sizes.includes(wanted) ? wanted : sizes[0];
    field("cuMode").closest("label").hidden = !limitsNow().pairs;
    field("accumVgprs").disabled = limitsNow().accumulation === "none";
  }

  function take(demand) {
    fillWaveSizes(demand.wave_size);
    const values = { threads: demand.threads, archVgprs: demand.arch_vgprs, accumVgprs: demand.accum_vgprs, sgprs: demand.sgprs, ldsBytes: demand.lds_bytes };
    for (const [name, value] of Object.entries(values)) field(name).value = value ?? 0;
  }

  function demandNow() {
    return { threads: Math.max(1, number("threads")), waveSize: Number(field("waveSize").value), archVgprs: number("archVgprs"), accumVgprs: number("accumVgprs"),
      sgprs: number("sgprs"), ldsBytes: number("ldsBytes"), cuMode: field("cuMode").checked };
  }

  function update() {
    const limits = limitsNow(), demand = demandNow();
    const fits = Report.residency(limits, demand);
    document.getElementById("occupancy-share").textContent = Report.percent(fits.share);
    document.getElementById("occupancy-words").textContent =
      `${Report.digits(fits.wavesPerSimd)} of ${limits.slots} waves per SIMD, ${fits.groups} workgroup${fits.groups === 1 ? "" : "s"} per ${fits.unit}; `
      + (fits.share >= 1 ? "all slots are taken" : `limited by ${WORDS[fits.limiter]}`);
    const most = Math.max(1, ...Object.values(fits.limits));
    const rows = Object.entries(fits.limits).sort((a, b) => a[1] - b[1]).map(([resource, groups]) => {
      const bar = Report.element("i", {});
      bar.style.width = `${100 * groups / most}%`;
      const row = Report.element("tr", groups === fits.groups ? { class: "short" } : {}, Report.element("td", {}, WORDS[resource]),
        Report.element("td", { class: "number" }, String(groups)), Report.element("td", {}, Report.element("div", { class: "bar" }, bar)));
      return row;
    });
    document.getElementById("occupancy-limits").tBodies[0].replaceChildren(...rows);
    const file = limits.vgprs[demand.waveSize][0];
    const unified = limits.accumulation === "unified" ? demand.accumVgprs : 0;
    curve("occupancy-by-vgprs", "VGPRs", Math.min(256, file), 1, demand.archVgprs, (archVgprs) => ({ ...demand, archVgprs, accumVgprs: unified }));
    curve("occupancy-by-threads", "threads per workgroup", limits.maxThreads, demand.waveSize, demand.threads, (threads) => ({ ...demand, threads: Math.max(1, threads) }));
    curve("occupancy-by-lds", "bytes of LDS", limits.ldsPerGroup, limits.ldsGranule, demand.ldsBytes, (ldsBytes) => ({ ...demand, ldsBytes }));
  }

  /* Occupancy over one figure, the others as they are. */
  function curve(id, label, most, step, now, demandAt) {
    const WIDTH = 300, HEIGHT = 120, LEFT = 42, RIGHT = 8, TOP = 8, BOTTOM = 20;
    const limits = limitsNow();
    const x = (value) => LEFT + value / most * (WIDTH - LEFT - RIGHT);
    const y = (share) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    const chart = Report.svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Occupancy over ${label}` });
    for (const share of [0, 0.5, 1]) {
      Report.svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share) }, chart);
      Report.svg("text", { x: LEFT - 5, y: y(share) + 4, "text-anchor": "end" }, chart).textContent = `${100 * share}%`;
    }
    let path = "", before = null;
    for (let value = step > 1 ? step : 0; value <= most; value += step) {
      const share = Report.residency(limits, demandAt(value)).share;
      path += before === null ? `M${x(value)},${y(share)}` : `H${x(value)}V${y(share)}`;
      before = share;
    }
    Report.svg("path", { class: "step", d: path }, chart);
    const at = Math.min(now, most);
    Report.svg("circle", { class: "here", cx: x(at), cy: y(Report.residency(limits, demandAt(now)).share), r: 4.5 }, chart);
    for (const value of [0, most / 2, most]) {
      Report.svg("text", { x: x(value), y: HEIGHT - 5, "text-anchor": value === most ? "end" : value ? "middle" : "start" }, chart).textContent = String(value);
    }
    document.getElementById(id).replaceChildren(chart);
  }

  field("kernel").addEventListener("change", () => {
    const demand = data.demands.find((one) => String(one.kernel) === field("kernel").value);
    if (demand) take(demand);
    update();
  });
  field("architecture").addEventListener("change", () => { fillWaveSizes(Number(field("waveSize").value)); update(); });
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  if (data.demands.length) { field("kernel").value = data.demands[0].kernel; take(data.demands[0]); } else fillWaveSizes(64);
  update();
};
