// What a reader takes along: plots as PNG, SVG and CSV, and the picture of the replay.

import { h } from "./elements.js";
import { colour } from "./theme.js";
import { ticks } from "./plots.js";

const SVG = "http://www.w3.org/2000/svg";
const FONT = "system-ui, sans-serif";
const ROW = 16, TITLE = 24;

export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

export function fileName(text, ending) {
  return `${text.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "plot"}.${ending}`;
}

// Three buttons under a plot. entry: what Plots keeps of it, with its raw values and its title.
export function saveButtons(entry) {
  const makers = {
    PNG: () => png(entry),
    SVG: () => new Blob([svg(entry)], { type: "image/svg+xml" }),
    CSV: () => new Blob([csv(entry)], { type: "text/csv" }),
  };
  const bar = h("div", { class: "saves", role: "group", "aria-label": `Save ${entry.title}` });
  for (const [kind, make] of Object.entries(makers)) {
    const save = async () => download(fileName(entry.title, kind.toLowerCase()), await make());
    bar.append(h("button", { type: "button", class: "chip", title: `Save as ${kind}`, "data-save": kind, onclick: save }, kind));
  }
  return bar;
}

// All samples with their names and units, as spreadsheets read them; no name is taken for a formula.
export function csv({ x, raw, plot }) {
  const cell = (text) => {
    const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  const name = (series) => cell(series.unit ? `${series.label} [${series.unit}]` : series.label);
  const rows = [["time [s]", ...plot.series.map(name)].join(",")];
  for (let i = 0; i < x.length; i++) rows.push([x[i], ...raw.map((values) => values[i] ?? "")].join(","));
  return `${rows.join("\r\n")}\r\n`;
}

// What the plot shows now, its title above and its names below.
function layout({ u, plot }) {
  const shown = plot.series.map((series, i) => ({ ...series, i })).filter(({ i }) => u.series[i + 1].show);
  const width = u.width, top = TITLE, low = TITLE + u.height;
  let at = 12, row = 0;
  const legend = shown.map((series) => {
    const wide = 26 + 6.6 * series.label.length;
    if (at + wide > width && at > 12) [at, row] = [12, row + 1];
    const place = { series, x: at, y: low + 8 + ROW * row };
    at += wide + 10;
    return place;
  });
  return { width, top, height: low + 16 + ROW * (row + 1), legend };
}

const ink = (series) => series.colour || colour("ink");

async function png(entry) {
  const { u, title, plot } = entry, { width, top, height, legend } = layout(entry);
  const scale = u.ctx.canvas.width / u.width;
  const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  const c = canvas.getContext("2d");
  c.scale(scale, scale);
  c.fillStyle = colour("ground");
  c.fillRect(0, 0, width, height);
  c.drawImage(u.ctx.canvas, 0, top, u.width, u.height);
  c.textBaseline = "middle";
  c.font = `600 13px ${FONT}`;
  c.fillStyle = colour("ink");
  c.fillText(heading(title, plot), 12, TITLE / 2);
  c.font = `12px ${FONT}`;
  for (const { series, x, y } of legend) {
    c.fillStyle = ink(series);
    c.fillRect(x, y - 4, 10, 10);
    c.fillStyle = colour("ink");
    c.fillText(series.label, x + 15, y + 1);
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const heading = (title, plot) => `${title} [${[...new Set(plot.series.map(({ unit }) => unit))].join(", ") || "1"}]`;

function node(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function svg(entry) {
  const { u, title, plot, drawn, x } = entry, { width, top, height, legend } = layout(entry);
  const scale = u.ctx.canvas.width / u.width;
  const box = { x: u.bbox.left / scale, y: top + u.bbox.top / scale, width: u.bbox.width / scale, height: u.bbox.height / scale };
  const at = (t) => box.x + u.valToPos(t, "x"), up = (v) => box.y + u.valToPos(v, "y");
  const text = (words, place, more = {}) => node("text", { fill: colour("soft"), "font-size": 11, ...place, ...more }, words);
  const root = node("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT },
    node("rect", { width, height, fill: colour("ground") }), node("rect", { ...box, fill: colour("plot") }),
    text(heading(title, plot), { x: 12, y: 17 }, { fill: colour("ink"), "font-size": 13, "font-weight": 600 }));
  for (const [which, place] of [[0, at], [1, up]]) {
    const splits = u.axes[which]._splits ?? [], labels = ticks(splits);
    splits.forEach((value, i) => {
      const p = place(value);
      const line = which ? { x1: box.x, x2: box.x + box.width, y1: p, y2: p } : { x1: p, x2: p, y1: box.y, y2: box.y + box.height };
      root.append(node("line", { ...line, stroke: colour("grid") }));
      root.append(which ? text(labels[i], { x: box.x - 6, y: p + 4, "text-anchor": "end" })
        : text(labels[i] && `${labels[i]} s`, { x: p, y: box.y + box.height + 16, "text-anchor": "middle" }));
    });
  }
  const clip = `clip-${plot.id}`;
  root.append(node("clipPath", { id: clip }, node("rect", box)));
  const inside = node("g", { "clip-path": `url(#${clip})`, fill: "none", "stroke-width": 1.75 });
  const { min, max } = u.scales.x;
  for (const { series } of legend) inside.append(curve(series, drawn[series.i], x, at, up, min, max));
  for (const limit of plot.limits) {
    const y = up(limit.value);
    inside.append(node("line", { x1: box.x, x2: box.x + box.width, y1: y, y2: y, stroke: colour("fail"), "stroke-width": 1, "stroke-dasharray": "6 4" }));
    inside.append(text(limit.label, { x: box.x + box.width - 4, y: y - 4, "text-anchor": "end" }, { fill: colour("fail"), "font-size": 10 }));
  }
  root.append(inside);
  for (const { series, x: left, y } of legend) {
    root.append(node("rect", { x: left, y: y - 4, width: 10, height: 10, fill: ink(series) }));
    root.append(text(series.label, { x: left + 15, y: y + 5 }, { fill: colour("ink"), "font-size": 12 }));
  }
  return new XMLSerializer().serializeToString(root);
}

// A line through the samples in the range, and one on each side of it.
function curve(series, values, x, at, up, min, max) {
  let path = "", pen = false;
  for (let i = 0; i < x.length; i++) {
    if ((i + 1 < x.length && x[i + 1] < min) || (i > 0 && x[i - 1] > max)) continue;
    if (values[i] == null) {
      pen = false;
      continue;
    }
    path += `${pen ? "L" : "M"}${at(x[i]).toFixed(2)} ${up(values[i]).toFixed(2)}`;
    pen = true;
  }
  const dash = series.dash ? { "stroke-dasharray": series.dash.join(" ") } : {};
  return node("path", { d: path, stroke: ink(series), ...dash });
}
