/** The verdict on a whole program. */
import type { Proof, Verdict } from "../../prove/index.ts";

export type ProgramVerdict = "proved" | "refuted" | "unknown" | "invalid";

/** SOUNDNESS: a program that could not be followed is not proved, also if it states nothing. */
export function verdictOf({ guarantees, obligations, walk }: Proof): ProgramVerdict {
  const found = new Set([...guarantees, ...obligations].map(({ verdict }) => verdict.kind));
  if (found.has("refuted")) return "refuted";
  return found.has("unknown") || walk === undefined ? "unknown" : "proved";
}

/** Why nothing is said of obligations, where there are none because the program was not followed. */
export function notFollowedWords({ walk }: Proof): string | undefined {
  return walk === undefined
    ? "the program could not be followed, so its obligations are not known"
    : undefined;
}

export function byOf(verdict: Verdict): "ground" | "smt" | "induction" | null {
  return verdict.kind === "proved" ? verdict.by : null;
}
