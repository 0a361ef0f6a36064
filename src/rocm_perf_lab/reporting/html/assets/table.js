"use strict";
/* The table of kernels: sorts by a column, filters by name, opens details. */
Report.startTable = function () {
  const table = document.getElementById("kernel-table");
  if (!table) return;
  const body = table.tBodies[0];
  const pairs = [...body.querySelectorAll("tr.kernel")].map((row) => ({ row, detail: row.nextElementSibling?.classList.contains("detail") ? row.nextElementSibling : null }));
  const heads = [...table.tHead.rows[0].cells];

  function valueOf(row, column) {
    const text = row.cells[column].dataset.value;
    return heads[column].classList.contains("number") ? Number(text) : text;
  }

  function sort(column, descending) {
    const sign = descending ? -1 : 1;
    pairs.sort((a, b) => {
      const left = valueOf(a.row, column), right = valueOf(b.row, column);
      return left < right ? -sign : left > right ? sign : Number(a.row.dataset.number) - Number(b.row.dataset.number);
    });
    body.append(...pairs.flatMap(({ row, detail }) => (detail ? [row, detail] : [row])));
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", descending ? "descending" : "ascending");
  }

  for (const [column, head] of heads.entries()) {
    head.querySelector("button").addEventListener("click", () => {
      const numeric = head.classList.contains("number");
      const now = head.getAttribute("aria-sort");
      sort(column, now === null ? numeric : now === "ascending");
    });
  }

  const filter = document.getElementById("kernel-filter");
  const counter = document.getElementById("kernel-count");
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase();
    let shown = 0;
    for (const { row, detail } of pairs) {
      const visible = row.cells[0].dataset.value.toLowerCase().includes(wanted);
      row.hidden = !visible;
      if (detail) detail.hidden = !visible || !row.classList.contains("open");
      shown += visible;
    }
    counter.textContent = wanted ? `${shown} of ${pairs.length}` : "";
  });

  for (const { row, detail } of pairs) {
    if (!detail) continue;
    const button = row.querySelector("td.name button");
    button.addEventListener("click", () => {
      const open = row.classList.toggle("open");
      detail.hidden = !open;
      button.setAttribute("aria-expanded", String(open));
    });
  }
};
