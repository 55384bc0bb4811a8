// Sorts tables of class "sort" by a click on a column's head. Without it the tables are whole and
// in their first order.
const units = { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 };
// The value of a cell: a number in columns of numbers, as far as it is one, or its text.
const key = (row, head) => {
  const cell = row.cells[head.cellIndex];
  const text = cell ? cell.dataset.v ?? cell.textContent.trim() : "";
  const number = head.classList.contains("l") ? NaN : parseFloat(text.replaceAll(",", ""));
  const unit = /^\S+ (ns|µs|ms|s)(?!\S)/.exec(text);
  return Number.isNaN(number) ? text : number * (unit ? units[unit[1]] : 1);
};
// Empty cells, and words among numbers such as "late", are last in both directions.
const order = (a, b, down) => {
  const [s, t] = [a, b].map(value => typeof value === "string");
  if (s !== t) return s - t;
  if (!s) return down ? b - a : a - b;
  const text = a.localeCompare(b, "en", { numeric: true });
  return (a === "") - (b === "") || (down ? -text : text);
};
for (const table of document.querySelectorAll("table.sort")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach(head => {
    if (head.tagName !== "TH" || !head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      for (const body of table.tBodies) {
        const rows = [...body.rows].map(row => [key(row, head), row]);
        body.append(...rows.sort((a, b) => order(a[0], b[0], down)).map(pair => pair[1]));
      }
    });
  });
}
