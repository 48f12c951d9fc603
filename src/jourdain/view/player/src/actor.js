// One run's bodies: skinned where they bend, plain meshes where they do not.

import {
  Bone, BufferAttribute, BufferGeometry, Color, DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshLambertMaterial, MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
} from "three";
import { Coloured, makePalette } from "./colours.js";
import { fixedSurface } from "./fixed.js";
import { Poses, nearest } from "./poses.js";
import { paint } from "./pictures.js";
import { Pile } from "./piles.js";
import { toMatrix } from "./quaternions.js";

export class Actor {
  constructor(scene, arrays, ghost, replay, many = false) {
    this.name = scene.name;
    this.ghost = ghost;
    this.poses = new Poses(scene, arrays);
    this.group = new Group();
    this.bones = scene.bones.parent.map(() => frozen(new Bone()));
    this.bound = boundMatrices(scene, arrays);
    this.rigid = [];
    this.piles = [];
    this.replay = replay;
    this.many = many; // bodies, so that surfaces are drawn in the quickest way
    this.bodies = new Map(); // name -> its meshes
    this.links = []; // meshes of what is between bodies, with when they are there
    this.linked = true;
    this.carriers = new Set(); // bones of surfaces that are not among many
    this.coloured = [];
    this.pictures = [];
    this.field = -1;
    const palette = scene.fields ? makePalette(scene, arrays) : null;
    for (const part of scene.parts) this.add(part, arrays, scene, palette);
    this.some = null; // bones that are posed, where the others carry balls that a heap draws
  }

  // Pose no more bones than are needed: not those of balls about their own origins, but `also`, in this scene.
  spare(on, scene, also) {
    const { parent, elastic, order } = this.poses, alone = new Uint8Array(parent.length);
    for (const pile of this.piles) {
      pile.gliding = Boolean(on && pile.quick && pile.centred && pile.bones.every((b) => parent[b] <= 0 && !elastic[b]));
      if (pile.gliding) for (const b of pile.bones) alone[b] = 1;
    }
    const touched = scene.arrows.flatMap((arrow) => [arrow.bone, ...(arrow.darts?.bones ?? [])]);
    for (const b of [0, ...also, ...touched, ...parent, ...this.carriers]) if (b >= 0) alone[b] = 0;
    this.some = alone.includes(1) ? order.filter((b) => !alone[b]) : null;
  }

  add(part, arrays, scene, palette) {
    const which = part.bones ? arrays.get(part.bones) : null, weights = part.bones ? arrays.get(part.weights) : null;
    const used = which ? [...new Set(which)] : [part.bone];
    const bends = used.length > 1;
    const geometry = shape(part, arrays, bends ? which : null, weights, used);
    const still = this.many && !this.ghost && !scene.tint && part.kind === "world" && !bends && !part.picture && !part.copies;
    const fixed = still && fixedSurface(geometry, part.colour, part.opacity, this.replay);
    const material = fixed ? fixed.material : surface(part, this.ghost, scene.tint, this.many);
    if (part.picture) this.pictures.push(paint(material, part, arrays));
    if (part.copies) {
      const { bodies, colours } = part.copies, tones = arrays.get(part.copies.tones);
      const copies = { bodies, colours, tones, bones: arrays.get(part.copies.bones) };
      const pile = new Pile(part, geometry, material, copies, this.bones, this.bound, this.replay);
      this.piles.push(pile);
      this.group.add(pile.object);
      return;
    }
    for (const b of used) this.carriers.add(b);
    let mesh;
    if (bends) {
      mesh = new SkinnedMesh(geometry, material);
      const skeleton = new Skeleton(used.map((b) => this.bones[b]), used.map((b) => this.bound[b].clone().invert()));
      mesh.bind(skeleton, new Matrix4());
      mesh.frustumCulled = false;
    } else {
      mesh = new Mesh(geometry, material);
      this.rigid.push([mesh, used[0] ?? 0, this.bound[used[0] ?? 0].clone().invert()]);
    }
    if (fixed) mesh.onBeforeRender = fixed.tell;
    if (part.kind === "link") this.links.push([mesh, part.shown ? arrays.get(part.shown) : null]);
    mesh.castShadow = !this.ghost && part.kind !== "world" && part.opacity > 0.6;
    mesh.receiveShadow = !this.ghost;
    mesh.userData.part = part;
    if (this.ghost) mesh.renderOrder = 2;
    if (part.fields && palette) this.coloured.push((mesh.userData.coloured = new Coloured(mesh, part, scene, arrays, palette)));
    mesh.userData.bone = used[0] ?? 0;
    const mine = this.bodies.get(part.body) ?? [];
    this.bodies.set(part.body, [...mine, mesh]);
    this.group.add(frozen(mesh));
  }

  // Names of all bodies.
  names() {
    return [...this.bodies.keys(), ...this.piles.flatMap((pile) => pile.names)];
  }

