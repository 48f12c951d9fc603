// Surfaces coloured by a field: values at their nodes over time, a palette as a texture, and the scale beside the picture.

import { BufferAttribute, ClampToEdgeWrapping, DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from "three";
import { h, number } from "./elements.js";
import { bracket } from "./poses.js";

// The colours from low to high; a surface looks its own up, point by point.
export function makePalette(scene, arrays) {
  const bytes = arrays.get(scene.palette), count = bytes.length / 3, rgba = new Uint8Array(4 * count).fill(255);
  for (let i = 0; i < count; i++) rgba.set(bytes.subarray(3 * i, 3 * i + 3), 4 * i);
  const texture = new DataTexture(rgba, count, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return texture;
}

export class Coloured {
  constructor(mesh, part, scene, arrays, palette) {
    this.mesh = mesh;
    this.plain = mesh.material;
    this.lit = mesh.material.clone();
    this.lit.setValues({ color: "#ffffff", map: palette, metalness: 0, roughness: 0.75 });
    this.nodes = part.nodes;
    this.columns = arrays.get(part.columns);
    this.times = scene.fields.map((field) => arrays.get(field.time));
    this.codes = part.fields.map((ref, k) => summed(arrays.get(ref), this.times[k].length, this.nodes));
    this.uv = new BufferAttribute(new Float32Array(2 * this.columns.length).fill(0.5), 2);
    mesh.geometry.setAttribute("uv", this.uv);
  }

  // Shows field k at a time; -1 for the colour of the body.
  show(k, time) {
    this.mesh.material = k < 0 ? this.plain : this.lit;
    if (k < 0) return;
    const times = this.times[k], codes = this.codes[k], { nodes, columns, uv } = this;
    const [i, u] = bracket(times, time);
    const a = i * nodes, b = Math.min(i + 1, times.length - 1) * nodes;
    for (let v = 0; v < columns.length; v++) {
      const c = columns[v];
      // The first and the last colour are half a pixel inside of the texture.
      uv.array[2 * v] = ((1 - u) * codes[a + c] + u * codes[b + c] + 0.5) / 256;
    }
    uv.needsUpdate = true;
  }
}

// Codes (times, nodes) from their differences, which are stored node by node.
function summed(differences, times, nodes) {
  const out = new Uint8Array(times * nodes);
  for (let c = 0; c < nodes; c++) {
    let code = 0;
    for (let i = 0; i < times; i++) {
      code = (code + differences[c * times + i]) & 0xff;
      out[i * nodes + c] = code;
    }
  }
  return out;
}

// The scale: what a colour means.
export class Scale {
  constructor(host, scene, arrays) {
    const bytes = arrays.get(scene.palette), count = bytes.length / 3, stops = [];
    for (let i = 0; i <= 16; i++) {
      const o = 3 * Math.round((i / 16) * (count - 1));
      stops.push(`rgb(${bytes[o]} ${bytes[o + 1]} ${bytes[o + 2]}) ${(100 * i) / 16}%`);
    }
    this.fields = scene.fields;
    this.title = h("div", { class: "title" });
    this.marks = h("div", { class: "marks" });
    const bar = h("div", { class: "bar" });
    bar.style.background = `linear-gradient(to top, ${stops.join(", ")})`;
    this.box = h("div", { class: "scale", role: "img" }, this.title, h("div", { class: "body" }, bar, this.marks));
    host.append(this.box);
  }

  show(k) {
    this.box.hidden = k < 0;
    if (k < 0) return;
    const { label, unit, low, high } = this.fields[k];
    this.title.textContent = `${label} [${unit}]`;
    this.box.setAttribute("aria-label", `${label}, ${number(low, 3)} to ${number(high, 3)} ${unit} over the run`);
    this.marks.replaceChildren(...[1, 0.75, 0.5, 0.25, 0].map((s) => h("span", {}, number(low + s * (high - low), 3))));
  }
}
