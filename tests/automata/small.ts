/**
 * Small random programs whose tools answer from a few values, random automata over their calls, and every run that
 * such a program can make: with every answer, every failure, and every way in which a failed call may have gone.
 */
import type { Checked } from "../../src/ir/check/index.ts";
import type { RecordedRun } from "../../src/ir/eval/formula.ts";
import type { Outcome, TraceEntry } from "../../src/ir/eval/trace.ts";
import { run } from "../../src/ir/run/interpret.ts";
import type { PendingCall } from "../../src/ir/run/options.ts";
import type { Type } from "../../src/ir/type.ts";
import { list, type RecordValue, record, type Value } from "../../src/ir/value.ts";
import type { Chance } from "../support/program/chance.ts";

export const tools = `
tool t.ask() -> bool
tool t.pick() -> enum{"a", "b"}
tool t.list() -> list<enum{"a", "b"}>
tool t.act(k: enum{"a", "b"}, b: bool) labels "l"
tool t.other(k: enum{"a", "b"}) labels "l"
tool t.stop()
`;

// ── automata ─────────────────────────────────────────────────────────────────────────────────────────────

type Guard = (args: Readonly<Record<string, Value>>, inputs: RecordValue) => boolean;

interface SmallTransition {
  readonly from: string;
  readonly takes: SmallSelection["takes"];
  readonly text: string;
  readonly to: string;
}

/** The meaning is written a second time here, without expressions. */
export interface SmallAutomaton {
  readonly text: string;
  /** Returns true if these calls enter no error state. */
  readonly holds: (calls: readonly TraceEntry[], inputs: RecordValue) => boolean;
}

export interface SmallFormula {
  readonly text: string;
  readonly holds: SmallAutomaton["holds"];
}

const guards: Readonly<Record<string, readonly (readonly [text: string, guard: Guard])[]>> = {
  k: [
    ['p.k == "a"', ({ k }) => k === "a"],
    ['p.k != "a"', ({ k }) => k !== "a"],
    ["p.k == mode", ({ k }, { fields }) => k === fields.mode],
    ["not flag", (_, { fields }) => fields.flag !== true],
  ],
  b: [
    ["p.b", ({ b }) => b === true],
    ["p.b == flag", ({ b }, { fields }) => b === fields.flag],
    ['p.b or p.k == "b"', ({ b, k }) => b === true || k === "b"],
  ],
};

interface SmallSelection {
  readonly text: string;
  readonly takes: (call: TraceEntry, inputs: RecordValue) => boolean;
  /** True if its rows have `k`. */
  readonly hasKind: boolean;
}

/** Calls of a tool or of a label, with a condition or without. */
function someSelection(chance: Chance, variable: string): SmallSelection {
  const [relation, names, fields] = chance.pick([
    ["t.act", ["t.act"], "kb"],
    ["t.other", ["t.other"], "k"],
    ["t.stop", ["t.stop"], ""],
    ["t.ask", ["t.ask"], ""],
    ['label "l"', ["t.act", "t.other"], "k"],
  ] as const);
  const possible = [...fields].flatMap((field) => guards[field] ?? []);
  const [where, guard] =
    possible.length > 0 && chance.odds(50) ? chance.pick(possible) : (["", () => true] as const);
  const condition = where === "" ? "" : ` where ${where.replaceAll("p.", `${variable}.`)}`;
  return {
    text: `${variable} in ${relation}${condition}`,
    takes: ({ tool, args }, inputs) => names.some((name) => name === tool) && guard(args.fields, inputs),
    hasKind: fields.includes("k"),
  };
}

function someTransition(chance: Chance, states: readonly string[]): SmallTransition {
  const { text: selected, takes } = someSelection(chance, "p");
  const [from, to] = [chance.pick(states), chance.pick(states)];
  return { from, takes, text: `on "${from}" ${selected} -> "${to}"`, to };
}

