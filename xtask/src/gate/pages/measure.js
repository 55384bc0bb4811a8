// Runs in a page before another probe: what is seen of its texts.
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
// Pixels by which the document is wider than the window.
const surplus = () =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth;
