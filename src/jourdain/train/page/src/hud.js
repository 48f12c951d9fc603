// Read-outs over the picture, the list of lessons, and the sheet with the score. Text is only ever set as text.

import { h } from "../../../view/player/src/elements.js";
import { MODES } from "./pilot.js";

const $ = (name) => document.getElementById(name);
// Texts are painted anew only where they change.
const put = (element, text) => element.textContent === text || (element.textContent = text);
const TORQUE = 600; // N m that fill a bar
const MODE_NAMES = { hand: "Hand", joints: "Joints", craft: "Craft" };
const MODE_HELP = {
  hand: "the hand moves as its camera sees it",
  joints: "each pair of keys turns a joint",
  craft: "thrusters, and attitude of the craft",
};
const KEYS = [
  [["W", "S"], { hand: "ahead, back", joints: "shoulder pitch", craft: "thrust ahead, back" }],
  [["A", "D"], { hand: "left, right", joints: "shoulder yaw", craft: "thrust left, right" }],
  [["R", "F"], { hand: "up, down", joints: "elbow", craft: "thrust up, down" }],
  [["I", "K"], { hand: "nose up, down", joints: "wrist pitch", craft: "nose up, down" }],
  [["J", "L"], { hand: "nose left, right", joints: "wrist yaw", craft: "nose left, right" }],
  [["U", "O"], { hand: "roll left, right", joints: "wrist roll", craft: "roll left, right" }],
];
const MEASURES = { time: ["Time", "s", 1], force: ["Peak force", "N", 0], angle: ["Misalignment", "°", 1], fuel: ["Fuel", "kg", 2], collisions: ["Collisions", "", 0] };
const OUTCOMES = { done: "Done", time: "Time has run out", left: "Flight ended" };

export class Hud {
  constructor(data, does) {
    this.data = data;
    this.does = does;
    for (const lesson of data.lessons) {
      const text = h("span", {}, lesson.task.trim());
      $("lessons").append(h("button", { type: "button", "data-lesson": lesson.key, onclick: () => does.start(lesson.key) }, h("b", {}, lesson.name), text));
    }
    this.buttons = MODES.map((mode, i) => {
      const button = h("button", { type: "button", onclick: () => does.choose(mode) }, `${MODE_NAMES[mode]} `, h("kbd", {}, String(i + 1)));
      $("modes").append(button);
      return button;
    });
    this.about = h("span");
    this.stats = h("span", { class: "stats" });
    $("modes").append(this.about, this.stats);
    this.torques = data.joints.map((name) => {
      const bar = h("i"), value = h("b");
      $("torques").append(h("div", { class: "torque" }, h("span", {}, name.replace("_", " ")), h("div", { class: "bar" }, bar), value));
      return { bar, value };
    });
    this.forces = this.rows($("forces"), ["Contact", "Grapple", "Peak", "Fuel used", "Collisions"]);
    $("help-button").addEventListener("click", does.help);
    $("end-button").addEventListener("click", does.leave);
    $("inset").addEventListener("click", does.swap);
    $("again").addEventListener("click", does.again);
    $("other").addEventListener("click", does.menu);
    $("save").addEventListener("click", does.save);
  }

  rows(host, names) {
    return names.map((name) => {
      const value = h("b"), limit = h("span"), row = h("div", { class: "row" }, h("span", {}, name), value, limit);
      host.append(row);
      return { row, value, limit };
    });
  }

  show(lesson) {
    const { goal } = lesson;
    this.lesson = lesson;
    $("hud").hidden = false;
    $("menu").hidden = $("result").hidden = $("note").hidden = true;
    $("title").textContent = lesson.name;
    $("what").textContent = goal.kind === "connect" ? "bring the frames together, then close with Space" : "come there, and hold";
    $("goal-title").textContent = goal.pair === "berth" ? "Foot to cradle" : "Hand to pin";
    $("goal").replaceChildren();
    this.goal = this.rows($("goal"), ["Distance", "Off axis", "Angle", "Speed"]);
    const [least, most] = goal.distance;
    this.goal[0].limit.textContent = least > 0 ? `${least}–${most} m` : `≤ ${most} m`;
    this.goal[1].limit.textContent = goal.aside < 1e3 ? `≤ ${goal.aside} m` : "";
    this.goal[2].limit.textContent = `≤ ${goal.angle}°`;
    this.goal[3].limit.textContent = `≤ ${100 * goal.speed} cm/s`;
    this.size = [$("inset").clientWidth, $("inset").clientHeight];
    this.held = h("i");
    $("goal").append(h("div", { class: "bar" }, this.held));
  }

  modes(mode, controls) {
    MODES.forEach((one, i) => {
      this.buttons[i].classList.toggle("on", one === mode);
      this.buttons[i].hidden = one === "craft" && !controls.includes("craft");
    });
    this.about.textContent = MODE_HELP[mode];
    const list = h("dl");
    const add = (keys, text) => list.append(h("dt", {}, ...keys.flatMap((one) => [h("kbd", {}, one), " "])), h("dd", {}, text));
    for (const [keys, words] of KEYS) add(keys, words[mode]);
    if (controls.includes("craft") && mode !== "craft") add(["↑ ↓ ← →"], "thrusters; PgUp, PgDn");
    add(["Shift"], "a quarter of the rate");
    if (this.lesson?.goal.kind === "connect") add(["Space"], "close the grapple");
    add(["C", "V"], "other picture, other camera");
    add(["mouse"], "in the hand's picture: a stick");
    add(["gamepad"], "sticks, triggers; A closes");
    $("help").replaceChildren(h("h2", {}, `Keys: ${MODE_NAMES[mode].toLowerCase()}`), list);
  }

