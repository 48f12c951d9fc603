// Poses as seven numbers in an array, from an offset: position, then a unit quaternion (w, x, y, z).

export function rotate(out, o, q, i, x, y, z) {
  const w = q[i + 3], a = q[i + 4], b = q[i + 5], c = q[i + 6];
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  out[o] = x + w * tx + b * tz - c * ty;
  out[o + 1] = y + w * ty + c * tx - a * tz;
  out[o + 2] = z + w * tz + a * ty - b * tx;
}

// out = p * r
export function compose(out, o, p, i, r, j) {
  const pw = p[i + 3], px = p[i + 4], py = p[i + 5], pz = p[i + 6];
  const rw = r[j + 3], rx = r[j + 4], ry = r[j + 5], rz = r[j + 6];
  const x = p[i], y = p[i + 1], z = p[i + 2];
  rotate(out, o, p, i, r[j], r[j + 1], r[j + 2]);
  out[o] += x;
  out[o + 1] += y;
  out[o + 2] += z;
  out[o + 3] = pw * rw - px * rx - py * ry - pz * rz;
  out[o + 4] = pw * rx + px * rw + py * rz - pz * ry;
  out[o + 5] = pw * ry - px * rz + py * rw + pz * rx;
  out[o + 6] = pw * rz + px * ry - py * rx + pz * rw;
}

// out = inverse of p
export function invert(out, o, p, i) {
  const x = p[i], y = p[i + 1], z = p[i + 2];
  const q = [0, 0, 0, p[i + 3], -p[i + 4], -p[i + 5], -p[i + 6]];
  rotate(out, o, q, 0, -x, -y, -z);
  for (let k = 3; k < 7; k++) out[o + k] = q[k];
}

// out = rest, moved on by `factor` times the way from rest to pose.
export function magnify(out, o, rest, i, pose, j, factor) {
  const back = new Float64Array(7), way = new Float64Array(7);
  invert(back, 0, rest, i);
  compose(way, 0, back, 0, pose, j);
  const sign = way[3] < 0 ? -1 : 1;
  const sine = Math.hypot(way[4], way[5], way[6]);
  const half = Math.min(factor * Math.atan2(sine, sign * way[3]), Math.PI / 2);
  const scale = sine > 1e-12 ? (sign * Math.sin(half)) / sine : 0;
  for (let k = 0; k < 3; k++) way[k] *= factor;
  way[3] = Math.cos(half);
  for (let k = 4; k < 7; k++) way[k] *= scale;
  compose(out, o, rest, i, way, 0);
}

// The matrix of a pose, column by column, as WebGL wants it.
export function toMatrix(elements, p, i) {
  const w = p[i + 3], x = p[i + 4], y = p[i + 5], z = p[i + 6];
  const n = 2 / (w * w + x * x + y * y + z * z);
  const xx = n * x * x, yy = n * y * y, zz = n * z * z, xy = n * x * y, xz = n * x * z, yz = n * y * z;
  const wx = n * w * x, wy = n * w * y, wz = n * w * z;
  elements[0] = 1 - yy - zz; elements[1] = xy + wz; elements[2] = xz - wy; elements[3] = 0;
  elements[4] = xy - wz; elements[5] = 1 - xx - zz; elements[6] = yz + wx; elements[7] = 0;
  elements[8] = xz + wy; elements[9] = yz - wx; elements[10] = 1 - xx - yy; elements[11] = 0;
  elements[12] = p[i]; elements[13] = p[i + 1]; elements[14] = p[i + 2]; elements[15] = 1;
  return elements;
}
