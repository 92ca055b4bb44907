/** Tries to prove what is known to be broken. Whatever is called proved then is wrong. */
import type { Checked } from "../../../src/ir/check/index.ts";
import type { Guarantee } from "../../../src/ir/document.ts";
import { printDocument } from "../../../src/ir/text/printer.ts";
import { obligationCodes } from "../../../src/prove/facts.ts";
import { prove } from "../../../src/prove/prove.ts";
import { type Solver, type SolverLimits, unknown } from "../../../src/prove/solver/port.ts";
import { brokenIn, withGuarantees } from "./broken.ts";

export interface Net {
  readonly solver: Solver;
  readonly limits: SolverLimits;
  /** How many runs are made of a program. */
  readonly tries: number;
  /** LIMIT: of guarantees of one program that are attempted. */
  readonly mostAttempts: number;
  /** Whether it is also attempted with a look for runs. */
  readonly bothWays?: boolean;
}

/** Decides nothing, at once: what is proved then is proved by looking. */
export const nobody: Solver = {
  name: "nobody",
  version: async () => "0",
  check: async () => unknown("incomplete", "nobody is asked"),
  close: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

export type Tally = Map<string, number>;

export function count(tally: Tally, kind: string, by = 1): void {
  tally.set(kind, (tally.get(kind) ?? 0) + by);
}

/** What is wrongly proved of the document, with its text; what was seen is counted. */
export async function wrongProofs(
  checked: Checked,
  seed: number,
  net: Net,
  tally: Tally,
): Promise<readonly string[]> {
  const broken = await brokenIn(checked, seed, net.tries);
  count(tally, "programs");
  count(tally, "runs", broken.runs);
  count(tally, "broken", broken.guarantees.length);
  if (broken.guarantees.length > 0) count(tally, "programs with broken guarantees");
  const chosen = broken.guarantees.slice(0, net.mostAttempts).map(({ guarantee }) => guarantee);
  count(tally, "attempted", chosen.length);
  return wronglyProved(withGuarantees(checked, chosen), new Set(chosen.map(({ name }) => name)), broken.stops, net, tally);
}

/**
 * What is proved although it is broken.
 * @param broken the names of guarantees that some run breaks
 * @param stops the codes and places at which some run stopped
 */
export async function wronglyProved(
  checked: Checked,
  broken: ReadonlySet<string>,
  stops: ReadonlySet<string>,
  { solver, limits, bothWays = false }: Net,
  tally: Tally,
): Promise<readonly string[]> {
  if (broken.size === 0 && stops.size === 0) return [];
  const wrong: string[] = [];
  for (const likely of bothWays ? (["left out", undefined] as const) : (["left out"] as const)) {
    const way = likely === undefined ? {} : { likely };
    const proof = await prove(checked, { solver: async () => solver, limits, stops: "left out", ...way });
    for (const { guarantee, verdict } of proof.guarantees) {
      if (!broken.has(guarantee.name)) continue;
      count(tally, verdict.kind);
      if (verdict.kind === "proved") wrong.push(`${guarantee.name}, proved by ${verdict.by}, is broken`);
    }
    for (const stop of stops) {
      // Several conditions of one call stand at one place; one of them at least must not be proved.
      const here = proof.obligations.filter(
        ({ obligation: { kind, path } }) => stop === `${obligationCodes[kind]} ${path.join()}`,
      );
      if (here.length === 0) continue;
      count(tally, "stops");
      if (here.every(({ verdict }) => verdict.kind === "proved")) wrong.push(`a run stops at what is proved: ${stop}`);
    }
  }
  return wrong.map((one) => `${one}\n${printDocument(checked.document)}`);
}

/** The document with one of its guarantees. */
export function only(checked: Checked, guarantee: Guarantee): Checked {
  return withGuarantees(checked, [guarantee]);
}
