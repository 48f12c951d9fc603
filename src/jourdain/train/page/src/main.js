// The trainer's page: the model in a worker, the picture, the pilot's hands, the score.

import { Arrays } from "../../../view/player/src/data.js";
import { Hud } from "./hud.js";
import { Pilot } from "./pilot.js";
import { Stage } from "./stage.js";

const TOKEN = document.querySelector('meta[name="jourdain-token"]').content;
const READ = 125; // ms between two read-outs
const SEND = 20; // ms between two rows of commands

async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

class Trainer {
  constructor(data, arrays) {
    this.data = data;
    this.state = null;
    this.flying = false;
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({ data: told }) => this.hear(told);
    this.worker.onerror = (event) => this.fail(event.message);
    this.hud = new Hud(data, {
      start: (key) => this.start(key), choose: (mode) => this.pilot.choose(mode), help: () => this.help(), leave: () => this.leave(),
      swap: () => this.swap(), again: () => this.start(this.lesson.key), menu: () => this.menu(), save: () => this.download(),
    });
    this.stage = new Stage(document.getElementById("view"), data, arrays);
    const keys = { Space: () => this.trigger(), KeyC: () => this.swap(), KeyV: () => this.other(), KeyH: () => this.help(), Escape: () => this.leave() };
    const may = Object.fromEntries(Object.entries(keys).map(([code, does]) => [code, () => this.flying && does()]));
    this.pilot = new Pilot(this.stage.canvas, {
      keys: may, steering: () => this.flying && this.stage.main === "hand", changed: () => this.hud.modes(this.pilot.mode, this.pilot.controls),
    });
    this.inset = document.getElementById("inset");
    this.rate = 0;
    this.tell({ kind: "data", data });
    setInterval(() => this.flying && this.tell({ kind: "command", row: this.pilot.row(SEND / 1000) }), SEND);
    this.last = this.told = performance.now();
    requestAnimationFrame((now) => this.picture(now));
  }

  tell(message) {
    this.worker.postMessage(message);
  }

  start(key) {
    this.lesson = this.data.lessons.find((one) => one.key === key);
    this.flying = false;
    this.state = null;
    this.stage.home = null;
    this.hud.menu(`${this.lesson.name}: preparing …`);
    this.tell({ kind: "start", lesson: key });
  }

  hear(told) {
    if (told.kind === "ready") {
      document.documentElement.dataset.ready = "true";
      this.menu();
      const asked = decodeURIComponent(location.hash.slice(1));
      if (this.data.lessons.some((one) => one.key === asked)) this.start(asked);
    } else if (told.kind === "preparing") {
      this.hud.menu(`${this.lesson.name}: compiling the model (${told.phase}); the first time this takes a minute or two …`);
    } else if (told.kind === "started") {
      this.flying = true;
      this.hud.show(this.lesson);
      this.pilot.reset(this.lesson.controls);
      this.hud.pictures(this.stage.main, this.stage.small);
    } else if (told.kind === "state") {
      this.state = told;
      if (told.over) this.finish(told.over);
    } else if (told.kind === "missed") {
      this.hud.note("Not within reach: closed on nothing", true);
    } else if (told.kind === "closed") {
      this.hud.note("Closed. Hold still");
    } else if (told.kind === "error") {
      this.fail(told.text);
    }
  }

  picture(now) {
    requestAnimationFrame((next) => this.picture(next));
    const took = now - this.last;
    this.last = now;
    if (!this.state) return;
    this.rate += 0.05 * (1000 / Math.max(took, 1) - this.rate);
    this.stage.pose(this.state);
    this.stage.draw(this.flying ? this.inset : null);
    this.hud.aim(this.stage.aim(this.state.frames, this.state.relation.place[0]), this.stage.main, this.stage.small);
    if (this.flying) {
      this.stage.adapt(took);
      if (now - this.told > READ) {
        this.told = now;
        this.hud.update(Object.assign(this.state, { rate: this.rate }));
      }
    }
  }

  trigger() {
    this.tell({ kind: "trigger" });
  }

  swap() {
    const { stage } = this;
    [stage.main, stage.small] = [stage.small, stage.main];
    this.hud.pictures(stage.main, stage.small);
  }

  // The camera that is not the overview: the hand's or the nose's.
  other() {
    const { stage } = this, which = stage.main === "chase" ? "small" : "main";
    stage[which] = stage[which] === "hand" ? "nose" : "hand";
    this.hud.pictures(stage.main, stage.small);
  }

  help() {
    const help = document.getElementById("help");
    help.hidden = !help.hidden;
  }

  leave() {
    this.tell({ kind: "leave" });
  }

  menu() {
    this.flying = false;
    this.hud.menu(TOKEN ? "Flights are kept as runs where this trainer was started." : "Flights can be saved when they end.");
  }

  finish(result) {
    this.flying = false;
    this.outcome = result;
    this.hud.result(this.lesson, result);
    if (TOKEN && result.flight) this.send();
  }

  async send() {
    this.hud.kept("The flight is being kept …");
    try {
      const answer = await fetch("flight", {
        method: "POST", body: JSON.stringify(this.outcome.flight), headers: { "Content-Type": "application/json", "X-Jourdain-Token": TOKEN },
      });
      const told = await answer.json();
      this.keptAs = told;
      this.hud.kept(answer.ok ? `Kept in ${told.folder}: run.nc for jourdain view, report.html` : `Not kept: ${told.error}`);
    } catch (error) {
      this.hud.kept(`Not kept: ${error.message}`);
    }
  }

  download() {
    const address = URL.createObjectURL(new Blob([JSON.stringify(this.outcome.flight)], { type: "application/json" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: `${this.lesson.key}-flight.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  fail(text) {
    this.flying = false;
    this.hud.menu(`It stopped: ${text}`);
  }
}

async function start() {
  const note = document.getElementById("menu-note");
  try {
    const answer = await fetch("data.json");
    if (!answer.ok) throw new Error(`data.json: ${answer.status}`);
    const data = await answer.json();
    window.trainer = new Trainer(data, new Arrays(await inflate(data.numbers)));
  } catch (error) {
    note.textContent = `This page needs WebGL and WebAssembly with 64-bit memory (Chromium 133, Firefox 134 or later): ${error.message}`;
  }
}

start();
