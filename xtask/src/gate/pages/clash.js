// Runs in a page of clashes, after measure.js and with CLASHES, what --json printed: uses the list, and
// returns what is wrong with it.
const faults = [];
const expect = (holds, fault) => { if (!holds) faults.push(fault); };
const element = id => document.getElementById(id);
const rows = () => [...document.querySelectorAll("#rows tr[data-id]")];
const ids = () => rows().map(row => row.dataset.id);
const count = () => Number(element("count").textContent.split(" ")[0]);
const words = (a, b) => a.localeCompare(b, "en", { numeric: true });

// The columns: sorted up by a click, down by a second one.
const keys = {
  class: [clash => clash.class, words],
  a: [clash => clash.a, words],
  b: [clash => clash.b, words],
  contacts: [clash => clash.contacts_found, (a, b) => a - b],
  distance: [clash => clash.distance, (a, b) => a - b],
};
for (const [column, [key, compare]] of Object.entries(keys)) {
  const button = document.querySelector(`th[data-column=${column}] button`);
  for (const sign of [1, -1]) {
    button.click();
    const wanted = [...CLASHES].sort((a, b) => sign * compare(key(a), key(b))).map(clash => clash.id);
    const found = ids();
    expect(found.length > 10 && found.every((id, at) => id === wanted[at]),
      `not sorted by ${column}, ${sign > 0 ? "up" : "down"}`);
  }
}
document.querySelector("th[data-column=number] button").click();

// The filters: a class, a part, words of the text.
for (const button of document.querySelectorAll("#classes button")) {
  const word = button.dataset.class;
  button.click();
  const left = CLASHES.filter(clash => clash.class !== word);
  expect(left.length < CLASHES.length && count() === left.length, `${word} is not filtered`);
  expect(ids().every(id => left.some(clash => clash.id === id)), `${word} is still shown`);
  button.click();
}
const typed = (id, text) => {
  element(id).value = text;
  element(id).dispatchEvent(new Event("input"));
};
const { a, b } = CLASHES[Math.floor(CLASHES.length / 2)];
const of = name => CLASHES.filter(clash => clash.a === name || clash.b === name);
typed("part", b);
expect(count() === of(b).length && count() > 0, `the part ${b} is not filtered`);
typed("part", "");
typed("text", `${b.toUpperCase()} ${a.slice(1)}`);
expect(count() > 0 && count() < CLASHES.length, "texts are not filtered");
expect(rows().every(row => [a, b].every(name => [...row.cells].some(cell => cell.textContent === name))),
  "other texts are shown");
typed("text", "no such words");
expect(count() === 0 && !element("none").hidden, "nothing is not said to be nothing");
typed("text", "");
expect(count() === CLASHES.length, "the filters do not end");

// All clashes, as the list is scrolled.
const seen = new Set();
const scroll = element("scroll");
for (let top = 0; top <= scroll.scrollHeight; top += 200) {
  scroll.scrollTop = top;
  scroll.dispatchEvent(new Event("scroll"));
  ids().forEach(id => seen.add(id));
}
expect(seen.size === CLASHES.length, `${seen.size} of ${CLASHES.length} rows are shown`);
scroll.scrollTop = 0;
scroll.dispatchEvent(new Event("scroll"));

expect(!document.querySelector("main img, main script"), "a name has become an element");
expect(!document.title.includes("harmed"), "a name has been run");
expect(surplus() <= 0, `the document is ${surplus()} pixels too wide`);
const [contrast, pale] = palest();
expect(contrast >= CONTRAST, `"${pale}" has a contrast of ${contrast.toFixed(2)} only`);
faults