  update(state) {
    const { goal, limit } = this.lesson, { relation: r } = state;
    put($("clock"), `${state.time.toFixed(1)} s`);
    const tell = ({ row, value }, text, good) => {
      put(value, text);
      const look = `row ${good == null ? "" : good ? "good" : "bad"}`;
      if (row.className !== look) row.className = look;
    };
    tell(this.goal[0], `${r.distance.toFixed(2)} m`, r.distance >= goal.distance[0] && r.distance <= goal.distance[1]);
    tell(this.goal[1], `${r.aside.toFixed(2)} m`, goal.aside < 1e3 ? r.aside <= goal.aside : null);
    tell(this.goal[2], `${r.angle.toFixed(1)}°`, r.angle <= goal.angle);
    tell(this.goal[3], `${(100 * r.speed).toFixed(1)} cm/s`, r.speed <= goal.speed);
    const after = state.connected === null ? 0 : state.time - state.connected;
    const share = goal.kind === "connect" ? after / goal.seconds : state.held / goal.seconds;
    this.held.style.width = `${(100 * Math.min(share, 1)).toFixed(1)}%`;
    const touching = Math.max(...(state.touches ?? [0]));
    tell(this.forces[0], `${touching.toFixed(0)} N`, touching > 1 ? false : null);
    tell(this.forces[1], `${(state.pulls ?? 0).toFixed(0)} N`, null);
    tell(this.forces[2], `${state.peak.toFixed(0)} N`, null);
    tell(this.forces[3], `${state.fuel.toFixed(2)} kg`, null);
    tell(this.forces[4], String(state.collisions), state.collisions ? false : null);
    (state.efforts ?? []).forEach((effort, j) => {
      const { bar, value } = this.torques[j], share = Math.min(Math.abs(effort) / TORQUE, 1);
      bar.style.width = `${50 * share}%`;
      bar.style.left = effort < 0 ? `${50 - 50 * share}%` : "50%";
      put(value, `${(Math.round(effort) || 0).toFixed(0)} N m`);
    });
    const left = limit - state.time;
    $("clock").style.color = left < 20 ? "var(--bad)" : "";
    const late = state.late > 0.05 ? `, ${state.late.toFixed(1)} s late` : "";
    if (Math.floor(state.time) !== this.second) put(this.stats, `${(state.rate ?? 0).toFixed(0)} pictures/s, step ${state.busy.toFixed(0)} µs${late}`);
    this.second = Math.floor(state.time);
  }

  note(text, bad = false) {
    const note = $("note");
    note.textContent = text;
    note.className = bad ? "bad" : "";
    note.hidden = false;
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => (note.hidden = true), 2600);
  }

  pictures(main, small) {
    const names = { chase: "overview", hand: "hand camera", nose: "nose camera" };
    $("inset-name").textContent = names[small];
    $("inset").querySelector("i").hidden = small !== "hand";
    $("cross").hidden = main !== "hand";
  }

  // The cross is where the hand points.
  aim([x, y], main, small) {
    const cross = main === "hand" ? $("cross") : small === "hand" ? $("inset").querySelector("i") : null;
    if (!cross) return;
    const [wide, tall] = main === "hand" ? [innerWidth, innerHeight] : this.size;
    const place = `translate(${((x * wide) / 100).toFixed(0)}px, ${((y * tall) / 100).toFixed(0)}px)`;
    if (cross.style.transform !== place) cross.style.transform = place;
  }

  result(lesson, { score, misses }) {
    $("result").hidden = false;
    $("hud").hidden = true;
    $("result-title").textContent = `${lesson.name}: ${OUTCOMES[score.outcome]}`;
    $("total").textContent = score.total.toFixed(0);
    const line = (name, value, points, most) => {
      const told = most === undefined ? "–" : `${points.toFixed(1)} of ${most}`;
      $("rows").append(h("tr", {}, h("td", {}, name), h("td", {}, value), h("td", {}, told)));
    };
    $("rows").replaceChildren();
    line("Task", OUTCOMES[score.outcome].toLowerCase(), score.points.done, lesson.done);
    for (const [name, [words, unit, digits]] of Object.entries(MEASURES)) {
      line(words, `${score.measures[name].toFixed(digits)}${unit === "°" ? unit : ` ${unit}`}`, score.points[name], lesson.marks[name]?.points);
    }
    if (misses) line("Closed on nothing", String(misses));
    $("kept").textContent = "";
  }

  kept(text) {
    $("kept").textContent = text;
  }

  menu(text) {
    $("menu").hidden = false;
    $("result").hidden = $("hud").hidden = true;
    $("menu-note").textContent = text ?? "";
  }
}
