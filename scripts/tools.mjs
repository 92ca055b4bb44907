// Runs the development tools by the Node that runs this script, so that `on-node.mjs` can swap the Node.
// Depends on nothing but Node: it is used before anything is installed.

import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const ROOT = resolve(import.meta.dirname, "..");

/** `FORECLAIM_MAPS=1 npm run build` makes source maps too, for debuggers; the package has none. */
export const withMaps = process.env.FORECLAIM_MAPS === "1";

const ENTRY_POINTS = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  tsc: "node_modules/typescript/bin/tsc",
  vitest: "node_modules/vitest/vitest.mjs",
};

/**
 * Runs a tool with our terminal and gives its exit code.
 *
 * @param {keyof typeof ENTRY_POINTS} tool
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 * @returns {number}
 */
export function runTool(tool, args, env) {
  return runNode([toolPath(tool), ...args], env);
}

/**
 * The script that starts a tool.
 *
 * @param {keyof typeof ENTRY_POINTS} tool
 */
export function toolPath(tool) {
  return join(ROOT, ENTRY_POINTS[tool]);
}

/**
 * Runs `node …` from the root of the repository with our terminal and gives its exit code.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 * @param {string} [node] the Node to use, when it is not the one running this script
 * @returns {number}
 */
export function runNode(args, env = {}, node = process.execPath) {
  const result = spawnSync(node, args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, ...env } });
  if (result.error) throw result.error;
  return result.status ?? 1; // ended by a signal
}

/**
 * Runs npm with our terminal and gives its exit code.
 *
 * @param {readonly string[]} args
 * @returns {number}
 */
export function runNpm(args) {
  // Under `npm run`, npm says where it is; that also spares us the shell that npm.cmd needs on Windows.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith(".js")) return runNode([npm, ...args]);
  const result = spawnSync("npm", args, { cwd: ROOT, stdio: "inherit" });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/**
 * Returns true if the module with this `import.meta.url` is the script being run, rather than imported by it.
 *
 * @param {string} moduleUrl
 */
export function isMain(moduleUrl) {
  const script = process.argv[1];
  // Node reports the script as it was named but the module as it is: a link on the way would make them differ.
  return script !== undefined && moduleUrl === pathToFileURL(realpathSync(script)).href;
}
