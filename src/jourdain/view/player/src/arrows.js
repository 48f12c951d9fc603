// Contact forces as arrows at the contact, as long as they are large, with their size beside them.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from "three";
import { h, number } from "./elements.js";
import { makePatches } from "./patches.js";
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
        name: arrow.name, bone: arrow.bone, reference: arrow.reference, label, mesh: makeArrow(makeMaterial(colour, actor.ghost)),
        point: arrays.channels(arrow.point), force: arrays.get(arrow.force), active: arrays.get(arrow.active),
        sizes: arrays.get(arrow.size), at: new Vector3(), patches: arrow.patches && makePatches(arrow.patches, arrays, actor.ghost), darts: arrow.darts && makeDarts(arrow.darts, arrays, colour, actor.ghost),
      };
      this.group.add(item.mesh, ...(item.darts?.meshes ?? []), ...(item.patches?.meshes ?? []));
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
      if (item.darts) this.poseDarts(item, i, shown);
      if (item.patches) item.patches.pose(i, this.visible, 0.025 * this.reach, (place) => this.follow(item.bone, place));
      if (!shown) continue;
      if (!item.darts) {
        this.follow(item.bone, point);
        this.place(item.mesh, point, force, this.reach * this.scale * Math.min(size / item.reference, 3), 0.05 * this.reach);
        item.at.copy(point).addScaledVector(force.normalize(), item.mesh.userData.length);
      }
      item.label.textContent = item.patches ? `${number(size)} N, ${item.patches.words(i)}` : `${number(size)} N`;
      item.label.title = item.name;
    }
  }

  // Of a surface its parts are drawn, the largest with the size of the whole beside it.
  poseDarts(item, i, shown) {
    const { darts } = item, k = darts.meshes.length;
    let most = 0;
    item.mesh.children.forEach((part) => (part.visible = false));
    darts.meshes.forEach((mesh, j) => {
      const force = new Vector3().fromArray(darts.force, 3 * (i * k + j)), long = force.length();
      mesh.visible = Boolean(shown) && long > 0.01 * darts.reference;
      if (!mesh.visible) return;
      const point = new Vector3().fromArray(darts.point, 3 * (i * k + j));
      this.follow(darts.bones[j], point);
      this.place(mesh, point, force, (0.8 * this.reach * this.scale * long) / darts.reference, 0.02 * this.reach);
      if (long > most) item.at.copy(point).addScaledVector(force.normalize(), mesh.userData.length);
      most = Math.max(most, long);
    });
  }

  place(arrow, point, force, length, width) {
    const [shaft, head] = arrow.children;
    const cone = Math.min(6 * width, 0.45 * length);
    shaft.scale.set(width, length - cone, width);
    head.scale.set(2.6 * width, cone, 2.6 * width);
    head.position.set(0, length - cone, 0);
    arrow.userData.length = length;
    arrow.position.copy(point);
    arrow.quaternion.setFromUnitVectors(UP, force.clone().normalize());
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

// Small arrows of a surface: they begin where it is pressed, and are seen through what they push at.
function makeDarts(darts, arrays, colour, ghost) {
  const material = makeMaterial(colour, ghost);
  material.setValues({ transparent: true, opacity: ghost ? 0.3 : 0.85, depthTest: false, depthWrite: false });
  const meshes = darts.bones.map(() => makeArrow(material));
  for (const one of meshes) one.children.forEach((part) => (part.renderOrder = 5));
  return { ...darts, meshes, point: arrays.channels(darts.point), force: arrays.channels(darts.force) };
}

function makeMaterial(colour, ghost) {
  const look = { color: colour, emissive: colour, emissiveIntensity: 0.55, roughness: 0.5 };
  return new MeshStandardMaterial(ghost ? { ...look, transparent: true, opacity: 0.4, depthWrite: false } : look);
}

function makeArrow(material) {
  const shaft = new Mesh(new CylinderGeometry(0.5, 0.5, 1, 20).translate(0, 0.5, 0), material);
  const head = new Mesh(new ConeGeometry(0.5, 1, 28).translate(0, 0.5, 0), material);
  const arrow = new Group();
  arrow.add(shaft, head);
  return arrow;
}
