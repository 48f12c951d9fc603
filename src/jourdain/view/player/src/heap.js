// Thousands of balls while they play, for a machine that draws without a graphics card. There a triangle takes 1.4 us,
// and a pixel that is painted here 1 ns: so the balls that are seen are painted into a picture, the farthest first, each
// pixel with its distance, and the whole is one rectangle, which is in front of or behind all else pixel by pixel.

import {
  AlwaysDepth, BufferAttribute, BufferGeometry, DataTexture, GLSL3, Mesh, NoBlending, RedIntegerFormat, ShaderMaterial, UnsignedIntType, Vector2, Vector3,
  Vector4,
} from "three";
import { shade } from "./shading.js";

const BINS = 4096; // of distance, by which balls are sorted
const ACROSS = 8; // cells of the mask in a ball's diameter
const SIDE = 64; // of the picture of a ball [px]
const SHIFT = 18; // bits of a pixel that are its colour, six each; those above are its distance
const CODES = 16000; // of distance
const TURNED = 0.02; // rad that the camera turns before balls are lit anew
const VERTEX = `
in vec2 corner;
uniform vec4 box;
uniform vec2 size;
out vec2 at;
out vec2 depths;
void main() {
  at = mix(box.xy, box.zw, corner);
  depths = vec2(projectionMatrix[2][2], projectionMatrix[3][2]);
  gl_Position = vec4(2.0 * at / size - 1.0, 0.0, 1.0);
}`;
const FRAGMENT = `
uniform highp usampler2D look;
uniform vec2 distances;
in vec2 at;
in vec2 depths;
out vec4 colour;
void main() {
  uint told = texelFetch(look, ivec2(at), 0).r;
  if (told == 0u) discard;
#ifdef DEEP
  float away = distances.x + distances.y * float(told >> ${SHIFT}u);
  gl_FragDepth = 0.5 - 0.5 * depths.x + 0.5 * depths.y / away;
#endif
  colour = vec4(vec3(told >> 12u & 63u, told >> 6u & 63u, told & 63u) / 63.0, 1.0);
}`;

export class Heap {
  // piles: of balls; sun, up: directions; alone: nothing else is there but what is behind the balls
  constructor(piles, sun, up, alone) {
    const n = piles.reduce((sum, pile) => sum + pile.names.length, 0);
    Object.assign(this, { piles, sun, up });
    this.looks = piles.map((pile) => new Int32Array(SIDE * SIDE * pile.paints.length));
    this.towards = new Float64Array(10);
    this.seen = {
      x: new Float32Array(n), y: new Float32Array(n), wide: new Float32Array(n), away: new Float32Array(n), power: new Float32Array(n), bin: new Uint16Array(n),
    };
    this.pile = new Uint16Array(n); // which pile a ball is of
    this.tone = new Uint16Array(n); // and which of its colours
    let at = 0;
    piles.forEach((pile, k) => {
      this.pile.fill(k, at, at + pile.names.length);
      this.tone.set(pile.tones, at);
      at += pile.names.length;
    });
    this.starts = new Uint32Array(BINS + 1);
    this.order = new Uint32Array(n);
    this.mask = new Uint8Array(0);
    this.size = new Vector2(0, 0);
    this.material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      glslVersion: GLSL3,
      uniforms: { look: { value: null }, box: { value: new Vector4() }, size: { value: this.size }, distances: { value: new Vector2() } },
      toneMapped: false,
      // It is the first that is drawn, but for the lines of a floor: these are blended, and so after all that is not.
      ...(alone ? { depthTest: false, depthWrite: false, transparent: true, blending: NoBlending } : { defines: { DEEP: 1 }, depthFunc: AlwaysDepth }),
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.object = new Mesh(geometry, this.material);
    this.object.visible = false;
    this.object.frustumCulled = false;
    this.object.renderOrder = -1;
    this.object.matrixAutoUpdate = this.object.matrixWorldAutoUpdate = false;
  }

  // The balls that a camera sees, in a picture of this size [px].
  prepare(camera, width, height) {
    this.resize(width, height);
    const { radius, low, high } = this.project(camera);
    this.sort();
    const count = (this.count = this.uncover(Math.max(1, (2 * radius) / ACROSS)));
    const span = 2 ** Math.ceil(Math.log2(Math.max(high - low, 1e-9)));
    this.light(camera, CODES / span);
    this.paint(count, low, CODES / span);
    this.material.uniforms.distances.value.set(low, span / CODES);
    this.material.uniformsNeedUpdate = true;
  }

  resize(width, height) {
    if (this.size.x === width && this.size.y === height) return;
    this.size.set(width, height);
    this.words = new Int32Array(width * height);
    this.picture?.dispose();
    this.picture = new DataTexture(new Uint32Array(this.words.buffer), width, height, RedIntegerFormat, UnsignedIntType);
    this.picture.internalFormat = "R32UI";
    this.picture.unpackAlignment = 4;
    this.material.uniforms.look.value = this.picture;
    this.rows = [0, 0]; // that are painted
  }

