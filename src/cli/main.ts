#!/usr/bin/env node
/**
 * Starts the `foreclaim` command, whose built files lie beside this one. Compiling them at every start takes longer than
 * most proofs, so this caches the code that Node compiled, for the next start.
 *
 * The cache lies beside the files themselves and nowhere else: who can write there can change the files as well. A cache
 * entry counts only for exactly the text that it was made from. Where the folder cannot be written, there is no cache.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

/** Absent before Node 20. */
const here: string = import.meta.dirname ?? "";
const kept = join(here, ".compiled", `${process.version}-${process.platform}-${process.arch}`);
const digestBytes = 32;

const requireOther = createRequire(import.meta.url);
const modules = new Map<string, { exports: unknown }>();
/** Scripts that were compiled in this process, with their text. */
const fresh = new Map<string, { readonly text: string; readonly script: Script }>();

const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 20) {
  process.stderr.write(`foreclaim needs Node 20 or newer, and this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
}
// The variable is the one of Node's own cache.
else if (process.env.NODE_DISABLE_COMPILE_CACHE) {
  requireOther("./command.js");
} else {
  requireFile("command.js");
  process.on("exit", (code) => {
    // Only a command that came to its end has used all that the next one will use.
    if (code === 0) keepFresh();
  });
}

/** As Node's own `require`, for a file of the command. */
function requireFile(name: string): unknown {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module: { exports: unknown } = { exports: {} };
  modules.set(name, module);
  const file = join(here, name);
  const run: (...given: unknown[]) => void = compiled(name, file).runInThisContext();
  const require = (id: string) =>
    id.startsWith("./") && id !== "./unbundled-imports.js" ? requireFile(id.slice(2)) : requireOther(id);
  run.call(module.exports, module.exports, require, module, file, here);
  return module.exports;
}

function compiled(name: string, file: string): Script {
  const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, "utf8")}\n})`;
  const cachedData = keptFor(name, text);
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) });
  // Node refuses what another Node, or the same one with other options, has made.
  if (script.cachedDataRejected !== false) fresh.set(name, { text, script });
  return script;
}

function keptFor(name: string, text: string): Buffer | undefined {
  try {
    const bytes = readFileSync(join(kept, name));
    const data = bytes.subarray(digestBytes);
    return bytes.subarray(0, digestBytes).equals(digestOf(text, data)) ? data : undefined;
  } catch {
    return undefined; // the first start, or nothing can be kept here
  }
}

/** At the end, when every function that was used is compiled. */
function keepFresh(): void {
  try {
    if (fresh.size > 0) mkdirSync(kept, { recursive: true, mode: 0o755 });
    for (const [name, { text, script }] of fresh) {
      const data = script.createCachedData();
      const aside = join(kept, `${name}.${process.pid}`);
      writeFileSync(aside, Buffer.concat([digestOf(text, data), data]), { mode: 0o644 });
      renameSync(aside, join(kept, name));
    }
  } catch {
    // Then the next start compiles again.
  }
}

/** V8 itself looks at the length of the text only, and at little of the data. */
function digestOf(text: string, data: Buffer): Buffer {
  return createHash("sha256").update(text).update("\0").update(data).digest();
}
