// The model against the clock, beside the page: a thousand steps a second, whatever the pictures do.

import { Machine } from "./machine.js";
import { Referee, pull, relation } from "./referee.js";

const MOST = 80; // steps in one turn, so that messages are heard
const WARM = 25; // turns of 20 steps before a flight
const BEHIND = 0.25; // seconds that the model may be late before the clock waits for it
const machines = new Map();
let data = null, flight = null, ignored = 0;

async function fetched(name, kind) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return kind === "json" ? answer.json() : answer.arrayBuffer();
}

async function machine(phase) {
  if (!machines.has(phase)) {
    postMessage({ kind: "preparing", phase });
    const [layout, code] = await Promise.all([fetched(`${phase}.json`, "json"), fetched(`${phase}.wasm`)]);
    machines.set(phase, await Machine.load(code, layout));
  }
  return machines.get(phase);
}

async function start(key) {
  flight = null;
  const lesson = data.lessons.find((one) => one.key === key);
  if (!lesson) return void ignored++;
  const phases = [];
  for (const phase of lesson.phases) phases.push(await machine(phase));
  for (const one of phases) await warm(one, lesson.start);
  phases[0].put(0, lesson.start, true);
  flight = new Flight(lesson, phases);
  postMessage({ kind: "started", lesson: key });
}

// Some steps beforehand, while the browser makes its better code; then everything as it was.
async function warm(one, state) {
  for (let turn = 0; turn < WARM; turn++) {
    one.initialise();
    one.put(0, state, true);
    one.step(20);
    await new Promise((done) => setTimeout(done));
  }
  one.initialise();
}

class Flight {
  constructor(lesson, phases) {
    Object.assign(this, { lesson, phases, now: phases[0], steps: 0, late: 0, rows: [], connected: [], trigger: false, over: false });
    this.closed = new Set(lesson.closed);
    this.row = new Float64Array(data.limits.length);
    this.referee = new Referee(lesson, data.rules);
    this.perTick = Math.round(data.rules.period / data.rules.step);
    this.most = Math.round(lesson.limit / data.rules.period);
    this.origin = performance.now();
    this.bodies = new Float64Array(13 * this.now.layout.bodies.length);
    this.places = new Map(Object.keys(this.now.layout.frames).map((name) => [name, new Array(13).fill(0)]));
    this.busy = 0;
  }

  get time() {
    return this.steps * data.rules.step;
  }

  pump() {
    const { step } = data.rules;
    let due = Math.floor((performance.now() - this.origin) / (1000 * step)) - this.steps;
    if (due * step > BEHIND) {
      const slip = due * step - BEHIND;
      this.late += slip;
      this.origin += 1000 * slip;
      due = Math.round(BEHIND / step);
    }
    due = Math.min(due, MOST);
    const begun = performance.now(), first = this.steps;
    while (due > 0 && !this.over) {
      if (this.steps % this.perTick === 0) this.tick();
      if (this.over) break;
      const count = Math.min(due, this.perTick - (this.steps % this.perTick));
      this.now.step(count);
      this.steps += count;
      due -= count;
    }
    const done = this.steps - first;
    if (done) this.busy += 0.02 * ((1000 * (performance.now() - begun)) / done - this.busy);
    if (done || this.over) this.tell();
  }

  frame(name) {
    const out = this.places.get(name);
    this.now.motion(this.now.layout.frames[name], { set: (from) => from.forEach((x, i) => (out[i] = x)) }, 0);
    return out;
  }

