// Runs in a page within a frame: measures it, sorts its tables, and tells the page around it.
const main = document.querySelector("main");
const shown = element => element.getClientRects().length > 0;
const colour = text => (text.match(/[\d.]+/g) || []).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = element => {
  for (let at = element; at; at = at.parentElement) {
    const paint = colour(getComputedStyle(at).backgroundColor);
    if (paint.length === 3 || paint[3] > 0) return paint;
  }
  return [255, 255, 255];
};
// The text of least contrast to what is behind it.
const palest = () => {
  let least = [99, ""];
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || !shown(element) || element.tagName === "title") continue;
    const style = getComputedStyle(element);
    const ink = luminance(colour(element instanceof SVGElement ? style.fill : style.color));
    const paper = luminance(behind(element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < least[0]) least = [contrast, text.slice(0, 40)];
  }
  return least;
};
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
  surplus: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  contrast, palest: palestText,
  tables: document.querySelectorAll("table.sort").length,
  unsorted, unnamed, nameless: marked,
  deaf: tabs.filter(ok => !ok).length,
}, "*");
