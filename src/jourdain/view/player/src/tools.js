// Tools of the replay: which bodies are seen, a section, measuring, coordinates of a frame, links to a view, pictures.

import { Plane, Vector3 } from "three";
import { h, number } from "./elements.js";
import { Picker } from "./picking.js";
import { download, fileName } from "./saving.js";

const ROWS = 200;
const AXES = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

export function makeTools(stage, clock, title) {
  const bodies = bodyList(stage), cut = section(stage), read = readout(stage, clock);
  const link = makeLink(stage, clock, { bodies, cut, read });
  const shoot = () => stage.shoot((blob) => download(fileName(`${title}-${clock.time.toFixed(3)}-s`, "png"), blob));
  const buttons = h("div", { class: "group" },
    h("button", { type: "button", class: "chip", id: "shoot", onclick: shoot }, "Save picture"),
    h("button", { type: "button", class: "chip", id: "bookmark", onclick: link.write }, "Link to this view"), link.told);
  const box = h("details", { class: "tools" }, h("summary", {}, "Bodies, section, measuring"),
    h("div", { class: "tool-grid" }, bodies.box, h("div", {}, cut.box, read.box, buttons)));
  link.apply();
  addEventListener("hashchange", link.apply);
  return box;
}

// Every body with two switches; of many the first, and those that a name is looked for.
function bodyList(stage) {
  const names = [...new Set(stage.actors.flatMap((actor) => actor.names()))].filter((name) => name !== "world");
  const states = new Map(); // name -> "hidden" or "clear"; others are as they are
  const rows = h("ul", { class: "bodies" });
  const set = (name, state) => {
    state ? states.set(name, state) : states.delete(name);
    for (const actor of stage.actors) actor.look(name, state);
    stage.redraw();
  };
  const fill = () => {
    const wanted = names.filter((name) => name.toLowerCase().includes(find.value.toLowerCase()));
    rows.replaceChildren(...wanted.slice(0, ROWS).map((name) => row(name)));
    if (wanted.length > ROWS) rows.append(h("li", {}, `and ${wanted.length - ROWS} more; look for a name`));
  };
  const row = (name) => {
    const button = (state, label) => {
      const one = h("button", { type: "button", class: "chip", "data-state": state, "aria-label": `${label}: ${name}`,
        "aria-pressed": String(states.get(name) === state) }, label);
      one.addEventListener("click", () => {
        set(name, states.get(name) === state ? "" : state);
        for (const other of item.querySelectorAll("button")) {
          other.setAttribute("aria-pressed", String(states.get(name) === other.dataset.state));
        }
      });
      return one;
    };
    const item = h("li", { "data-body": name }, h("span", {}, name), button("hidden", "Hide"), button("clear", "Clear"));
    return item;
  };
  const find = h("input", { type: "search", placeholder: "Find a body", "aria-label": "Find a body", oninput: () => fill() });
  const all = h("button", { type: "button", class: "chip", onclick: () => write([]) }, "Show all");
  const write = (given) => {
    for (const name of names) if (states.has(name)) set(name, "");
    for (const [name, state] of given) if (names.includes(name)) set(name, state);
    fill();
  };
  fill();
  return { box: h("div", {}, h("div", { class: "group" }, find, all), rows), states, write };
}

