// Pictures that surfaces are painted with; they come a moment after the page.

import { RepeatWrapping, SRGBColorSpace, Texture } from "three";

const known = new Map();

// Puts the picture of a part on its material; resolves when it is there.
export async function paint(material, part, arrays) {
  const key = part.picture.at;
  if (!known.has(key)) known.set(key, read(part, arrays));
  material.map = await known.get(key);
  material.needsUpdate = true;
}

async function read(part, arrays) {
  const blob = new Blob([arrays.get(part.picture)], { type: part.type });
  const texture = new Texture(await createImageBitmap(blob, { imageOrientation: "flipY" }));
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}
