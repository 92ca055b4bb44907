/** Bundles the kernel once and loads it with one fault at a time. */

import { createRequire } from "node:module";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../../scripts/tools.mjs";
import type { Kernel } from "./compare.ts";
import type { Fault } from "./fault-list.ts";

const require = createRequire(import.meta.url);

/** The text of the kernel as one CommonJS module. */
export async function bundledKernel(): Promise<string> {
  const bundle = await rolldown({
    input: join(ROOT, "tests/proofs/kernel-under-test.ts"),
    platform: "node",
    external: /^node:/,
  });
  const { output } = await bundle.generate({ format: "cjs", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** The text with a fault; throws if the place is not there, so that no fault goes stale unnoticed. */
export function withFault(text: string, { from, in: place, name, to }: Fault): string {
  const begin = text.indexOf(place);
  if (begin < 0) throw new Error(`${name}: there is no \`${place}\``);
  const at = text.indexOf(from, begin);
  const end = text.indexOf("\n}", begin);
  if (at < 0 || at > end) {
    throw new Error(`${name}: \`${place}\` does not hold \`${from}\``);
  }
  return `${text.slice(0, at)}${to}${text.slice(at + from.length)}`;
}

export function loaded(text: string): Kernel {
  const module = { exports: {} };
  new Function("require", "module", "exports", text)(require, module, module.exports);
  return module.exports as Kernel;
}
