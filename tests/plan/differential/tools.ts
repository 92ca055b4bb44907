/** A tool module for random plans, and beside it by hand the same tools for the simulator. */
import { compileProgram, compileTools } from "../../../src/frontend/index.ts";
import type { Guarantee } from "../../../src/ir/document.ts";
import type { Json, JsonObject } from "../../../src/ir/json/json.ts";
import { add, denominator, multiply, type Num, numerator, ratio } from "../../../src/ir/number.ts";
import { ToolBook } from "../../../src/plan/index.ts";
import { type Cell, isDouble, numberIn } from "./values.ts";

const source = `
import { contract, fluent, type Int, tool } from "foreclaim";

export const level = fluent<string, Int>({ initial: 0 });
export const share = fluent<string, number>({ initial: 1 });

export const put = tool({
  idempotent: true,
  effects: ({ at, n }) => [level.set(at, n)],
  run: async ({ at, n }: { at: string; n: Int }): Promise<void> => {},
});
export const inc = tool({
  effects: ({ at, n }) => [level.set(at, level.get(at) + n)],
  run: async ({ at, n }: { at: string; n: Int }): Promise<void> => {},
});
export const clear = tool({
  effects: ({ at }) => (level.get(at) >= 2 ? [level.set(at, 0)] : []),
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const copy = tool({
  effects: ({ at }) => [share.set(at, level.get(at))],
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const split = tool({
  effects: ({ at, n }) => [share.set(at, n / 3)],
  run: async ({ at, n }: { at: string; n: number }): Promise<void> => {},
});
export const both = tool({
  effects: ({ n }) => [level.set("a", n), level.set("b", n + 1)],
  run: async ({ n }: { n: Int }): Promise<void> => {},
});
export const need = tool({
  requires: ({ at, n }) => level.get(at) >= n,
  run: async ({ at, n }: { at: string; n: Int }): Promise<void> => {},
});
export const room = tool({
  requires: ({ at, n }) => level.get(at) + n <= 6,
  effects: ({ at, n }) => [level.set(at, level.get(at) + n)],
  run: async ({ at, n }: { at: string; n: Int }): Promise<void> => {},
});
export const look = tool({
  reads: true,
  ensures: (result) => result >= 0 && result <= 3,
  run: async ({ at }: { at: string }): Promise<Int> => 0,
});
export const find = tool({
  run: async ({ at }: { at: string }): Promise<{ id: string; n?: Int; more: { n: number } | null }> => ({ id: "", more: null }),
});
export const pay = tool({
  labels: ["money"],
  run: async ({ amount }: { amount: number }): Promise<void> => {},
});
export const say = tool({
  run: async ({ text }: { text: string }): Promise<string> => text,
});

export const paysAtMost = contract((most: number) => pay.sum((p) => p.amount) <= most);
export const payments = contract((most: Int) => pay.count() <= most);
export const someoneIsPaid = contract(() => pay.some());
export const noneAbove = contract((most: number) => pay.none((p) => p.amount > most));
export const says = contract((texts: string[]) => say.all((s) => texts.includes(s.text)));
export const looksFirst = contract(() => look.before(pay));
export const putsAtMost = contract((most: Int) => put.count() <= most);
export const levelsAtMost = contract((most: Int) => level.final.all((l) => l.value <= most));
export const levelIs = contract((at: string, n: Int) => level.final.get(at) === n);
`;

const files = new Map([["tools/t.ts", source]]);
const compiled = compileTools(["tools/t.ts"], { readFile: (path) => files.get(path) });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
export const declarations = compiled.value;
const made = ToolBook.from(declarations);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
export const book = made.value;

/** From `paysAtMost(5)` and the like. */
export function guaranteesFrom(stated: readonly string[]): readonly Guarantee[] {
  const program = `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [${stated.map((one) => `t.${one}`)}], async run() {} });`;
  const found = compileProgram("guarantees.ts", {
    readFile: (path) => (path === "guarantees.ts" ? program : files.get(path)),
    tools: ["tools"],
  });
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.value.document.guarantees;
}

// ── the same by hand ─────────────────────────────────────────────────────────────────────────────────────

/** A number that a clause works out, unless it depends on a cell of which no number is known. */
export type Worked = Num | "not known";
type ReadCell = (key: string) => Worked;

/** A value that no decimal has, such as a third, cannot be kept. */
export interface Change {
  readonly key: string;
  readonly to: Worked;
  /** Condition of the write. */
  readonly when: boolean | "not known";
}

type ParameterType = "string" | "int" | "number";

export interface Model {
  readonly parameters: Readonly<Record<string, ParameterType>>;
  /** True if repeating the call does no harm. */
  readonly repeatable: boolean;
  /** The cells that its clauses read. */
  readonly reads: (args: Args) => readonly string[];
  readonly requires: (args: Args, cell: ReadCell) => boolean | "not known";
  readonly changes: (args: Args, cell: ReadCell) => readonly Change[];
  /** Some of what it may answer; undefined for a tool that answers nothing. */
  readonly answers: readonly unknown[] | undefined;
}

