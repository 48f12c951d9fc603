// Curves over time, with one range of time and one cursor for all: drag to zoom, double-click for all of it.

import uPlot from "uplot";
import { h, number } from "./elements.js";
import { nearest } from "./poses.js";
import { saveButtons } from "./saving.js";
import { colour, onTheme } from "./theme.js";

const NEAR = 12;

export class Plots {
  constructor(data, arrays, clock) {
    this.clock = clock;
    this.range = [clock.start, clock.end];
    this.all = [];
    this.sync = uPlot.sync("time");
    for (const plot of data.plots) {
      const host = document.getElementById(plot.id);
      if (host) this.add(host, plot, arrays);
    }
    clock.listen(() => this.now());
    onTheme(() => {
      for (const { u } of this.all) u.redraw(false);
    });
  }

  add(host, plot, arrays) {
    const x = arrays.get(plot.x);
    const title = host.querySelector("img")?.alt || plot.series[0]?.label || "plot";
    const raw = plot.series.map((series) => [...arrays.get(series.y)].map((y) => (Number.isNaN(y) ? null : y)));
    const drawn = plot.stacked ? stack(raw, plot.stacked) : raw;
    host.replaceChildren();
    const size = () => ({ width: Math.max(host.clientWidth, 120), height: plot.height });
    const peaks = plot.peaks.map((peak) => ({ ...peak, value: drawn[peak.series][peak.sample], time: x[peak.sample] }));
    const u = new uPlot(
      {
        ...size(),
        padding: [8, 22, 0, 0],
        cursor: {
          sync: { key: "time", filters: { pub: moves, sub: moves }, scales: ["x", null] },
          drag: { x: true, y: false, uni: 1e9 },
          points: { size: 6 },
          bind: { dblclick: () => () => this.zoom(this.clock.start, this.clock.end) },
        },
        legend: { live: true },
        scales: { x: { time: false, range: (_u, low, high) => [low, high] }, y: { range: plot.range ? () => plot.range : range } },
        axes: [axis("s", 26), axis("", (u, labels) => 14 + 6.4 * Math.max(3, ...(labels ?? []).map((l) => l.length)))],
        series: [
          { label: "time", value: (_u, t) => (t == null ? "" : `${number(t, 5)} s`) },
          ...plot.series.map((series, i) => line(series, i, raw, plot)),
        ],
        bands: plot.stacked ? bands(plot) : undefined,
        hooks: {
          setScale: [(self, key) => key === "x" && this.follow(self)],
          drawClear: [(self) => ground(self)],
          draw: [(self) => { limits(self, plot); circles(self, peaks, plot); }],
        },
      },
      [x, ...drawn],
      host,
    );
    const mark = h("div", { class: "now" });
    u.over.append(mark);
    const entry = { u, mark, x, peaks, host, plot, raw, drawn, title };
    host.after(saveButtons(entry));
    this.pointer(entry);
    new ResizeObserver(() => u.setSize(size())).observe(host);
    this.all.push(entry);
  }

  // A click goes to that time, or to the peak that it is near to.
  pointer({ u, peaks }) {
    let from = null;
    u.over.addEventListener("mousedown", (event) => (from = [event.clientX, event.clientY]));
    u.over.addEventListener("click", (event) => {
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 3) return;
      const box = u.over.getBoundingClientRect();
      const at = [event.clientX - box.left, event.clientY - box.top];
      const off = (peak) => Math.hypot(u.valToPos(peak.time, "x") - at[0], u.valToPos(peak.value, "y") - at[1]);
      const best = peaks.filter((peak) => u.series[peak.series + 1].show).sort((a, b) => off(a) - off(b))[0];
      this.clock.seek(best && off(best) < NEAR ? best.time : u.posToVal(at[0], "x"));
    });
    u.over.addEventListener("mouseleave", () => this.now());
  }

  follow(source) {
    const { min, max } = source.scales.x;
    if (this.busy || min == null) return;
    this.zoom(min, max);
  }

  zoom(min, max) {
    this.busy = true;
    this.range = [min, max];
    for (const { u } of this.all) if (u.scales.x.min !== min || u.scales.x.max !== max) u.setScale("x", { min, max });
    // uPlot commits in a microtask: its hooks run before this one.
    queueMicrotask(() => {
      this.busy = false;
      this.now();
    });
  }

  now() {
    const { time } = this.clock;
    for (const { u, mark, x } of this.all) {
      const inside = time >= u.scales.x.min && time <= u.scales.x.max;
      mark.hidden = !inside;
      if (inside) mark.style.transform = `translateX(${u.valToPos(time, "x")}px)`;
      if (u.cursor.left == null || u.cursor.left < 0) {
        u.setLegend({ idx: nearest(x, time) }, false);
      }
    }
  }

  // Curves of other runs on or off.
  ghosts(on) {
    for (const { u, plot } of this.all) {
      plot.series.forEach((series, i) => series.ghost && u.setSeries(i + 1, { show: on }));
    }
  }
}

