/** Sources of choices for the simulator: all of them one after the other, or by chance, or the same for the same call. */
import type { Json } from "../../../src/ir/json/json.ts";
import { readJson } from "../../../src/ir/json/reader.ts";
import { randomFrom } from "../../support/random.ts";
import { type Attempt, anything, type Call, type Oracle } from "./simulator.ts";
import { models } from "./tools.ts";
import { type Cell, textOf } from "./values.ts";

/** A number from 0 up to `count`. */
export type Choose = (count: number) => number;

export interface Explored<T> {
  readonly results: readonly T[];
  /** True if these are all. */
  readonly isAll: boolean;
}

/** Every way through the choices, at most so many; where there are more, as many again by chance. */
export function explored<T>(run: (choose: Choose) => T, most: number, seed: number): Explored<T> {
  const results: T[] = [];
  let path: number[] | undefined = [];
  while (path !== undefined && results.length < most) {
    const taken: { at: number; of: number }[] = [];
    const given: readonly number[] = path;
    results.push(
      run((of) => {
        const at = given[taken.length] ?? 0;
        taken.push({ at, of });
        return at;
      }),
    );
    path = pathAfter(taken);
  }
  if (path === undefined) return { results, isAll: true };
  const chance = randomFrom(seed);
  for (let i = 0; i < most; i++) results.push(run((of) => Math.floor(chance() * of)));
  return { results, isAll: false };
}

/** The last choice that has another way is taken the other way. */
function pathAfter(taken: readonly { readonly at: number; readonly of: number }[]): number[] | undefined {
  const last = taken.findLastIndex(({ at, of }) => at + 1 < of);
  return last < 0 ? undefined : taken.slice(0, last + 1).map(({ at }, i) => (i === last ? at + 1 : at));
}

/** JSON values that tools without a declaration answer with. */
export const anyAnswers: readonly unknown[] = [
  null,
  { id: "p", n: 1, more: { n: 2 } },
  2,
  {},
  ["a", { n: 1 }],
  "a",
];

/** Also a `bigint` is a number. */
export function jsonOf(value: unknown): Json {
  const text = JSON.stringify(value ?? null, (_, part) => (typeof part === "bigint" ? `§${part}§` : part));
  const read = readJson(text.replaceAll(/"§(-?\d+)§"/g, "$1"));
  if (!read.ok) throw new Error("it was written as JSON");
  return read.value.value;
}

export function answersOf(tool: string, isDeclared: boolean): readonly unknown[] {
  return isDeclared ? (models[tool]?.answers ?? [undefined]) : anyAnswers;
}

/** Returns the possible outcomes of a call, first of all success. */
export function attemptsOf({ effects }: Pick<Call, "effects">, mayHang: boolean): readonly Attempt[] {
  const amounts = effects === 0 ? [0] : effects === 1 ? [1, 0] : [effects, 0, 1];
  return [
    { kind: "answers" },
    ...amounts.map((amount) => ({ kind: "throws", effects: amount }) as const),
    { kind: "does nothing" },
    ...(mayHang ? amounts.map((amount) => ({ kind: "hangs", effects: amount }) as const) : []),
  ];
}

const leftOver: readonly Cell[] = [undefined, null, "a", ...[0, 2].map(jsonOf)];

/** Everything is a choice. */
export function openOracle(choose: Choose, isDeclared: boolean): Oracle {
  return {
    start: (_, possible) => {
      const cells = possible === anything ? leftOver : possible;
      return cells[choose(cells.length)];
    },
    next: (ready, hasEnded) => {
      const at = choose(ready.length + (hasEnded ? 1 : 0));
      return hasEnded && at === 0 ? undefined : ready[at - (hasEnded ? 1 : 0)];
    },
    attempt: (call, mayHang) => {
      const attempts = attemptsOf(call, mayHang);
      return attempts[choose(attempts.length)];
    },
    answer: ({ tool }) => {
      const answers = answersOf(tool, isDeclared);
      return jsonOf(answers[choose(answers.length)]);
    },
    left: ({ now, claimed }) => {
      const cells = claimed === undefined ? [now, ...leftOver] : [now, claimed];
      return cells[choose(cells.length)];
    },
  };
}

/**
 * Only the schedule is a choice. Tools do what depends on the call and on how often it was made, so that two plans that
 * make the same calls see the same world.
 */
export function worldOracle(choose: Choose, isDeclared: boolean, seed: number, failing: number): Oracle {
  const made = new Map<string, number>();
  const open = openOracle(choose, isDeclared);
  const chanceOf = (text: string) => randomFrom(hash(`${seed} ${text}`));
  const textOfCall = ({ tool, args }: Pick<Call, "tool" | "args">) => `${tool} ${textOf(args)}`;
  return {
    start: (key, possible) => {
      const cells = possible === anything ? leftOver : possible;
      return cells[Math.floor(chanceOf(`start ${key}`)() * cells.length)];
    },
    next: open.next,
    attempt: (call, mayHang) => {
      const text = textOfCall(call);
      const times = (made.get(text) ?? 0) + 1;
      made.set(text, times);
      const chance = chanceOf(`${text} ${times}`);
      if (chance() >= failing) return { kind: "answers" };
      const [, ...others] = attemptsOf(call, mayHang);
      return others[Math.floor(chance() * others.length)];
    },
    answer: (call) => {
      const answers = answersOf(call.tool, isDeclared);
      const chance = chanceOf(`answer ${textOfCall(call)} ${made.get(textOfCall(call))}`);
      return jsonOf(answers[Math.floor(chance() * answers.length)]);
    },
    left: ({ tool, args, key, now, claimed }) => {
      if (tool === undefined) return now;
      const chance = chanceOf(`left ${tool} ${textOf(args)} ${key}`);
      const cells = claimed === undefined ? [now, ...leftOver] : [now, claimed];
      return cells[Math.floor(chance() * cells.length)];
    },
  };
}

function hash(text: string): number {
  let sum = 2_166_136_261;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16_777_619);
  return sum >>> 0;
}
