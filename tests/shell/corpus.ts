/** The corpus of command lines, and the split into the half that was looked at and the half that was not. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Line {
  readonly category: string;
  readonly command: string;
  readonly half: "seen" | "unseen";
}

export const SPLIT_SEED = 20_261_118;

export function corpus(name: "benign" | "hostile" | "runs-code"): readonly Line[] {
  return jsonLines(`${name}.jsonl`).map(({ category, command }) => ({
    category: String(category),
    command: String(command),
    half: halfOf(String(command)),
  }));
}

export interface FoundingLine {
  readonly number: number;
  readonly expected: string;
  readonly command: string;
}

export function founding(): readonly FoundingLine[] {
  return jsonLines("founding.jsonl").map(({ number, expected, command }) => ({
    number: Number(number),
    expected: String(expected),
    command: String(command),
  }));
}

function halfOf(command: string): "seen" | "unseen" {
  const digest = createHash("sha256").update(`${SPLIT_SEED}:${command}`).digest();
  return (digest[0] ?? 0) % 2 === 0 ? "seen" : "unseen";
}

function jsonLines(file: string): readonly Readonly<Record<string, unknown>>[] {
  const text = readFileSync(new URL(`./corpus/${file}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null) throw new TypeError(`${file} holds no objects`);
      return Object.fromEntries(Object.entries(value));
    });
}
