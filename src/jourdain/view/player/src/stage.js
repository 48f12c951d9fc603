// The picture: bodies of every run, lights, sky or floor, cameras, and the labels over it.

import {
  AmbientLight, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFShadowMap, PMREMGenerator, PerspectiveCamera,
  Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { Actor } from "./actor.js";
import { Arrows } from "./arrows.js";
import { Scale } from "./colours.js";
import { h } from "./elements.js";
import { makeFloor } from "./floor.js";
import { Heap } from "./heap.js";
import { Marks } from "./marks.js";
import { makeSky } from "./sky.js";
import { isDark, onTheme } from "./theme.js";
import { look, presets, ride } from "./views.js";

const TOO_LONG = 0.036; // s that a picture may take
const MANY = 1000; // bodies of one form

export function canDraw() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

// Whether the processor draws, for want of a graphics card.
function inSoftware() {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!context) return true;
  const name = context.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER;
  const told = context.getParameter(name);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(told);
}

export class Stage {
  constructor(host, data, arrays) {
    const { replay } = data;
    this.host = host;
    this.replay = replay;
    this.scenes = data.scenes;
    this.factor = replay.magnify;
    this.time = NaN;
    this.heard = [];
    this.plane = null;
    this.slow = 0;
    this.hurried = false; // whether a heap is painted
    this.shows = { frames: false, ghost: true, inset: false, swap: false, follow: replay.follow >= 0 };
    this.canvas = h("canvas", { tabindex: "0", role: "img", "aria-label": "3-D replay; drag to turn, wheel to zoom" });
    this.overlay = h("div", { class: "tags", "aria-hidden": "true" });
    host.append(this.canvas, this.overlay);
    // Thousands of balls without smooth edges while they play; at rest with twice as many pixels instead.
    this.many = data.scenes.some((scene) => scene.parts.some((part) => (part.copies?.bodies.length ?? 0) >= MANY));
    this.fineness = this.rest = this.many ? 1.5 : 1;
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: !this.many, alpha: true });
    this.renderer.autoClear = false;
    this.renderer.setClearColor(0, 0);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.scene = new Scene();
    this.actors = data.scenes.map((scene) => new Actor(scene, arrays, scene.ghost, replay, this.many));
    this.arrows = data.scenes.map((scene, i) => {
      return new Arrows(this.actors[i], scene, arrays, replay.size * 0.16, this.overlay, i ? 2 : 0);
    });
    this.marks = new Marks(this.actors[0], data.scenes[0], arrays, replay.size, this.overlay);
    for (const part of [...this.actors, ...this.arrows, this.marks]) this.scene.add(part.group);
    this.scale = data.scenes[0].fields ? new Scale(host, data.scenes[0], arrays) : null;
    this.light();
    this.addHeap();
    this.addCameras();
    const redraw = () => (this.dirty = true);
    Promise.allSettled(this.actors.flatMap((actor) => actor.pictures)).then(redraw);
    onTheme(() => this.retheme());
    this.retheme();
    new ResizeObserver(() => this.resize()).observe(host);
    this.controls.addEventListener("change", redraw);
    this.resize();
    this.preset("Overview");
  }

  light() {
    const { replay, scene } = this;
    const up = new Vector3(...replay.up);
    const [low, high] = replay.box.map((corner) => new Vector3(...corner));
    const middle = low.clone().add(high).multiplyScalar(0.5), radius = 0.6 * low.distanceTo(high);
    const towards = new Vector3(...replay.sun);
    const sun = new DirectionalLight("#fff4e6", replay.orbit ? 3.2 : 2.0);
    sun.position.copy(middle).addScaledVector(towards, 3 * radius);
    sun.target.position.copy(middle);
    sun.castShadow = this.actors.every((actor) => actor.piles.length === 0); // balls cast none, and there are many
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 4;
    sun.shadow.normalBias = 0.004 * radius;
    sun.shadow.bias = -0.0004;
    const reach = 1.25 * radius;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: radius, far: 6 * radius });
    const sky = new HemisphereLight(replay.orbit ? "#1b2434" : "#ffffff", replay.orbit ? "#6fa4e8" : "#b9b4ad", 0.6);
    sky.position.copy(up);
    scene.add(sun, sun.target, sky, new AmbientLight("#ffffff", replay.orbit ? 0.12 : 0.25));
    if (!this.many) {
      const maker = new PMREMGenerator(this.renderer);
      scene.environment = maker.fromScene(new RoomEnvironment(), 0.04).texture;
      scene.environmentIntensity = replay.orbit ? 0.3 : 0.34;
      maker.dispose();
    }
    if (replay.orbit) {
      scene.add(makeSky(replay.orbit, towards));
    } else if (replay.floor) {
      this.floor = makeFloor(new Vector3(...replay.floor), up, replay.size, this.many);
      scene.add(this.floor);
    }
    this.host.classList.toggle("space", Boolean(replay.orbit));
  }

  // Balls that are painted while they play, where there are many.
  addHeap(wanted = this.many) {
    const piles = this.actors.flatMap((actor) => actor.piles).filter((pile) => pile.paints);
    if (!wanted || !piles.length || !inSoftware()) return;
    const beside = this.actors.some((actor, i) => actor.ghost || actor.bodies.size || actor.piles.length > piles.length || this.arrows[i].items.length);
    this.heap = new Heap(piles, new Vector3(...this.replay.sun), new Vector3(...this.replay.up), !beside && !this.replay.orbit);
    this.scene.add(this.heap.object);
  }

  addCameras() {
    const { size, up } = this.replay;
    this.camera = new PerspectiveCamera(34, 1, 0.004 * size, 60 * size);
    this.camera.up.set(...up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxDistance = 20 * size;
    this.controls.minDistance = 0.02 * size;
    this.hand = new PerspectiveCamera(60, 4 / 3, 0.002 * size, 60 * size);
    this.rider = this.marks.find(this.replay.camera) ?? null;
    this.shows.inset = this.rider !== null;
    this.frame = h("button", { class: "inset", type: "button", title: "Swap the pictures" });
    this.frame.addEventListener("click", () => this.show({ swap: !this.shows.swap }));
    this.host.append(this.frame);
  }

  retheme() {
    if (this.floor) this.floor.userData.ink.set(isDark() ? "#aab7c8" : "#334155");
    this.dirty = true;
  }

  resize() {
    const width = Math.max(this.host.clientWidth, 2), height = Math.max(this.host.clientHeight, 2);
    this.renderer.setPixelRatio(Math.min(Math.min(devicePixelRatio, 2) * this.fineness, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  preset(name) {
    look(this.camera, this.controls.target, presets(this.replay)[name], this.replay.points);
    if (this.shows.follow && this.followed) {
      const away = this.followed.clone().sub(new Vector3(...this.replay.home));
      this.camera.position.add(away);
      this.controls.target.add(away);
    }
    this.controls.update();
    this.dirty = true;
  }

  // Parts of the picture on or off, by name.
  show(wanted) {
    Object.assign(this.shows, wanted);
    if (wanted.forces !== undefined) for (const one of this.arrows) one.visible = wanted.forces;
    if (wanted.links !== undefined) for (const one of this.actors) one.linked = wanted.links;
    if (wanted.names !== undefined) this.marks.names = wanted.names;
    if (wanted.arrowScale !== undefined) for (const one of this.arrows) one.scale = wanted.arrowScale;
    if (wanted.field !== undefined) {
      this.actors[0].field = wanted.field;
      this.scale?.show(wanted.field);
    }
    if (wanted.factor !== undefined) this.factor = wanted.factor;
    if (wanted.camera !== undefined) this.rider = this.marks.find(wanted.camera) ?? null;
    this.stale = true;
  }

  // Where pictures take too long while it plays, they get fewer pixels; at rest they are whole.
  pace(seconds, playing) {
    this.slow = playing ? 0.85 * this.slow + 0.15 * Math.min(seconds, 0.5) : 0;
    if (this.heap && playing !== this.hurried) {
      this.hurried = playing;
      this.host.classList.toggle("hurried", playing);
      for (const pile of this.heap.piles) pile.hurry(playing);
      this.stale = true;
    }
    const whole = Math.min(this.fineness, 1);
    const wanted = !playing ? this.rest : this.slow > TOO_LONG ? Math.max(0.5, whole - 0.25) : whole;
    if (wanted === this.fineness) return;
    this.fineness = wanted;
    this.slow = 0;
    this.resize();
  }

  // What wants to know when everything was posed anew.
  onPose(hear) {
    this.heard.push(hear);
  }

  redraw() {
    this.dirty = true;
  }

  // A section: what is in front of the plane is not drawn.
  cut(plane) {
    this.plane = plane;
    for (const actor of this.actors) actor.cut(plane);
    this.dirty = true;
  }

  // The camera at a place, looking at another.
  aim(eye, target) {
    this.controls.enableDamping = false;
    this.controls.update();
    this.camera.position.copy(eye);
    this.controls.target.copy(target);
    this.controls.update();
    this.controls.enableDamping = true;
    this.aimed = true;
    this.dirty = true;
  }

  // Pose everything for a time, where something has changed.
  pose(time) {
    if (time === this.time && !this.stale) return;
    this.time = time;
    this.stale = false;
    this.spare();
    this.actors.forEach((actor, i) => {
      actor.group.visible = !actor.ghost || this.shows.ghost;
      actor.pose(time, this.factor);
      this.arrows[i].pose(time);
      this.arrows[i].group.visible = actor.group.visible;
    });
    this.marks.reveal(this.shows.frames);
    this.marks.pose(this.rider);
    this.follow();
    for (const hear of this.heard) hear();
    this.dirty = true;
  }

  // While a heap plays, balls have places only, where nobody asks for their frames.
  spare() {
    const { names, all, picked } = this.marks, quick = Boolean(this.hurried && !names && !all && !picked && !this.shows.frames && !this.picking);
    const told = `${quick} ${this.rider?.bone} ${this.heap?.piles.map((pile) => pile.quick)}`;
    if (!this.heap || told === this.spared) return;
    this.spared = told;
    const also = [this.replay.follow, this.rider?.bone ?? -1];
    this.actors.forEach((actor, i) => actor.spare(quick, this.scenes[i], also));
  }

  follow() {
    const bone = this.actors[0].bones[Math.max(this.replay.follow, 0)];
    const place = new Vector3().setFromMatrixPosition(bone.matrixWorld);
    if (this.shows.follow && this.followed) {
      const step = place.clone().sub(this.followed);
      this.camera.position.add(step);
      this.controls.target.add(step);
    }
    this.followed = place;
  }

  render() {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    const { renderer, scene, host } = this;
    const width = host.clientWidth, height = host.clientHeight;
    const inset = this.shows.inset && this.rider !== null;
    if (this.rider) ride(this.hand, this.rider.matrix);
    const swapped = inset && this.shows.swap;
    const main = swapped ? this.hand : this.camera, small = swapped ? this.camera : this.hand;
    renderer.shadowMap.needsUpdate = true;
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    renderer.clear();
    this.draw(main, width, height);
    this.placeLabels(main, width, height);
    this.frame.hidden = !inset;
    if (!inset) return;
    const box = this.frame, x = box.offsetLeft, w = box.offsetWidth, tall = box.offsetHeight;
    const y = height - box.offsetTop - tall;
    renderer.setScissorTest(true);
    renderer.setScissor(x, y, w, tall);
    renderer.setViewport(x, y, w, tall);
    renderer.clear();
    this.arrows.forEach((one) => (one.group.visible = false));
    this.draw(small, w, tall);
    this.arrows.forEach((one, i) => (one.group.visible = this.actors[i].group.visible));
    box.dataset.label = swapped ? "overview" : this.rider.name;
  }

  draw(camera, width, height) {
    const aspect = width / height, ratio = this.renderer.getPixelRatio();
    if (camera.aspect !== aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
    }
    camera.updateMatrixWorld();
    if (this.heap) this.heap.object.visible = this.heap.piles.some((pile) => pile.quick);
    if (this.heap?.object.visible) this.heap.prepare(camera, Math.round(ratio * width), Math.round(ratio * height));
    this.renderer.render(this.scene, camera);
  }

  placeLabels(camera, width, height) {
    const place = new Vector3(), taken = [];
    const groups = [...this.arrows.map((one) => [one.items, one.group.visible]), [this.marks.items, true]];
    for (const [items, visible] of groups) {
      for (const item of items) {
        if (!item.label) continue;
        place.copy(item.at).project(camera);
        const inside = visible && item.shown && Math.abs(place.z) < 1 && Math.abs(place.x) < 1 && Math.abs(place.y) < 1;
        item.label.hidden = !inside;
        if (!inside) continue;
        const x = ((place.x + 1) / 2) * width;
        let y = ((1 - place.y) / 2) * height;
        // Names of frames in one place stand under each other.
        while (taken.some(([a, b]) => Math.abs(a - x) < 90 && Math.abs(b - y) < 17)) y += 6;
        taken.push([x, y]);
        item.label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      }
    }
  }

  // The picture as it is now, as a file.
  shoot(take) {
    this.dirty = true;
    this.render();
    const [width, height] = [this.canvas.width, this.canvas.height];
    const copy = h("canvas", { width, height }), c = copy.getContext("2d");
    const style = getComputedStyle(this.host);
    const sky = c.createLinearGradient(0, 0, 0, height);
    const tones = ["--stage-top", "--stage-low"].map((name) => style.getPropertyValue(name).trim());
    tones.forEach((tone, i) => sky.addColorStop(i, this.replay.orbit ? "#05070d" : tone || "#ffffff"));
    c.fillStyle = sky;
    c.fillRect(0, 0, width, height);
    c.drawImage(this.canvas, 0, 0);
    copy.toBlob(take, "image/png");
  }

  // The picture as it is now, for paper.
  picture() {
    this.resize();
    this.render();
    return this.canvas.toDataURL("image/png");
  }
}
