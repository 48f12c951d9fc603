// The picture: bodies that follow the model, the Earth and the stars, the cameras of the arm.

import {
  CubeCamera, DirectionalLight, HemisphereLight, Matrix4, Mesh, MeshLambertMaterial, PerspectiveCamera, PlaneGeometry,
  Quaternion, Scene, ShaderMaterial, Vector3, WebGLCubeRenderTarget, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Actor } from "../../../view/player/src/actor.js";
import { compose, toMatrix } from "../../../view/player/src/quaternions.js";
import { makeSky } from "../../../view/player/src/sky.js";
import { ride } from "../../../view/player/src/views.js";

const UP = new Vector3(1, 0, 0); // away from the Earth
const SUN = new Vector3(0.45, -0.55, 0.7).normalize();
const SCALES = [1, 0.8, 0.65, 0.5, 0.4];
const SLOW = 27, FAST = 12; // ms a picture, beyond which there are fewer or more pixels

export class Stage {
  constructor(host, data, arrays) {
    this.host = host;
    this.live = data.scene.live;
    this.renderer = new WebGLRenderer({ antialias: false, alpha: false, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    host.prepend(this.renderer.domElement);
    this.canvas = this.renderer.domElement;
    this.scene = new Scene();
    this.actor = new Actor(data.scene, arrays, false);
    const paints = new Map();
    this.actor.group.traverse((one) => {
      if (!one.isMesh) return;
      const { colour } = one.userData.part;
      if (!paints.has(colour)) paints.set(colour, new MeshLambertMaterial({ color: colour }));
      one.material = paints.get(colour);
      one.castShadow = one.receiveShadow = false;
    });
    this.scene.add(this.actor.group);
    const sun = new DirectionalLight("#fff3e2", 2.7), glow = new HemisphereLight("#2a3342", "#86b4ee", 1.25);
    sun.position.copy(SUN);
    glow.position.copy(UP);
    this.scene.add(sun, glow);
    this.sky = this.bakedSky(data.orbit);
    this.scene.add(this.sky);
    this.world = new Float64Array(7 * this.live.length);
    this.chase = new PerspectiveCamera(42, 16 / 9, 0.05, 400);
    this.chase.up.copy(UP);
    this.controls = new OrbitControls(this.chase, this.canvas);
    this.controls.enableDamping = false;
    this.controls.maxDistance = 60;
    this.cameras = { chase: this.chase, hand: rider(74), nose: rider(62) };
    this.main = "chase";
    this.small = "hand";
    this.level = 0;
    this.pace = 16;
    this.pictures = 0;
    this.home = null;
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  // The sky does not change: it is worked out once, on the six faces of a cube.
  bakedSky(orbit) {
    const target = new WebGLCubeRenderTarget(512);
    const room = new Scene();
    room.add(makeSky(orbit, SUN));
    new CubeCamera(0.1, 10, target).update(this.renderer, room);
    const material = new ShaderMaterial({
      vertexShader: "varying vec2 place; void main() { place = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }",
      fragmentShader: `varying vec2 place; uniform mat4 unproject; uniform samplerCube cube;
        void main() { vec4 far = unproject * vec4(place, 1.0, 1.0); gl_FragColor = textureCube(cube, far.xyz / far.w); }`,
      uniforms: { unproject: { value: new Matrix4() }, cube: { value: target.texture } },
      depthWrite: false, toneMapped: false,
    });
    const sky = new Mesh(new PlaneGeometry(2, 2), material);
    sky.frustumCulled = false;
    sky.renderOrder = 1000; // last, where nothing else is
    const turn = new Matrix4();
    sky.onBeforeRender = (_renderer, _scene, camera) => {
      turn.extractRotation(camera.matrixWorld);
      material.uniforms.unproject.value.multiplyMatrices(turn, camera.projectionMatrixInverse);
      material.uniformsNeedUpdate = true;
    };
    return sky;
  }

  resize() {
    const width = Math.max(this.host.clientWidth, 2), height = Math.max(this.host.clientHeight, 2);
    this.renderer.setPixelRatio(SCALES[this.level] * Math.min(devicePixelRatio, 1.5));
    this.renderer.setSize(width, height, false);
  }

  // Everything where the model has it.
  pose({ bodies, elastic, frames }) {
    const { world, live } = this, local = new Float64Array(7), turn = new Quaternion(), rest = new Quaternion();
    live.forEach(({ body, rest: at, gain }, b) => {
      if (body < 0) return void world.set(at, 7 * b);
      local.set(at);
      if (gain.length) {
        const by = [0, 0, 0, 0, 0, 0];
        gain.forEach((row, i) => row.forEach((x, k) => (by[k] += x * elastic[i])));
        for (let k = 0; k < 3; k++) local[k] += by[k];
        turn.set(by[3] / 2, by[4] / 2, by[5] / 2, 1).normalize();
        rest.set(at[4], at[5], at[6], at[3]).multiply(turn);
        local.set([rest.w, rest.x, rest.y, rest.z], 3);
      }
      compose(world, 7 * b, bodies, 13 * body, local, 0);
    });
    const { bones, rigid } = this.actor;
    bones.forEach((bone, b) => toMatrix(bone.matrixWorld.elements, world, 7 * b));
    for (const [mesh, b, back] of rigid) mesh.matrixWorld.copy(bones[b].matrixWorld).multiply(back);
    const matrix = new Matrix4();
    ride(this.cameras.hand, toFrame(matrix, frames["hand.camera"]));
    ride(this.cameras.nose, toFrame(matrix, frames["craft.nose"]));
    this.follow(new Vector3(...bodies.subarray(0, 3)));
  }

  // The overview stands still to the craft.
  follow(place) {
    if (this.home === null) {
      this.controls.target.copy(place).add(new Vector3(1.6, 4.2, 0));
      this.chase.position.copy(place).add(new Vector3(4.6, -5.5, -8.5));
    } else {
      const step = place.clone().sub(this.home);
      this.controls.target.add(step);
      this.chase.position.add(step);
    }
    this.home = place;
  }

  draw(inset) {
    const begun = performance.now();
    const { renderer, host } = this, width = host.clientWidth, height = host.clientHeight;
    this.controls.enabled = this.main === "chase";
    this.controls.update();
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    renderer.clear();
    this.look(this.cameras[this.main], width / height);
    if (inset) {
      const box = inset.getBoundingClientRect(), area = host.getBoundingClientRect();
      const x = box.left - area.left, y = area.bottom - box.bottom;
      renderer.setScissorTest(true);
      renderer.setScissor(x, y, box.width, box.height);
      renderer.setViewport(x, y, box.width, box.height);
      renderer.clear();
      this.look(this.cameras[this.small], box.width / box.height);
    }
    this.pictures++;
    return performance.now() - begun;
  }

  // Where the hand is pointing, in the picture of its camera: the place on its axis that is as far as what it goes for.
  aim(frames, far) {
    const matrix = toFrame(new Matrix4(), frames["hand.tip"]);
    const place = new Vector3(Math.max(far, 0.02), 0, 0).applyMatrix4(matrix).project(this.cameras.hand);
    return [50 + 50 * place.x, 50 - 50 * place.y];
  }

  look(camera, aspect) {
    if (camera.aspect !== aspect) {
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
    }
    this.renderer.render(this.scene, camera);
  }

  // Fewer pixels where pictures come slowly, more where there is time; `took` from one picture to the next [ms].
  adapt(took) {
    this.pace += 0.06 * (Math.min(took, 200) - this.pace);
    this.waits = (this.waits ?? 0) + 1;
    if (this.waits < 25) return;
    const next = this.pace > SLOW ? this.level + 1 : this.pace < FAST ? this.level - 1 : this.level;
    if (next === this.level || next < 0 || next >= SCALES.length) return;
    this.level = next;
    this.waits = 0;
    this.resize();
  }
}

function rider(angle) {
  const camera = new PerspectiveCamera(angle, 4 / 3, 0.03, 400);
  camera.matrixAutoUpdate = true;
  return camera;
}

function toFrame(matrix, frame) {
  toMatrix(matrix.elements, frame, 0);
  return matrix;
}
