// Many bodies of one form: drawn in one go. Balls are discs that face the camera, shaded as balls.

import {
  BufferAttribute, BufferGeometry, Color, Group, InstancedBufferAttribute, InstancedMesh, Matrix4, Points, ShaderMaterial, Vector3, Vector4,
} from "three";

const VERTEX = `
attribute float radius;
attribute float clear;
attribute vec3 tint;
uniform float height;
varying vec3 middle;
varying vec3 paint;
varying float wide;
varying float faint;
varying vec2 depths;
#include <clipping_planes_pars_vertex>
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  middle = mvPosition.xyz;
  paint = tint;
  wide = radius;
  faint = clear;
  depths = vec2(projectionMatrix[2][2], projectionMatrix[3][2]);
  gl_Position = projectionMatrix * mvPosition;
  gl_PointSize = radius > 0.0 ? height * projectionMatrix[1][1] * radius / max(-mvPosition.z, 1e-6) : 0.0;
  #include <clipping_planes_vertex>
}`;
const DOOR = "if (faint > 0.5 && mod(floor(gl_FragCoord.x) + floor(gl_FragCoord.y), 2.0) > 0.5) discard;";
const DEEP = "gl_FragDepth = 0.5 - 0.5 * (depths.x * place.z + depths.y) / place.z;";
const FRAGMENT = `
varying vec3 middle;
varying vec3 paint;
varying float wide;
varying float faint;
varying vec2 depths;
uniform vec3 sun;
uniform vec3 up;
uniform float opacity;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  vec2 at = vec2(2.0 * gl_PointCoord.x - 1.0, 1.0 - 2.0 * gl_PointCoord.y);
  float off = dot(at, at);
  if (off > 1.0 || wide <= 0.0) discard;
  ${DOOR}
  vec3 normal = vec3(at, sqrt(1.0 - off));
  vec3 place = middle + wide * normal;
  ${DEEP}
  float bright = max(dot(normal, sun), 0.0), shine = max(dot(normal, normalize(sun + vec3(0.0, 0.0, 1.0))), 0.0);
  float two = shine * shine, four = two * two, eight = four * four, glare = eight * eight * eight * step(1e-6, bright);
  gl_FragColor = vec4(paint * (0.3 + 0.22 * (0.5 + 0.5 * dot(normal, up)) + 0.72 * bright) + 0.12 * glare, opacity);
  #include <tonemapping_fragment>
  // From linear to sRGB by roots, to within half a code of 255 above the darkest (0.004): in software a power takes longer than all of the rest.
  vec3 first = sqrt(gl_FragColor.rgb), second = sqrt(first);
  gl_FragColor.rgb = 0.585122381 * first + 0.783140355 * second - 0.368262736 * sqrt(second);
}`;

