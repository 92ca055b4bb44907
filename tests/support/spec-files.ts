/** The cases under `spec/`, and how their JSON is written. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../src/ir/diagnostic.ts";
import type { PlainJson } from "../../src/ir/json/canonical.ts";

const root = new URL("../../", import.meta.url);

export function pathOf(path: string): string {
  return fileURLToPath(new URL(path, root));
}

export function readText(path: string): string {
  return readFileSync(pathOf(path), "utf8");
}

/** The names of the files of a folder that end so, in order. */
export function filesIn(folder: string, ending: string): string[] {
  return readdirSync(pathOf(folder))
    .filter((name) => name.endsWith(ending))
    .sort();
}

export interface Located {
  readonly code: string;
  /** From 1, as editors count; columns in code units. */
  readonly line: number;
  readonly column: number;
}

/** Returns the places of problems, in the order of the text. */
export function located(text: string, problems: readonly Diagnostic[]): Located[] {
  return problems
    .map(({ code, span }) => {
      const before = text.slice(0, span?.start ?? Number.NaN);
      return { code, line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** JSON as the formatter of this repository writes it: objects on lines of their own, short arrays of scalars on one. */
export function formatJson(json: PlainJson): string {
  return `${format(json, "")}\n`;
}

const lineWidth = 110;

function format(json: PlainJson, indent: string, before = 0): string {
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const deeper = `${indent}  `;
  if (Array.isArray(json)) {
    const flat = `[${json.map((item) => format(item, "")).join(", ")}]`;
    const isFlat = json.every((item) => typeof item !== "object" || item === null);
    // One more for the comma that may follow.
    if (isFlat && indent.length + before + flat.length + 1 <= lineWidth) return flat;
    return `[\n${json.map((item) => `${deeper}${format(item, deeper)}`).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(json);
  if (entries.length === 0) return "{}";
  const lines = entries.map(([key, value]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${deeper}${name}${format(value, deeper, name.length)}`;
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
