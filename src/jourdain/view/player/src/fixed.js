// What stands still beside thousands of balls: floors and walls. Their light is worked out once, at their vertices, so that in
// software a pixel takes no longer than it takes to write it.

import { BufferAttribute, Color, DoubleSide, FrontSide, ShaderMaterial, Vector3 } from "three";
import { shade } from "./shading.js";

const VERTEX = `
attribute vec3 lit;
varying vec3 paint;
#include <clipping_planes_pars_vertex>
void main() {
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  paint = lit;
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}`;
const FRAGMENT = `
varying vec3 paint;
uniform float clear;
#include <clipping_planes_pars_fragment>
void main() {
  #include <clipping_planes_fragment>
  gl_FragColor = vec4(paint, clear);
}`;

// geometry: in the world's axes, with normals; gets the attribute "lit"
export function fixedSurface(geometry, colour, opacity, replay) {
  const paint = new Color(colour), light = { sun: new Vector3(...replay.sun), up: new Vector3(...replay.up), half: null };
  const normals = geometry.getAttribute("normal"), lit = new Float32Array(3 * normals.count), n = new Vector3();
  for (let i = 0; i < normals.count; i++) shade(lit, 3 * i, n.fromBufferAttribute(normals, i), paint, light);
  geometry.setAttribute("lit", new BufferAttribute(lit.map((c) => c / 255), 3));
  const clear = { value: opacity };
  const material = new ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { clear }, clipping: true, opacity,
    transparent: opacity < 1, depthWrite: opacity >= 1, side: opacity < 1 ? DoubleSide : FrontSide,
  });
  const tell = () => {
    clear.value = material.opacity;
    material.uniformsNeedUpdate = true;
  };
  return { material, tell };
}
