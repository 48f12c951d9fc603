// Contact forces as arrows at the contact, as long as they are large, with their size beside them.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { h, number } from "./elements.js";
import { nearest } from "./poses.js";
import { compose, invert, rotate } from "./quaternions.js";

const UP = new Vector3(0, 1, 0);
const COLOURS = ["#ff5a36", "#ffb000", "#e0409a", "#35c4b5"];

export class Arrows {
  // reach: length of an arrow of the reference force [m]
  constructor(actor, scene, arrays, reach, overlay, offset = 0) {
    this.actor = actor;
    this.reach = reach;
    this.scale = 1;
    this.visible = true;
    this.group = new Group();
    this.times = arrays.get(scene.samples);
    this.items = scene.arrows.map((arrow, i) => {
      const colour = COLOURS[(i + offset) % COLOURS.length];
      const label = h("span", { class: "tag force" });
      label.style.setProperty("--tag", colour);
      overlay.append(label);
      const item = {
        name: arrow.name, bone: arrow.bone, reference: arrow.reference, label, mesh: makeArrow(colour, actor.ghost),
        point: arrays.channels(arrow.point), force: arrays.get(arrow.force), active: arrays.get(arrow.active),
        sizes: arrays.get(arrow.size), at: new Vector3(),
      };
      this.group.add(item.mesh);
      return item;
    });
  }

  // Forces are those of the recorded sample that is nearest, as in the plots: between two samples nothing is known.
  pose(time) {
    const i = nearest(this.times, time);
    for (const item of this.items) {
      const force = new Vector3().fromArray(item.force, 3 * i), point = new Vector3().fromArray(item.point, 3 * i);
      const long = force.length(), size = item.sizes[i];
      item.value = item.active[i] ? size : 0;
      const shown = this.visible && item.active[i] && long > 1e-3 * item.reference;
      item.mesh.visible = Boolean(shown);
      item.shown = item.mesh.visible && !this.actor.ghost;
      if (!shown) continue;
      this.follow(item.bone, point);
      const length = this.reach * this.scale * Math.min(size / item.reference, 3);
      const [shaft, head] = item.mesh.children;
      const width = 0.05 * this.reach;
      const cone = Math.min(0.3 * this.reach, 0.45 * length);
      shaft.scale.set(width, length - cone, width);
      head.scale.set(2.6 * width, cone, 2.6 * width);
      head.position.set(0, length - cone, 0);
      item.mesh.position.copy(point);
      item.mesh.quaternion.setFromUnitVectors(UP, force.divideScalar(long));
      item.at.copy(point).addScaledVector(force, length);
      item.label.textContent = `${number(size)} N`;
      item.label.title = item.name;
    }
  }

  // Magnified deflections carry the contact along with the bone that is nearest to it.
  follow(bone, point) {
    if (bone < 0) return;
    const { world, shown } = this.actor.poses;
    const back = new Float64Array(7), moved = new Float64Array(7), there = new Float64Array(3);
    invert(back, 0, world, 7 * bone);
    compose(moved, 0, shown, 7 * bone, back, 0);
    rotate(there, 0, moved, 0, point.x, point.y, point.z);
    point.set(there[0] + moved[0], there[1] + moved[1], there[2] + moved[2]);
  }
}

function makeArrow(colour, ghost) {
  const look = { color: colour, emissive: colour, emissiveIntensity: 0.55, roughness: 0.5 };
  const material = new MeshStandardMaterial(ghost ? { ...look, transparent: true, opacity: 0.4, depthWrite: false } : look);
  const shaft = new Mesh(new CylinderGeometry(0.5, 0.5, 1, 20).translate(0, 0.5, 0), material);
  const head = new Mesh(new ConeGeometry(0.5, 1, 28).translate(0, 0.5, 0), material);
  const arrow = new Group();
  arrow.add(shaft, head);
  return arrow;
}
