/** Tries to prove what is known to be broken. Whatever is called proved then is wrong. */
import type { Checked } from "../../../src/ir/check/index.ts";
import { printDocument } from "../../../src/ir/text/printer.ts";
import { type Solver, unknown } from "../../../src/prove/decide/solver/port.ts";
import { prove } from "../../../src/prove/prove.ts";
import { obligationCodes } from "../../../src/prove/symbolic/call-events.ts";
import type { ProofLimits } from "../../../src/prove/verdict.ts";
import { brokenIn, withGuarantees } from "./broken.ts";

export interface Net {
  readonly solver: Solver;
  readonly limits: ProofLimits;
  /** Runs of a program. */
  readonly tries: number;
  /** LIMIT: of guarantees of one program that are attempted, each by itself. */
  readonly mostAttempts: number;
  /** True to also try with the search for runs. */
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

/** Attempts that cost little: the work is counted, so that the clock has no say. */
export const byLooking: Net = {
  solver: nobody,
  limits: { timeoutMs: 600_000, workMs: 100, resources: 1 },
  tries: 15,
  mostAttempts: 2,
};

/** Attempts that ask the solver, and not for long. */
export function bySolver(solver: Solver): Net {
  return {
    solver,
    limits: { timeoutMs: 600_000, workMs: 600, resources: 30_000 },
    tries: 25,
    mostAttempts: 2,
  };
}

export type Tally = Map<string, number>;

export function count(tally: Tally, kind: string, by = 1): void {
  tally.set(kind, (tally.get(kind) ?? 0) + by);
}

/** Returns the wrong proofs of the document, with its text; counts the cases. */
export async function wrongProofs(
  checked: Checked,
  seed: number,
  net: Net,
  tally: Tally,
): Promise<readonly string[]> {
  const { runs, guarantees, stops } = await brokenIn(checked, seed, net.tries);
  count(tally, "programs");
  count(tally, "whole runs of programs", runs);
  count(tally, "broken guarantees", guarantees.length);
  if (guarantees.length > 0) count(tally, "programs with broken guarantees");
  const chosen = guarantees.slice(0, net.mostAttempts).map(({ guarantee }) => guarantee);
  count(tally, "attempted", chosen.length);
  const wrong: string[] = [];
  if (chosen.length === 0)
    wrong.push(...(await wronglyProved(withGuarantees(checked, []), stops, net, tally)));
  for (const guarantee of chosen)
    wrong.push(...(await wronglyProved(withGuarantees(checked, [guarantee]), stops, net, tally)));
  return wrong.map((one) => `seed ${seed}: ${one}`);
}

/**
 * Returns the goals that are proved although they are broken.
 * @param checked a document whose guarantees are broken by some run, all of them
 * @param stops the codes and places at which some run stopped
 */
export async function wronglyProved(
  checked: Checked,
  stops: ReadonlySet<string>,
  { solver, limits, bothWays = false }: Net,
  tally: Tally,
): Promise<readonly string[]> {
  if (checked.document.guarantees.length === 0 && stops.size === 0) return [];
  const wrong: string[] = [];
  for (const likely of bothWays ? (["omitted", undefined] as const) : (["omitted"] as const)) {
    const way = likely === undefined ? ({ search: "short" } as const) : { likely };
    const proof = await prove(checked, { solver: async () => solver, limits, stops: "omitted", ...way });
    for (const { guarantee, verdict } of proof.guarantees) {
      count(tally, `broken and ${verdict.kind}`);
      if (verdict.kind === "proved") wrong.push(`${guarantee.name}, proved by ${verdict.by}, is broken`);
    }
    for (const stop of stops) {
      // Several conditions of one call stand at one place; one of them at least must not be proved.
      const here = proof.obligations.filter(
        ({ obligation: { kind, path } }) => stop === `${obligationCodes[kind]} ${path.join()}`,
      );
      if (here.length === 0) continue;
      count(tally, "conditions that stop a run");
      if (here.every(({ verdict }) => verdict.kind === "proved"))
        wrong.push(`a run stops at what is proved: ${stop}`);
    }
  }
  return wrong.map((one) => `${one}\n${printDocument(checked.document)}`);
}
