// Where every bone is at a time, with deflections magnified.

import { compose, invert, magnify } from "./quaternions.js";

const POSE = 7;

// The last sample not after `time`, and how far on to the next.
export function bracket(times, time) {
  let low = 0, high = times.length - 1;
  if (time <= times[0] || high === 0) return [0, 0];
  if (time >= times[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return [low, (time - times[low]) / (times[high] - times[low])];
}

// The sample that is nearest to `time`: the one rule for every number that a page shows.
export function nearest(times, time) {
  const [i, part] = bracket(times, time);
  return Math.min(part > 0.5 ? i + 1 : i, times.length - 1);
}

// Elastic bones are stored in their parent's axes, so that magnifying them magnifies no rounding; others in the world's.
export class Poses {
  constructor(scene, arrays) {
    const { bones } = scene;
    this.times = arrays.get(scene.time);
    this.stored = arrays.channels(bones.poses);
    this.rest = arrays.get(bones.rest);
    this.parent = bones.parent;
    this.elastic = bones.elastic;
    this.count = bones.parent.length;
    this.order = outward(bones.parent);
    this.stiff = !bones.elastic.some(Boolean);
    this.now = new Float64Array(this.count * POSE);
    this.world = new Float64Array(this.count * POSE);
    this.shown = new Float64Array(this.count * POSE);
  }

  // this.world: as it was; this.shown: with deflections times `factor`, carried outward along the tree. some: the bones
  // that are wanted, parents before children; null for all.
  at(time, factor, some = null) {
    const { now, world, shown, parent, elastic, rest } = this, wanted = some ?? this.order;
    this.interpolate(time, wanted);
    if (this.stiff && !some) {
      world.set(now);
      shown.set(now);
      return shown;
    }
    const there = new Float64Array(POSE), back = new Float64Array(POSE);
    for (const b of wanted) {
      const o = b * POSE, p = parent[b] * POSE;
      if (parent[b] >= 0 && elastic[b]) compose(world, o, world, p, now, o);
      else world.set(now.subarray(o, o + POSE), o);
      if (parent[b] < 0 || factor === 1) {
        shown.set(world.subarray(o, o + POSE), o);
      } else if (elastic[b]) {
        magnify(there, 0, rest, o, now, o, factor);
        compose(shown, o, shown, p, there, 0);
      } else {
        invert(back, 0, world, p);
        compose(there, 0, back, 0, world, o);
        compose(shown, o, shown, p, there, 0);
      }
    }
    return shown;
  }

  // Where the numbers of the two samples about a time begin, and how far on to the second it is.
  between(time) {
    const [i, u] = bracket(this.times, time), width = this.count * POSE;
    return [i * width, Math.min(i + 1, this.times.length - 1) * width, u];
  }

  interpolate(time, wanted) {
    const { now, stored } = this, [a, b, u] = this.between(time);
    for (const bone of wanted) {
      const o = bone * POSE, end = o + POSE;
      for (let k = o; k < end; k++) now[k] = (1 - u) * stored[a + k] + u * stored[b + k];
      const w = now[o + 3], x = now[o + 4], y = now[o + 5], z = now[o + 6], norm = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
      for (let k = o + 3; k < end; k++) now[k] /= norm;
    }
  }

  // Places of bones that nothing but the world carries, without their turns, into out (3 n).
  spots(time, bones, out) {
    const { stored } = this, [a, b, u] = this.between(time);
    for (let i = 0; i < bones.length; i++) {
      const o = bones[i] * POSE;
      for (let k = 0; k < 3; k++) out[3 * i + k] = (1 - u) * stored[a + o + k] + u * stored[b + o + k];
    }
  }
}

// Parents before children.
function outward(parent) {
  const order = [], done = new Array(parent.length).fill(false);
  const visit = (b) => {
    if (done[b]) return;
    done[b] = true;
    if (parent[b] >= 0) visit(parent[b]);
    order.push(b);
  };
  parent.forEach((_, b) => visit(b));
  return order;
}
