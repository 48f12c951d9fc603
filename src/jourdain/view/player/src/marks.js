// Frames as three coloured axes, and names of bodies and frames, on demand: made when they are first asked for.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from "three";
import { h } from "./elements.js";
import { toMatrix } from "./quaternions.js";

const AXES = [[0.85, 0.27, 0.23], [0.25, 0.66, 0.42], [0.26, 0.53, 0.96]];

export class Marks {
  constructor(actor, scene, arrays, size, overlay) {
    this.actor = actor;
    this.overlay = overlay;
    this.group = new Group();
    this.names = false;
    this.all = false;
    this.picked = null;
    this.geometry = axes(0.05 * size);
    this.material = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    const poses = arrays.get(scene.frames.pose);
    this.items = scene.frames.name.map((name, i) => {
      const local = new Matrix4();
      toMatrix(local.elements, poses, 7 * i);
      return { name, bone: scene.frames.bone[i], local, matrix: new Matrix4(), at: new Vector3(), shown: false, lines: null, label: null };
    });
    this.known = new Map(this.items.map((item) => [item.name, item]));
    this.group.visible = false;
  }

  // Axes are seen of all frames, or of the one that is picked.
  reveal(all) {
    this.all = all;
    this.group.visible = all || this.picked !== null;
    for (const item of this.items) {
      const wanted = all || item === this.picked;
      if (wanted && !item.lines) item.lines = this.draw();
      if (item.lines) item.lines.visible = wanted;
    }
  }

  draw() {
    const lines = new LineSegments(this.geometry, this.material);
    lines.matrixAutoUpdate = lines.matrixWorldAutoUpdate = false;
    lines.frustumCulled = false;
    lines.renderOrder = 10;
    this.group.add(lines);
    return lines;
  }

  // Where the frames are that are seen, or all; and `also`, one more.
  pose(also, every = false) {
    const some = this.names || this.all || every ? this.items : [this.picked, also].filter(Boolean);
    for (const item of some) {
      if (item.bone < 0) item.matrix.copy(item.local);
      else item.matrix.copy(this.actor.bones[item.bone].matrixWorld).multiply(item.local);
      item.at.setFromMatrixPosition(item.matrix);
      item.lines?.matrixWorld.copy(item.matrix);
    }
    if (!this.names && !this.named) return;
    this.named = this.names;
    for (const item of this.items) {
      item.shown = this.names;
      if (this.names && !item.label) this.overlay.append((item.label = h("span", { class: "tag name" }, item.name)));
    }
  }

  find(name) {
    return this.known.get(name);
  }
}

function axes(length) {
  const places = [], colours = [];
  AXES.forEach((colour, k) => {
    const end = [0, 0, 0];
    end[k] = length;
    places.push(0, 0, 0, ...end);
    colours.push(...colour, ...colour);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colours), 3));
  return geometry;
}
