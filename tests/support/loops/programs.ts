/**
 * Random programs that loop over lists that tools return: carried values, early exits, filters, remembered elements,
 * nested loops, fluents, invariants that are stated; and what may be promised of them.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import { readDocument } from "../../../src/ir/read.ts";
import { Chance } from "../program/chance.ts";

export interface LoopCase {
  readonly text: string;
  readonly checked: Checked;
  readonly tools: Tools;
}

/** Probabilities in percent, and maximum counts. */
export interface LoopSize {
  readonly secondList: number;
  readonly secondLoop: number;
  readonly nested: number;
  readonly total: number;
  readonly flag: number;
  readonly seen: number;
  readonly invariant: number;
  readonly calls: number;
  readonly after: number;
  readonly guarantees: number;
}

export const usualLoops: LoopSize = {
  secondList: 40,
  secondLoop: 30,
  nested: 25,
  total: 70,
  flag: 50,
  seen: 40,
  invariant: 30,
  calls: 2,
  after: 40,
  guarantees: 3,
};

/** Small programs that say much about one thing and cost little. */
export const smallLoops: LoopSize = {
  secondList: 10,
  secondLoop: 5,
  nested: 5,
  total: 35,
  flag: 15,
  seen: 10,
  invariant: 15,
  calls: 1,
  after: 15,
  guarantees: 1,
};

/** Why what is stated as an invariant is required. */
export const statedWhy = "it stays so";

/** The case that a seed stands for. */
export function loopCase(seed: number, size: LoopSize): LoopCase {
  const chance = Chance.seeded(seed);
  const programs = new Programs(chance, size);
  const body = programs.program();
  const guarantees = chance.times(1, size.guarantees, (i) => `guarantee g${i}(): ${programs.formula()}`);
  const said = `program (limit: int, flag: bool, names: list<string>) {\n${body}\n}\n${guarantees.join("\n")}\n`;
  const tools = someTools(chance, said);
  const text = `effect-ir 1\n${tools.text}\n${said}`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return { text, checked: read.value.checked, tools };
}

export interface Tools {
  readonly text: string;
  /** Bounds of the rows. */
  readonly longest: number;
  readonly shortest: number;
  readonly least: number;
  readonly most: number;
}

