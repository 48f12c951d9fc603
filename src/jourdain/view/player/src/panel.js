// The controls under the picture: time, speed, views, what is shown.

import { h, icon, number } from "./elements.js";
import { presets } from "./views.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 100];
const STEPS = 10000;

export function speedFor(duration) {
  if (duration >= 2 && duration <= 60) return 1;
  return SPEEDS.reduce((best, s) => (Math.abs(Math.log(duration / s / 20)) < Math.abs(Math.log(duration / best / 20)) ? s : best));
}

export function makeTransport(clock, moments) {
  const span = clock.end - clock.start || 1;
  const play = h("button", { class: "round", type: "button", id: "play", onclick: () => clock.play(!clock.playing) });
  const scrub = h("input", {
    type: "range", id: "scrub", min: "0", max: String(STEPS), step: "1", "aria-label": "Time",
    oninput: () => clock.seek(clock.start + (span * scrub.value) / STEPS),
  });
  const ticks = h("div", { class: "ticks" });
  for (const moment of moments) {
    const tick = h("button", { type: "button", class: "tick", "data-time": String(moment.time), tabindex: "-1" });
    tick.title = `${moment.label}, ${number(moment.time)} s`;
    tick.style.left = `${(100 * (moment.time - clock.start)) / span}%`;
    ticks.append(tick);
  }
  const readout = h("output", { id: "time", class: "time" });
  const speed = h("select", { id: "speed", "aria-label": "Speed", onchange: () => clock.set({ speed: Number(speed.value) }) });
  for (const s of SPEEDS) speed.append(h("option", { value: String(s) }, `${s}×`));
  const loop = h("button", { type: "button", class: "square", id: "loop", title: "Repeat", "aria-label": "Repeat",
    onclick: () => clock.set({ loop: !clock.loop }) }, icon("loop"));
  const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(span))));
  clock.listen(() => {
    if (play.dataset.playing !== String(clock.playing)) {
      play.dataset.playing = String(clock.playing);
      play.replaceChildren(icon(clock.playing ? "pause" : "play"));
      play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
      play.title = `${clock.playing ? "Pause" : "Play"} (space)`;
    }
    scrub.value = String(Math.round((STEPS * (clock.time - clock.start)) / span));
    scrub.style.setProperty("--done", `${(100 * (clock.time - clock.start)) / span}%`);
    readout.textContent = `${clock.time.toFixed(digits)} / ${clock.end.toFixed(digits)} s`;
    speed.value = String(clock.speed);
    loop.setAttribute("aria-pressed", String(clock.loop));
  });
  return h("div", { class: "transport" }, play, h("div", { class: "track" }, ticks, scrub), readout, speed, loop);
}

export function makeOptions(stage, data, toggled) {
  const { replay } = data;
  const views = h("div", { class: "group", role: "group", "aria-label": "Views" });
  for (const name of Object.keys(presets(replay))) {
    views.append(h("button", { type: "button", class: "chip", "data-view": name, onclick: () => stage.preset(name) }, name));
  }
  const ghosts = data.scenes.filter((scene) => scene.ghost);
  const forces = data.scenes.some((scene) => scene.arrows.length);
  const shows = h("div", { class: "group", role: "group", "aria-label": "Shown" });
  const toggle = (key, label, on) => {
    const button = h("button", { type: "button", class: "chip", "data-show": key, "aria-pressed": String(on) }, label);
    button.addEventListener("click", () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      stage.show({ [key]: now });
      toggled(key, now);
    });
    shows.append(button);
    stage.show({ [key]: on });
  };
  if (ghosts.length) toggle("ghost", ghosts.length === 1 ? `Ghost: ${ghosts[0].name}` : "Ghosts", true);
  if (forces) toggle("forces", "Forces", true);
  if (data.scenes.some((scene) => scene.parts.some((part) => part.kind === "link"))) toggle("links", "Links", true);
  if (data.scenes[0].frames.name.length) {
    toggle("inset", "Inset camera", stage.rider !== null);
    toggle("frames", "Frames", false);
    toggle("names", "Names", false);
  }
  toggle("follow", "Follow", stage.shows.follow);
  const rest = h("div", { class: "group sliders" });
  if (data.scenes[0].fields) rest.append(fieldChoice(stage, data.scenes[0].fields));
  if (data.scenes[0].frames.name.length) rest.append(cameraChoice(stage, data));
  if (data.scenes.some((scene) => scene.bones.elastic.some(Boolean))) {
    rest.append(slider("magnify", "Deflections", 0, 3, Math.log10(replay.magnify), (x) => {
      const factor = 10 ** x < 9.5 ? Math.round(10 ** (x + 1)) / 10 : Math.round(10 ** x);
      stage.show({ factor });
      return `×${factor}`;
    }));
  }
  if (forces) {
    rest.append(slider("arrows", "Arrows", -1, 1, 0, (x) => {
      stage.show({ arrowScale: 10 ** x });
      return `×${number(10 ** x, 2)}`;
    }));
  }
  return h("div", { class: "options" }, views, shows, rest);
}

function fieldChoice(stage, fields) {
  const choice = h("select", { id: "field", "aria-label": "Field that solids are coloured by" });
  fields.forEach((field, k) => choice.append(h("option", { value: String(k) }, field.label)));
  choice.append(h("option", { value: "-1" }, "none"));
  choice.addEventListener("change", () => stage.show({ field: Number(choice.value) }));
  stage.show({ field: 0 });
  return h("label", {}, h("span", {}, "Colours"), choice);
}

function cameraChoice(stage, data) {
  const choice = h("select", { id: "camera", "aria-label": "Frame of the inset camera" });
  for (const name of data.scenes[0].frames.name) choice.append(h("option", { value: name }, name));
  if (stage.rider) choice.value = stage.rider.name;
  else choice.selectedIndex = -1;
  choice.addEventListener("change", () => {
    stage.show({ camera: choice.value });
    const button = document.querySelector('[data-show="inset"]');
    if (button.getAttribute("aria-pressed") !== "true") button.click();
  });
  return h("label", {}, h("span", {}, "Camera on"), choice);
}

function slider(id, label, low, high, value, change) {
  const shown = h("output", {});
  const input = h("input", { type: "range", id, min: String(low), max: String(high), step: "0.01", value: String(value) });
  input.addEventListener("input", () => (shown.textContent = change(Number(input.value))));
  shown.textContent = change(value);
  return h("label", {}, h("span", {}, label), input, shown);
}
