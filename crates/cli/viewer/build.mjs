// Builds viewer.js, the script of the page, and SHA256SUMS, the hashes of what it was built from.
//
//   npm ci && npm run build
//
// A test of this package compares the hashes; `sha256sum -c SHA256SUMS` does the same.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const license = readFileSync("node_modules/three/LICENSE", "utf8").trim();
const { version } = JSON.parse(readFileSync("node_modules/three/package.json", "utf8"));

await build({
  entryPoints: ["src/main.js"],
  outfile: "viewer.js",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  banner: { js: `/*!\nthree.js ${version}, https://threejs.org\n\n${license}\n*/` },
});

const sources = readdirSync("src").filter(name => name.endsWith(".js")).map(name => `src/${name}`);
const files = ["build.mjs", "package-lock.json", "package.json", ...sources.sort(), "viewer.js"];
const line = name => `${createHash("sha256").update(readFileSync(name)).digest("hex")}  ${name}\n`;
writeFileSync("SHA256SUMS", files.map(line).join(""));
