/**
 * What is proved of loops over lists that are not known is never broken by a run, whatever lists the tools return, and
 * what is refuted is. Random programs with loops, carried values, early exits, filters and fluents; the interpreter is
 * the judge.
 */
import { afterAll, expect, test } from "vitest";
import { Chance } from "../../tests/support/program/chance.ts";
import { seed as givenSeed, runs } from "../../tests/support/runs.ts";
import type { Checked } from "../ir/check/index.ts";
import { judge } from "../ir/eval/formula.ts";
import { readDocument } from "../ir/read.ts";
import { run } from "../ir/run/interpret.ts";
import { record } from "../ir/value.ts";
import { obligationCodes } from "./facts.ts";
import { type Proof, prove } from "./prove.ts";
import { z3Wasm } from "./solver/z3-wasm.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const limits = { timeoutMs: 4_000, resources: 1_000_000 };

// ── programs ─────────────────────────────────────────────────────────────────────────────────────────────

interface Tools {
  readonly text: string;
  /** What the rows may hold. */
  readonly longest: number;
  readonly shortest: number;
  readonly least: number;
  readonly most: number;
}

function someTools(chance: Chance): Tools {
  // Lists that are longer than those with which runs are looked for: nothing but the proof itself says what holds.
  const shortest = chance.odds(40) ? 5 : 0;
  const longest = shortest + chance.pick([2, 4, 6]);
  const [least, most] = chance.pick([
    [0, 3],
    [-2, 2],
    [1, 5],
  ] as const);
  const said = [
    ...(shortest > 0 ? [`  ensures ${shortest} <= length(result)`] : []),
    ...(chance.odds(70) ? [`  ensures length(result) <= ${longest}`] : []),
    ...(chance.odds(70) ? [`  ensures every(result, r => r.n <= ${most} and ${least} <= r.n)`] : []),
  ];
  const text = [
    "fluent t.at[string]: int = 0",
    `fluent t.on[enum{"a", "b"}]: bool = ${chance.odds(50)}`,
    "tool t.rows() -> list<record{n: int, ok: bool, who: string}>",
    ...said,
    "tool t.act(n: int, who: string)",
    '  labels "l"',
    ...(chance.odds(40) ? [`  requires n >= ${chance.int(-1, 1)}`] : []),
    "tool t.other(n: int)",
    '  labels "l"',
    "tool t.ask() -> bool",
    "tool t.set(who: string, n: int)",
    ...(chance.odds(40) ? [`  requires now t.at[who] <= ${chance.int(1, 6)}`] : []),
    "  sets t.at[who] = n",
    "tool t.bump(who: string)",
    ...(chance.odds(40)
      ? [`  requires now t.at[who] ${chance.pick(["<=", ">=", "=="])} ${chance.int(0, 2)}`]
      : []),
    "  sets t.at[who] = now t.at[who] + 1",
    "tool t.turn(ok: bool)",
    '  sets t.on["a"] = ok',
    '  sets t.on["b"] = not now t.on["a"] when ok',
  ];
  return { text: text.join("\n"), longest, shortest, least, most };
}

