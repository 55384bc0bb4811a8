// Runs in a page within a frame, after measure.js: measures it, sorts its tables, and tells the page around it.
// Times with different units, in nanoseconds.
const time = text => {
  const [number, unit] = text.split(" ");
  return number * { ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 }[unit];
};
// The tables whose first column is not in order after a click on its head, or after a second one,
// or whose columns of times are not.
const unsorted = [...document.querySelectorAll("table.sort")].filter(table => {
  const heads = [...table.tHead.rows].at(-1).cells;
  const words = () => [...table.tBodies[0].rows].map(row => row.cells[0].textContent.trim());
  const first = words();
  const ordered = [...first].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const button = heads[0].querySelector("button");
  if (!button) return true;
  button.click();
  const up = words().join() === ordered.join() && heads[0].getAttribute("aria-sort") === "ascending";
  button.click();
  const down = words().join() === ordered.reverse().join() && heads[0].getAttribute("aria-sort") === "descending";
  const inOrder = head => {
    head.querySelector("button").click();
    const texts = [...table.tBodies[0].rows].map(row => row.cells[head.cellIndex].textContent);
    const times = texts.map(time).filter(value => !Number.isNaN(value));
    return times.every((value, at) => at === 0 || times[at - 1] <= value);
  };
  const timed = [...heads].filter(head => ["median", "time"].includes(head.textContent));
  return !(up && down && timed.every(inOrder));
}).length;
const named = (selector, word) => [...document.querySelectorAll(selector)]
  .some(element => element.textContent.trim() === word);
const unnamed = NAMES.filter(word => !SELECTORS.every(selector => named(selector, word)));
const marked = [...document.querySelectorAll("svg polyline.lead, svg polyline.base, svg polyline.other")]
  .filter(line => !line.closest("figure, tr").textContent.trim()).length;
const panes = [...document.querySelectorAll(".pane")];
const open = () => panes.filter(shown).map(pane => panes.indexOf(pane)).join();
const tabs = panes.map((pane, at) => {
  document.querySelectorAll(".tabs label")[at].click();
  return open() === `${at}`;
});
if (panes.length) document.querySelector(".tabs label").click();
for (const part of document.querySelectorAll("details")) part.open = true;
const [contrast, palestText] = palest();
parent.postMessage({
  page: NAME,
  width: innerWidth,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  surplus: surplus(),
  contrast, palest: palestText,
  tables: document.querySelectorAll("table.sort").length,
  unsorted, unnamed, nameless: marked,
  deaf: tabs.filter(ok => !ok).length,
}, "*");
