/**
 * Random programs with branches, as text: small, over a few tools that race for the same cells, with branches in loops and
 * loops in branches. Guarantees are not written here but looked for, see `candidates.ts`.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import { Chance } from "../program/chance.ts";
import { checkedOf } from "./desk.ts";

/** Two keys, so that some writes meet and some do not. */
export const keys = ["a", "b"] as const;

export const declarations = `effect-ir 1
fluent f[string]: int = 0
fluent lock[string]: bool = false
fluent spent[string]: int = 0
tool ask(n: int) -> int
  ensures result >= 0 and result <= 3
tool rows() -> list<int>
  ensures length(result) <= 2 and every(result, x => x >= 0 and x <= 3)
tool ping(n: int)
  labels "seen"
tool pong(n: int)
  labels "seen"
tool put(k: string, n: int)
  sets f[k] = n
tool add(k: string, n: int)
  sets f[k] = now f[k] + n
tool take(k: string)
  requires not now lock[k]
  sets lock[k] = true
tool free(k: string)
  sets lock[k] = false
tool use(k: string)
  requires now lock[k]
tool pay(n: int)
  requires n >= 0 and now spent["all"] + n <= 10
  sets spent["all"] = now spent["all"] + n
tool check(k: string, n: int)
  requires now f[k] <= n
`;

interface Scope {
  readonly ints: readonly string[];
  readonly bools: readonly string[];
  readonly lists: readonly string[];
}

interface Written extends Scope {
  readonly lines: readonly string[];
}

/** LIMIT: of calls in the text of a program. */
const mostCalls = 9;

class Writer {
  readonly #chance: Chance;
  #names = 0;
  #calls = 0;
  /** Names of loops that are carried and must not be read at this place. */
  constructor(chance: Chance) {
    this.#chance = chance;
  }

  program(): string {
    const scope: Scope = { ints: ["i", "j"], bools: ["c"], lists: ["xs"] };
    const before = this.#body(scope, this.#chance.int(0, 1), 1, false);
    const middle = this.#parallel({ ...scope, ...before }, 2);
    const after = this.#body({ ...scope, ...middle }, this.#chance.int(0, 2), 1, true);
    const lines = [...before.lines, ...middle.lines, ...after.lines];
    return `program (i: int, j: int, c: bool, xs: list<int>) {\n  require i >= 0 and i <= 3 and j >= 0 and j <= 3: "small"\n${indent(lines).join("\n")}\n}\n`;
  }

