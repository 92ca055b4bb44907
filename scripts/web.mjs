// Builds the approval page: `node scripts/web.mjs dist` writes dist/web. One script and one style sheet, each named by
// what is in it, so that a browser may keep them for good; index.html names them, and manifest.json lists all files.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const from = join(ROOT, "src/web");
const out = join(process.argv[2] ?? "dist", "web");
/** Packages that come along. */
const within = ["preact", "@preact/signals"];

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const script = await scriptText();
const style = styleText();
const names = { script: `app.${hashOf(script)}.js`, style: `app.${hashOf(style)}.css` };
const page = readFileSync(join(from, "index.html"), "utf8")
  .replace("{{script}}", `/${names.script}`)
  .replace("{{style}}", `/${names.style}`);

/** @type {readonly (readonly [name: string, text: string, type: string])[]} */
const files = [
  ["index.html", page, "text/html; charset=utf-8"],
  [names.script, script, "text/javascript; charset=utf-8"],
  [names.style, style, "text/css; charset=utf-8"],
];
for (const [name, text] of files) writeFileSync(join(out, name), text);
const list = files.map(([name, , type]) => ({ path: name, type, immutable: name !== "index.html" }));
writeFileSync(join(out, "manifest.json"), `${JSON.stringify({ files: list }, null, 2)}\n`);
const licences = within.map((name) => {
  const text = readFileSync(join(ROOT, "node_modules", name, "LICENSE"), "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
writeFileSync(join(out, "LICENSES"), licences.join("\n\n"));

const zipped = files.map(([, text]) => gzipSync(text, { level: 9 }).length / 1000);
const total = zipped.reduce((sum, size) => sum + size, 0);
console.log(
  `page: ${total.toFixed(1)} kB gzipped (script ${zipped[1]?.toFixed(1)}, style ${zipped[2]?.toFixed(1)})`,
);

async function scriptText() {
  const bundle = await rolldown({
    cwd: ROOT,
    input: "src/web/main.tsx",
    platform: "browser",
    tsconfig: "src/web/tsconfig.json",
    transform: { target: "es2022" },
  });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  await bundle.close();
  const [chunk, ...others] = output;
  if (others.length > 0) throw new Error("the page is one script");
  return chunk.code;
}

/** In the order of their names. Comments and indentation are for those who write it. */
function styleText() {
  const sheets = readdirSync(join(from, "style")).sort();
  return sheets
    .map((name) => readFileSync(join(from, "style", name), "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s+/gm, "")
    .replace(/\s*\n/g, "\n");
}

/** @param {string} text */
function hashOf(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