export function someAutomaton(chance: Chance): SmallAutomaton {
  const states = ["s", "t", "u", "v"].slice(0, chance.int(2, 4));
  const error = chance.odds(80)
    ? [states.at(-1)!]
    : states.filter((state) => state === states.at(-1) || chance.odds(20));
  const all = chance.times(1, 6, () => someTransition(chance, states));
  // A transition from where no other leads is refused.
  const reached = new Set(["s"]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const { from, to } of all) if (reached.has(from)) reached.add(to);
  }
  const on = all.filter(({ from }) => reached.has(from));
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
  return {
    text: `automaton(states ${quoted(states)} start "s" ${on.map(({ text }) => text).join(" ")} error ${quoted(error)})`,
    holds: (calls, inputs) => {
      let state = "s";
      if (error.includes(state)) return false;
      for (const call of calls) {
        const taken = on.find((one) => one.from === state && one.takes(call, inputs));
        state = taken?.to ?? state;
        if (error.includes(state)) return false;
      }
      return true;
    },
  };
}

/** A formula about the order of two kinds of calls; a call is not earlier than itself. */
export function someOrder(chance: Chance): SmallFormula {
  const [later, earlier] = [someSelection(chance, "p"), someSelection(chance, "q")];
  const matches = later.hasKind && earlier.hasKind && chance.odds(40);
  const isBefore = chance.odds(50);
  const order = matches ? "precedes(q, p) and q.k == p.k" : "precedes(q, p)";
  const said = isBefore ? `exists ${earlier.text}: ${order}` : `forall ${earlier.text}: not (${order})`;
  return {
    text: `(forall ${later.text}: ${said})`,
    holds: (calls, inputs) =>
      calls.every((call, i) => {
        if (!later.takes(call, inputs)) return true;
        const found = calls
          .slice(0, i)
          .some(
            (one) => earlier.takes(one, inputs) && (!matches || one.args.fields.k === call.args.fields.k),
          );
        return found === isBefore;
      }),
  };
}

export function someFormula(chance: Chance): SmallFormula {
  const some = () => (chance.odds(25) ? someOrder(chance) : someAutomaton(chance));
  const one = some();
  if (chance.odds(70)) return one;
  const other = some();
  return chance.pick<SmallFormula>([
    { text: `not ${one.text}`, holds: (...run) => !one.holds(...run) },
    { text: `${one.text} and ${other.text}`, holds: (...run) => one.holds(...run) && other.holds(...run) },
    { text: `${one.text} or ${other.text}`, holds: (...run) => one.holds(...run) || other.holds(...run) },
    {
      text: `${one.text} implies ${other.text}`,
      holds: (...run) => !one.holds(...run) || other.holds(...run),
    },
    {
      text: `(exists x in t.stop: true) implies ${one.text}`,
      holds: (calls, inputs) => !calls.some(({ tool }) => tool === "t.stop") || one.holds(calls, inputs),
    },
    {
      text: `(forall x in t.act: x.b) implies ${one.text}`,
      holds: (calls, inputs) =>
        !calls.every(({ tool, args }) => tool !== "t.act" || args.fields.b === true) ||
        one.holds(calls, inputs),
    },
  ]);
}

// ── programs ─────────────────────────────────────────────────────────────────────────────────────────────

interface Scope {
  readonly bools: readonly string[];
  readonly kinds: readonly string[];
}

class SmallProgram {
  readonly #chance: Chance;
  readonly #lists: boolean;
  #names = 0;
  #calls: number;

  constructor(chance: Chance, lists: boolean) {
    this.#chance = chance;
    this.#lists = lists;
    this.#calls = lists ? 4 : 6;
  }

