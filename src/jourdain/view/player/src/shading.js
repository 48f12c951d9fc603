// The colour of a surface in the light of the replay, worked out here where a shader would do so for every pixel.

// out from o on: red, green and blue [0, 255] where the normal is n and the paint tint; light: sun, up and half, the
// direction between the sun and the camera, or null for no glare. As the shader of balls has it (piles.js).
export function shade(out, o, n, tint, { sun, up, half }) {
  const bright = Math.max(n.dot(sun), 0), glare = half && bright > 0 ? 0.12 * Math.max(n.dot(half), 0) ** 24 : 0;
  const light = 0.3 + 0.22 * (0.5 + 0.5 * n.dot(up)) + 0.72 * bright;
  let colour = [tint.r, tint.g, tint.b].map((c) => c * light + glare);
  // The neutral tone mapping of Khronos, as three.js has it.
  const least = Math.min(...colour), off = least < 0.08 ? least - 6.25 * least * least : 0.04;
  colour = colour.map((c) => c - off);
  const peak = Math.max(...colour), room = 0.24;
  if (peak >= 1 - room) {
    const top = 1 - (room * room) / (peak + room - (1 - room)), grey = 1 - 1 / (0.15 * (peak - top) + 1);
    colour = colour.map((c) => (c * top / peak) * (1 - grey) + top * grey);
  }
  colour.forEach((c, k) => (out[o + k] = 255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));
}
