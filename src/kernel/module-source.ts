/** The text of a module that a worker loads, for the digest of its function. Part of what must be trusted. */
import { readFileSync } from "node:fs";

/** The text of a module, and its address if it cannot be read; then no answer of it counts either. */
export function moduleSource(module: string): string {
  if (!module.startsWith("file:")) return module;
  try {
    return readFileSync(new URL(module), "utf8");
  } catch {
    return module;
  }
}