// geometry: of one of them; copies: bodies, bones, colours; bound: where surfaces are bound to every bone
export class Pile {
  constructor(part, geometry, material, copies, bones, bound, replay) {
    this.part = part;
    this.names = copies.bodies;
    this.bones = copies.bones;
    this.index = new Map(this.names.map((name, i) => [name, i]));
    this.all = bones;
    this.back = Array.from(this.bones, (b) => bound[b].clone().invert());
    this.hidden = new Uint8Array(this.names.length);
    this.clear = new Float32Array(this.names.length);
    const ball = ballOf(geometry);
    this.colours = Array.from(copies.tones, (k) => new Color(copies.colours[k]));
    if (ball) this.makeBalls(ball, material, copies, replay);
    else this.makeMeshes(geometry, material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = this.object.matrixWorldAutoUpdate = false;
  }

  makeBalls({ middle, radius }, material, copies, replay) {
    const n = this.names.length, up = new Vector3(...replay.up), sun = new Vector3(...replay.sun);
    this.radius = radius;
    this.middles = this.back.map((back) => middle.clone().applyMatrix4(back));
    this.centred = this.middles.every((one) => one.length() < 1e-4 * radius);
    const geometry = new BufferGeometry();
    this.places = new BufferAttribute(new Float32Array(3 * n), 3);
    this.radii = new BufferAttribute(new Float32Array(n).fill(radius), 1);
    this.faint = new BufferAttribute(this.clear, 1);
    geometry.setAttribute("position", this.places);
    geometry.setAttribute("radius", this.radii);
    geometry.setAttribute("clear", this.faint);
    geometry.setAttribute("tint", new BufferAttribute(new Float32Array(this.colours.flatMap((c) => c.toArray())), 3));
    const uniforms = { height: { value: 1 }, sun: { value: new Vector3() }, up: { value: new Vector3() }, opacity: { value: material.opacity } };
    const shader = new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, clipping: true, transparent: material.transparent, depthWrite: material.depthWrite,
    });
    this.shader = shader;
    this.fine = new Points(geometry, shader);
    this.fine.frustumCulled = false;
    const view = new Vector4();
    this.fine.onBeforeRender = (renderer, _scene, camera) => {
      uniforms.height.value = renderer.getCurrentViewport(view).w;
      uniforms.sun.value.copy(sun).transformDirection(camera.matrixWorldInverse);
      uniforms.up.value.copy(up).transformDirection(camera.matrixWorldInverse);
      shader.uniformsNeedUpdate = true;
    };
    this.object = new Group().add(this.fine);
    if (material.transparent) return;
    this.tones = copies.tones;
    this.paints = copies.colours.map((one) => new Color(one));
  }

  // A heap draws the balls of this pile; not where some are seen through or cut open.
  hurry(on) {
    this.hurried = on;
    if (!this.paints) return;
    this.quick = on && !this.plane && !this.clear.some((one) => one > 0);
    this.fine.visible = !this.quick;
  }

  makeMeshes(geometry, material) {
    material.color.set("#ffffff");
    this.object = new InstancedMesh(geometry, material, this.names.length);
    this.colours.forEach((colour, i) => this.object.setColorAt(i, colour));
    this.faint = new InstancedBufferAttribute(this.clear, 1);
    geometry.setAttribute("clear", this.faint);
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = `attribute float clear;\nvarying float faint;\n${shader.vertexShader}`.replace("#include <begin_vertex>", "#include <begin_vertex>\nfaint = clear;");
      shader.fragmentShader = `varying float faint;\n${shader.fragmentShader}`.replace("#include <clipping_planes_fragment>", `#include <clipping_planes_fragment>\n${DOOR}`);
    };
  }

  pose() {
    const place = new Vector3(), matrix = new Matrix4();
    for (let i = 0; i < this.names.length; i++) {
      const bone = this.all[this.bones[i]].matrixWorld;
      if (this.places) {
        place.copy(this.middles[i]).applyMatrix4(bone).toArray(this.places.array, 3 * i);
      } else {
        this.object.setMatrixAt(i, this.hidden[i] ? matrix.makeScale(0, 0, 0) : matrix.copy(bone).multiply(this.back[i]));
      }
    }
    if (this.places) this.places.needsUpdate = true;
    else this.object.instanceMatrix.needsUpdate = true;
  }

  look(name, state) {
    const i = this.index.get(name);
    if (i === undefined) return;
    this.hidden[i] = state === "hidden" ? 1 : 0;
    this.clear[i] = state === "clear" ? 1 : 0;
    this.faint.needsUpdate = true;
    this.hurry(this.hurried);
    if (this.radii) {
      this.radii.array[i] = this.hidden[i] ? 0 : this.radius;
      this.radii.needsUpdate = true;
    } else {
      this.pose();
    }
  }

  cut(plane) {
    this.plane = plane;
    (this.shader ?? this.object.material).clippingPlanes = plane ? [plane] : null;
    this.hurry(this.hurried);
  }

  // What a ray meets.
  cast(ray) {
    const told = (i, point, distance) => ({ point, distance, body: this.names[i], bone: this.bones[i] });
    if (!this.places) return ray.intersectObject(this.object, false).map((one) => told(one.instanceId, one.point, one.distance));
    const out = [], middle = new Vector3(), { origin, direction } = ray.ray;
    for (let i = 0; i < this.names.length; i++) {
      if (this.hidden[i]) continue;
      const along = middle.fromArray(this.places.array, 3 * i).sub(origin).dot(direction);
      const inside = this.radius ** 2 - (middle.lengthSq() - along ** 2);
      if (along <= 0 || inside < 0) continue;
      const distance = along - Math.sqrt(inside);
      out.push(told(i, origin.clone().addScaledVector(direction, distance), distance));
    }
    return out;
  }
}

// Middle and radius where all vertices are at one distance from their middle, and faces hardly less; null otherwise.
export function ballOf(geometry) {
  const places = geometry.getAttribute("position"), corners = geometry.getIndex(), at = new Vector3();
  geometry.computeBoundingBox();
  const middle = geometry.boundingBox.getCenter(new Vector3());
  let low = Infinity, high = 0, flat = Infinity;
  for (let i = 0; i < places.count; i++) {
    const away = at.fromBufferAttribute(places, i).distanceTo(middle);
    low = Math.min(low, away);
    high = Math.max(high, away);
  }
  const one = new Vector3();
  for (let f = 0; f + 2 < corners.count; f += 3) {
    at.set(0, 0, 0);
    for (let k = 0; k < 3; k++) at.addScaledVector(one.fromBufferAttribute(places, corners.getX(f + k)), 1 / 3);
    flat = Math.min(flat, at.distanceTo(middle));
  }
  return high - low < 2e-3 * high && flat > 0.85 * high ? { middle, radius: high } : null;
}
