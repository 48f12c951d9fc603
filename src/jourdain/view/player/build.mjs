// Bundle the player into player.js and player.css, with their licences, and write their checksums.
//
//   npm install --no-package-lock && npm run build

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL("./", import.meta.url);
const read = (name) => readFileSync(new URL(name, here), "utf8");
const library = (name) => {
  const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
  return { name, version, license, text: read(`node_modules/${name}/LICENSE`).trim() };
};
const libraries = [library("three"), library("uplot")];
const names = libraries.map((one) => `${one.name} ${one.version} (${one.license})`).join(", ");

await build({
  entryPoints: [new URL("src/main.js", here).pathname],
  outfile: new URL("player.js", here).pathname,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  banner: { js: `/* Jourdain's player. Contains ${names}; licences in LICENSES.txt beside its sources. */` },
});
// The page carries the script between tags: no text in it may end or comment them.
// Shaders keep the indentation, the comments, the empty lines and the spaces of their sources, for nobody.
const squeeze = (line) => (/^#|[`"']/.test(line) ? line : line.replace(/\( /g, "(").replace(/ \)/g, ")").replace(/, /g, ","));
const lines = read("player.js").split("\n").map((line, i) => (i ? line.replace(/^[ \t]+/, "") : line));
const plain = lines.filter((line, i) => !i || /`/.test(line) || !/^(\/\/|$)/.test(line)).map(squeeze).join("\n") + "\n";
const script = plain.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
writeFileSync(new URL("player.js", here), script);
writeFileSync(new URL("player.css", here), read("node_modules/uplot/dist/uPlot.min.css").trim() + "\n");
const licences = libraries.map((one) => `${one.name} ${one.version}, ${one.license}\n\n${one.text}\n`);
writeFileSync(new URL("LICENSES.txt", here), licences.join("\n----\n\n"));

const sums = ["player.js", "player.css", "LICENSES.txt"].map((name) => {
  return `${createHash("sha256").update(readFileSync(new URL(name, here))).digest("hex")}  ${name}\n`;
});
writeFileSync(new URL("SHA256SUMS", here), sums.join(""));
console.log(`player.js: ${(script.length / 1024).toFixed(0)} kB; ${names}`);
