// What is behind a scene in orbit: stars, and the Earth with its limb, worked out for every pixel from its direction.

import { Matrix4, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";

const VERTEX = `
varying vec2 place;
void main() { place = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }`;

// The observer is at the origin; the Earth is a unit sphere around `centre`.
const FRAGMENT = `
precision highp float;
varying vec2 place;
uniform mat4 unproject;
uniform vec3 centre, sun;

float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
float noise(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  vec2 e = vec2(0.0, 1.0);
  return mix(
    mix(mix(hash(i), hash(i + e.yxx), f.x), mix(hash(i + e.xyx), hash(i + e.yyx), f.x), f.y),
    mix(mix(hash(i + e.xxy), hash(i + e.yxy), f.x), mix(hash(i + e.xyy), hash(i + e.yyy), f.x), f.y), f.z);
}
float layers(vec3 p) {
  float sum = 0.0, size = 0.5;
  for (int i = 0; i < 5; i++) { sum += size * noise(p); p = p * 2.13 + 7.1; size *= 0.5; }
  return sum;
}
vec3 stars(vec3 way) {
  vec3 light = vec3(0.0);
  for (int layer = 0; layer < 2; layer++) {
    vec3 p = way * (layer == 0 ? 60.0 : 130.0);
    vec3 cell = floor(p);
    float h = hash(cell + float(layer) * 17.0);
    vec3 at = cell + 0.25 + 0.5 * vec3(hash(cell + 3.1), hash(cell + 5.7), hash(cell + 9.2));
    float off = length(p - at);
    float bright = step(0.93, h) * (0.25 + 0.75 * fract(h * 371.0));
    float width = layer == 0 ? 0.055 : 0.085;
    light += bright * smoothstep(width, 0.0, off) * mix(vec3(1.0, 0.86, 0.72), vec3(0.75, 0.86, 1.0), fract(h * 97.0));
  }
  float band = layers(way * 3.0) * exp(-12.0 * pow(dot(way, normalize(vec3(0.3, 0.5, 0.8))), 2.0));
  return light + vec3(0.020, 0.022, 0.034) * band * 2.0;
}
vec3 ground(vec3 normal) {
  float land = smoothstep(0.50, 0.56, layers(normal * 5.0 + 2.0));
  float relief = layers(normal * 34.0);
  vec3 sea = mix(vec3(0.010, 0.045, 0.120), vec3(0.020, 0.100, 0.190), relief);
  vec3 soil = mix(vec3(0.085, 0.120, 0.055), vec3(0.300, 0.240, 0.150), smoothstep(0.35, 0.65, relief));
  float swirl = layers(normal * 9.0 + 1.7 * vec3(layers(normal * 4.0), layers(normal * 4.0 + 5.0), 0.0));
  float cloud = smoothstep(0.47, 0.72, 0.62 * swirl + 0.42 * layers(normal * 46.0));
  return mix(mix(sea, soil, land), vec3(0.86, 0.89, 0.93), 0.9 * cloud);
}
void main() {
  vec4 far = unproject * vec4(place, 1.0, 1.0);
  vec3 way = normalize(far.xyz / far.w);
  float along = dot(way, centre), distance2 = dot(centre, centre);
  float nearest = sqrt(max(distance2 - along * along, 0.0));
  vec3 light;
  if (along > 0.0 && nearest < 1.0) {
    float reach = along - sqrt(1.0 - nearest * nearest);
    vec3 normal = normalize(way * reach - centre);
    float day = smoothstep(-0.12, 0.45, dot(normal, sun));
    float slant = 1.0 - max(dot(normal, -way), 0.0);
    vec3 haze = vec3(0.30, 0.56, 0.95);
    vec3 mirror = reflect(way, normal);
    float glint = pow(max(dot(mirror, sun), 0.0), 24.0);
    light = ground(normal) * (0.012 + 1.10 * day) + glint * vec3(0.30, 0.26, 0.18) * day;
    light = mix(light, haze * (0.02 + 0.85 * day), 0.18 + 0.72 * pow(slant, 3.2));
  } else {
    light = stars(way);
  }
  // The air: a thin bright line on the limb that fades outward.
  if (along > 0.0) {
    float height = nearest - 1.0;
    vec3 edge = normalize(way * along - centre);
    float day = smoothstep(-0.25, 0.4, dot(edge, sun));
    float glow = height > 0.0 ? exp(-height * 95.0) : exp(height * 60.0) * 0.55;
    light += smoothstep(0.0, 0.4, along) * day * glow * mix(vec3(0.16, 0.42, 1.0), vec3(0.62, 0.82, 1.0), exp(-abs(height) * 420.0));
  }
  gl_FragColor = vec4(pow(clamp(light, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}`;

export function makeSky(orbit, sun) {
  const away = new Vector3(...orbit.direction).multiplyScalar(1 + orbit.altitude / orbit.earth_radius);
  const material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { unproject: { value: new Matrix4() }, centre: { value: away }, sun: { value: sun.clone().normalize() } },
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const sky = new Mesh(new PlaneGeometry(2, 2), material);
  sky.frustumCulled = false;
  sky.renderOrder = -1000;
  const turn = new Matrix4();
  sky.onBeforeRender = (_renderer, _scene, camera) => {
    turn.extractRotation(camera.matrixWorld);
    material.uniforms.unproject.value.multiplyMatrices(turn, camera.projectionMatrixInverse);
    material.uniformsNeedUpdate = true;
  };
  return sky;
}
