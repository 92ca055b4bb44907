// What is published, judged as users get it: `node scripts/package.mjs` packs, and checks size, contents, entries and types.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { ensureBuilt } from "./ensure.mjs";
import { isMain, ROOT } from "./tools.mjs";

/** The most bytes that it may take on a disk, the playground apart, and those of the playground. */
export const MAX_UNPACKED = 6_000_000;
export const MAX_PLAYGROUND = 2_000_000;

/**
 * @typedef {{ tarball: string, unpackedSize: number, files: readonly { path: string, size: number }[] }} Packed
 */

/**
 * Packs dist/ as it is.
 *
 * @param {string} folder of the tarball
 * @returns {Packed}
 */
export function pack(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { status, stdout, stderr, error } = spawnSync("npm", args, { cwd: ROOT, encoding: "utf8" });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm pack failed\n${stderr}`);
  const [{ filename, unpackedSize, files }] = JSON.parse(stdout);
  return { tarball: join(folder, filename), unpackedSize, files };
}

/**
 * Sentences about files that the package has and should not have, or the reverse.
 *
 * @param {Packed} packed
 */
export function contentProblems({ unpackedSize, files }) {
  const paths = files.map(({ path }) => path);
  const foreign = paths.filter((path) =>
    /\.map$|\.(test|soak)\.|(^|\/)\.compiled\/|\.inputs$|\.tsx$/.test(path),
  );
  const playground = files.filter(({ path }) => path.startsWith("dist/playground/"));
  const ofPlayground = playground.reduce((sum, { size }) => sum + size, 0);
  const rest = unpackedSize - ofPlayground;
  return [
    ...(rest > MAX_UNPACKED ? [`${rest} bytes unpacked are more than ${MAX_UNPACKED}`] : []),
    ...(ofPlayground > MAX_PLAYGROUND
      ? [`${ofPlayground} bytes of the playground are more than ${MAX_PLAYGROUND}`]
      : []),
    ...foreign.map((path) => `${path} is not for users`),
    ...["LICENSE", "README.md", "CHANGELOG.md", "dist/cli/main.js"]
      .filter((path) => !paths.includes(path))
      .map((path) => `${path} is missing`),
  ];
}

/**
 * Messages of publint, at its strictest.
 *
 * @param {string} tarball
 */
export async function publintProblems(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: arrayOf(tarball) }, strict: true });
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}

/**
 * Problems with types, as `attw --profile esm-only` finds them: the package has no CommonJS entries.
 *
 * @param {string} tarball
 * @param {readonly string[]} [entries] such as `./kernel`; all by default
 */
export async function typeProblems(tarball, entries) {
  const made = createPackageFromTarballData(new Uint8Array(arrayOf(tarball)));
  const result = await checkPackage(made, entries && { entrypoints: [...entries] });
  if (result.types === false) return ["the package has no types"];
  return result.problems
    .filter((one) => !("resolutionKind" in one && /^node10$|^node16-cjs$/.test(one.resolutionKind)))
    .map((problem) => JSON.stringify(problem));
}

/** @param {string} path */
function arrayOf(path) {
  const bytes = readFileSync(path);
  return /** @type {ArrayBuffer} */ (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

async function main() {
  const code = ensureBuilt();
  if (code !== 0) return code;
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-package-"));
  try {
    const packed = pack(folder);
    console.log(
      `${packed.files.length} files, ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked, ${(readFileSync(packed.tarball).length / 1e6).toFixed(2)} MB packed`,
    );
    const problems = [
      ...contentProblems(packed),
      ...(await publintProblems(packed.tarball)),
      ...(await typeProblems(packed.tarball)),
    ];
    for (const problem of problems) console.log(problem);
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) process.exitCode = await main();