  // A body "hidden", "clear", or "" as it is.
  look(name, state) {
    for (const pile of this.piles) pile.look(name, state);
    for (const mesh of this.bodies.get(name) ?? []) {
      mesh.userData.hidden = state === "hidden";
      mesh.visible = !mesh.userData.hidden;
      for (const material of materials(mesh)) {
        material.userData.own ??= { opacity: material.opacity, transparent: material.transparent, depthWrite: material.depthWrite };
        const clear = { opacity: 0.22 * material.userData.own.opacity, transparent: true, depthWrite: false };
        Object.assign(material, state === "clear" ? clear : material.userData.own);
        material.needsUpdate = true;
      }
      mesh.userData.casts ??= mesh.castShadow;
      mesh.castShadow = mesh.userData.casts && state === "";
    }
  }

  // Takes away what is in front of a plane; null for nothing.
  cut(plane) {
    for (const pile of this.piles) pile.cut(plane);
    for (const mesh of [...this.bodies.values()].flat()) {
      for (const material of materials(mesh)) {
        material.userData.side ??= material.side;
        material.clippingPlanes = plane ? [plane] : null;
        const side = plane ? DoubleSide : material.userData.side;
        if (side !== material.side) material.needsUpdate = true;
        material.side = side;
      }
    }
  }

  // What a ray meets of bodies that are seen, nearest first.
  cast(ray) {
    const out = this.piles.flatMap((pile) => pile.cast(ray));
    for (const [body, meshes] of this.bodies) {
      for (const mesh of meshes) {
        if (mesh.visible) for (const { point, distance } of ray.intersectObject(mesh, false)) out.push({ point, distance, body, bone: mesh.userData.bone });
      }
    }
    return out.sort((a, b) => a.distance - b.distance);
  }

  // Links that are connected at a time, where links are wanted.
  connect(time) {
    const i = nearest(this.poses.times, time);
    for (const [mesh, shown] of this.links) mesh.visible = this.linked && !mesh.userData.hidden && (!shown || shown[i] === 1);
  }

  pose(time, factor) {
    const shown = this.poses.at(time, factor, this.some);
    for (const b of this.some ?? this.poses.order) toMatrix(this.bones[b].matrixWorld.elements, shown, b * 7);
    for (const one of this.coloured) one.show(this.field, time);
    for (const pile of this.piles) {
      if (this.some && pile.gliding) this.poses.spots(time, pile.bones, pile.places.array);
      else pile.pose();
    }
    if (this.links.length) this.connect(time);
    for (const [mesh, b, back] of this.rigid) mesh.matrixWorld.copy(this.bones[b].matrixWorld).multiply(back);
  }
}

function materials(mesh) {
  return mesh.userData.coloured ? [mesh.userData.coloured.plain, mesh.userData.coloured.lit] : [mesh.material];
}

// Matrices are set here, once a frame; three.js need not work them out.
function frozen(object) {
  object.matrixAutoUpdate = false;
  object.matrixWorldAutoUpdate = false;
  return object;
}

// Where surfaces are bound to every bone, in the axes of the undeformed body.
function boundMatrices(scene, arrays) {
  const bound = arrays.get(scene.bones.bound);
  return scene.bones.parent.map((_, b) => {
    const matrix = new Matrix4();
    toMatrix(matrix.elements, bound, b * 7);
    return matrix;
  });
}

function shape(part, arrays, which, weights, used) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(arrays.quantised(part.vertices), 3));
  geometry.setIndex(new BufferAttribute(arrays.summed(part.faces), 1));
  if (which) {
    const place = new Map(used.map((b, i) => [b, i]));
    const n = weights.length, indices = new Uint16Array(4 * n), shares = new Float32Array(4 * n);
    for (let i = 0; i < n; i++) {
      indices[4 * i] = place.get(which[2 * i]);
      indices[4 * i + 1] = place.get(which[2 * i + 1]);
      shares[4 * i] = weights[i] / 65535;
      shares[4 * i + 1] = 1 - shares[4 * i];
    }
    geometry.setAttribute("skinIndex", new BufferAttribute(indices, 4));
    geometry.setAttribute("skinWeight", new BufferAttribute(shares, 4));
  }
  if (part.uv) geometry.setAttribute("uv", new BufferAttribute(arrays.quantised(part.uv), 2));
  geometry.computeVertexNormals();
  return geometry;
}

function surface(part, ghost, tint, many) {
  const colour = new Color(part.colour);
  if (tint) colour.lerp(new Color(tint), ghost ? 0.85 : 0.6);
  const opacity = ghost ? 0.3 * part.opacity : part.opacity;
  const gloss = { roughness: part.roughness ?? (part.kind === "contact" ? 0.45 : 0.5), metalness: ghost ? 0 : part.metalness ?? 0.25 };
  return new (many ? MeshLambertMaterial : MeshStandardMaterial)({
    color: colour,
    ...(many ? {} : gloss),
    transparent: opacity < 1,
    opacity,
    depthWrite: opacity >= 1,
    polygonOffset: ghost,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 4,
    side: opacity < 1 && !ghost ? DoubleSide : FrontSide,
  });
}