  #name(): string {
    return `v${++this.#names}`;
  }

  #body(scope: Scope, count: number, depth: number, nested: boolean): Written {
    let current: Written = { ...scope, lines: [] };
    for (let i = 0; i < count; i++) {
      const next = this.#command(current, depth, nested);
      current = { ...next, lines: [...current.lines, ...next.lines] };
    }
    return current;
  }

  #command(scope: Scope, depth: number, nested: boolean): Written {
    const isFull = this.#calls >= mostCalls;
    return this.#chance.weighted<() => Written>([
      [isFull ? 0 : 12, () => this.#call(scope)],
      [1, () => this.#let(scope)],
      [1, () => this.#require(scope)],
      [depth > 0 && !isFull ? 3 : 0, () => this.#loop(scope, depth - 1)],
      [depth > 0 && !isFull && nested ? 3 : 0, () => this.#parallel(scope, depth - 1)],
    ])();
  }

  #parallel(scope: Scope, depth: number): Written {
    if (this.#chance.odds(25)) return this.#loop(scope, depth - 1, true);
    const isSingle = this.#chance.odds(35);
    const branches = this.#chance.times(2, 3, () =>
      isSingle || this.#calls >= mostCalls
        ? this.#single(scope)
        : this.#body(scope, this.#chance.int(1, 3), depth - 1, true),
    );
    const lines = branches.flatMap(({ lines: inside }) => ["branch {", ...indent(inside), "}"]);
    const merged = (of: keyof Scope) => [...new Set(branches.flatMap((branch) => branch[of]))];
    return {
      lines: ["parallel {", ...indent(lines), "}"],
      ints: merged("ints"),
      bools: merged("bools"),
      lists: merged("lists"),
    };
  }

  #single(scope: Scope): Written {
    const before = this.#chance.odds(20) ? this.#let(scope) : { ...scope, lines: [] };
    const call = this.#call(before);
    return { ...call, lines: [...before.lines, ...call.lines] };
  }

  #loop(scope: Scope, depth: number, parallel = this.#chance.odds(40)): Written {
    const chance = this.#chance;
    const element = this.#name();
    const list = chance.weighted([
      [4, () => "[1, 2]"],
      [2, () => chance.pick(scope.lists)],
      [2, () => `[${this.#int(scope)}, ${this.#int(scope)}]`],
    ])();
    const carried = chance.odds(40) ? this.#name() : undefined;
    const outside = { ...scope, ints: carried === undefined ? scope.ints : [...scope.ints, carried] };
    const inside = { ...(parallel ? scope : outside), ints: [...(parallel ? scope : outside).ints, element] };
    const body = this.#body(inside, chance.int(1, 2), depth, true);
    const end =
      carried === undefined ? [] : [`next ${carried} = ${carried} + ${chance.pick(["1", element])}`];
    const head = `for ${element} in ${list}${parallel ? " parallel" : ""}${carried === undefined ? "" : ` carry ${carried}: int = 0`} {`;
    return { ...outside, lines: [head, ...indent([...body.lines, ...end]), "}"] };
  }

  #let(scope: Scope): Written {
    const name = this.#name();
    if (this.#chance.odds(50))
      return { ...scope, lines: [`let ${name} = ${this.#bool(scope)}`], bools: [...scope.bools, name] };
    return {
      ...scope,
      lines: [`let ${name} = ${this.#int(scope)} + ${this.#int(scope)}`],
      ints: [...scope.ints, name],
    };
  }

  #require(scope: Scope): Written {
    return { ...scope, lines: [`require ${this.#bool(scope)}: "it must be"`] };
  }

  #call(scope: Scope): Written {
    const chance = this.#chance;
    this.#calls++;
    const k = chance.odds(70) ? '"a"' : '"b"';
    const n = this.#int(scope);
    const when = chance.odds(12) ? ` when ${this.#bool(scope)}` : "";
    const caught = chance.odds(12) ? this.#name() : undefined;
    const guard = `${when}${caught === undefined ? "" : ` catch ${caught}`}`;
    const bools = caught === undefined ? scope.bools : [...scope.bools, caught];
    const maybe = when !== "" || caught !== undefined;
    const line = chance.weighted([
      [4, `ping(n: ${n})`],
      [3, `pong(n: ${n})`],
      [4, `put(k: ${k}, n: ${n})`],
      [3, `add(k: ${k}, n: ${n})`],
      [2, `take(k: ${k})`],
      [2, `free(k: ${k})`],
      [1, `use(k: ${k})`],
      [2, `pay(n: ${n})`],
      [2, `check(k: ${k}, n: ${chance.int(0, 6)})`],
      [3, "ask"],
      [1, "rows"],
    ]);
    if (line !== "ask" && line !== "rows") return { ...scope, bools, lines: [`call ${line}${guard}`] };
    const name = this.#name();
    const args = line === "ask" ? `n: ${n}` : "";
    const call = `let ${name} = call ${line}(${args})${guard}`;
    if (!maybe) {
      return line === "ask"
        ? { ...scope, bools, lines: [call], ints: [...scope.ints, name] }
        : { ...scope, bools, lines: [call], lists: [...scope.lists, name] };
    }
    const whole = this.#name();
    const lines = [call, `let ${whole} = orElse(${name}, ${line === "ask" ? "0" : "[]"})`];
    return line === "ask"
      ? { ...scope, bools, lines, ints: [...scope.ints, whole] }
      : { ...scope, bools, lines, lists: [...scope.lists, whole] };
  }

  #int({ ints }: Scope): string {
    return this.#chance.odds(65) ? String(this.#chance.int(0, 3)) : this.#chance.pick(ints);
  }

  #bool(scope: Scope): string {
    return this.#chance.weighted([
      [2, () => this.#chance.pick(scope.bools)],
      [1, () => `not ${this.#chance.pick(scope.bools)}`],
      [3, () => `${this.#int(scope)} <= ${this.#int(scope)}`],
    ])();
  }
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** A program of this seed; always the same. */
export function parallelProgram(seed: number): { readonly text: string; readonly checked: Checked } {
  const text = `${declarations}${new Writer(Chance.seeded(seed)).program()}`;
  return { text, checked: checkedOf(text) };
}
