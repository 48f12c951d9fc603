// Bundle the trainer's page and its worker, and write the checksums of both and of all sources that went into them, so
// that a test sees when they are to be bundled again. The libraries are those of the player:
//
//   cd ../../view/player && npm install --no-package-lock && cd - && node build.mjs

import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";

const here = new URL("./", import.meta.url);
const player = new URL("../../view/player/", here);
const { build } = createRequire(new URL("package.json", player))("esbuild");

const sources = new Set();
for (const [source, name] of [["main", "trainer"], ["worker", "worker"]]) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: new URL(".", here).pathname,
    entryPoints: [new URL(`src/${source}.js`, here).pathname],
    outfile: new URL(`${name}.js`, here).pathname,
    nodePaths: [new URL("node_modules", player).pathname],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    banner: { js: "/* Jourdain's trainer. Contains three (MIT); licences in view/player/LICENSES.txt. */" },
  });
  for (const name of Object.keys(metafile.inputs)) if (!name.includes("node_modules/")) sources.add(name);
}
const sums = ["trainer.js", "worker.js", ...[...sources].sort()].map((name) => {
  return `${createHash("sha256").update(readFileSync(new URL(name, here))).digest("hex")}  ${name}\n`;
});
writeFileSync(new URL("SHA256SUMS", here), sums.join(""));
