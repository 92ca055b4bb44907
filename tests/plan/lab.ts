/** A small tool module, what its tools do, and runs of plans that call them: every schedule, failure and retry by chance. */
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import type { Guarantee } from "../../src/ir/document.ts";
import type { Resolution } from "../../src/ir/eval/formula.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { type Json, JsonNumber } from "../../src/ir/json/json.ts";
import { record, type Value } from "../../src/ir/value.ts";
import { ToolBook } from "../../src/plan/index.ts";
import type { Action, Plan } from "../../src/plan/plan.ts";
import { keyOf, writtenValue } from "../../src/plan/plan.ts";
import { referenceIn } from "../../src/plan/references.ts";
import { asksOf } from "../../src/plan/strict/access-sets.ts";
import { holds } from "../../src/plan/strict/conditions.ts";

const module = `
import { contract, fluent, type Int, tool } from "foreclaim";

export const open = fluent<string, boolean>({ initial: false });
export const level = fluent<string, Int>({ initial: 0 });
export const send = tool({
  labels: ["message"],
  run: async ({ to, n }: { to: string; n: Int }): Promise<void> => {},
});
export const look = tool({
  reads: true,
  ensures: (result) => result >= 0 && result <= 3,
  run: async ({ at }: { at: string }): Promise<Int> => 0,
});
export const unlock = tool({
  effects: ({ at }) => [open.set(at, true)],
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const lock = tool({
  effects: ({ at }) => [open.set(at, false)],
  run: async ({ at }: { at: string }): Promise<void> => {},
});
export const add = tool({
  requires: ({ at, n }) => level.get(at) + n <= 6,
  effects: ({ at, n }) => [level.set(at, level.get(at) + n)],
  run: async ({ at, n }: { at: string; n: Int }): Promise<void> => {},
});
export const enter = tool({
  idempotent: true,
  requires: ({ at }) => open.get(at),
  run: async ({ at }: { at: string }): Promise<void> => {},
});

export const maxSum = contract((most: Int) => send.sum((s) => s.n) <= most);
export const minSum = contract((least: Int) => send.sum((s) => s.n) >= least);
export const only = contract((to: string[]) => send.all((s) => to.includes(s.to)));
export const atMost = contract((n: Int) => send.count() <= n);
export const atLeast = contract((n: Int) => send.count() >= n);
export const distinct = contract(() => send.distinct((s) => s.to));
export const perKey = contract((n: Int) => send.perKey((s) => s.to).count() <= n);
export const noneLarge = contract((n: Int) => send.none((s) => s.n >= n));
export const largest = contract((n: Int) => send.max((s) => s.n, 0) <= n);
export const someTo = contract((to: string) => send.some((s) => s.to === to));
export const allLocked = contract(() => open.final.all((d) => !d.value));
export const openAtEnd = contract((at: string) => open.final.get(at));
export const levelAtMost = contract((n: Int) => level.final.all((l) => l.value <= n));
export const levelIs = contract((at: string, n: Int) => level.final.get(at) === n);
export const neverOpen = contract(() => open.always.all((d) => !d.value));
export const looksFirst = contract(() => look.before(send));
export const noSendOnceOpen = contract(() => send.neverAfter(unlock));
export const enters = contract((n: Int) => enter.count() <= n);
`;

const files = new Map([["tools/lab.ts", module]]);
const compiled = compileTools(["tools/lab.ts"], { readFile: (path) => files.get(path) });
if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
export const declarations = compiled.value;
const made = ToolBook.from(declarations);
if (!made.ok) throw new Error(JSON.stringify(made.problems));
export const book = made.value;

/** `maxSum(5)` and the like. */
export function guaranteesFrom(stated: readonly string[]): readonly Guarantee[] {
  const source = `import { program } from "foreclaim";
import * as lab from "./tools/lab";
export default program({ guarantees: [${stated.map((one) => `lab.${one}`)}], async run() {} });`;
  const found = compileProgram("guarantees.ts", {
    readFile: (path) => (path === "guarantees.ts" ? source : files.get(path)),
    tools: ["tools"],
  });
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.value.document.guarantees;
}

// ── running ──────────────────────────────────────────────────────────────────────────────────────────────

export interface LabRun {
  /** True if the run completed. */
  readonly whole: boolean;
  readonly trace: readonly TraceEntry[];
  readonly resolution: Resolution;
  /** The action whose tool was to be called without what it requires: the run stops there. */
  readonly refused: string | undefined;
}

interface Tried {
  readonly tool: string;
  readonly args: Readonly<Record<string, Value>>;
}

/** One run of the plan, each try of each action whenever it may be made. */
export function runInLab(
  plan: Plan,
  before: readonly (readonly number[])[],
  initial: ReadonlyMap<string, Json>,
  chance: () => number,
): LabRun {
  return new Lab(plan, before, initial, chance).run();
}

class Lab {
  readonly #plan: Plan;
  readonly #before: readonly (readonly number[])[];
  readonly #state: Map<string, Json>;
  readonly #chance: () => number;
  readonly #open = new Map<string, boolean>();
  readonly #level = new Map<string, bigint>();
  readonly #outputs = new Map<string, Value>();
  readonly #trace: TraceEntry[] = [];
  readonly #took = new Map<number, boolean>();
  readonly #left = new Map<number, Value>();
  #refused: string | undefined;
  readonly #done: Action[] = [];