  // Places in the picture, radii [px] and distances [m]; balls that are outside or hidden have no radius.
  project(camera) {
    const { seen, size } = this, m = camera.matrixWorldInverse.elements, focus = 0.5 * size.y * camera.projectionMatrix.elements[5];
    let low = Infinity, high = 0, least = Infinity, most = -Infinity, sum = 0, inside = 0, j = -1;
    for (const { places, radius, hidden, quick, names } of this.piles) {
      const spots = places.array;
      for (let i = 0; i < names.length; i++) {
        const x = spots[3 * i], y = spots[3 * i + 1], z = spots[3 * i + 2];
        const away = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
        seen.wide[++j] = 0;
        if (!quick || hidden[i] || away < camera.near + radius || away > camera.far) continue;
        const scale = focus / away, wide = radius * scale;
        const right = m[0] * x + m[4] * y + m[8] * z + m[12], up = m[1] * x + m[5] * y + m[9] * z + m[13];
        const a = 0.5 * size.x + scale * right, b = 0.5 * size.y + scale * up;
        if (a < -wide || b < -wide || a > size.x + wide || b > size.y + wide) continue;
        seen.x[j] = a;
        seen.y[j] = b;
        seen.wide[j] = wide;
        seen.away[j] = away;
        // Of balls that do not overlap the one with the less power of the eye is in front.
        const power = (seen.power[j] = right * right + up * up + away * away - radius * radius);
        if (power < least) least = power;
        if (power > most) most = power;
        if (away - radius < low) low = away - radius;
        if (away > high) high = away;
        sum += wide;
        inside++;
      }
    }
    this.inside = inside;
    const step = (BINS - 1) / Math.max(most - least, 1e-12);
    for (let i = 0; i <= j; i++) if (seen.wide[i] > 0) seen.bin[i] = (seen.power[i] - least) * step;
    return { radius: sum / Math.max(inside, 1), low: inside ? low : 0, high: inside ? high : 1 };
  }

  // The nearest first.
  sort() {
    const { seen, starts, order } = this, n = order.length;
    starts.fill(0);
    for (let i = 0; i < n; i++) if (seen.wide[i] > 0) starts[seen.bin[i] + 1]++;
    for (let k = 0; k < BINS; k++) starts[k + 1] += starts[k];
    for (let i = 0; i < n; i++) if (seen.wide[i] > 0) order[starts[seen.bin[i]]++] = i;
  }

  // Leaves in the order what is not hidden by nearer balls, by cells of this size [px]; returns how many.
  uncover(cell) {
    const { order, seen, size } = this, width = Math.ceil(size.x / cell), height = Math.ceil(size.y / cell);
    if (this.mask.length < width * height) this.mask = new Uint8Array(width * height);
    this.mask.fill(0, 0, width * height);
    let count = 0;
    for (let k = 0; k < this.inside; k++) {
      const i = order[k];
      if (this.shows(seen.x[i] / cell, seen.y[i] / cell, seen.wide[i] / cell, width, height)) order[count++] = i;
    }
    return count;
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

  // Pictures of a ball of every colour, for the way that the camera looks: colour, less how much nearer than the
  // middle it is, in codes of distance.
  light(camera, scale) {
    const m = camera.matrixWorldInverse.elements, told = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => m[k]).concat(scale);
    if (told.every((one, k) => Math.abs(one - this.towards[k]) < TURNED)) return;
    this.towards.set(told);
    const sun = this.sun.clone().transformDirection(camera.matrixWorldInverse), up = this.up.clone().transformDirection(camera.matrixWorldInverse);
    const light = { sun, up, half: sun.clone().add(new Vector3(0, 0, 1)).normalize() }, n = new Vector3(), rgb = new Float64Array(3);
    for (let j = 0; j < SIDE; j++) {
      for (let i = 0; i < SIDE; i++) {
        n.set((2 * i + 1) / SIDE - 1, (2 * j + 1) / SIDE - 1, 0);
        const off = n.lengthSq();
        if (off < 1) n.z = Math.sqrt(1 - off);
        else n.normalize();
        this.piles.forEach(({ paints, radius }, p) => {
          const nearer = Math.floor(radius * scale * n.z) << SHIFT;
          paints.forEach((paint, k) => {
            shade(rgb, 0, n, paint, light);
            const [r, g, b] = rgb.map((c) => Math.min(63, Math.round((c * 63) / 255)));
            this.looks[p][(k * SIDE + j) * SIDE + i] = ((r << 12) | (g << 6) | b) - nearer;
          });
        });
      }
    }
  }

  // The first balls of the order, the farthest of them first.
  paint(count, low, scale) {
    const { words, seen, order, pile, tone, looks, size } = this, width = size.x, height = size.y;
    words.fill(0, this.rows[0] * width, this.rows[1] * width);
    let left = width, right = 0, bottom = height, top = 0;
    for (let k = count - 1; k >= 0; k--) {
      const j = order[k], x = seen.x[j], y = seen.y[j], wide = seen.wide[j], look = looks[pile[j]], base = tone[j] * SIDE * SIDE;
      const deep = (2 + Math.floor((seen.away[j] - low) * scale)) << SHIFT, part = SIDE / (2 * wide), step = Math.floor(part * 65536);
      const first = Math.max(0, Math.ceil(y - wide - 0.5)), last = Math.min(height - 1, Math.floor(y + wide - 0.5));
      for (let row = first; row <= last; row++) {
        const off = row + 0.5 - y, half = Math.sqrt(Math.max(wide * wide - off * off, 0));
        const begin = Math.max(0, Math.ceil(x - half - 0.5)), end = Math.min(width - 1, Math.floor(x + half - 0.5));
        const line = base + SIDE * Math.min(SIDE - 1, (0.5 * SIDE + part * off) | 0);
        let u = ((0.5 * SIDE + part * (begin + 0.5 - x)) * 65536) | 0;
        for (let to = row * width + begin, stop = row * width + end; to <= stop; to++) {
          words[to] = (deep + look[line + (u >> 16)]) | 0;
          u += step;
        }
        if (begin < left) left = begin;
        if (end > right) right = end;
      }
      if (first < bottom) bottom = first;
      if (last > top) top = last;
    }
    const empty = left > right || bottom > top;
    this.material.uniforms.box.value.set(...(empty ? [0, 0, 0, 0] : [left, bottom, right + 1, top + 1]));
    this.rows = empty ? [0, 0] : [bottom, top + 1];
    this.picture.needsUpdate = true;
  }
}
