/** What is missing in a result that other actions refer to. */
import { type Json, quoted } from "../../ir/index.ts";
import { partOf } from "../references.ts";
import { refusedValue } from "../strict/keepable.ts";
import { hasPlainNumbers } from "../values.ts";

/** In words; undefined if nothing is. Tools that are declared receive numbers, and others also a `bigint`. */
export function lackOf(
  output: Json | undefined,
  parts: readonly (readonly string[])[],
  isDeclared: boolean,
): string | undefined {
  if (output === undefined) return "nothing that can be kept";
  const missing = parts.find((part) => partOf(output, part) === undefined);
  if (missing !== undefined) return `no ${quoted(missing.join("."))}`;
  const refusal = refusedValue(output);
  if (refusal !== undefined) return `a result of which ${refusal}`;
  if (!isDeclared) return undefined;
  const isExact = parts.every((part) => hasPlainNumbers(partOf(output, part) ?? null));
  return isExact ? undefined : "a number that no tool can receive exactly";
}
