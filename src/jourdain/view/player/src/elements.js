// Elements of the page. Text is only ever set as text.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const PATHS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 5h4v14h-4zM13.5 5h4v14h-4z",
  loop: "M17 2l4 4-4 4V7H7a3 3 0 0 0-3 3v1H2v-1a5 5 0 0 1 5-5h10zM7 22l-4-4 4-4v3h10a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", PATHS[name]);
  picture.append(path);
  return picture;
}

// A number as a person reads it: four digits, no long tails of zeros.
export function number(value, digits = 4) {
  if (value == null || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(Math.max(0, digits - 2)).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}
