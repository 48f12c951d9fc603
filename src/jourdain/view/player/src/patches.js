// The surfaces of a volumetric contact: ellipses of their area, in the colours of their pressure.

import { CircleGeometry, Color, DoubleSide, Matrix4, Mesh, MeshBasicMaterial, SRGBColorSpace, Vector3 } from "three";
import { number } from "./elements.js";

const PREFIXES = [[1e9, "GPa"], [1e6, "MPa"], [1e3, "kPa"], [1, "Pa"]];

// They lie inside of what touches, and are seen through it.
export function makePatches(told, arrays, ghost) {
  const { count, highest } = told, colours = arrays.get(told.palette), tones = arrays.get(told.tone), radii = arrays.get(told.radius);
  const points = arrays.channels(told.point), normals = arrays.channels(told.normal), longs = arrays.channels(told.along);
  const turn = new Matrix4(), front = new Vector3(), long = new Vector3(), short = new Vector3();
  const meshes = Array.from({ length: count }, () => {
    const look = { transparent: true, opacity: ghost ? 0.3 : 0.9, depthTest: false, depthWrite: false, side: DoubleSide, toneMapped: false };
    const mesh = new Mesh(new CircleGeometry(1, 40), new MeshBasicMaterial({ color: new Color(), ...look }));
    mesh.renderOrder = 4;
    return mesh;
  });

  // At a sample; least: radius that is drawn at least [m]; follow: moves a point with the body that it is on
  const pose = (i, visible, least, follow) => {
    meshes.forEach((mesh, k) => {
      const at = i * count + k, radius = radii[at];
      mesh.visible = visible && radius > 0;
      if (!mesh.visible) return;
      follow(mesh.position.fromArray(points, 3 * at));
      front.fromArray(normals, 3 * at).normalize();
      let half = long.fromArray(longs, 3 * at).addScaledVector(front, -front.dot(long)).length();
      if (half < 0.5 * radius) {
        long.set(...(Math.abs(front.x) < 0.9 ? [1, 0, 0] : [0, 1, 0])).cross(front);
        half = radius;
      }
      short.crossVectors(front, long.normalize());
      mesh.quaternion.setFromRotationMatrix(turn.makeBasis(long, short, front));
      mesh.scale.set(Math.max(half, least), Math.max(radius ** 2 / half, least), 1);
      const [r, g, b] = colours.subarray(3 * tones[at], 3 * tones[at] + 3);
      mesh.material.color.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace);
    });
  };

  // The highest pressure of a sample.
  const words = (i) => {
    let most = 0;
    for (let k = 0; k < count; k++) most = Math.max(most, (tones[i * count + k] / 255) * highest);
    const [factor, unit] = PREFIXES.find(([size]) => most >= size) ?? PREFIXES.at(-1);
    return `${number(most / factor, 3)} ${unit}`;
  };
  return { meshes, pose, words };
}
