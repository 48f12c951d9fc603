// Points of surfaces and frames, picked by the pointer or from the middle of the picture; they go with what carries them.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Matrix4, Points, PointsMaterial, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import { number } from "./elements.js";

const NEAR = 28; // px within which a frame is picked

export class Picker {
  constructor(stage) {
    this.stage = stage;
    this.mode = "";
    this.points = [];
    this.frame = null;
    this.changed = () => {};
    this.group = new Group();
    const through = { depthTest: false, transparent: true };
    this.places = new BufferAttribute(new Float32Array(6), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.places);
    this.dots = new Points(geometry, new PointsMaterial({ color: "#ff2d92", size: 9, sizeAttenuation: false, ...through }));
    this.line = new Line(geometry, new LineBasicMaterial({ color: "#ff2d92", ...through }));
    for (const one of [this.dots, this.line]) {
      one.frustumCulled = false;
      one.renderOrder = 20;
      this.group.add(one);
    }
    stage.scene.add(this.group);
    stage.onPose(() => this.place());
    this.place();
    let from = null;
    const { canvas } = stage;
    canvas.addEventListener("pointerdown", (event) => (from = [event.clientX, event.clientY]));
    canvas.addEventListener("pointerup", (event) => {
      if (!this.mode || !from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
      const box = canvas.getBoundingClientRect();
      this.pick(event.clientX - box.left, event.clientY - box.top);
    });
    canvas.addEventListener("keydown", (event) => {
      if (!this.mode || event.key !== "Enter") return;
      event.preventDefault();
      this.pick(canvas.clientWidth / 2, canvas.clientHeight / 2);
    });
  }

  start(mode) {
    this.mode = mode;
    this.stage.host.classList.toggle("picking", Boolean(mode));
    if (mode === "measure") this.points = [];
    this.stage.picking = Boolean(mode) || this.points.length > 0;
    this.place();
    this.stage.show({});
  }

  choose(name) {
    const { marks } = this.stage;
    this.frame = name ? marks.find(name) ?? null : null;
    marks.picked = this.frame;
    this.changed();
    this.stage.show({});
  }

  pick(x, y) {
    const { stage } = this, { clientWidth: width, clientHeight: height } = stage.canvas;
    const at = new Vector2((2 * x) / width - 1, 1 - (2 * y) / height);
    if (this.mode === "frame") {
      stage.marks.pose(null, true);
      const off = ({ at: place }) => {
        const p = place.clone().project(stage.camera);
        return p.z < 1 ? Math.hypot(((p.x - at.x) * width) / 2, ((p.y - at.y) * height) / 2) : Infinity;
      };
      const best = [...stage.marks.items].sort((a, b) => off(a) - off(b))[0];
      if (best && off(best) < NEAR) this.choose(best.name);
      return;
    }
    const found = this.hit(at);
    if (!found) return;
    if (this.points.length === 2) this.points = [];
    this.points.push(found);
    this.place();
    this.changed();
    stage.redraw();
  }

  // The point of a surface under a place of the picture, in the axes of the bone that carries it.
  hit(at) {
    const { stage } = this, actor = stage.actors[0], ray = new Raycaster();
    ray.setFromCamera(at, stage.camera);
    const plane = stage.plane;
    const one = actor.cast(ray).find(({ point }) => !plane || plane.distanceToPoint(point) >= 0);
    if (!one) return null;
    const back = new Matrix4().copy(actor.bones[one.bone].matrixWorld).invert();
    return { bone: one.bone, body: one.body, local: one.point.clone().applyMatrix4(back) };
  }

  world({ bone, local }) {
    return local.clone().applyMatrix4(this.stage.actors[0].bones[bone].matrixWorld);
  }

  place() {
    this.points.forEach((point, i) => this.world(point).toArray(this.places.array, 3 * i));
    this.places.needsUpdate = true;
    this.dots.geometry.setDrawRange(0, this.points.length);
    this.dots.visible = this.points.length > 0;
    this.line.visible = this.points.length === 2;
  }

  words() {
    // a millionth of the scene is nothing
    const lines = [], least = 1e-6 * this.stage.replay.size;
    const row = (v) => v.toArray().map((one) => number(Math.abs(one) < least ? 0 : one, 5)).join(", ");
    const [one, two] = this.points.map((point) => this.world(point));
    if (this.mode === "measure" && !one) lines.push("Pick two points.");
    if (one) lines.push(`${this.points[0].body}: (${row(one)}) m`);
    if (two) lines.push(`${this.points[1].body}: (${row(two)}) m`, `distance ${number(two.distanceTo(one), 5)} m, along x, y, z (${row(two.clone().sub(one))}) m`);
    if (this.mode === "frame" && !this.frame) lines.push("Pick a frame.");
    if (this.frame) {
      const place = new Vector3(), turn = new Quaternion(), scale = new Vector3();
      this.frame.matrix.decompose(place, turn, scale);
      const { w, x, y, z } = turn;
      const angles = [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
        Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))].map((one) => number((180 / Math.PI) * one, 4));
      lines.push(`${this.frame.name}: (${row(place)}) m; roll, pitch, yaw (${angles.join(", ")})°`);
    }
    return lines.join("\n");
  }
}