const moves = (type) => type === "mousemove" || type === "mouseleave";

function line(series, i, raw, plot) {
  const area = plot.stacked && i < plot.stacked;
  return {
    label: series.label,
    stroke: () => (series.colour ? series.colour + (series.ghost ? "a6" : "") : colour("ink")),
    width: series.ghost ? 1.25 : area ? 1 : 1.75,
    dash: series.dash ?? undefined,
    fill: area && i === 0 ? `${series.colour}55` : undefined,
    points: { show: raw[i].length < 3 },
    pxAlign: 0, // curves are smooth: they are not pulled to whole pixels
    value: (_u, _v, _s, sample) => (sample == null ? "" : `${number(raw[i][sample])} ${series.unit}`.trim()),
  };
}

// The first `count` curves on top of one another; the others as they are.
function stack(raw, count) {
  const sum = new Array(raw[0].length).fill(0);
  return raw.map((values, i) => (i < count ? values.map((y, k) => (sum[k] += y ?? 0)) : values));
}

function bands(plot) {
  const out = [];
  for (let i = 1; i < plot.stacked; i++) out.push({ series: [i + 1, i], fill: `${plot.series[i].colour}55` });
  return out;
}

function axis(unit, size) {
  return {
    size,
    font: '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
    stroke: () => colour("soft"),
    grid: { stroke: () => colour("grid"), width: 1 },
    ticks: { show: false },
    gap: 6,
    values: (_u, splits) => ticks(splits).map((text) => (unit && text ? `${text} ${unit}` : text)),
  };
}

// Labels of ticks: the fewest digits that say where each tick is, powers of ten where numbers are long.
export function ticks(splits) {
  const shown = splits.filter((v) => v != null);
  const step = Math.abs(shown[1] - shown[0]) || 1, top = Math.max(...shown.map(Math.abs));
  const long = top >= 1e5 || top < 1e-2;
  const write = (v, digits) => (v === 0 ? "0" : long ? v.toExponential(digits) : v.toFixed(digits));
  let digits = 0;
  while (digits < 12 && shown.some((v) => Math.abs(Number(write(v, digits)) - v) > 1e-3 * step)) digits++;
  return splits.map((v) => (v == null ? "" : write(v, digits).replace("e+", "e").replaceAll("-", "−")));
}

function range(_u, low, high) {
  if (low == null || !Number.isFinite(low)) return [-1, 1];
  if (low === high) return low === 0 ? [-1, 1] : [low - 0.1 * Math.abs(low), high + 0.1 * Math.abs(high)];
  const margin = 0.07 * (high - low);
  return [low - margin, high + margin];
}

function ground(u) {
  u.ctx.save();
  u.ctx.fillStyle = colour("plot");
  u.ctx.fillRect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  u.ctx.restore();
}

function limits(u, plot) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  const labelled = [];
  for (const limit of plot.limits) {
    const y = Math.round(u.valToPos(limit.value, "y", true));
    ctx.strokeStyle = ctx.fillStyle = colour("fail");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    if (labelled.some((other) => Math.abs(other - y) < 12 * devicePixelRatio)) continue;
    labelled.push(y);
    ctx.font = `${10 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "right";
    ctx.fillText(limit.label, bbox.left + bbox.width - 4 * devicePixelRatio, y - 4 * devicePixelRatio);
  }
  ctx.restore();
}

function circles(u, peaks, plot) {
  const { ctx } = u;
  ctx.save();
  ctx.setLineDash([]);
  for (const peak of peaks) {
    const { min, max } = u.scales.x;
    if (!u.series[peak.series + 1].show || peak.time < min || peak.time > max) continue;
    ctx.beginPath();
    ctx.arc(u.valToPos(peak.time, "x", true), u.valToPos(peak.value, "y", true), 4 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fillStyle = colour("plot");
    ctx.strokeStyle = plot.series[peak.series].colour || colour("ink");
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}
