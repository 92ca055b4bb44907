/** `"$id.output"` and `"$id.output.field"`: a string that stands for what another action gave. */
import { isJsonArray, isJsonObject, type Json, JsonNumber } from "../ir/index.ts";
import type { Action } from "./plan.ts";

export interface Reference {
  readonly id: string;
  /** Path to a part of the output, outermost first. */
  readonly field: readonly string[];
}

/** A whole string only: what stands inside a longer text is text. */
export function referenceIn(text: string): Reference | undefined {
  if (!text.startsWith("$") || !text.includes(".output")) return undefined;
  const [, id, field] = /^\$([^$]+?)\.output(?:\.(.+))?$/s.exec(text) ?? [];
  return id === undefined ? undefined : { id, field: field === undefined ? [] : field.split(".") };
}

/** Returns true if a text contains something that resembles a reference without being one. */
export function looksLikeReference(text: string): boolean {
  return text.includes(".output") && /\$[^\s$]+\.output/.test(text) && referenceIn(text) === undefined;
}

/** Visits every string in a value, except the keys of objects. */
export function eachString(json: Json, see: (text: string) => void): void {
  if (typeof json === "string") see(json);
  else if (typeof json !== "object" || json === null || JsonNumber.is(json)) return;
  else if (isJsonArray(json)) for (const item of json) eachString(item, see);
  else for (const key in json) eachString(json[key] ?? null, see);
}

export function hasReference(json: Json): boolean {
  let found = false;
  eachString(json, (text) => {
    found ||= referenceIn(text) !== undefined;
  });
  return found;
}

// ── what they stand for ──────────────────────────────────────────────────────────────────────────────────

/** Outputs by action. An action whose output could not be recorded has none. */
export type Outputs = ReadonlyMap<string, Json>;

export type Resolved =
  | { readonly kind: "resolved"; readonly value: Json }
  /** The reference that stands for nothing. */
  | { readonly kind: "missing"; readonly reference: string };

/** The value with what its references stand for. What comes in by that is taken as it is, whatever it looks like. */
export function resolve(json: Json, outputs: Outputs): Resolved {
  let missing: string | undefined;
  const go = (part: Json): Json => {
    if (typeof part === "string") {
      const reference = referenceIn(part);
      if (reference === undefined) return part;
      const found = partOf(outputs.get(reference.id), reference.field);
      if (found === undefined) missing ??= part;
      return found ?? null;
    }
    if (isJsonArray(part)) return part.map(go);
    if (!isJsonObject(part)) return part;
    const object: Record<string, Json> = Object.create(null);
    for (const name of Object.keys(part)) object[name] = go(part[name] ?? null);
    return object;
  };
  const value = go(json);
  return missing === undefined ? { kind: "resolved", value } : { kind: "missing", reference: missing };
}

/** A part by the names of fields, or by the numbers of items; undefined if there is none. */
export function partOf(output: Json | undefined, field: readonly string[]): Json | undefined {
  let part = output;
  for (const name of field) {
    if (part === undefined || typeof part !== "object" || part === null || JsonNumber.is(part))
      return undefined;
    if (isJsonArray(part)) part = isItemNumber(name) ? part[Number(name)] : undefined;
    else part = Object.hasOwn(part, name) ? part[name] : undefined;
  }
  return part;
}

/** Returns true for a list index: no sign and no leading zeros. */
export function isItemNumber(name: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(name);
}

/** By the ids of those that give the outputs; an empty path is all of it. */
export type ExpectedParts = ReadonlyMap<string, readonly (readonly string[])[]>;

/** The parts of outputs that actions refer to. */
export function expectedParts(
  actions: readonly Pick<Action, "parameters" | "expectedEffects" | "references">[],
): ExpectedParts {
  const found = new Map<string, Map<string, readonly string[]>>();
  for (const { parameters, expectedEffects, references } of actions) {
    if (references.length === 0) continue;
    for (const json of [parameters, ...expectedEffects.map(({ value }) => value)]) {
      eachString(json, (text) => {
        const reference = referenceIn(text);
        if (reference === undefined) return;
        const parts = found.get(reference.id) ?? new Map<string, readonly string[]>();
        found.set(reference.id, parts.set(JSON.stringify(reference.field), reference.field));
      });
    }
  }
  return new Map(Array.from(found, ([id, parts]) => [id, [...parts.values()]]));
}
