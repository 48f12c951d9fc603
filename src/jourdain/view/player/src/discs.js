// Thousands of balls while they play, for a machine that draws without a graphics card: only those that are seen, the
// nearest first, as flat polygons with the picture of a ball on each. Nothing is cut out of a polygon, so that what is
// behind another need not be drawn. All are one mesh: in software a copy of a mesh costs as much as a draw of its own.

import { BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, Mesh, ShaderMaterial, Vector3 } from "three";

const BINS = 4096; // of distance, by which balls are sorted
const ACROSS = 12; // cells of the mask in a ball's diameter
const CORNERS = [[8, 6], [18, 8], [40, 12], [Infinity, 24]]; // up to a radius [px]: corners of a polygon
const INSIDE = 0.45; // radius of a ball in its picture: corners of polygons lie a tenth outside
const VERTEX = `
attribute vec2 corner;
attribute float tone;
uniform float count;
varying vec2 at;
void main() {
  at = vec2(0.5 + ${INSIDE} * corner.x, (tone + 0.5 + ${INSIDE} * corner.y) / count);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
const FRAGMENT = `
uniform sampler2D look;
varying vec2 at;
void main() { gl_FragColor = texture2D(look, at); }`;

// The colour of a ball where its normal is n, in the axes of the camera; as the shader of one has it (piles.js).
function shade(out, o, n, tint, { sun, up, half }) {
  const bright = Math.max(n.dot(sun), 0), glare = bright > 0 ? 0.12 * Math.max(n.dot(half), 0) ** 24 : 0;
  const light = 0.3 + 0.22 * (0.5 + 0.5 * n.dot(up)) + 0.72 * bright;
  let colour = [tint.r, tint.g, tint.b].map((c) => c * light + glare);
  // The neutral tone mapping of Khronos, as three.js has it.
  const least = Math.min(...colour), off = least < 0.08 ? least - 6.25 * least * least : 0.04;
  colour = colour.map((c) => c - off);
  const peak = Math.max(...colour), room = 0.24;
  if (peak >= 1 - room) {
    const top = 1 - (room * room) / (peak + room - (1 - room)), grey = 1 - 1 / (0.15 * (peak - top) + 1);
    colour = colour.map((c) => (c * top / peak) * (1 - grey) + top * grey);
  }
  colour.forEach((c, k) => (out[o + k] = 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055) + 0.5));
}

export class Discs {
  // pile: places, radius, hidden; tones: the colour of each ball, of these colours; sun, up: directions
  constructor(pile, tones, colours, sun, up) {
    const n = pile.names.length;
    Object.assign(this, { pile, tones, colours, sun, up });
    this.side = colours.length > 32 ? 32 : 64;
    this.pixels = new Uint8ClampedArray(4 * this.side ** 2 * colours.length).fill(255);
    this.picture = new DataTexture(this.pixels, this.side, this.side * colours.length);
    this.towards = new Float64Array(9);
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { look: { value: this.picture }, count: { value: colours.length } },
      toneMapped: false,
    });
    this.object = new Mesh(new BufferGeometry(), this.material);
    this.object.visible = false;
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = this.object.matrixWorldAutoUpdate = false;
    this.shapes = new Map(); // corners of a polygon -> geometry with room for all
    this.seen = { x: new Float32Array(n), y: new Float32Array(n), wide: new Float32Array(n), bin: new Uint16Array(n) };
    this.starts = new Uint32Array(BINS + 1);
    this.order = new Uint32Array(n);
    this.mask = new Uint8Array(0);
  }

  // Polygons, as large as the disc, for all balls.
  shape(corners) {
    if (this.shapes.has(corners)) return this.shapes.get(corners);
    const n = this.pile.names.length, around = (2 * Math.PI) / corners, wide = Math.sqrt(around / Math.sin(around));
    const at = new Float32Array(2 * corners * n), faces = new Uint32Array(3 * (corners - 2) * n);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < corners; k++) {
        at[2 * (i * corners + k)] = wide * Math.cos(k * around);
        at[2 * (i * corners + k) + 1] = wide * Math.sin(k * around);
      }
      for (let k = 0; k < corners - 2; k++) {
        faces.set([i * corners, i * corners + k + 1, i * corners + k + 2], 3 * (i * (corners - 2) + k));
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * corners * n), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute("tone", new BufferAttribute(new Float32Array(corners * n), 1).setUsage(DynamicDrawUsage));
    geometry.setAttribute("corner", new BufferAttribute(at, 2));
    geometry.setIndex(new BufferAttribute(faces, 1));
    this.shapes.set(corners, geometry);
    return geometry;
  }

  // Pictures of a ball of every colour, for the way that the camera looks.
  paint(camera) {
    const m = camera.matrixWorldInverse.elements, turn = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => m[k]);
    if (turn.every((one, k) => Math.abs(one - this.towards[k]) < 1e-4)) return;
    this.towards.set(turn);
    const sun = this.sun.clone().transformDirection(camera.matrixWorldInverse), up = this.up.clone().transformDirection(camera.matrixWorldInverse);
    const light = { sun, up, half: sun.clone().add(new Vector3(0, 0, 1)).normalize() }, n = new Vector3(), { side } = this;
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        n.set((i + 0.5) / side - 0.5, (j + 0.5) / side - 0.5, 0).divideScalar(INSIDE);
        const off = n.lengthSq();
        if (off < 1) n.z = Math.sqrt(1 - off);
        else n.normalize();
        this.colours.forEach((colour, k) => shade(this.pixels, 4 * ((k * side + j) * side + i), n, colour, light));
      }
    }
    this.picture.needsUpdate = true;
  }

  // The balls that are seen by a camera, the nearest first; size: of the picture [px].
  choose(camera, size) {
    this.paint(camera);
    const radius = this.project(camera, size), cell = Math.max(1, (2 * radius) / ACROSS);
    this.sort();
    const corners = CORNERS.find(([most]) => radius <= most)[1], geometry = this.shape(corners);
    this.object.geometry = geometry;
    const { order, seen } = this, width = Math.ceil(size.x / cell), height = Math.ceil(size.y / cell);
    if (this.mask.length < width * height) this.mask = new Uint8Array(width * height);
    this.mask.fill(0, 0, width * height);
    let count = 0;
    for (let k = 0; k < this.inside; k++) {
      const i = order[k];
      if (this.shows(seen.x[i] / cell, seen.y[i] / cell, seen.wide[i] / cell, width, height)) order[count++] = i;
    }
    this.lay(geometry, corners, camera, count);
  }

  // The first balls of the order as polygons that face the camera.
  lay(geometry, corners, camera, count) {
    const { order, tones, pile } = this, places = pile.places.array, m = camera.matrixWorld.elements;
    const { position, tone, corner } = geometry.attributes, out = position.array, at = corner.array;
    const [a, b, c, d, e, f] = [0, 1, 2, 4, 5, 6].map((k) => pile.radius * m[k]);
    for (let j = 0, v = 0; j < count; j++) {
      const i = order[j], x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
      for (let k = 0; k < corners; k++, v++) {
        const s = at[2 * k], t = at[2 * k + 1];
        out[3 * v] = x + s * a + t * d;
        out[3 * v + 1] = y + s * b + t * e;
        out[3 * v + 2] = z + s * c + t * f;
        tone.array[v] = tones[i];
      }
    }
    for (const one of [position, tone]) {
      one.clearUpdateRanges();
      one.addUpdateRange(0, one.itemSize * corners * count);
      one.needsUpdate = true;
    }
    geometry.setDrawRange(0, 3 * (corners - 2) * count);
  }

  // Places in the picture, radii [px] and bins of distance; those outside have no radius. Returns the mean radius [px].
  project(camera, size) {
    const { pile, seen } = this, { radius, hidden } = pile, n = pile.names.length, places = pile.places.array;
    const m = camera.matrixWorldInverse.elements, focus = 0.5 * size.y * camera.projectionMatrix.elements[5];
    let low = Infinity, high = 0, sum = 0, inside = 0;
    for (let i = 0; i < n; i++) {
      const x = places[3 * i], y = places[3 * i + 1], z = places[3 * i + 2];
      const away = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
      seen.wide[i] = 0;
      if (hidden[i] || away < camera.near || away > camera.far) continue;
      const scale = focus / away, wide = radius * scale;
      const a = 0.5 * size.x + scale * (m[0] * x + m[4] * y + m[8] * z + m[12]);
      const b = 0.5 * size.y + scale * (m[1] * x + m[5] * y + m[9] * z + m[13]);
      if (a < -wide || b < -wide || a > size.x + wide || b > size.y + wide) continue;
      seen.x[i] = a;
      seen.y[i] = b;
      seen.wide[i] = wide;
      low = Math.min(low, away);
      high = Math.max(high, away);
      sum += wide;
      inside++;
    }
    this.inside = inside;
    const step = (BINS - 1) / Math.max(high - low, 1e-9);
    for (let i = 0; i < n; i++) {
      if (seen.wide[i] > 0) seen.bin[i] = Math.min(Math.max(0, ((radius * focus) / seen.wide[i] - low) * step), BINS - 1);
    }
    return sum / Math.max(inside, 1);
  }

  sort() {
    const { seen, starts, order } = this, n = order.length;
    starts.fill(0);
    for (let i = 0; i < n; i++) if (seen.wide[i] > 0) starts[seen.bin[i] + 1]++;
    for (let k = 0; k < BINS; k++) starts[k + 1] += starts[k];
    for (let i = 0; i < n; i++) if (seen.wide[i] > 0) order[starts[seen.bin[i]]++] = i;
  }

  // Whether some cell of a disc is free yet; those whose middles it covers are taken.
  shows(x, y, wide, width, height) {
    const { mask } = this;
    let free = wide < 1; // smaller than the cells: seen
    const first = Math.max(0, Math.ceil(y - wide - 0.5)), last = Math.min(height - 1, Math.floor(y + wide - 0.5));
    for (let row = first; row <= last; row++) {
      const off = row + 0.5 - y, half = Math.sqrt(Math.max(wide * wide - off * off, 0));
      const end = row * width + Math.min(width - 1, Math.floor(x + half - 0.5));
      for (let k = row * width + Math.max(0, Math.ceil(x - half - 0.5)); k <= end; k++) {
        if (mask[k] === 0) {
          mask[k] = 1;
          free = true;
        }
      }
    }
    return free;
  }
}
