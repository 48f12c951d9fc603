// A grid under a scene that is not in orbit, fading outward, with the shadows that fall on it.

import {
  BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineSegments, Mesh, PlaneGeometry, Quaternion, ShaderMaterial, ShadowMaterial, Vector3,
} from "three";

const VERTEX = `
varying vec2 place;
void main() { place = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const FRAGMENT = `
varying vec2 place;
uniform float pitch, reach;
uniform vec3 ink;
float lines(vec2 p) {
  vec2 width = fwidth(p);
  vec2 near = abs(fract(p - 0.5) - 0.5) / width;
  return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.2, 0.6, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.25 * reach, reach, length(place));
  float alpha = 0.16 * lines(place / pitch) + 0.22 * lines(place / (5.0 * pitch));
  gl_FragColor = vec4(ink, alpha * fade);
}`;

const LINES = `
varying vec2 place;
uniform float reach;
uniform vec3 ink;
void main() { gl_FragColor = vec4(ink, 0.22 * (1.0 - smoothstep(0.25 * reach, reach, length(place)))); }`;

// centre: a point of the floor; up: its normal; size: that of the scene [m]; quick: lines alone, without shadows
export function makeFloor(centre, up, size, quick) {
  const decade = 10 ** Math.floor(Math.log10(size / 8));
  const pitch = [1, 2, 5, 10].map((n) => n * decade).find((n) => n >= size / 12);
  const reach = 1.6 * size;
  const grid = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { pitch: { value: pitch }, reach: { value: reach }, ink: { value: new Color() } },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });
  const floor = new Group();
  floor.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
  floor.position.copy(centre);
  floor.userData.ink = grid.uniforms.ink.value;
  floor.userData.pitch = pitch;
  if (quick) {
    floor.add(makeLines(pitch, reach, grid));
    return floor;
  }
  const shade = new ShadowMaterial({ opacity: 0.22 });
  for (const [material, order] of [[shade, -20], [grid, -10]]) {
    const plane = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
    plane.renderOrder = order;
    plane.receiveShadow = material === shade;
    floor.add(plane);
  }
  shade.depthWrite = false;
  return floor;
}

// The grid as lines as long as they are seen: a few thousand pixels instead of half of the picture.
function makeLines(pitch, reach, grid) {
  const count = Math.floor(reach / pitch), ends = [];
  for (let i = -count; i <= count; i++) {
    const a = i * pitch, b = Math.sqrt(Math.max(reach ** 2 - a ** 2, 0));
    ends.push(a, -b, 0, a, b, 0, -b, a, 0, b, a, 0);
  }
  const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(ends, 3));
  const material = grid.clone();
  material.uniforms.ink = grid.uniforms.ink;
  material.fragmentShader = LINES;
  const lines = new LineSegments(geometry, material);
  lines.renderOrder = -10;
  return lines;
}
