// Where the camera stands: preset directions, and the distance from which everything is seen.

import { Matrix4, Vector3 } from "three";

const MARGIN = 1.08;

// Directions from the scene towards the camera, by the names on the buttons.
export function presets(replay) {
  const up = new Vector3(...replay.up), front = new Vector3(...replay.front);
  const side = new Vector3().crossVectors(up, front).normalize();
  return {
    Overview: new Vector3(...replay.view),
    Front: front,
    Side: side,
    Top: up.clone().addScaledVector(front, 1e-3).normalize(),
  };
}

// Put the camera along `direction`, where the points just fill the picture.
export function look(camera, target, direction, points) {
  const middle = new Vector3();
  for (const point of points) middle.add(new Vector3(...point).divideScalar(points.length));
  camera.position.copy(middle).add(direction);
  camera.lookAt(middle);
  camera.updateMatrix();
  const right = new Vector3(), up = new Vector3(), back = new Vector3();
  camera.matrix.extractBasis(right, up, back);
  const tall = Math.tan((camera.fov * Math.PI) / 360) / MARGIN, wide = tall * camera.aspect;
  // Each point wants the camera behind four planes through it; the two of each pair meet where both just fit.
  const reach = (axis, slope) => {
    let high = -Infinity, low = -Infinity;
    for (const point of points) {
      const p = new Vector3(...point).sub(middle);
      const across = p.dot(axis), depth = slope * p.dot(back);
      high = Math.max(high, across + depth);
      low = Math.max(low, -across + depth);
    }
    return [(high + low) / (2 * slope), (high - low) / 2];
  };
  const [far, sideways] = reach(right, wide), [away, upwards] = reach(up, tall);
  target.copy(middle).addScaledVector(right, sideways).addScaledVector(up, upwards);
  camera.position.copy(target).addScaledVector(back, Math.max(far, away));
}

// A marker's camera looks along its x axis, with its z axis upwards.
export function ride(camera, marker) {
  const x = new Vector3(), y = new Vector3(), z = new Vector3();
  marker.extractBasis(x, y, z);
  camera.matrix.makeBasis(y.negate(), z, x.negate()).setPosition(new Vector3().setFromMatrixPosition(marker));
  camera.matrix.decompose(camera.position, camera.quaternion, camera.scale);
  camera.updateMatrixWorld(true);
}
