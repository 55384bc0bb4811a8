// The page: a list of clashes, and a view of the chosen one, which the address names.
import { byId, scene } from "./scene.js";
import * as list from "./list.js";
import { makeView } from "./view.js";

const element = id => document.getElementById(id);
let view = null;

const say = text => {
  element("message").textContent = text;
  element("message").hidden = !text;
};

const entry = (word, ...values) => {
  const [term, value] = ["dt", "dd"].map(name => document.createElement(name));
  term.textContent = word;
  value.append(...values);
  return [term, value];
};

// A part's name, which filters the list when it is clicked, and its group.
const partOf = (part, letter) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `part ${letter}`;
  button.textContent = part.name;
  button.title = "Show only the clashes of this part";
  button.addEventListener("click", () => list.filterPart(part.name));
  return [button, part.group ? ` ${part.group}` : ""];
};

const describe = clash => {
  const [a, b] = [clash.a, clash.b].map(part => scene.parts[part]);
  const rows = [...entry("A", ...partOf(a, "a")), ...entry("B", ...partOf(b, "b"))];
  const inner = { a: "A is inside B", b: "B is inside A" }[clash.inner];
  rows.push(...entry("class", inner ?? clash.class));
  if (clash.reason) rows.push(...entry("because", clash.reason));
  if (clash.contacts_found) {
    rows.push(...entry("contacts", `${clash.contacts_found} pairs of triangles`));
  }
  if (clash.distance) rows.push(...entry("distance", String(clash.distance)));
  if (clash.extent) {
    const [low, high] = clash.extent;
    const size = low.map((value, k) => Number((high[k] - value).toPrecision(4)));
    const middle = low.map((value, k) => Number(((value + high[k]) / 2).toPrecision(7)));
    rows.push(...entry("extent", `${size.join(" × ")} about (${middle.join(", ")})`));
  }
  const link = document.createElement("a");
  link.href = `#clash=${clash.id}`;
  link.textContent = clash.id;
  rows.push(...entry("link", link));
  element("about").replaceChildren(...rows);
};

// Shows the clash that the address names, or the first.
const choose = async () => {
  const id = new URLSearchParams(location.hash.slice(1)).get("clash");
  const number = id === null ? 0 : byId.get(id);
  if (number === undefined) {
    say(`No clash of this file has the id ${id}.`);
    return;
  }
  const clash = scene.clashes[number];
  if (!clash) return;
  list.mark(clash.id);
  describe(clash);
  document.body.dataset.clash = clash.id;
  say("");
  try {
    await view?.show(clash);
  } catch (error) {
    say(`This clash cannot be drawn: ${error.message}`);
  }
};

const summary = () => {
  const { parts_found: parts, clashes, inputs, asked, notes } = scene;
  document.title = `${clashes.length} clashes – ${inputs.join(", ")}`;
  element("input").textContent = inputs.join(", ");
  element("asked").textContent = `${parts} parts, ${clashes.length} clashes${asked ? `; ${asked}` : ""}`;
  element("notes").replaceChildren(...notes.map(note => {
    const item = document.createElement("p");
    item.textContent = note;
    return item;
  }));
};

summary();
list.start();
try {
  view = makeView(element("canvas"));
} catch (error) {
  element("canvas").hidden = true;
  element("blank").hidden = false;
}
element("fit-clash").addEventListener("click", () => view?.fitClash());
element("fit-parts").addEventListener("click", () => view?.fitParts());
element("solid").addEventListener("change", event => view?.setSolid(event.target.checked));
element("others").addEventListener("change", event => view?.setOthers(event.target.checked));
addEventListener("hashchange", choose);
addEventListener("keydown", event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const id = list.beside(step);
  if (id) location.hash = `#clash=${id}`;
});
choose();
