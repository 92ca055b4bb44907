/** The verdict on a whole program. */
import type { Proof, Verdict } from "../../prove/index.ts";

export type ProgramVerdict = "proved" | "refuted" | "unknown" | "invalid";

/** SOUNDNESS: an unsupported program is not proved, also if it states no guarantee. */
export function verdictOf({ guarantees, obligations, walk }: Proof): ProgramVerdict {
  const found = new Set([...guarantees, ...obligations].map(({ verdict }) => verdict.kind));
  if (found.has("refuted")) return "refuted";
  return found.has("unknown") || walk === undefined ? "unknown" : "proved";
}

/** Returns the reason for missing obligations, for a program that the prover does not support. */
export function notFollowedWords({ walk }: Proof): string | undefined {
  return walk === undefined
    ? "the prover does not support a part of the program, so its obligations are unknown"
    : undefined;
}

export function byOf(verdict: Verdict): "ground" | "smt" | "induction" | null {
  return verdict.kind === "proved" ? verdict.by : null;
}
