/**
 * The statement that the analysis stands for: what is said not to carry the data of a source does not change when the data
 * changes. Random programs are run twice, the second time with other data of one source, by tools that keep and return what
 * they are given.
 */
import { expect, test } from "vitest";
import type { Checked } from "../../src/ir/check/index.ts";
import { Flow } from "../../src/ir/flow/flow.ts";
import type { Edge } from "../../src/ir/flow/graph.ts";
import { flowOfProgram } from "../../src/ir/flow/program.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import type { Type } from "../../src/ir/type.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";
import { type Tally, wrongIn } from "./compare.ts";
import { flowCase } from "./programs.ts";
import { type Changed, runWorld } from "./world.ts";

test("what is said not to carry data of a source is the same when the data changes", {
  timeout: 600_000,
}, async () => {
  const tally = { same: 0, different: 0 };
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(2_000); seed++)
    expect(await wrongWith(seed, tally)).toBeUndefined();
  expect(tally.same).toBeGreaterThan(atLeast(20_000));
  expect(tally.different).toBeGreaterThan(atLeast(5_000));
});

/** Weakened analyses, each of which some random program refutes. */
test.each<[what: string, isSeen: (edge: Edge) => boolean]>([
  ["what decides whether a call is made", ({ how }) => how !== "decides"],
  ["what chooses a value", ({ how }) => how !== "chosen"],
  ["what is kept in stores", ({ how }) => how !== "kept" && how !== "returned"],
  [
    "what one iteration leaves to the next in a store",
    ({ how, turns }) => how !== "kept" || turns === undefined,
  ],
  ["what a loop carries to the next iteration", ({ how, turns }) => how !== "carried" || turns === undefined],
  ["how often a loop goes round", ({ how }) => how !== "repeats"],
  ["what an answer was given for", ({ how }) => how !== "answered"],
  ["what a failure was caught for", ({ how }) => how !== "failed"],
  ["what a fluent is set from", ({ how }) => how !== "set"],
])("an analysis that does not see %s is found out", { timeout: 600_000 }, async (_, isSeen) => {
  const tally = { same: 0, different: 0 };
  for (let seed = 1; seed <= 3_000; seed++) if ((await wrongWith(seed, tally, isSeen)) !== undefined) return;
  expect.fail("nothing went wrong");
});

async function wrongWith(
  seed: number,
  tally: Tally,
  isSeen?: (edge: Edge) => boolean,
): Promise<string | undefined> {
  const checked = flowCase(seed);
  const chance = Chance.seeded(seed);
  const flow = isSeen === undefined ? whole(checked) : without(checked, isSeen);
  const one = await runWorld(checked, seed);
  for (let i = 0; i < 3; i++) {
    const changed = someChange(checked, chance);
    if (changed === undefined) return undefined;
    const other = await runWorld(checked, seed, changed);
    const wrong = wrongIn({ checked, flow, from: changed }, one, other, tally);
    if (wrong === undefined) continue;
    return `seed ${seed}, ${JSON.stringify(changed)}: ${wrong}\n${printDocument(checked.document)}`;
  }
  return undefined;
}

function whole(checked: Checked): Flow {
  return new Flow(checked, flowOfProgram(checked));
}

function without(checked: Checked, isSeen: (edge: Edge) => boolean): Flow {
  const program = flowOfProgram(checked);
  const seen = program.graph.edges.filter(isSeen);
  program.graph.edges.splice(0, program.graph.edges.length, ...seen);
  return new Flow(checked, program);
}

type ChangedSource = Exclude<Changed, { readonly kind: "call" }>;

/** A tool that is called, one field of what it returns, or an input. */
function someChange({ document, tools }: Checked, chance: Chance): ChangedSource | undefined {
  const called = new Set(
    [...JSON.stringify(document.program.body, plain).matchAll(/"tool":"([^"]*)"/g)].map(
      ([, name]) => name ?? "",
    ),
  );
  const choices: ChangedSource[] = document.program.inputs.map(({ name }) => ({
    kind: "input",
    input: name,
  }));
  for (const name of called) {
    const tool = tools.get(name);
    if (tool === undefined) continue;
    choices.push({ kind: "tool", tool: name }, { kind: "tool", tool: name });
    for (const field of fieldsOf(tool.result)) choices.push({ kind: "tool", tool: name, field });
  }
  return choices.length === 0 ? undefined : chance.pick(choices);
}

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function fieldsOf(type: Type | undefined): string[] {
  if (type?.kind === "option") return fieldsOf(type.value);
  if (type?.kind === "list") return fieldsOf(type.element);
  return type?.kind === "record" ? type.fields.map(({ name }) => name) : [];
}
