// Frames as three coloured axes, and names of bodies and frames, on demand.

import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Vector3 } from "three";
import { h } from "./elements.js";
import { toMatrix } from "./quaternions.js";

const AXES = [[0.85, 0.27, 0.23], [0.25, 0.66, 0.42], [0.26, 0.53, 0.96]];

export class Marks {
  constructor(actor, scene, arrays, size, overlay) {
    this.actor = actor;
    this.group = new Group();
    this.names = false;
    const geometry = axes(0.05 * size);
    const material = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    const poses = arrays.get(scene.frames.pose);
    this.items = scene.frames.name.map((name, i) => {
      const lines = new LineSegments(geometry, material);
      lines.matrixAutoUpdate = lines.matrixWorldAutoUpdate = false;
      lines.frustumCulled = false;
      lines.renderOrder = 10;
      this.group.add(lines);
      const local = new Matrix4();
      toMatrix(local.elements, poses, 7 * i);
      const label = h("span", { class: "tag name" }, name);
      overlay.append(label);
      return { name, bone: scene.frames.bone[i], local, lines, label, at: new Vector3(), shown: false };
    });
    this.group.visible = false;
  }

  pose() {
    for (const item of this.items) {
      if (item.bone < 0) item.lines.matrixWorld.copy(item.local);
      else item.lines.matrixWorld.copy(this.actor.bones[item.bone].matrixWorld).multiply(item.local);
      item.at.setFromMatrixPosition(item.lines.matrixWorld);
      item.shown = this.names;
    }
  }

  find(name) {
    return this.items.find((item) => item.name === name);
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