class Programs {
  readonly #chance: Chance;
  #names = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  program(): string {
    const lists = ["let xs = call t.rows()", ...(this.#chance.odds(40) ? ["let ys = call t.rows()"] : [])];
    const commands = [
      ...lists,
      ...this.#loop(lists.length === 2 ? ["xs", "ys"] : ["xs"], ["limit"], ["flag"], 1),
    ];
    if (this.#chance.odds(30)) commands.push(...this.#loop(["xs"], ["limit"], ["flag"], 0));
    return commands.join("\n");
  }

  #loop(
    lists: readonly string[],
    numbers: readonly string[],
    flags: readonly string[],
    deep: number,
  ): string[] {
    const chance = this.#chance;
    const [row, index, total, stop, seen] = ["r", "i", "c", "f", "s"].map(
      (name) => `${name}${this.#names++}`,
    );
    const list = this.#list(chance.pick(lists));
    const carries = [
      ...(chance.odds(70) ? [`${total}: int = ${chance.pick(["0", "1", ...numbers])}`] : []),
      ...(chance.odds(50) ? [`${stop}: bool = ${chance.pick(["false", ...flags])}`] : []),
      ...(chance.odds(40) ? [`${seen}: list<string> = ${chance.pick(["[]", '["a"]'])}`] : []),
    ];
    const remembers = carries.some((one) => one.startsWith(seen ?? ""));
    const inside = [
      ...numbers,
      `${row}.n`,
      index ?? "",
      ...(carries.some((one) => one.startsWith(total ?? "")) ? [total ?? ""] : []),
      ...(remembers ? [`length(${seen})`] : []),
    ];
    const isNew = `not contains(${seen}, ${row}.who)`;
    const conditions = [
      ...flags,
      `${row}.ok`,
      ...(carries.some((one) => one.startsWith(stop ?? "")) ? [stop ?? ""] : []),
      ...(remembers ? [`contains(${seen}, ${row}.who)`, `(${isNew})`] : []),
    ];
    const fits = `fits${this.#names++}`;
    const body = [
      `let ${fits} = ${remembers && chance.odds(50) ? isNew : this.#condition(inside, conditions)}`,
      ...(remembers && chance.odds(60)
        ? [`call t.act(n: ${this.#number(inside)}, who: ${row}.who) when ${fits}`]
        : []),
      ...chance.times(1, 2, () => this.#call(inside, [...conditions, fits], [`${row}.who`])).flat(),
      ...(deep > 0 && chance.odds(25) ? this.#loop(lists, inside, [...conditions, fits], deep - 1) : []),
      ...carries.map((carry) => {
        const name = carry.split(":")[0] ?? "";
        if (name === seen)
          return `next ${name} = ${chance.pick([`if ${fits} then ${name} ++ [${row}.who] else ${name}`, `${name} ++ [${row}.who]`, `["b"] ++ ${name}`, `if ${chance.pick(conditions)} then [] else ${name} ++ [${row}.who]`])}`;
        return name === total
          ? `next ${name} = ${this.#next(name, inside, [...conditions, fits])}`
          : `next ${name} = ${chance.pick([name, `${name} or ${chance.pick([...conditions, fits])}`, chance.pick([...conditions, fits])])}`;
      }),
    ];
    const head = `for ${row}, ${index} in ${list} ${chance.odds(20) ? "max 5 " : ""}${carries.length === 0 ? "" : `carry ${carries.join(", ")} `}{`;
    const after = carries.some((one) => one.startsWith(total ?? "")) ? [...numbers, total ?? ""] : numbers;
    return [head, ...body, "}", ...(chance.odds(40) ? this.#call(after, flags, ['"z"']) : [])];
  }

  #list(list: string): string {
    const chance = this.#chance;
    return chance.weighted([
      [5, list],
      [2, `filter(${list}, q => q.ok)`],
      [2, `filter(${list}, q => q.n ${chance.pick(["<=", ">", "=="])} ${chance.int(-1, 3)})`],
      [1, `slice(${list}, 0, ${chance.int(1, 3)})`],
      [1, `map(${list}, q => {n: q.n + 1, ok: not q.ok, who: q.who})`],
    ]);
  }

  #condition(numbers: readonly string[], flags: readonly string[]): string {
    const chance = this.#chance;
    return chance.weighted([
      [3, `${this.#number(numbers)} ${chance.pick(["<=", "<", ">", "=="])} ${this.#number(numbers)}`],
      [1, chance.pick(flags)],
      [1, `not ${chance.pick(flags)}`],
      [1, `${chance.pick(flags)} and ${this.#number(numbers)} <= ${chance.int(0, 5)}`],
    ]);
  }

  #number(numbers: readonly string[]): string {
    const chance = this.#chance;
    return chance.weighted([
      [4, chance.pick(numbers)],
      [2, String(chance.int(-2, 6))],
      [2, `${chance.pick(numbers)} + ${chance.pick([...numbers, "1", "2"])}`],
      [1, `${chance.pick(numbers)} - ${chance.pick([...numbers, "1"])}`],
    ]);
  }

  #next(name: string, numbers: readonly string[], flags: readonly string[]): string {
    const chance = this.#chance;
    const changed = `${name} + ${chance.pick(["1", "2", ...numbers])}`;
    return chance.weighted([
      [3, `if ${chance.pick(flags)} then ${changed} else ${name}`],
      [2, changed],
      [1, this.#number(numbers)],
      [1, `min(${changed}, ${chance.int(1, 6)})`],
    ]);
  }

  #call(numbers: readonly string[], flags: readonly string[], texts: readonly string[]): string[] {
    const chance = this.#chance;
    const name = `x${this.#names++}`;
    const when = flags.length > 0 && chance.odds(50) ? ` when ${this.#condition(numbers, flags)}` : "";
    const failing = chance.odds(20) ? ` catch e${name}` : "";
    const who = chance.pick([...texts, '"a"', '"b"']);
    return [
      chance.weighted([
        [5, `call t.act(n: ${this.#number(numbers)}, who: ${who})${when}${failing}`],
        [2, `call t.other(n: ${this.#number(numbers)})${when}`],
        [
          2,
          `call t.set(who: ${who}, n: ${chance.pick([this.#number(numbers), String(chance.int(0, 3))])})${when}${failing}`,
        ],
        [1, `call t.bump(who: ${who})${when}${failing}`],
        [1, `call t.turn(ok: ${flags.length === 0 ? "true" : chance.pick(flags)})${when}`],
        [1, `let ${name} = call t.ask()`],
      ]),
    ];
  }

  formula(): string {
    const chance = this.#chance;
    const k = () => String(chance.int(-1, 12));
    const atom = () =>
      chance.weighted([
        [3, `forall x in t.act: x.n <= ${k()}`],
        [2, `forall x in t.act: x.n >= ${k()}`],
        [1, `forall x in t.act: exists r in rows t.rows: r.n == x.n`],
        [1, `forall x in t.act: exists r in rows t.rows: r.who == x.who`],
        [1, `not exists x in t.other: x.n > ${k()}`],
        [1, `exists x in t.act: x.n > ${k()}`],
        [1, `forall x in t.act where x.who == "a": forall y in t.other: x.n <= y.n + ${k()}`],
        [3, `count(x in t.act) <= ${k()}`],
        [2, `count(x in t.act where x.n > 0) <= ${k()}`],
        [3, `sum(x in t.act: x.n) <= ${k()}`],
        [1, `sum(x in t.act: x.n) >= ${k()}`],
        [1, `count(x in label "l") <= ${k()}`],
        [1, "count(x in t.act) <= count(y in t.other)"],
        [1, `final t.at["a"] <= ${k()}`],
        [1, `final t.at[${chance.pick(['"a"', '"b"', '"zz"'])}] == 0`],
        [2, `forall c in final t.at: c.value ${chance.pick(["<=", ">="])} ${chance.int(-1, 5)}`],
        [1, `forall c in final t.at where c.key != "a": c.value == 0`],
        [1, `exists c in final t.at: c.value ${chance.pick([">", "<"])} ${chance.int(-1, 3)}`],
        [1, `count(c in final t.at where c.value > ${chance.int(-1, 2)}) <= ${chance.int(0, 2)}`],
        [1, `always(now t.at["a"] <= ${k()})`],
        [1, `always(forall c in now t.at: c.value >= ${chance.int(-1, 1)})`],
        [1, `always(now t.on["a"])`],
        [1, `final t.on["a"]`],
        [1, `forall r in rows t.rows: r.n <= ${k()}`],
        [3, "distinct(x in t.act: x.who)"],
        [2, "distinct(x in t.act: x.n)"],
        [1, `distinct(x in t.act where x.n ${chance.pick(["<=", ">"])} ${k()}: x.who)`],
        [2, `forall m = count(x in t.act by x.who): m <= ${chance.int(0, 3)}`],
        [1, `exists m = count(x in t.act by x.who): m >= ${chance.int(0, 3)}`],
        [1, `forall m = sum(x in t.act by x.who: x.n): m <= ${k()}`],
        [1, `exists x in t.act: exists y in t.other: x.n == y.n`],
        [1, "exists x in t.act: true"],
        [1, `forall x in t.act: exists y in t.other: precedes(y, x)`],
      ]);
    return chance.weighted([
      [6, atom()],
      [1, `(${atom()}) and (${atom()})`],
      [1, `(${atom()}) or (${atom()})`],
      [1, `(${atom()}) implies (${atom()})`],
      [1, `not (${atom()})`],
    ]);
  }
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

interface Case {
  readonly text: string;
  readonly checked: Checked;
  readonly tools: Tools;
}

function someCase(seed: number): Case {
  const chance = Chance.seeded(seed);
  const tools = someTools(chance);
  const programs = new Programs(chance);
  const body = programs.program();
  const guarantees = chance.times(1, 3, (i) => `guarantee g${i}(): ${programs.formula()}`);
  const text = `effect-ir 1\n${tools.text}\nprogram (limit: int, flag: bool) {\n${body}\n}\n${guarantees.join("\n")}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return { text, checked: read.value.checked, tools };
}

async function made({ checked, tools }: Case, seed: number) {
  const chance = Chance.seeded(seed);
  const row = () => ({
    n: chance.odds(90) ? chance.int(tools.least, tools.most) : chance.int(-9, 9),
    ok: chance.odds(50),
    who: chance.pick(["a", "b", "c"]),
  });
  const rows = () =>
    Array.from(
      { length: chance.int(tools.shortest, chance.odds(90) ? tools.longest : tools.shortest + 6) },
      row,
    );
  const fails = () => {
    if (chance.odds(10)) throw new Error("no");
  };
  const handlers = {
    "t.rows": () => rows(),
    "t.ask": () => chance.odds(50),
    "t.act": fails,
    "t.other": () => undefined,
    "t.set": fails,
    "t.bump": fails,
    "t.turn": () => undefined,
  };
  const inputs = record([
    ["limit", BigInt(chance.int(-1, 6))],
    ["flag", chance.odds(50)],
  ]);
  const handled = new Map(Object.entries(handlers).map(([name, handler]) => [name, { run: handler }]));
  return { inputs, ...(await run(checked, { inputs, tools: handled })) };
}

const tally = new Map<string, number>();
const count = (kind: string) => tally.set(kind, (tally.get(kind) ?? 0) + 1);

async function expectKept(one: Case, proof: Proof, seed: number): Promise<void> {
  const { checked, text } = one;
  const { inputs, outcome, trace } = await made(one, seed);
  if (outcome.kind === "stopped") {
    const { code, path } = outcome.problem;
    const here = proof.obligations.filter(
      ({ obligation: { kind, path: at } }) => obligationCodes[kind] === code && at.join() === path.join(),
    );
    if (here.length > 0)
      expect(
        here.some(({ verdict }) => verdict.kind !== "proved"),
        `${code} ${outcome.problem.message}\n${text}`,
      ).toBe(true);
  }
  for (const { guarantee, verdict, interruption } of proof.guarantees) {
    if (verdict.kind !== "proved" || guarantee.formula === undefined) continue;
    const says = `${guarantee.name} was proved by ${verdict.by}\n${text}`;
    if (outcome.kind === "completed") {
      count("kept");
      expect(judge(checked, guarantee.formula, { inputs, trace }).kind, says).not.toBe("violated");
    }
    for (let length = 0; interruption?.kind === "safe" && length <= trace.length; length++) {
      if (trace[length - 1]?.outcome.kind === "broken") break;
      const stopped = { inputs, trace: trace.slice(0, length) };
      expect(judge(checked, guarantee.formula, stopped).kind, `${says} after ${length} calls`).not.toBe(
        "violated",
      );
    }
  }
}

test("no run breaks what is proved of loops", { timeout: 3_600_000 }, async () => {
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(30); seed++) {
    const one = someCase(seed);
    const proof = await prove(one.checked, { solver: async () => solver, limits });
    for (const { verdict } of [...proof.guarantees, ...proof.obligations])
      count(verdict.kind === "proved" ? `proved by ${verdict.by}` : verdict.kind);
    for (const { guarantee, verdict } of proof.guarantees) {
      if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
      expect(judge(one.checked, guarantee.formula, verdict.run).kind, `${seed}\n${one.text}`).toBe(
        "violated",
      );
    }
    const proved = [...proof.guarantees, ...proof.obligations].some(
      ({ verdict }) => verdict.kind === "proved",
    );
    try {
      for (let other = 0; proved && other < 25; other++) await expectKept(one, proof, seed * 31 + other);
    } catch (thrown) {
      throw new Error(`seed ${seed}`, { cause: thrown });
    }
  }
  for (const kind of ["proved by induction", "refuted", "unknown", "kept"])
    expect(tally.get(kind) ?? 0).toBeGreaterThan(0);
});