  constructor(
    plan: Plan,
    before: readonly (readonly number[])[],
    initial: ReadonlyMap<string, Json>,
    chance: () => number,
  ) {
    this.#plan = plan;
    this.#before = before;
    this.#state = new Map(initial);
    this.#chance = chance;
  }

  run(): LabRun {
    const ended = new Set<number>();
    const tries = new Map<number, number>();
    const { actions } = this.#plan;
    let whole = true;
    while (whole && ended.size < actions.length) {
      const ready = [...actions.keys()].filter(
        (i) => !ended.has(i) && (this.#before[i] ?? []).every((one) => ended.has(one)),
      );
      const i = ready[Math.floor(this.#chance() * ready.length)]!;
      const action = actions[i]!;
      const tried = tries.get(i) ?? 0;
      tries.set(i, tried + 1);
      const found = this.#step(action, tried === 0);
      const again = action.failureBehavior === "retry" && tried < action.maxRetries && found === "failed";
      if (again) continue;
      ended.add(i);
      if (found === "done") this.#done.push(action);
      else if (action.failureBehavior !== "skip" || found === "refused") whole = false;
    }
    if (!whole) this.#compensate();
    return {
      whole,
      trace: this.#trace,
      resolution: {
        took: (position) => this.#took.get(position) ?? true,
        left: (position) => this.#left.get(position),
      },
      refused: this.#refused,
    };
  }

  #step(action: Action, first: boolean): "done" | "failed" | "unmet" | "refused" {
    if (first && !asksOf(action).every((ask) => holds(ask, this.#state.get(ask.key)))) return "unmet";
    if (!action.references.every((id) => this.#outputs.has(id))) return "unmet";
    if (action.type !== "tool_call") {
      if (action.type === "state_write") this.#state.set(keyOf(action)!, asJson(writtenValue(action)));
      this.#outputs.set(action.id, 0n);
      return "done";
    }
    const call = { tool: action.tool!, args: this.#resolved(action.parameters) };
    if (!this.#meetsRequires(call)) {
      this.#refused = action.id;
      return "refused";
    }
    const fails = this.#chance() < 0.35;
    this.#call(action.id, call, fails);
    return fails ? "failed" : "done";
  }

  #compensate(): void {
    for (const { id, compensation } of this.#done.toReversed()) {
      if (compensation === undefined || this.#chance() < 0.2) continue;
      const by =
        compensation.type === "tool"
          ? compensation
          : this.#plan.actions.find((one) => one.id === compensation.actionId);
      if (by?.tool === undefined) continue;
      // A compensation is called whether its tool's conditions hold or not.
      const call = { tool: by.tool, args: this.#resolved(by.parameters) };
      const tries = by.tool === "lab.enter" || by.tool === "lab.look" ? 4 : 1;
      for (let at = 0, fails = true; at < tries && fails; at++) {
        fails = this.#chance() < 0.4;
        this.#call(`undo of ${id}`, call, fails);
      }
    }
  }

  #resolved(parameters: Action["parameters"]): Record<string, Value> {
    return Object.fromEntries(
      Object.entries(parameters).map(([name, json]) => {
        const reference = typeof json === "string" ? referenceIn(json) : undefined;
        if (reference !== undefined) return [name, this.#outputs.get(reference.id) ?? 0n];
        return [name, JsonNumber.is(json) ? (json.value as bigint) : (json as Value)];
      }),
    );
  }

  #meetsRequires({ tool, args }: Tried): boolean {
    const at = String(args.at);
    if (tool === "lab.add") return (this.#level.get(at) ?? 0n) + (args.n as bigint) <= 6n;
    return tool !== "lab.enter" || this.#open.get(at) === true;
  }

  #call(id: string, { tool, args }: Tried, fails: boolean): void {
    const position = this.#trace.length;
    const took = !fails || this.#chance() < 0.5;
    if (fails) this.#took.set(position, took);
    const at = String(args.at);
    const write = <T extends Value>(cells: Map<string, T>, initial: T, value: T): void => {
      // An effect of a call that failed has happened or has not, whatever else has.
      if (!fails || this.#chance() < 0.5) cells.set(at, value);
      this.#left.set(position, cells.get(at) ?? initial);
    };
    if (tool === "lab.unlock") write(this.#open, false, true);
    if (tool === "lab.lock") write(this.#open, false, false);
    if (tool === "lab.add") write(this.#level, 0n, (this.#level.get(at) ?? 0n) + (args.n as bigint));
    const result = tool === "lab.look" ? BigInt(Math.floor(this.#chance() * 4)) : undefined;
    if (!fails) this.#outputs.set(id, result ?? 0n);
    this.#trace.push({
      position,
      id,
      indices: [],
      tool,
      args: record(Object.entries(args)),
      outcome: fails
        ? { kind: "failed", reason: "by chance" }
        : { kind: "returned", ...(result !== undefined && { result }) },
    });
  }
}

/** Replaces references, which do not matter for the preconditions of these plans. */
function asJson(json: Json): Json {
  return typeof json === "string" && referenceIn(json) !== undefined ? "an output" : json;
}
