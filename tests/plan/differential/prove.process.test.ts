/** Guarantees that are proved of random plans hold of every simulated run, and those that are safe also of a run that ends early. */
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Json } from "../../../src/ir/json/json.ts";
import { commandsIn } from "../../../src/ir/visit.ts";
import { checkLowered, type Lowered, lower, type Plan, provePlan } from "../../../src/plan/index.ts";
import { structureOf } from "../../../src/plan/strict/structure.ts";
import { z3Wasm } from "../../../src/prove/decide/solver/z3-wasm.ts";
import { runs } from "../../support/runs.ts";
import { timeout } from "../../support/timeout.ts";
import { Counts } from "./counts.ts";
import { anyCase, mended, planFrom, stateFrom } from "./generate.ts";
import { optionsFor } from "./laws.ts";
import { explored, openOracle } from "./oracles.ts";
import { anyStated, type Stated, seenBy } from "./proofs.ts";
import { sceneOf, simulated, type Went } from "./simulator.ts";
import { book, declarations, guaranteesFrom } from "./tools.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 1_000, resources: 200_000 };

interface Proved {
  /** Guarantees that are proved, and whether they hold of a run that stops. */
  readonly stated: readonly { readonly one: Stated; readonly isSafe: boolean }[];
  /** Actions of which something that their tool requires is not proved. */
  readonly open: ReadonlySet<string>;
  /** Actions whose calls start in this order: each is a branch of one command, and makes one call. */
  readonly inOrder: readonly (readonly string[])[];
}

async function proofsOf(plan: Plan, stated: readonly Stated[], counts: Counts): Promise<Proved | undefined> {
  const structure = structureOf(plan, { book });
  if (structure.kind === "broken") return undefined;
  const guarantees = guaranteesFrom(stated.map(({ text }) => text));
  const lowered = lower(plan, structure, { book, declarations, guarantees });
  if (lowered.kind === "refused") return undefined;
  const checked = checkLowered(lowered);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const proof = await provePlan(lowered, checked.value.checked, { solver: async () => solver, limits });
  for (const { verdict, interruption } of proof.guarantees) {
    counts.note(verdict.kind);
    if (interruption !== undefined) counts.note(interruption.kind);
  }
  const open = proof.obligations.flatMap(({ obligation, verdict }) => {
    const number = actionAt(lowered, obligation.path);
    return verdict.kind === "proved" ? [] : [plan.actions[number]?.id ?? ""];
  });
  return {
    stated: stated.flatMap((one, i) => {
      const { verdict, interruption } = proof.guarantees[i] ?? {};
      return verdict?.kind === "proved" ? [{ one, isSafe: interruption?.kind === "safe" }] : [];
    }),
    open: new Set(open),
    inOrder: orderedActions(plan, lowered),
  };
}

function orderedActions({ actions }: Plan, { document, actionOf }: Lowered): string[][] {
  const found: string[][] = [];
  for (const command of commandsIn(document.program.body)) {
    if (command.kind !== "parallel") continue;
    const single = command.branches.flatMap((branch) => {
      const waiting = branch.filter(({ kind }) => kind !== "let" && kind !== "require");
      const [only] = waiting;
      return waiting.length === 1 && only?.kind === "call" ? [only] : [];
    });
    found.push(single.map((call) => actions[actionOf(call) ?? -1]?.id ?? ""));
  }
  return found;
}

/** The simulator starts actions that do not wait for each other in any order; a run starts single calls in that of the list. */
function isPossible({ calls }: Went, { inOrder }: Proved): boolean {
  return inOrder.every((ids) => {
    const places = calls.map(({ actionId }) => ids.indexOf(actionId)).filter((place) => place >= 0);
    return places.every((place, i) => i === 0 || place >= (places[i - 1] ?? 0));
  });
}

/** The number of the action that a place of the document comes from. */
function actionAt({ document, actionOf }: Lowered, path: readonly (string | number)[]): number {
  let [node, action]: [unknown, number] = [document, -1];
  for (const step of path) {
    if (typeof node !== "object" || node === null) break;
    node = Reflect.get(node, step);
    if (typeof node === "object" && node !== null) action = actionOf(node) ?? action;
  }
  return action;
}

function brokenBy(went: Went, { stated, open }: Proved): string[] {
  const isWhole = went.endedBy === undefined;
  const run = seenBy(went);
  const calls = went.calls.map(({ actionId, did }) => `${actionId} ${did}`).join(", ");
  const refused = went.found.filter(({ kind, what }) => kind === "untrue" && what.includes("requires"));
  return [
    ...stated
      .filter(({ one, isSafe }) => (isWhole || isSafe) && !one.holds(run))
      .map(
        ({ one }) =>
          `${one.text} does not hold ${isWhole ? "at the end" : "of a run that ends early"}: ${calls}`,
      ),
    ...(isWhole ? refused : [])
      .filter(({ actionId }) => !open.has(actionId))
      .map(({ actionId }) => `${actionId} is called without what its tool requires: ${calls}`),
  ];
}

/** Fluents begin with their declared values. */
function withoutCells(state: Readonly<Record<string, unknown>>): ReadonlyMap<string, Json> {
  return stateFrom(Object.fromEntries(Object.entries(state).filter(([key]) => !key.includes("["))));
}

test("no run goes against what is proved of a plan", { timeout: timeout(300) }, async () => {
  const counts = new Counts();
  await fc.assert(
    fc.asyncProperty(
      anyCase(5, fc.constant(true)),
      fc.uniqueArray(anyStated, { minLength: 4, maxLength: 4, selector: ({ text }) => text }),
      fc.nat(),
      async (one, stated, seed) => {
        // Most plans end soon; those that verification takes go further.
        const data = seed % 3 > 0 ? mended(one, optionsFor(true, withoutCells(one.state))) : one;
        if (data === undefined || data.actions.length === 0) return;
        const plan = planFrom(data);
        const proved = await proofsOf(plan, stated, counts);
        if (proved === undefined) return counts.note("refused plans");
        const scene = sceneOf(plan, true);
        const { results } = explored(
          (choose) => simulated(scene, withoutCells(one.state), openOracle(choose, true)),
          60,
          seed,
        );
        for (const went of results.filter((one) => isPossible(one, proved))) {
          if (went.endedBy === undefined) counts.note("whole runs");
          expect(brokenBy(went, proved)).toEqual([]);
        }
      },
    ),
    { numRuns: runs(300) },
  );
  counts.expect({ proved: 200, refuted: 10, unknown: 40, safe: 120, open: 10, "whole runs": 700 });
});
