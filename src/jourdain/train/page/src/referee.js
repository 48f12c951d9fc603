// The rules: where two frames are to each other, forces, fuel, collisions, and what a flight is worth. They are those of
// jourdain/train/referee.py, looked at one period after the other.

import { rotate } from "../../../view/player/src/quaternions.js";

const turned = (frame, x, y, z) => {
  const out = [0, 0, 0];
  rotate(out, 0, frame, 0, x, y, z);
  return out;
};
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const back = (frame, w) => {
  const turn = [0, 0, 0, frame[3], -frame[4], -frame[5], -frame[6]];
  return turned(turn, ...w);
};

// Of the second frame (13 numbers) as it is seen from the first: place, rotation vector and velocities in its axes.
export function relation(first, second) {
  const apart = minus(second, first), axis = turned(second, 1, 0, 0);
  const along = dot(apart, axis);
  const off = minus(apart, axis.map((x) => along * x));
  const [a, b, c, d] = [first[3], -first[4], -first[5], -first[6]];
  const [w, x, y, z] = second.slice(3, 7);
  let turn = [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
  if (turn[0] < 0) turn = turn.map((one) => -one);
  const sine = Math.hypot(turn[1], turn[2], turn[3]), angle = 2 * Math.atan2(sine, turn[0]);
  const scale = sine > 1e-12 ? angle / sine : 2;
  const speed = minus(second.slice(10, 13), first.slice(10, 13));
  return {
    distance: Math.hypot(...apart), aside: Math.hypot(...off), angle: (angle * 180) / Math.PI, speed: Math.hypot(...speed),
    place: back(first, apart), turn: turn.slice(1).map((one) => one * scale), velocity: back(first, speed),
    spin: back(first, minus(second.slice(7, 10), first.slice(7, 10))),
  };
}

// Force with which the six struts of a closed grapple draw two frames together [N].
export function pull(rules, name, first, second) {
  const [stiffness, damping] = rules.struts[name];
  const total = [0, 0, 0];
  for (const [i, j] of rules.ends) {
    const ends = [[first, rules.tops[i]], [second, rules.bases[j]]].map(([frame, place]) => {
      const arm = turned(frame, ...place), spin = cross(frame.slice(7, 10), arm);
      return { at: [0, 1, 2].map((k) => frame[k] + arm[k]), rate: [0, 1, 2].map((k) => frame[10 + k] + spin[k]) };
    });
    const apart = minus(ends[1].at, ends[0].at), length = Math.hypot(...apart);
    const way = apart.map((x) => x / length);
    const size = stiffness * (length - rules.length) + damping * dot(minus(ends[1].rate, ends[0].rate), way);
    for (let k = 0; k < 3; k++) total[k] += size * way[k];
  }
  return Math.hypot(...total);
}

export class Referee {
  constructor(lesson, rules) {
    Object.assign(this, { lesson, rules, held: 0, good: 0, angles: 0, peak: 0, fuel: 0, collisions: 0, touched: -Infinity });
    Object.assign(this, { connected: null, angleThere: null, misses: 0, last: null });
  }

  within(found) {
    const { goal } = this.lesson;
    const near = found.distance >= goal.distance[0] && found.distance <= goal.distance[1] && found.aside <= goal.aside;
    return near && found.angle <= goal.angle && found.speed <= goal.speed;
  }

  // One look, every period: `found` of `relation`, force of contacts and of all [N]. True where the task is done.
  look(time, found, touching, force) {
    const { goal } = this.lesson, { period, touch, apart } = this.rules;
    const good = this.within(found);
    this.last = found;
    this.inside = good;
    this.peak = Math.max(this.peak, force);
    if (touching > touch) {
      if (time - this.touched > apart) this.collisions++;
      this.touched = time;
    }
    if (goal.kind === "connect") return this.connected !== null && time >= this.connected + goal.seconds - 1e-9;
    if (good) {
      this.good++;
      this.angles += found.angle;
    }
    if (time > 0) this.held = good ? this.held + period : goal.at_once ? 0 : this.held;
    return this.held >= goal.seconds - 1e-9;
  }

  connect(time, angle) {
    this.connected = time;
    this.angleThere = angle;
  }

  burn(thrust) {
    this.fuel += (thrust * this.rules.period) / this.rules.impulse;
  }

  score(time, outcome) {
    const { lesson } = this, done = outcome === "done";
    const mean = this.good ? this.angles / this.good : this.last.angle;
    const angle = lesson.goal.kind === "connect" ? this.angleThere ?? this.last.angle : mean;
    const measures = { time, force: this.peak, angle, fuel: this.fuel, collisions: this.collisions };
    const points = { done: done ? lesson.done : 0 };
    for (const [name, { good, bad, points: most }] of Object.entries(lesson.marks)) {
      const share = Math.min(Math.max((bad - measures[name]) / (bad - good), 0), 1);
      points[name] = !done && (name === "time" || name === "angle") ? 0 : (done ? 1 : 0.5) * most * share;
    }
    return { outcome, measures, points, total: Object.values(points).reduce((a, b) => a + b, 0) };
  }
}
