/**
 * Readers of a value depend on the results whose data it may carry, distinguished by iteration of loops and by row of
 * lists: a value does not change when a call or a row that it does not carry gives other data.
 */
import { expect, test } from "vitest";
import { type Checked, check } from "../../src/ir/check/index.ts";
import type { Expr, MayReadExpr } from "../../src/ir/document.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { flowOf } from "../../src/ir/flow/flow.ts";
import { type Need, needsOf } from "../../src/ir/flow/readers.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { equal, isList } from "../../src/ir/value.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { flowCase, loopingCase } from "./programs.ts";
import { type Changed, runWorld } from "./world.ts";

type ChangedCall = Extract<Changed, { readonly kind: "call" }>;

test("what is said not to be of a call, or of a row, is the same when it gives other data", {
  timeout: 600_000,
}, async () => {
  const tally = { other: 0, iteration: 0, row: 0, different: 0 };
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(600); seed++)
    expect(await wrongWith(seed, tally, (need) => need)).toBeUndefined();
  expect(tally.other).toBeGreaterThan(atLeast(2_000));
  expect(tally.iteration).toBeGreaterThan(atLeast(20));
  expect(tally.row).toBeGreaterThan(atLeast(10));
  expect(tally.different).toBeGreaterThan(atLeast(80));
});

/** Told to look at less than it must. */
test.each<[what: string, careless: (need: Need) => Need]>([
  ["takes every call for one of the same iteration", (need) => ({ ...need, shared: need.call.loops.length })],
  ["takes every row for the one of the iteration", (need) => ({ ...need, row: 0 })],
])("an analysis that %s is found out", { timeout: 600_000 }, async (_, careless) => {
  const tally = { other: 0, iteration: 0, row: 0, different: 0 };
  for (let seed = 1; seed <= 3_000; seed++)
    if ((await wrongWith(seed, tally, careless)) !== undefined) return;
  expect.fail("nothing went wrong");
});

async function wrongWith(
  seed: number,
  tally: { other: number; iteration: number; row: number; different: number },
  looked: (need: Need) => Need,
): Promise<string | undefined> {
  const chance = Chance.seeded(seed);
  const { checked, questions } = withQuestions(seed % 4 === 0 ? flowCase(seed) : loopingCase(seed));
  const known = new Map<string, readonly Need[]>();
  const one = await runWorld(checked, seed);
  const answered = one.trace.filter(
    ({ outcome }) => outcome.kind === "returned" && outcome.result !== undefined,
  );
  for (let i = 0; i < 4 && answered.length > 0; i++) {
    const looped = answered.filter(({ indices, tool }) => indices.length > 0 || tool === "t.rows");
    const changed = changeOf(chance.pick(looped.length > 0 && chance.odds(75) ? looped : answered), chance);
    const others = new Map(
      (await runWorld(checked, seed, changed)).trace.map((entry) => [placeOf(entry), entry]),
    );
    for (const entry of one.trace) {
      const twin = others.get(placeOf(entry));
      if (twin === undefined) continue;
      for (const [name, value] of Object.entries(entry.args.fields)) {
        const same = twin.args.fields[name];
        const question = questions.get(`${entry.tool} ${name}`);
        if (question === undefined || same === undefined) continue;
        const needs = needsOfArgument(checked, question, entry.id, name, known);
        const need = needs.map(looked).find(({ call }) => call.id === changed.id);
        const kind = whyNot(need, changed, entry);
        if (kind === undefined) {
          if (!equal(value, same)) tally.different++;
        } else if (equal(value, same)) tally[kind]++;
        else
          return `seed ${seed}, ${JSON.stringify(changed)}: ${kind}, ${placeOf(entry)} ${name}\n${printDocument(checked.document)}`;
      }
    }
  }
  return undefined;
}

interface Question {
  readonly formula: Expr;
  readonly expr: MayReadExpr;
}

function needsOfArgument(
  checked: Checked,
  { formula, expr }: Question,
  id: string,
  name: string,
  known: Map<string, readonly Need[]>,
): readonly Need[] {
  const before = known.get(`${id} ${name}`);
  if (before !== undefined) return before;
  const { needs } = needsOf(flowOf(checked), expr, { formula, types: checked.types, call: () => id });
  known.set(`${id} ${name}`, needs);
  return needs;
}

/** Why what is changed is not in the value, if it is said not to be. */
function whyNot(
  need: Need | undefined,
  { indices, row }: ChangedCall,
  entry: TraceEntry,
): "other" | "iteration" | "row" | undefined {
  if (need === undefined) return "other";
  if (!indices.slice(0, need.shared).every((index, i) => index === entry.indices[i])) return "iteration";
  if (row !== undefined && need.row !== undefined && entry.indices[need.row] !== row) return "row";
  return undefined;
}

function changeOf({ id, indices, outcome }: TraceEntry, chance: Chance): ChangedCall {
  const rows =
    outcome.kind === "returned" && outcome.result !== undefined && isList(outcome.result)
      ? outcome.result
      : [];
  const row = rows.length > 0 && chance.odds(60) ? { row: chance.int(0, rows.length - 1) } : {};
  return { kind: "call", id, indices, ...row };
}

function placeOf({ id, indices }: TraceEntry): string {
  return `${id}@${indices.join()}`;
}

/** The document, where every tool has readers, and who may read each argument of each tool is asked. */
function withQuestions({ document }: Checked): {
  readonly checked: Checked;
  readonly questions: ReadonlyMap<string, Question>;
} {
  const questions = new Map<string, Question>();
  const guarantees = document.tools.flatMap((tool) =>
    tool.params.map(({ name }) => {
      const value: Expr = { kind: "field", of: { kind: "var", name: "asked call" }, name };
      const expr: MayReadExpr = { kind: "mayRead", value, reader: { kind: "string", value: "x" } };
      const over = { var: "asked call", in: { kind: "calls", tool: tool.name } } as const;
      const formula: Expr = { kind: "quantifier", quantifier: "forall", over, body: expr };
      questions.set(`${tool.name} ${name}`, { formula, expr });
      return { name: "g", args: [], formula };
    }),
  );
  const tools = document.tools.map((tool) =>
    tool.result === undefined ? tool : { ...tool, readers: { kind: "list", items: [] } as const },
  );
  const checked = check({ ...document, tools, guarantees });
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { checked: checked.value, questions };
}
