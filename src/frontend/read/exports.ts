/** Exports of a module, by name. */
import { closest } from "../../ir/index.ts";
import type { Lowering } from "../lower/core.ts";
import { refuse, type Spot } from "../refusal.ts";
import type { Getter } from "../scope.ts";
import type { Module } from "../syntax.ts";
import type { Val } from "../value.ts";

export function exported(low: Lowering, module: Module, name: string, spot: Spot): Val {
  const found = findExport(module, name, new Set());
  if (found !== undefined) return found(low, spot);
  const near = closest(name, module.exports.keys());
  return refuse(
    spot,
    "FC2004",
    `\`${module.name}\` does not export \`${name}\``,
    near === undefined ? exportsText(module) : `did you mean \`${near}\`?`,
  );
}

function exportsText(module: Module): string {
  const names = [...module.exports.keys()].slice(0, 12).map((name) => `\`${name}\``);
  return names.length === 0 ? "it exports nothing" : `it exports ${names.join(", ")}`;
}

export function findExport(module: Module, name: string, seen: Set<Module>): Getter | undefined {
  if (seen.has(module)) return undefined;
  seen.add(module);
  const own = module.exports.get(name);
  if (own !== undefined || name === "default") return own;
  for (const star of module.stars) {
    const found = findExport(star, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