// A plane that takes away what is in front of it.
function section(stage) {
  const [low, high] = stage.replay.box.map((corner) => new Vector3(...corner));
  const choice = h("select", { id: "cut", "aria-label": "Section plane" });
  for (const [value, label] of [["", "none"], ...Object.keys(AXES).flatMap((a) => [[a, `across ${a}`], [`-${a}`, `across −${a}`]])]) {
    choice.append(h("option", { value }, label));
  }
  const slider = h("input", { type: "range", min: "0", max: "1", step: "0.001", value: "0.5", "aria-label": "Place of the section" });
  const shown = h("output", {});
  const change = () => {
    const axis = AXES[choice.value.at(-1)];
    slider.disabled = !axis;
    shown.textContent = "";
    if (!axis) return stage.cut(null);
    const way = new Vector3(...axis), from = low.dot(way), to = high.dot(way);
    const place = from - 0.05 * (to - from) + 1.1 * (to - from) * Number(slider.value);
    shown.textContent = `${number(place, 3)} m`;
    const sign = choice.value.startsWith("-") ? -1 : 1;
    stage.cut(new Plane(way.clone().multiplyScalar(-sign), sign * place));
  };
  choice.addEventListener("change", change);
  slider.addEventListener("input", change);
  change();
  const write = (text) => {
    [choice.value, slider.value] = text.split(":").length === 2 ? text.split(":") : ["", "0.5"];
    change();
  };
  const box = h("div", { class: "group sliders" }, h("label", {}, h("span", {}, "Section"), choice), h("label", {}, slider, shown));
  return { box, read: () => (choice.value ? `${choice.value}:${slider.value}` : ""), write };
}

// Distances between picked points, and where a frame is.
function readout(stage, clock) {
  const picker = new Picker(stage);
  const told = h("output", { class: "told", id: "told", "aria-live": "polite" });
  const modes = {};
  const say = () => (told.textContent = picker.words());
  for (const [mode, label, hint] of [
    ["measure", "Measure", "Click two points; with the picture in focus, Enter picks its middle"],
    ["frame", "Pick a frame", "Click near a frame; with the picture in focus, Enter picks its middle"],
  ]) {
    const button = h("button", { type: "button", class: "chip", id: mode, title: hint, "aria-pressed": "false" }, label);
    button.addEventListener("click", () => {
      picker.start(picker.mode === mode ? "" : mode);
      for (const [name, one] of Object.entries(modes)) one.setAttribute("aria-pressed", String(picker.mode === name));
      say();
    });
    modes[mode] = button;
  }
  const frames = h("select", { id: "frame-choice", "aria-label": "Frame whose coordinates are read out" }, h("option", { value: "" }, "no frame"));
  for (const { name } of stage.marks.items) frames.append(h("option", { value: name }, name));
  frames.addEventListener("change", () => picker.choose(frames.value));
  picker.changed = () => {
    frames.value = picker.frame?.name ?? "";
    say();
  };
  stage.onPose(say);
  const box = h("div", {}, h("div", { class: "group" }, modes.measure, modes.frame, frames), told);
  return { box, picker };
}

// The camera, the time and what is shown, in the address: a bookmark keeps them.
function makeLink(stage, clock, { bodies, cut, read }) {
  const told = h("output", { class: "told", "aria-live": "polite" });
  const digits = (v) => v.toArray().map((one) => Number(one.toPrecision(6))).join(",");
  const write = () => {
    const said = new URLSearchParams({ eye: digits(stage.camera.position), to: digits(stage.controls.target), t: String(Number(clock.time.toFixed(6))) });
    for (const state of ["hidden", "clear"]) {
      for (const [name, one] of bodies.states) if (one === state) said.append(state, name);
    }
    if (cut.read()) said.set("cut", cut.read());
    if (read.picker.frame) said.set("frame", read.picker.frame.name);
    location.hash = said.toString();
    const copied = navigator.clipboard?.writeText(location.href);
    told.textContent = "The address of this page now leads here.";
    copied?.then(() => (told.textContent = "The address of this page now leads here; it is copied."), () => {});
  };
  const apply = () => {
    const said = new URLSearchParams(location.hash.slice(1));
    const places = ["eye", "to"].map((key) => (said.get(key) ?? "").split(",").map(Number));
    if (places.some((one) => one.length !== 3 || !one.every(Number.isFinite))) return;
    const time = Number(said.get("t"));
    if (said.has("t") && Number.isFinite(time)) clock.seek(time);
    stage.aim(...places.map((one) => new Vector3(...one)));
    bodies.write(["hidden", "clear"].flatMap((state) => said.getAll(state).map((name) => [name, state])));
    cut.write(said.get("cut") ?? "");
    read.picker.choose(said.get("frame") ?? "");
  };
  return { told, write, apply };
}
