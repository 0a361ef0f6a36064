"use strict";
/* What all charts share: elements, scales, words for figures, the tip, the theme. Names of kernels are foreign
   text: they only ever become text nodes and attributes, never markup. */
const Report = {};

Report.svg = function (name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
};

Report.element = function (name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

Report.digits = function (value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return Number(value.toPrecision(3)).toString();
  const places = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 5;
  return value.toFixed(places);
};

Report.duration = function (ns) {
  const size = Math.abs(ns);
  if (size >= 1e9) return Report.digits(ns / 1e9) + " s";
  if (size >= 1e6) return Report.digits(ns / 1e6) + " ms";
  if (size >= 1e3) return Report.digits(ns / 1e3) + " us";
  return Math.round(ns) + " ns";
};

Report.rate = function (value, unit) {
  return value >= 1000 ? Report.digits(value / 1000) + " T" + unit.slice(1) : Report.digits(value) + " " + unit;
};

Report.percent = (share) => (100 * share).toFixed(1) + "%";

/* The kernels that take most time have colours of their own; the others share one. */
Report.color = (number) => `var(--c${Math.min(number, 7)})`;

/* ---- the tip that follows the pointer ---- */

Report.showTip = function (text, x, y) {
  const tip = document.getElementById("tip");
  tip.textContent = text;
  tip.hidden = false;
  const width = tip.offsetWidth, height = tip.offsetHeight;
  tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 8)) + "px";
  tip.style.top = Math.max(4, y + 18 + height > innerHeight ? y - height - 10 : y + 18) + "px";
};

Report.hideTip = function () {
  document.getElementById("tip").hidden = true;
};

/* ---- light and dark ---- */

Report.startTheme = function () {
  const button = document.getElementById("theme");
  const prefers = matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (document.documentElement.dataset.theme || (prefers.matches ? "dark" : "light")) === "dark";
  const label = () => { button.textContent = dark() ? "light" : "dark"; };
  try {
    const kept = localStorage.getItem("rocm-perf-theme");
    if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
  } catch { /* files may have no storage: the theme is then not kept */ }
  label();
  prefers.addEventListener("change", label);
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("rocm-perf-theme", document.documentElement.dataset.theme); } catch { /* as above */ }
    label();
  });
};