  // Every period: what is seen, the trigger, the end, then the pilot's commands.
  tick() {
    const { rules } = data, { goal } = this.lesson, time = Math.round(this.time * 1e6) / 1e6;
    for (const name of this.places.keys()) this.frame(name);
    const found = relation(this.places.get(goal.first), this.places.get(goal.second));
    this.touches = this.now.layout.contacts.map((index) => this.now.get(index));
    this.efforts = this.now.layout.efforts.map((index) => this.now.get(index));
    if (this.trigger) this.close(time, found);
    this.pulls = 0;
    for (const name of this.closed) {
      this.pulls = Math.max(this.pulls, pull(rules, name, ...rules.grapples[name].map((frame) => this.places.get(frame))));
    }
    const touching = Math.max(...this.touches);
    const done = this.referee.look(time, found, touching, Math.max(touching, this.pulls));
    if (done) return this.end("done");
    if (this.rows.length >= this.most) return this.end("time");
    if (this.leave) return this.end("left");
    const row = Array.from(this.row);
    this.now.command(row);
    this.rows.push(row);
    this.referee.burn(Math.abs(row[9]) + Math.abs(row[10]) + Math.abs(row[11]));
  }

  close(time, found) {
    this.trigger = false;
    const { goal } = this.lesson;
    if (goal.kind !== "connect" || this.referee.connected !== null || time <= 0) return;
    if (!this.referee.within(found)) {
      this.referee.misses++;
      postMessage({ kind: "missed" });
      return;
    }
    this.phases[1].put(time, this.now.state(), false);
    this.now = this.phases[1];
    this.closed.add(goal.pair);
    this.connected.push([goal.pair, time]);
    this.referee.connect(time, found.angle);
    postMessage({ kind: "closed", time });
  }

  end(outcome) {
    this.over = true;
    const time = this.rows.length * data.rules.period;
    const score = this.referee.score(time, outcome);
    const rows = [];
    for (const row of this.rows) {
      const last = rows.at(-1);
      if (last && row.every((x, i) => x === last[i + 1])) last[0]++;
      else rows.push([1, ...row]);
    }
    const told = {
      format: "jourdain flight", version: 1, lesson: this.lesson.key, rows, connected: this.connected,
      end: Math.round(time * 1e6) / 1e6, score: score.total, final: Array.from(this.now.state().q),
    };
    this.result = { score, flight: time > 0 ? told : null, misses: this.referee.misses, late: this.late };
  }

  tell() {
    const { layout } = this.now;
    layout.bodies.forEach((marker, i) => this.now.motion(marker, this.bodies, 13 * i));
    const q = this.now.view(layout.q_at, layout.nq), { referee } = this;
    for (const name of this.places.keys()) this.frame(name);
    const { goal } = this.lesson;
    postMessage({
      kind: "state", time: this.time, wall: (performance.now() - this.origin) / 1000, late: this.late, busy: this.busy,
      bodies: this.bodies.slice(), elastic: layout.elastic.map((k) => q[k]),
      frames: Object.fromEntries([...this.places].map(([name, place]) => [name, place.slice()])),
      relation: relation(this.places.get(goal.first), this.places.get(goal.second)), inside: referee.inside,
      touches: this.touches, efforts: this.efforts, pulls: this.pulls, peak: referee.peak, fuel: referee.fuel,
      held: referee.held, collisions: referee.collisions, connected: referee.connected, ignored,
      over: this.over ? this.result : null,
    });
  }
}

// What the page may say; anything else is ignored, and counted.
const heard = {
  async data(told) {
    data = told.data;
    postMessage({ kind: "ready" });
  },
  start: (told) => start(told.lesson),
  command(told) {
    const { row } = told;
    const fine = flight && Array.isArray(row) && row.length === data.limits.length && row.every((x) => Number.isFinite(x));
    if (fine) flight.row.set(row.map((x, i) => Math.min(Math.max(x, -data.limits[i]), data.limits[i])));
    else ignored++;
  },
  trigger() {
    if (flight) flight.trigger = true;
  },
  leave() {
    if (flight) flight.leave = true;
  },
};

onmessage = (event) => {
  const does = Object.hasOwn(heard, event.data?.kind) ? heard[event.data.kind] : null;
  if (!does) return void ignored++;
  Promise.resolve(does(event.data)).catch((error) => postMessage({ kind: "error", text: String(error.message ?? error) }));
};

setInterval(() => {
  if (!flight || flight.over) return;
  try {
    flight.pump();
  } catch (error) {
    flight = null;
    postMessage({ kind: "error", text: String(error.message ?? error) });
  }
}, 4);