export interface Args {
  readonly at: string;
  readonly n: Num;
}

const levelOf = (at: string) => `t.level[${at}]`;
const shareOf = (at: string) => `t.share[${at}]`;
const nothing = {
  repeatable: false,
  reads: () => [],
  requires: () => true,
  changes: () => [],
  answers: undefined,
} as const;
const placed = { at: "string", n: "int" } as const;

function plus(a: Worked, b: Worked): Worked {
  return a === "not known" || b === "not known" ? "not known" : add(a, b);
}

function atMost(a: Worked, b: Num): boolean | "not known" {
  return a === "not known" ? a : numerator(a) * denominator(b) <= numerator(b) * denominator(a);
}

function opposite(found: boolean | "not known"): boolean | "not known" {
  return found === "not known" ? found : !found;
}

export const models: Readonly<Record<string, Model>> = {
  "t.put": {
    ...nothing,
    parameters: placed,
    repeatable: true,
    changes: ({ at, n }) => [{ key: levelOf(at), to: n, when: true }],
  },
  "t.inc": {
    ...nothing,
    parameters: placed,
    reads: ({ at }) => [levelOf(at)],
    changes: ({ at, n }, cell) => [{ key: levelOf(at), to: plus(cell(levelOf(at)), n), when: true }],
  },
  "t.clear": {
    ...nothing,
    parameters: { at: "string" },
    reads: ({ at }) => [levelOf(at)],
    changes: ({ at }, cell) => [{ key: levelOf(at), to: 0n, when: opposite(atMost(cell(levelOf(at)), 1n)) }],
  },
  "t.copy": {
    ...nothing,
    parameters: { at: "string" },
    reads: ({ at }) => [levelOf(at)],
    changes: ({ at }, cell) => [{ key: shareOf(at), to: cell(levelOf(at)), when: true }],
  },
  "t.split": {
    ...nothing,
    parameters: { at: "string", n: "number" },
    changes: ({ at, n }) => [{ key: shareOf(at), to: multiply(n, ratio(1n, 3n)), when: true }],
  },
  "t.both": {
    ...nothing,
    parameters: { n: "int" },
    changes: ({ n }) => [
      { key: levelOf("a"), to: n, when: true },
      { key: levelOf("b"), to: add(n, 1n), when: true },
    ],
  },
  "t.need": {
    ...nothing,
    parameters: placed,
    reads: ({ at }) => [levelOf(at)],
    requires: ({ at, n }, cell) => {
      const found = cell(levelOf(at));
      return found === "not known" ? found : atMost(n, found);
    },
  },
  "t.room": {
    ...nothing,
    parameters: placed,
    reads: ({ at }) => [levelOf(at)],
    requires: ({ at, n }, cell) => atMost(plus(cell(levelOf(at)), n), 6n),
    changes: ({ at, n }, cell) => [{ key: levelOf(at), to: plus(cell(levelOf(at)), n), when: true }],
  },
  "t.look": { ...nothing, parameters: { at: "string" }, repeatable: true, answers: [0, 3] },
  "t.find": {
    ...nothing,
    parameters: { at: "string" },
    answers: [
      { id: "f", n: 2, more: { n: 0.5 } },
      { id: "", more: null },
      { id: "g", more: { n: 7 } },
    ],
  },
  "t.pay": { ...nothing, parameters: { amount: "number" } },
  "t.say": { ...nothing, parameters: { text: "string" }, answers: ["a", "$s0.output"] },
};

/** Returns the initial value of a fluent's cell; undefined for a key that is no cell. */
export function initialOf(key: string): Num | undefined {
  if (key.startsWith("t.level[")) return 0n;
  return key.startsWith("t.share[") ? 1n : undefined;
}

/** A number as the fluent has it; a cell that holds something of another type says nothing. */
export function cellNumber(key: string, cell: Cell): Worked {
  if (cell === undefined) return initialOf(key) ?? "not known";
  const number = numberIn(cell);
  if (number === undefined) return "not known";
  return key.startsWith("t.level[") && typeof number !== "bigint" ? "not known" : number;
}

/** Returns true if the parameters are exactly those of the tool, each of its type and exact in JavaScript. */
export function fits({ parameters: types }: Model, parameters: JsonObject): boolean {
  const isNamed = Object.keys(parameters).every((name) => Object.hasOwn(types, name));
  return isNamed && Object.entries(types).every(([name, type]) => isOf(type, parameters[name]));
}

function isOf(type: ParameterType, json: Json | undefined): boolean {
  if (type === "string") return typeof json === "string" && !/\p{Cs}/u.test(json);
  const number = numberIn(json);
  if (number === undefined) return false;
  if (type === "number") return isDouble(number);
  return typeof number === "bigint" && Number.isSafeInteger(Number(number));
}

export function argsOf({ at, n, amount }: JsonObject): Args {
  return { at: typeof at === "string" ? at : "", n: numberIn(n ?? amount) ?? 0n };
}
