#!/usr/bin/env node
/**
 * Starts the `foreclaim` command, whose files lie beside this one when it is built. To compile them anew at every start
 * takes longer than most proofs, so what Node has compiled is kept for the next start.
 *
 * It is kept beside the files themselves and nowhere else: whoever can write there can change the files as well. It is
 * used only for exactly the text that it was made from, and only whole. Where it cannot be written, nothing is kept.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";

const here = import.meta.dirname;
const kept = join(here, ".compiled", `${process.version}-${process.platform}-${process.arch}`);
const digestBytes = 32;

const requireOther = createRequire(import.meta.url);
const modules = new Map<string, { exports: unknown }>();
/** What was compiled anew, with its text. */
const fresh = new Map<string, { readonly text: string; readonly script: Script }>();

// The variable is the one of Node's own cache.
if (process.env.NODE_DISABLE_COMPILE_CACHE) {
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