  text(): string {
    const scope: Scope = { bools: ["flag"], kinds: ["mode"] };
    const lines = this.#lists ? ["let xs = call t.list()"] : [];
    return [...lines, ...this.#body(scope, 2, this.#lists ? "xs" : undefined)].join("\n");
  }

  #bool({ bools, kinds }: Scope): string {
    const chance = this.#chance;
    const one = () =>
      chance.odds(70) ? chance.pick(bools) : `${chance.pick(kinds)} == "${chance.pick(["a", "b"])}"`;
    if (chance.odds(25)) return `not (${one()})`;
    return chance.odds(25) ? `(${one()} ${chance.pick(["and", "or"])} ${one()})` : one();
  }

  #kind({ kinds }: Scope): string {
    return this.#chance.odds(50) ? `"${this.#chance.pick(["a", "b"])}"` : this.#chance.pick(kinds);
  }

  #body(outer: Scope, depth: number, xs: string | undefined): string[] {
    const chance = this.#chance;
    let scope = outer;
    const lines: string[] = [];
    const count = chance.int(2, depth === 2 ? 5 : 3);
    for (let i = 0; i < count && this.#calls > 0; i++) {
      const isLoop = depth > 0 && (chance.odds(20) || (xs !== undefined && i === 0));
      if (isLoop) lines.push(...this.#loop(scope, depth, xs));
      else {
        this.#calls--;
        const { line, bools, kinds } = this.#call(scope);
        lines.push(line);
        scope = { bools: [...scope.bools, ...bools], kinds: [...scope.kinds, ...kinds] };
      }
    }
    return lines;
  }

  #call(scope: Scope): { readonly line: string; readonly bools: string[]; readonly kinds: string[] } {
    const chance = this.#chance;
    const tool = chance.weighted([
      [3, "act"],
      [2, "other"],
      [2, "stop"],
      [2, "ask"],
      [1, "pick"],
    ] as const);
    const args =
      tool === "act"
        ? `k: ${this.#kind(scope)}, b: ${this.#bool(scope)}`
        : tool === "other"
          ? `k: ${this.#kind(scope)}`
          : "";
    const when = chance.odds(50) ? ` when ${this.#bool(scope)}` : "";
    const flag = chance.odds(20) ? `f${this.#names++}` : undefined;
    const maybe = when !== "" || flag !== undefined;
    const caught = flag === undefined ? "" : ` catch ${flag}`;
    const bools = flag === undefined ? [] : [flag];
    const call = `call t.${tool}(${args})${when}${caught}`;
    if (tool !== "ask" && tool !== "pick") return { line: call, bools, kinds: [] };
    const name = `x${this.#names++}`;
    const value = !maybe ? name : tool === "ask" ? `orElse(${name}, false)` : `orElse(${name}, mode)`;
    return {
      line: `let ${name} = ${call}`,
      bools: tool === "ask" ? [...bools, value] : bools,
      kinds: tool === "pick" ? [value] : [],
    };
  }

  #loop(scope: Scope, depth: number, xs: string | undefined): string[] {
    const chance = this.#chance;
    const [row, carried] = [`r${this.#names++}`, `c${this.#names++}`];
    const source = xs ?? chance.pick(["[mode]", "[mode, mode]", "[true, false]", "[flag, true, true]"]);
    const isKind = xs !== undefined || source.includes("mode");
    const inner = {
      bools: [...scope.bools, carried, ...(isKind ? [] : [row])],
      kinds: [...scope.kinds, ...(isKind ? [row] : [])],
    };
    const body = this.#body(inner, depth - 1, undefined);
    return [
      `for ${row} in ${source} carry ${carried}: bool = ${this.#bool(scope)} {`,
      ...body,
      `next ${carried} = ${this.#bool(inner)}`,
      "}",
    ];
  }
}