/** @param said what is said with them: a tool that is not called costs a proof something and says nothing */
function someTools(chance: Chance, said: string): Tools {
  // Lists that are longer than those with which runs are looked for: nothing but the proof itself says what holds.
  const shortest = chance.odds(40) ? 5 : 0;
  const longest = shortest + chance.pick([2, 4, 6]);
  const [least, most] = chance.pick([
    [0, 3],
    [-2, 2],
    [1, 5],
  ] as const);
  const maybe = (percent: number, clause: string) => (chance.odds(percent) ? `\n  ${clause}` : "");
  const declared = [
    `fluent t.at[string]: int = ${chance.odds(85) ? "0" : "unknown"}`,
    `fluent t.on[enum{"a", "b"}]: bool = ${chance.odds(50)}`,
    'fluent t.last[string]: string = ""',
    [
      "tool t.rows() -> list<record{n: int, ok: bool, who: string}>",
      ...(shortest > 0 ? [`  ensures ${shortest} <= length(result)`] : []),
      ...(chance.odds(70) ? [`  ensures length(result) <= ${longest}`] : []),
      ...(chance.odds(70) ? [`  ensures every(result, r => r.n <= ${most} and ${least} <= r.n)`] : []),
    ].join("\n"),
    `tool t.act(n: int, who: string)\n  labels "l"${maybe(40, `requires n >= ${chance.int(-1, 1)}`)}`,
    'tool t.other(n: int)\n  labels "l"',
    "tool t.ask() -> bool",
    `tool t.set(who: string, n: int)${maybe(40, `requires now t.at[who] <= ${chance.int(1, 6)}`)}\n  sets t.at[who] = n`,
    `tool t.bump(who: string)${maybe(40, `requires now t.at[who] ${chance.pick(["<=", ">=", "=="])} ${chance.int(0, 2)}`)}\n  sets t.at[who] = now t.at[who] + 1`,
    'tool t.turn(ok: bool)\n  sets t.on["a"] = ok\n  sets t.on["b"] = not now t.on["a"] when ok',
    `tool t.name(who: string)\n  sets t.last["x"] = who${maybe(30, 'sets t.last[who] = now t.last["x"]')}`,
  ];
  const isSaid = (part: string) => {
    const [kind, name = ""] = part.split(/[ [(]/);
    const users = declared.filter(
      (one) => one.startsWith("tool ") && isNamed(one.split(/[ (]/)[1] ?? "", said),
    );
    return isNamed(name, said) || (kind === "fluent" && users.some((one) => isNamed(name, one)));
  };
  const labelled = said.includes("label ");
  const text = declared.filter((part) => isSaid(part) || (labelled && part.includes("labels "))).join("\n");
  return { text, longest, shortest, least, most };
}

function isNamed(name: string, text: string): boolean {
  return new RegExp(`\\b${name.replace(".", "\\.")}\\b`).test(text);
}

class Programs {
  readonly #chance: Chance;
  readonly #size: LoopSize;
  #names = 0;

  constructor(chance: Chance, size: LoopSize) {
    this.#chance = chance;
    this.#size = size;
  }

  program(): string {
    const lists = [
      "let xs = call t.rows()",
      ...(this.#chance.odds(this.#size.secondList) ? ["let ys = call t.rows()"] : []),
    ];
    const commands = [
      ...lists,
      ...this.#loop(lists.length === 2 ? ["xs", "ys"] : ["xs"], ["limit"], ["flag"], 1),
    ];
    if (this.#chance.odds(this.#size.secondLoop))
      commands.push(...this.#loop(["xs"], ["limit"], ["flag"], 0));
    return commands.join("\n");
  }

  #loop(
    lists: readonly string[],
    numbers: readonly string[],
    flags: readonly string[],
    deep: number,
  ): string[] {
    const chance = this.#chance;
    const size = this.#size;
    const [row, index, total, stop, seen] = ["r", "i", "c", "f", "s"].map(
      (name) => `${name}${this.#names++}`,
    );
    const list = this.#list(chance.pick(lists));
    const carries = [
      ...(chance.odds(size.total) ? [`${total}: int = ${chance.pick(["0", "1", ...numbers])}`] : []),
      ...(chance.odds(size.flag) ? [`${stop}: bool = ${chance.pick(["false", ...flags])}`] : []),
      ...(chance.odds(size.seen) ? [`${seen}: list<string> = ${chance.pick(["[]", '["a"]'])}`] : []),
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
    const carried = inside.filter((number) => number !== `${row}.n`);
    const body = [
      ...(chance.odds(size.invariant) ? this.#invariant(carried, index ?? "", list) : []),
      `let ${fits} = ${remembers && chance.odds(50) ? isNew : this.#condition(inside, conditions)}`,
      ...(remembers && chance.odds(60)
        ? [`call t.act(n: ${this.#number(inside)}, who: ${row}.who) when ${fits}`]
        : []),
      ...chance.times(1, size.calls, () => this.#call(inside, [...conditions, fits], [`${row}.who`])).flat(),
      ...(deep > 0 && chance.odds(size.nested)
        ? this.#loop(lists, inside, [...conditions, fits], deep - 1)
        : []),
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
    return [head, ...body, "}", ...(chance.odds(size.after) ? this.#call(after, flags, ['"z"']) : [])];
  }

  /**
   * As `invariant(…)` is compiled: required at the beginning of an iteration, of what the loop carries. Some are true
   * of every iteration, some of most, some of none.
   * @param numbers what the loop carries and what was there before it
   */
  #invariant(numbers: readonly string[], index: string, list: string): string[] {
    const chance = this.#chance;
    const number = chance.pick(numbers);
    const name = `held${this.#names++}`;
    const stated = chance.weighted([
      [2, `${number} >= ${chance.int(-2, 1)}`],
      [2, `${number} <= ${chance.int(2, 14)}`],
      [2, `${number} ${chance.pick(["<=", ">=", "=="])} ${index}`],
      [1, `${number} <= ${chance.pick(numbers)} + ${chance.int(0, 3)} * ${index}`],
      [1, `${number} + ${chance.pick(numbers)} ${chance.pick(["<=", ">="])} ${chance.int(-2, 12)}`],
      [1, `${index} < length(${list})`],
      [1, `${number} >= limit or ${index} ${chance.pick(["<=", ">"])} ${chance.int(0, 3)}`],
    ]);
    return chance.weighted([
      [3, [`require ${stated}: "${statedWhy}"`]],
      [1, [`require ${stated} when ${chance.pick(["flag", "not flag"])}: "${statedWhy}"`]],
      [1, [`let ${name} = ${stated}`, `require ${name}: "${statedWhy}"`]],
    ]);
  }

  #list(list: string): string {
    const chance = this.#chance;
    return chance.weighted([
      [5, list],
      [2, `filter(${list}, q => q.ok)`],
      [2, `filter(${list}, q => q.n ${chance.pick(["<=", ">", "=="])} ${chance.int(-1, 3)})`],
      [1, `slice(${list}, 0, ${chance.int(1, 3)})`],
      [1, `map(${list}, q => {n: q.n + 1, ok: not q.ok, who: q.who})`],
      [1, "map(names, q => {n: limit, ok: flag, who: q})"],
      [1, `reverse(${list})`],
      [1, `${list} ++ ${chance.pick([list, '[{n: limit, ok: flag, who: "b"}]'])}`],
    ]);
  }

  #condition(numbers: readonly string[], flags: readonly string[]): string {
    const chance = this.#chance;
    return chance.weighted([
      [3, `${this.#number(numbers)} ${chance.pick(["<=", "<", ">", "=="])} ${this.#number(numbers)}`],
      [1, chance.pick(flags)],
      [1, `not ${chance.pick(flags)}`],
      [
        1,
        chance.pick([
          `any(xs, q => q.n > ${chance.int(-1, 4)})`,
          "every(xs, q => q.ok)",
          'contains(names, "a")',
          `length(xs) ${chance.pick(["<=", ">"])} ${chance.int(0, 5)}`,
        ]),
      ],
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
        [1, `call t.name(who: ${who})${when}${failing}`],
        [1, `require ${this.#condition(numbers, [...flags, "flag"])}: "it must"`],
        [1, `let ${name} = call t.ask()`],
      ]),
    ];
  }

  /** From where others lead, so that each can be taken. */
  #automaton(): string {
    const chance = this.#chance;
    const states = ["s", "t", "u", "v"].slice(0, chance.int(2, 4));
    const reached = ["s"];
    const on = chance.times(1, 5, () => {
      const over = chance.pick(["t.act", "t.act", "t.other", "t.set", "t.ask", "t.turn", 'label "l"']);
      const hasNumber = over === "t.act" || over === "t.other" || over === 'label "l"';
      const where = hasNumber && chance.odds(40) ? ` where p.n > ${chance.pick(["0", "1", "limit"])}` : "";
      const [from, to] = [chance.pick(reached), chance.pick(states)];
      reached.push(to);
      return `on "${from}" p in ${over}${where} -> "${to}"`;
    });
    const names = states.map((state) => `"${state}"`);
    return `automaton(states ${names.join(", ")} start "s" ${on.join(" ")} error ${names.at(-1)})`;
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
        [1, `always(every(names, u => now t.at[u] <= ${k()}))`],
        [
          1,
          `always(now t.on["a"] implies every(names, u => now t.at[u] == 0)) implies always(now t.on["a"] or now t.at["a"] <= ${k()})`,
        ],
        [1, "every(names, u => final t.at[u] == initial t.at[u])"],
        [1, 'any(names, u => u == "a") or not exists x in t.act: x.who == "a"'],
        [1, "forall x in t.act: contains(names, x.who)"],
        [1, 'final t.at["a"] >= initial t.at["a"]'],
        [1, `final t.last["x"] != ${chance.pick(['"a"', '"zz"', '""'])}`],
        [1, 'forall c in final t.last: c.key == "x" or c.value == ""'],
        [1, "forall x in t.act: forall y in t.act: x.who == y.who implies x.n == y.n"],
        [1, `final t.on["a"]`],
        [1, `forall r in rows t.rows: r.n <= ${k()}`],
        [2, `max(x in t.act: x.n else ${k()}) <= ${k()}`],
        [2, `min(x in t.act: x.n else ${k()}) >= ${k()}`],
        [1, `${chance.pick(["min", "max"])}(x in t.act: x.n else 0) ${chance.pick(["==", "<", ">"])} ${k()}`],
        [1, `max(x in t.act where x.who == "a": x.n else 0) <= ${k()}`],
        [1, `max(x in label "l": x.n else 0) - min(x in t.act: x.n else 0) <= ${k()}`],
        [1, "min(x in t.act: x.n else 0) <= max(y in t.act: y.n else 0)"],
        [1, `${chance.pick(["min", "max"])}(r in rows t.rows: r.n else 1) >= ${k()}`],
        [1, `forall m = max(x in t.act by x.who: x.n): m <= ${k()}`],
        [1, `exists m = min(x in t.act by x.who: x.n): m >= ${k()}`],
        [3, "distinct(x in t.act: x.who)"],
        [2, "distinct(x in t.act: x.n)"],
        [1, `distinct(x in t.act where x.n ${chance.pick(["<=", ">"])} ${k()}: x.who)`],
        [2, `forall m = count(x in t.act by x.who): m <= ${chance.int(0, 3)}`],
        [1, `exists m = count(x in t.act by x.who): m >= ${chance.int(0, 3)}`],
        [1, `forall m = sum(x in t.act by x.who: x.n): m <= ${k()}`],
        [1, `exists x in t.act: exists y in t.other: x.n == y.n`],
        [1, "exists x in t.act: true"],
        [1, `forall x in t.act: exists y in t.other: precedes(y, x)`],
        [1, "forall x in t.act: forall y in t.other: not precedes(y, x)"],
        [1, "forall x in t.act: exists y in t.other: precedes(y, x) and y.n == x.n"],
        [1, "forall x in t.act: forall y in t.set where y.who == x.who: not precedes(y, x)"],
        [5, this.#automaton()],
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
