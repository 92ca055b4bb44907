/**
 * Guarantees to be attempted, made from what runs do that make one call at a time: such a run keeps most of them, and a
 * prover that took branches for a sequence would prove many. Which of them other orders break is for the runs to say.
 */
import type { TraceEntry } from "../../../src/ir/eval/trace.ts";
import type { Run } from "../../../src/ir/run/options.ts";
import type { Chance } from "../program/chance.ts";
import { keys } from "./programs.ts";

/** So many formulas, as text. */
export function candidates(chance: Chance, serial: readonly Run[], count: number): readonly string[] {
  const seen = new Seen(chance, serial);
  if (seen.calls.length === 0) return [];
  return [...new Set(Array.from({ length: count }, () => chance.weighted(forms)(chance, seen)))];
}

/** Observations of the runs. */
class Seen {
  readonly calls: readonly TraceEntry[];
  readonly #chance: Chance;
  readonly #runs: readonly Run[];

  constructor(chance: Chance, runs: readonly Run[]) {
    this.#chance = chance;
    this.#runs = runs;
    this.calls = runs.map(({ trace }) => trace).sort((a, b) => b.length - a.length)[0] ?? [];
  }

  /** Selections of two calls, as `x` and as `y`, the first of which was made before the second. */
  pair(): readonly [string, string] {
    const { calls } = this;
    const first = this.#chance.int(0, Math.max(0, calls.length - 2));
    const second = this.#chance.int(Math.min(first + 1, calls.length - 1), calls.length - 1);
    return [this.#selection("x", calls[first]), this.#selection("y", calls[second])];
  }

  one(variable: string): string {
    return this.#selection(variable, this.#chance.pick(this.calls));
  }

  /** Returns a final value of the cell in some run, or one near it. */
  last(fluent: string, key: string): bigint | boolean {
    const held = this.#chance.pick(this.#runs).state.read(fluent, key);
    const unknown = fluent === "lock" ? false : 0n;
    return typeof held === "bigint" || typeof held === "boolean" ? held : unknown;
  }

  most(fluent: string, key: string): bigint {
    const held = this.#runs
      .map(({ state }) => state.read(fluent, key))
      .filter((one) => typeof one === "bigint");
    return held.reduce((most, one) => (one > most ? one : most), 0n);
  }

  #selection(variable: string, call: TraceEntry | undefined): string {
    const tool = call?.tool ?? "ping";
    const fields = Object.entries(call?.args.fields ?? {});
    if (fields.length === 0 || this.#chance.odds(20)) return tool;
    const [name, value] = this.#chance.pick(fields);
    return `${tool} where ${variable}.${name} == ${typeof value === "string" ? `"${value}"` : String(value)}`;
  }
}

type Form = (chance: Chance, seen: Seen) => string;

const key = (chance: Chance) => chance.pick(keys);

const forms: readonly (readonly [number, Form])[] = [
  [4, (_, s) => ordered(s.pair(), ([x, y]) => `forall x in ${x}: forall y in ${y}: precedes(x, y)`)],
  [3, (_, s) => ordered(s.pair(), ([x, y]) => `forall y in ${y}: forall x in ${x}: not precedes(y, x)`)],
  [2, (_, s) => ordered(s.pair(), ([x, y]) => `forall y in ${y}: exists x in ${x}: precedes(x, y)`)],
  [1, (_, s) => ordered(s.pair(), ([x, y]) => `exists x in ${x}: exists y in ${y}: precedes(x, y)`)],
  // Never the first after the second.
  [3, (_, s) => ordered(s.pair(), ([x, y]) => machine(`on "0" y in ${y} -> "1" on "1" x in ${x} -> "2"`))],
  // Not the second before the first was seen.
  [3, (_, s) => ordered(s.pair(), ([x, y]) => machine(`on "0" x in ${x} -> "1" on "0" y in ${y} -> "2"`))],
  // By turns.
  [
    2,
    (_, s) =>
      ordered(s.pair(), ([x, y]) =>
        machine(`on "0" x in ${x} -> "1" on "1" x in ${x} -> "2" on "1" y in ${y} -> "0"`),
      ),
  ],
  [4, (c, s) => cell(c, "f", (at, k) => `final ${at} ${c.pick(["==", "==", "<=", ">="])} ${s.last("f", k)}`)],
  [2, (c, s) => cell(c, "lock", (at, k) => `final ${at} == ${s.last("lock", k)}`)],
  [3, (c, s) => cell(c, "f", (at, k) => `always(now ${at} <= ${s.most("f", k) + BigInt(c.int(0, 1))})`)],
  [2, (c, s) => cell(c, "f", (at, k) => `always(now ${at} != ${s.last("f", k)} or not now lock["${k}"])`)],
  [2, () => 'always(now f["a"] == 0 or now f["b"] == 0)'],
  [2, () => 'always(not (now lock["a"] and now lock["b"]))'],
  [1, () => 'always(now f["a"] >= now f["b"])'],
  [2, (c, s) => `always(now spent["all"] <= ${s.most("spent", "all") + BigInt(c.int(0, 1))})`],
  [2, () => 'sum(p in pay: p.n) == final spent["all"]'],
  [1, (c, s) => `final spent["all"] ${c.pick(["==", "<="])} ${s.last("spent", "all")}`],
  [1, (c, s) => `count(x in ${s.one("x")}) <= ${c.int(0, 2)}`],
  [1, (c) => `sum(x in ${c.pick(["ping", "put", "add", "pay"])}: x.n) <= ${c.int(1, 8)}`],
  [1, (c) => `distinct(x in ${c.pick(["ping", "pong", "put"])}: x.n)`],
  [1, (c, s) => `(exists x in ${s.one("x")}: true) implies final f["${key(c)}"] >= ${c.int(0, 2)}`],
];

function ordered(pair: readonly [string, string], say: (pair: readonly [string, string]) => string): string {
  return say(pair);
}

function machine(transitions: string): string {
  return `automaton(states "0", "1", "2" start "0" ${transitions} error "2")`;
}

function cell(chance: Chance, fluent: string, say: (at: string, key: string) => string): string {
  const at = key(chance);
  return say(`${fluent}["${at}"]`, at);
}