/** @param lists whether it goes through a list that a tool returned */
export function someProgram(chance: Chance, lists = false): string {
  return new SmallProgram(chance, lists).text();
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface SmallRun extends RecordedRun {
  readonly completed: boolean;
}

/** LIMIT: of runs that are enumerated; undefined if there are more. */
const mostRuns = 350;

/** Every run of the program, with lists up to the length. */
export async function everyRun(checked: Checked, longest = 0): Promise<SmallRun[] | undefined> {
  const found: SmallRun[] = [];
  for (const flag of [false, true])
    for (const mode of ["a", "b"]) {
      const inputs = record([
        ["flag", flag],
        ["mode", mode],
      ]);
      const open: Outcome[][] = [[]];
      for (let chosen = open.pop(); chosen !== undefined; chosen = open.pop()) {
        const made = await runWith(checked, inputs, chosen, longest);
        if (made.further !== undefined) {
          for (const outcome of made.further) open.push([...chosen, outcome]);
          continue;
        }
        found.push({ inputs, trace: made.trace, completed: made.completed });
        if (found.length > mostRuns) return undefined;
      }
    }
  return found;
}

/** So many runs by chance, with lists up to the length. */
export async function someRuns(
  checked: Checked,
  chance: Chance,
  count: number,
  longest: number,
): Promise<SmallRun[]> {
  const found: SmallRun[] = [];
  for (let i = 0; i < count; i++) {
    const inputs = record([
      ["flag", chance.odds(50)],
      ["mode", chance.pick(["a", "b"])],
    ]);
    const { trace, outcome } = await run(checked, {
      inputs,
      tools: handlers,
      recorded: ({ tool }) => someOutcome(tool.result?.kind, chance, longest),
    });
    found.push({ inputs, trace, completed: outcome.kind === "completed" });
  }
  return found;
}

function someOutcome(kind: Type["kind"] | undefined, chance: Chance, longest: number): Outcome {
  if (chance.odds(6)) return { kind: "failed", reason: "no" };
  if (kind === undefined) return { kind: "returned" };
  const one = () => chance.pick(["a", "b"]);
  const result =
    kind === "bool" ? chance.odds(50) : kind === "list" ? list(chance.times(0, longest, one)) : one();
  return { kind: "returned", result };
}

const handlers = new Map(
  ["t.ask", "t.pick", "t.list", "t.act", "t.other", "t.stop"].map((name) => [name, { run: () => undefined }]),
);

/** The run with these outcomes, or how the first call without one may go. */
async function runWith(checked: Checked, inputs: RecordValue, chosen: readonly Outcome[], longest: number) {
  let further: readonly Outcome[] | undefined;
  const stopped = new Error("further");
  try {
    const made = await run(checked, {
      inputs,
      tools: handlers,
      recorded: (call) => {
        const outcome = chosen[call.position];
        if (outcome !== undefined) return outcome;
        further = outcomesOf(call, longest);
        throw stopped;
      },
    });
    return { further, trace: made.trace, completed: made.outcome.kind === "completed" };
  } catch (thrown) {
    if (thrown !== stopped) throw thrown;
    return { further, trace: [], completed: false };
  }
}

function outcomesOf({ tool }: PendingCall, longest: number): readonly Outcome[] {
  const failed: Outcome = { kind: "failed", reason: "no" };
  const { result } = tool;
  if (result === undefined) return [{ kind: "returned" }, failed];
  const values: readonly Value[] =
    result.kind === "bool" ? [false, true] : result.kind === "list" ? listsUpTo(longest) : ["a", "b"];
  return [...values.map((value): Outcome => ({ kind: "returned", result: value })), failed];
}

function listsUpTo(longest: number): readonly Value[] {
  let last: readonly (readonly Value[])[] = [[]];
  const found = [...last];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((one) => ["a", "b"].map((value) => [...one, value]));
    found.push(...last);
  }
  return found.map(list);
}

/** Returns the made calls, for each combination of effects of the failed ones. */
export function ways({ trace }: RecordedRun): readonly (readonly TraceEntry[])[] {
  let found: readonly (readonly TraceEntry[])[] = [[]];
  for (const entry of trace)
    found = found.flatMap((one) =>
      entry.outcome.kind === "returned" ? [[...one, entry]] : [one, [...one, entry]],
    );
  return found;
}
