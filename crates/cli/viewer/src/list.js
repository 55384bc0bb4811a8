// The list of clashes: sorted by a column, filtered by class, part and text. Only the rows in sight
// are in the document.
import { scene } from "./scene.js";

// Height of a row in pixels, as in the style sheet, and rows beyond those in sight.
const HEIGHT = 30;
const SPARE = 10;

const element = id => document.getElementById(id);
const collator = new Intl.Collator("en", { numeric: true });
const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });
const nameOf = part => scene.parts[part].name;
const groupOf = part => scene.parts[part].group;

// What a column shows and is sorted by.
const columns = {
  number: clash => clash.number + 1,
  class: clash => clash.class,
  a: clash => nameOf(clash.a),
  b: clash => nameOf(clash.b),
  contacts: clash => clash.contacts_found,
  distance: clash => clash.distance,
};

const clashes = scene.clashes.map((clash, place) => {
  const words = [clash.id, clash.class, clash.reason ?? ""];
  const parts = [clash.a, clash.b].flatMap(part => [nameOf(part), groupOf(part)]);
  return { ...clash, number: place, text: [...words, ...parts].join("\n").toLowerCase() };
});

const hidden = new Set();
let sorted = { column: "number", down: false };
let shown = clashes;
let chosen = null;

const compare = (a, b) => typeof a === "string" ? collator.compare(a, b) : a - b;

const cell = (row, text, name) => {
  const made = row.insertCell();
  made.className = name;
  made.textContent = text;
  made.title = text;
  return made;
};

const rowOf = clash => {
  const row = document.createElement("tr");
  row.dataset.id = clash.id;
  if (clash.id === chosen) row.setAttribute("aria-current", "true");
  const link = document.createElement("a");
  link.href = `#clash=${clash.id}`;
  link.textContent = clash.number + 1;
  row.insertCell().append(link);
  const word = document.createElement("span");
  word.className = `class ${clash.class}`;
  word.textContent = clash.class;
  row.insertCell().append(word);
  cell(row, nameOf(clash.a), "name");
  cell(row, nameOf(clash.b), "name");
  cell(row, clash.contacts_found || "", "figure");
  cell(row, clash.distance ? number.format(clash.distance) : "", "figure");
  row.addEventListener("click", () => { location.hash = link.hash; });
  return row;
};

const spacer = rows => {
  const row = document.createElement("tr");
  row.className = "spacer";
  row.style.height = `${rows * HEIGHT}px`;
  return row;
};

// Puts the rows in sight into the document.
const draw = () => {
  const scroll = element("scroll");
  const first = Math.max(0, Math.floor(scroll.scrollTop / HEIGHT) - SPARE);
  const last = Math.min(shown.length, first + Math.ceil(scroll.clientHeight / HEIGHT) + 2 * SPARE);
  const rows = shown.slice(first, last).map(rowOf);
  element("rows").replaceChildren(spacer(first), ...rows, spacer(shown.length - last));
};

// Takes the filters and the order anew.
const renew = () => {
  const words = element("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const part = element("part").value;
  const kept = clash => !hidden.has(clash.class)
    && words.every(word => clash.text.includes(word))
    && (!part || nameOf(clash.a) === part || nameOf(clash.b) === part);
  const key = columns[sorted.column];
  const sign = sorted.down ? -1 : 1;
  shown = clashes.filter(kept);
  shown.sort((a, b) => sign * compare(key(a), key(b)) || a.number - b.number);
  element("count").textContent = `${shown.length} of ${clashes.length}`;
  element("none").hidden = shown.length > 0;
  element("scroll").scrollTop = 0;
  draw();
};

const sortBy = head => {
  const column = head.dataset.column;
  sorted = { column, down: sorted.column === column && !sorted.down };
  for (const other of element("heads").cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
  renew();
};

const addClasses = () => {
  for (const word of [...new Set(clashes.map(clash => clash.class))].sort()) {
    const count = clashes.filter(clash => clash.class === word).length;
    const button = document.createElement("button");
    button.type = "button";
    button.className = `class ${word}`;
    button.dataset.class = word;
    button.textContent = `${word} ${count}`;
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      if (!hidden.delete(word)) hidden.add(word);
      button.setAttribute("aria-pressed", String(!hidden.has(word)));
      renew();
    });
    element("classes").append(button);
  }
};

const addParts = () => {
  const names = [...new Set(clashes.flatMap(clash => [clash.a, clash.b]))].map(nameOf);
  element("names").append(...names.sort(collator.compare).map(name => new Option("", name)));
};

/** Marks a clash in the list and brings its row into sight. */
export const mark = id => {
  chosen = id;
  const place = shown.findIndex(clash => clash.id === id);
  const scroll = element("scroll");
  const [top, head] = [place * HEIGHT, element("heads").offsetHeight];
  const outside = top < scroll.scrollTop || top + HEIGHT + head > scroll.scrollTop + scroll.clientHeight;
  if (place >= 0 && outside) scroll.scrollTop = top - scroll.clientHeight / 3;
  draw();
};

/** The id of the clash `step` rows below the chosen one. */
export const beside = step => {
  const place = shown.findIndex(clash => clash.id === chosen);
  const next = place < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, place + step));
  return shown[next]?.id;
};

/** Shows only the clashes of a part. */
export const filterPart = name => {
  element("part").value = name;
  renew();
};

/** Fills the list. */
export const start = () => {
  addClasses();
  addParts();
  for (const head of element("heads").cells) {
    head.querySelector("button").addEventListener("click", () => sortBy(head));
  }
  for (const id of ["text", "part"]) element(id).addEventListener("input", renew);
  element("scroll").addEventListener("scroll", draw, { passive: true });
  addEventListener("resize", draw);
  renew();
};
