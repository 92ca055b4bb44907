/**
 * Random programs with loops in loops, and what may be promised of them. Numbers that are found by going through a list
 * stand before, in and after both loops: in conditions, in arguments and in what is carried. Constants are few, so that
 * random values meet them.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import { readDocument } from "../../../src/ir/read.ts";
import { Chance } from "../program/chance.ts";

export interface NestedCase {
  readonly text: string;
  readonly checked: Checked;
  /** Numbers that the document names. */
  readonly constants: readonly number[];
  /** Bounds of the numbers that the tools return. */
  readonly least: number;
  readonly most: number;
  /** The constructs that it is made of. */
  readonly constructs: ReadonlySet<string>;
}

/** Names that expressions at one place may read, by their types. */
interface Scope {
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
  readonly texts: readonly string[];
  /** Lists of numbers, of rows and of texts. */
  readonly ints: readonly string[];
  readonly rows: readonly string[];
  readonly words: readonly string[];
}

const row = "record{n: int, ok: bool, who: string, tags: list<int>}";
const pair = "record{who: string, n: int}";
const programInputs = `k: int, m: int, flag: bool, xs: list<int>, rs: list<int>, ys: list<string>, ps: list<${row}>`;
const inputs: Scope = {
  numbers: ["k", "m"],
  flags: ["flag"],
  texts: ['"a"', '"b"'],
  ints: ["xs", "rs"],
  rows: ["ps"],
  words: ["ys"],
};

/** Probabilities in percent, and maximum counts. */
export interface NestedSize {
  readonly toolList: number;
  readonly loopBefore: number;
  readonly loopAfter: number;
  readonly threeDeep: number;
  /** A number that is found by going through the list of the inner loop, and what that loop carries of the same. */
  readonly mirrored: number;
  /** A loop that goes on while a condition holds, in the place of one over a list. */
  readonly turns?: number;
  /** By how much what is carried is made likelier. */
  readonly carried: number;
  /** Commands before, between and after the loops. */
  readonly commands: readonly number[];
  /** Most of them hold or are broken plainly, and a few are broken seldom. */
  readonly guarantees: number;
}

export const largeNest: NestedSize = {
  toolList: 45,
  loopBefore: 25,
  loopAfter: 15,
  threeDeep: 20,
  mirrored: 15,
  carried: 100,
  commands: [0, 1, 2],
  guarantees: 14,
};

/** Costs little to prove, so that much is attempted. */
export const smallNest: NestedSize = {
  toolList: 25,
  loopBefore: 10,
  loopAfter: 5,
  threeDeep: 10,
  mirrored: 15,
  carried: 45,
  commands: [0, 0, 1],
  guarantees: 12,
};

/** The same with loops of unknown turns in, around and after the others. */
export const turningNest: NestedSize = { ...smallNest, loopBefore: 20, loopAfter: 20, turns: 55 };

/** The case that a seed stands for. */
export function nestedCase(seed: number, size: NestedSize = smallNest): NestedCase {
  const chance = Chance.seeded(seed);
  const constants = chance.pick([
    [0, 1, 7],
    [1, 2, 5],
    [0, 3, 4],
    [2, 3, 10],
    [-1, 1, 6],
  ]);
  const programs = new Nested(chance, constants, size);
  const body = programs.program();
  const guarantees = chance.times(
    size.guarantees - 4,
    size.guarantees,
    (i) => `guarantee g${i}(): ${programs.formula()}`,
  );
  const [least, most] = chance.pick([[0, 3] as const, [-2, 2] as const, [1, 10] as const]);
  const bounded = chance.odds(50);
  const long = chance.odds(15);
  const said = `program (${programInputs}) {\n${body}\n}\n${guarantees.join("\n")}\n`;
  const text = `effect-ir 1\n${toolsFor(chance, said, long, bounded ? { least, most } : undefined)}\n${said}`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`seed ${seed}: ${JSON.stringify(read.problems)}\n${text}`);
  const { constructs } = programs;
  return { text, checked: read.value.checked, constants, least, most, constructs };
}

/** Only the tools and fluents that are spoken of: others cost a proof something and say nothing. */
function toolsFor(
  chance: Chance,
  said: string,
  long: boolean,
  bounds?: { readonly least: number; readonly most: number },
): string {
  const within = (held: string) =>
    bounds === undefined
      ? ""
      : `\n  ensures every(result, r => ${held} <= ${bounds.most} and ${bounds.least} <= ${held})`;
  // Longer than the lists with which runs are looked for.
  const ensures = (held: string) => `${within(held)}${long ? "\n  ensures length(result) >= 6" : ""}`;
  const declared = [
    "fluent t.at[string]: int = 0",
    `fluent t.on[string]: bool = ${chance.odds(50)}`,
    `tool t.rows() -> list<${row}>${ensures("r.n")}`,
    `tool t.nums() -> list<int>${ensures("r")}`,
    'tool t.log(n: int, who: string)\n  labels "l"',
    'tool t.pay(n: int, who: string)\n  labels "l"',
    "tool t.set(who: string, n: int)\n  sets t.at[who] = n",
    "tool t.bump(who: string)\n  sets t.at[who] = now t.at[who] + 1",
    "tool t.turn(who: string, ok: bool)\n  sets t.on[who] = ok",
    "tool t.ask() -> bool",
  ];
  const writers: Readonly<Record<string, RegExp>> = {
    "fluent t.at": /\bt\.(at|set|bump)\b/,
    "fluent t.on": /\bt\.(on|turn)\b/,
  };
  return declared
    .filter((part) => {
      const name = /^(?:tool|fluent) (t\.\w+)/.exec(part)?.[1] ?? "";
      const writer = writers[`fluent ${name}`];
      const spoken = writer ?? new RegExp(`\\b${name.replace(".", "\\.")}\\b`);
      return spoken.test(said) || (said.includes('label "l"') && part.includes('labels "l"'));
    })
    .join("\n");
}

class Nested {
  readonly constructs = new Set<string>();
  readonly #chance: Chance;
  readonly #constants: readonly number[];
  readonly #size: NestedSize;
  #names = 0;
  #place = "before";

  constructor(chance: Chance, constants: readonly number[], size: NestedSize) {
    this.#chance = chance;
    this.#constants = constants;
    this.#size = size;
  }

  #tag(construct: string): void {
    this.constructs.add(construct);
  }

  #name(letter: string): string {
    return `${letter}${this.#names++}`;
  }

  #constant(): string {
    return String(this.#chance.pick(this.#constants));
  }

  program(): string {
    const chance = this.#chance;
    const commands: string[] = [];
    let scope: Scope = inputs;
    if (chance.odds(this.#size.toolList)) {
      const rows = chance.odds(60);
      const name = this.#name(rows ? "q" : "u");
      commands.push(`let ${name} = call ${rows ? "t.rows" : "t.nums"}()`);
      scope = rows ? { ...scope, rows: [...scope.rows, name] } : { ...scope, ints: [...scope.ints, name] };
      this.#tag("list of a tool");
    }
    this.#place = "before";
    const before = this.#straight(scope, chance.pick(this.#size.commands));
    commands.push(...before.commands);
    scope = before.scope;
    if (chance.odds(this.#size.loopBefore)) {
      const built = this.#loop(scope, 1, ["list"]);
      commands.push(...built.commands);
      scope = built.scope;
      this.#tag("loop before");
    }
    const depth = chance.odds(this.#size.threeDeep) ? 3 : 2;
    this.#tag(`depth ${depth}`);
    const nest = this.#loop(scope, depth, []);
    commands.push(...nest.commands);
    scope = nest.scope;
    this.#place = "after";
    const after = this.#straight(scope, chance.pick(this.#size.commands));
    commands.push(...after.commands);
    if (chance.odds(this.#size.loopAfter)) {
      commands.push(...this.#loop(after.scope, chance.odds(50) ? 2 : 1, []).commands);
      this.#tag("loop after");
    }
    return commands.join("\n");
  }

  /** Commands that are no loops. */
  #straight(given: Scope, count: number): { readonly commands: string[]; readonly scope: Scope } {
    const chance = this.#chance;
    const commands: string[] = [];
    let scope = given;
    for (let i = 0; i < count; i++) {
      const kind = chance.weighted([
        [4, "number"],
        [2, "flag"],
        [5, "call"],
        [1, "rows"],
        [1, "require"],
        [1, "list"],
      ] as const);
      const name = this.#name("v");
      if (kind === "number") {
        commands.push(`let ${name} = ${this.#aggregate(scope)}`);
        scope = { ...scope, numbers: [...scope.numbers, name] };
      } else if (kind === "flag") {
        commands.push(`let ${name} = ${this.#condition(scope)}`);
        scope = { ...scope, flags: [...scope.flags, name] };
      } else if (kind === "rows") {
        commands.push(`let ${name} = call t.nums()`);
        scope = { ...scope, ints: [...scope.ints, name] };
        this.#tag(`tool result ${this.#place}`);
      } else if (kind === "list") {
        commands.push(`let ${name} = ${this.#derived(scope)}`);
        scope = { ...scope, ints: [...scope.ints, name] };
      } else if (kind === "require") {
        commands.push(`require ${this.#condition(scope)}: "it must"`);
        this.#tag("require");
      } else commands.push(this.#call(scope));
    }
    return { commands, scope };
  }

  /** The condition of a loop of unknown turns, with what it needs in the loop. */
  #going(
    outer: Scope,
    carries: readonly { readonly name: string; readonly kind: string }[],
    body: string[],
    nexts: string[],
    declared: string[],
  ): string {
    const chance = this.#chance;
    const name = this.#name("go");
    const numbers = carries.flatMap((one) => (one.kind === "number" ? [one.name] : []));
    const scope = { ...outer, numbers: [...outer.numbers, ...numbers] };
    const kind = chance.weighted([
      [3, "asked"],
      [3, "counted"],
      [1, "true"],
      [1, "condition"],
    ] as const);
    this.#tag(`turns while ${kind}`);
    if (kind === "asked") {
      const more = this.#name("more");
      body.push(`let ${more} = call t.ask()`);
      declared.push(`${name}: bool = true`);
      nexts.push(`next ${name} = ${more}`);
      return chance.odds(40) ? `${name} and ${this.#condition(scope)}` : name;
    }
    if (kind === "true") return "true";
    if (kind === "condition") return this.#condition(scope);
    declared.push(`${name}: int = 0`);
    nexts.push(`next ${name} = ${name} + ${chance.int(1, 2)}`);
    return chance.odds(40)
      ? `${name} < ${this.#plain(scope)} and ${this.#condition(scope)}`
      : `${name} < ${chance.int(1, 4)}`;
  }

  /** A list of numbers that is made of another. */
  #derived(scope: Scope): string {
    const chance = this.#chance;
    const list = chance.pick(scope.ints);
    return chance.weighted([
      [2, `filter(${list}, e => e ${chance.pick(["<=", ">", "=="])} ${this.#plain(scope)})`],
      [2, `map(${chance.pick(scope.rows)}, e => e.n)`],
      [1, `map(${list}, e => e + ${this.#plain(scope)})`],
      [1, `slice(${list}, 0, ${chance.int(1, 4)})`],
      [1, `reverse(${list})`],
      [1, `unique(${list})`],
      [1, `unique(map(${list}, e => e + ${this.#plain(scope)}))`],
      [2, sortOf(list, chance.pick(["s2 <= z", "s2 < z", "s2 >= z", "s2 != z"]))],
      [1, `map(entries(${list}), e => e.index ${chance.pick(["+", "-"])} e.value)`],
      [1, `flatMap(${chance.pick(scope.rows)}, e => e.tags)`],
      [
        1,
        `flatMap(${list}, e => if e ${chance.pick(["<=", ">"])} ${this.#plain(scope)} then [e, e] else [])`,
      ],
      [1, `${list} ++ ${chance.pick(scope.ints)}`],
    ]);
  }

  /** @param wanted what it must carry */
  #loop(
    outer: Scope,
    depth: number,
    wanted: readonly string[],
  ): { readonly commands: string[]; readonly scope: Scope } {
    const chance = this.#chance;
    const [element, index] = [this.#name("e"), this.#name("i")];
    const turns = this.#size.turns !== undefined && chance.odds(this.#size.turns);
    const over = chance.weighted([
      [4, "ints"],
      [4, "rows"],
      [2, "words"],
    ] as const);
    const list = chance.pick(outer[over]);
    if (list.includes(".")) this.#tag("over a field of an element");
    const carries = this.#carries(outer, wanted);
    let inner: Scope = {
      ...outer,
      numbers: [
        ...outer.numbers,
        index,
        ...carries.flatMap(({ kind, name }) => (kind === "number" ? [name] : [])),
      ],
      flags: [...outer.flags, ...carries.flatMap(({ kind, name }) => (kind === "flag" ? [name] : []))],
      texts: [...outer.texts, ...carries.flatMap(({ kind, name }) => (kind === "text" ? [name] : []))],
      ints: [...outer.ints, ...carries.flatMap(({ kind, name }) => (kind === "list" ? [name] : []))],
    };
    if (turns) this.#tag("unknown turns");
    else if (over === "ints") inner = { ...inner, numbers: [...inner.numbers, element, element] };
    else if (over === "words") inner = { ...inner, texts: [...inner.texts, element, element] };
    else
      inner = {
        ...inner,
        numbers: [...inner.numbers, `${element}.n`, `${element}.n`],
        flags: [...inner.flags, `${element}.ok`],
        texts: [...inner.texts, `${element}.who`],
        ints: [...inner.ints, `${element}.tags`],
      };
    const body: string[] = [];
    const around = this.#place;
    const slot = (place: string) => {
      this.#place = place;
      const made = this.#straight(inner, chance.pick(this.#size.commands));
      body.push(...made.commands);
      inner = made.scope;
    };
    if (depth > 1) {
      slot("above the inner loop");
      if (depth === 2 && chance.odds(this.#size.mirrored)) body.push(...this.#mirrored(inner));
      const nested = this.#loop(inner, depth - 1, []);
      body.push(...nested.commands);
      inner = nested.scope;
      slot("below the inner loop");
    } else {
      this.#place = "innermost";
      const made = this.#straight(inner, chance.pick(this.#size.commands));
      body.push(...made.commands);
      inner = made.scope;
      body.push(this.#call(inner));
      if (chance.odds(30)) body.push(`let ${this.#name("v")} = ${this.#aggregate(inner)}`);
    }
    this.#place = "carried";
    const nexts = carries.map(({ name, kind }) => `next ${name} = ${this.#next(name, kind, inner)}`);
    this.#place = around;
    const declared = carries.map(({ name, type, first }) => `${name}: ${type} = ${first}`);
    const going = turns ? this.#going(outer, carries, body, nexts, declared) : undefined;
    const carried = declared.length === 0 ? "" : `carry ${declared.join(", ")} `;
    const head =
      going === undefined
        ? `for ${element}, ${index} in ${list} ${carried}{`
        : `while ${going} turn ${index} max ${chance.int(5, 9)} ${carried}{`;
    const left = (kind: string) => carries.flatMap((carry) => (carry.kind === kind ? [carry.name] : []));
    return {
      commands: [head, ...body, ...nexts, "}"],
      scope: {
        ...outer,
        numbers: [...outer.numbers, ...left("number")],
        flags: [...outer.flags, ...left("flag")],
        texts: [...outer.texts, ...left("text")],
        ints: [...outer.ints, ...left("list")],
      },
    };
  }

  /** A number that is found by going through a list that a loop goes through beside it, and carries the same. */
  #mirrored(scope: Scope): readonly string[] {
    const chance = this.#chance;
    this.#tag("carries what is found by going through its list");
    const [element, sum, found] = [this.#name("e"), this.#name("c"), this.#name("v")];
    const rows = chance.odds(30);
    const list = chance.pick(rows ? scope.rows : scope.ints);
    const other = this.#plain(scope);
    const step = (held: string, one: string) => {
      const of = rows ? `${one}.n` : one;
      return how === "count"
        ? `if ${of} == ${other} then ${held} + 1 else ${held}`
        : `${held} + ${how === "sum" ? of : other}`;
    };
    const how = chance.pick(["count", "sum", "repeated"]);
    const fold = `let ${found} = fold(${list}, 0, (s: int, z) => ${step("s", "z")})`;
    const loop = `for ${element} in ${list} carry ${sum}: int = 0 { next ${sum} = ${step(sum, element)} }`;
    const call = `call t.log(n: ${chance.pick([sum, sum, found, `${sum} - ${found}`])}, who: ${chance.pick(scope.texts)})`;
    return chance.pick([
      [fold, loop, call],
      [loop, fold, call],
    ]);
  }

  #carries(scope: Scope, wanted: readonly string[]) {
    const chance = this.#chance;
    const kinds = [
      ["number", 35],
      ["flag", 20],
      ["text", 12],
      ["list", 20],
      ["pairs", 8],
    ] as const;
    return kinds.flatMap(([kind, odds]) => {
      if (!chance.odds((odds * this.#size.carried) / 100) && !wanted.includes(kind)) return [];
      this.#tag(`carries a ${kind}`);
      const name = this.#name("c");
      const first = {
        number: () => chance.pick(["0", this.#constant(), this.#plain(scope), this.#aggregate(scope)]),
        flag: () => chance.pick(["false", "true", this.#condition(scope)]),
        text: () => chance.pick(scope.texts),
        list: () => chance.pick(["[]", `[${this.#plain(scope)}]`, chance.pick(scope.ints)]),
        pairs: () => "[]",
      }[kind]();
      const type = { number: "int", flag: "bool", text: "string", list: "list<int>", pairs: `list<${pair}>` }[
        kind
      ];
      return [{ name, kind, type, first }];
    });
  }

  #next(name: string, kind: "number" | "flag" | "text" | "list" | "pairs", scope: Scope): string {
    const chance = this.#chance;
    const when = () => this.#condition(scope);
    switch (kind) {
      case "number":
        return chance.weighted([
          [2, `${name} + 1`],
          [3, `if ${when()} then ${name} + ${this.#number(scope)} else ${name}`],
          [1, `${name} + ${this.#plain(scope)}`],
          [2, this.#number(scope)],
          [1, `max(${name}, ${this.#number(scope)})`],
          [1, `min(${name} + 1, ${this.#number(scope)})`],
        ]);
      case "flag":
        return chance.pick([`${name} or ${when()}`, when(), `${name} and ${when()}`, `not ${name}`]);
      case "text":
        return chance.pick([
          chance.pick(scope.texts),
          `if ${when()} then ${chance.pick(scope.texts)} else ${name}`,
        ]);
      case "list":
        return chance.pick([
          `${name} ++ [${this.#plain(scope)}]`,
          `if ${when()} then ${name} ++ [${this.#number(scope)}] else ${name}`,
          `if ${when()} then [] else ${name} ++ [${this.#plain(scope)}]`,
          `${name} ++ ${chance.pick(scope.ints)}`,
          `[${this.#plain(scope)}] ++ ${name}`,
        ]);
      case "pairs": {
        const who = chance.pick(scope.texts);
        this.#tag("total by key that is carried");
        return `${name} ++ [{who: ${who}, n: fold(filter(${name}, z => z.who == ${who}), ${this.#plain(scope)}, (s: int, z) => s + z.n)}]`;
      }
    }
  }

  /** A number without going through a list. */
  #plain(scope: Scope): string {
    const chance = this.#chance;
    return chance.odds(70) ? chance.pick(scope.numbers) : this.#constant();
  }

  #number(scope: Scope): string {
    const chance = this.#chance;
    return chance.weighted([
      [5, this.#plain(scope)],
      [4, this.#aggregate(scope)],
      [1, `${this.#plain(scope)} + ${this.#plain(scope)}`],
      [1, `${this.#plain(scope)} - ${this.#plain(scope)}`],
    ]);
  }

  /** A number that is found by going through a list. */
  #aggregate(scope: Scope): string {
    const chance = this.#chance;
    const plain = () => this.#plain(scope);
    const isRows = chance.odds(35);
    const list = chance.pick(isRows ? scope.rows : scope.ints);
    const held = isRows ? "z.n" : "z";
    const ints = isRows ? `map(${list}, z => z.n)` : list;
    const [name, text] = chance.weighted<readonly [string, string]>([
      [5, ["total", `total(${ints})`]],
      [4, ["sum", `fold(${list}, 0, (s: int, z) => s + ${held})`]],
      [1, ["sum from", `fold(${list}, ${plain()}, (s: int, z) => s + ${held})`]],
      [2, ["greatest", `fold(${list}, ${this.#constant()}, (s: int, z) => max(s, ${held}))`]],
      [1, ["least", `fold(${list}, ${plain()}, (s: int, z) => min(s, ${held}))`]],
      [
        4,
        [
          "count",
          `fold(${list}, 0, (s: int, z) => if ${held} ${chance.pick(["==", "<=", ">"])} ${plain()} then s + 1 else s)`,
        ],
      ],
      [
        2,
        [
          "sum of some",
          `fold(${list}, 0, (s: int, z) => if ${held} == ${plain()} then s + ${plain()} else s)`,
        ],
      ],
      [1, ["last", `fold(${list}, ${this.#constant()}, (s: int, z) => ${held})`]],
      [2, ["length", `length(${list})`]],
      [2, ["length of a part", `length(filter(${list}, z => ${held} == ${plain()}))`]],
      [2, ["indexOf", `indexOf(${ints}, ${plain()})`]],
      [1, ["findIndex", `findIndex(${list}, z => ${held} > ${plain()})`]],
      [1, ["find", `orElse(find(${ints}, z => z > ${plain()}), ${this.#constant()})`]],
      [1, ["at", `orElse(at(${ints}, ${chance.int(0, 2)}), ${this.#constant()})`]],
      [1, ["unique", `length(unique(${ints}))`]],
    ]);
    this.#tag(`${name} ${this.#place}`);
    this.#tag(name);
    return text;
  }

  #condition(scope: Scope): string {
    const chance = this.#chance;
    const list = chance.pick(scope.ints);
    const compared = chance.pick(["==", "==", "<=", "<", ">", "!="]);
    const [name, text] = chance.weighted<readonly [string, string]>([
      [4, ["aggregate compared", `${this.#aggregate(scope)} ${compared} ${this.#plain(scope)}`]],
      [3, ["numbers compared", `${this.#plain(scope)} ${compared} ${this.#plain(scope)}`]],
      [2, ["flag", chance.pick(scope.flags)]],
      [1, ["not flag", `not ${chance.pick(scope.flags)}`]],
      [1, ["contains", `contains(${list}, ${this.#plain(scope)})`]],
      [
        2,
        [
          "position",
          `orElse(at(${list}, ${this.#plain(scope)}), ${this.#constant()}) ${compared} ${this.#plain(scope)}`,
        ],
      ],
      [1, ["within", `isSome(at(${list}, ${this.#plain(scope)}))`]],
      [
        1,
        [
          "known map",
          `orElse(mapGet(mapOf([{ key: "a", value: 1 }, { key: "b", value: 3 }]), ${chance.pick(scope.texts)}), 0) ${compared} ${this.#plain(scope)}`,
        ],
      ],
      [1, ["any", `any(${list}, z => z ${compared} ${this.#plain(scope)})`]],
      [1, ["every", `every(${list}, z => z ${compared} ${this.#plain(scope)})`]],
      [1, ["texts compared", `${chance.pick(scope.texts)} == ${chance.pick(scope.texts)}`]],
    ]);
    this.#tag(`${name} as a condition`);
    return `(${text})`;
  }

  #call(scope: Scope): string {
    const chance = this.#chance;
    const when = chance.odds(50) ? ` when ${this.#condition(scope)}` : "";
    const failing = chance.odds(8) ? ` catch ${this.#name("f")}` : "";
    const who = chance.pick(scope.texts);
    this.#tag(`call ${this.#place}`);
    const text = chance.weighted([
      [6, () => `call t.log(n: ${this.#number(scope)}, who: ${who})`],
      [3, () => `call t.pay(n: ${this.#number(scope)}, who: ${who})`],
      [2, () => `call t.set(who: ${who}, n: ${this.#number(scope)})`],
      [1, () => `call t.bump(who: ${who})`],
      [1, () => `call t.turn(who: ${who}, ok: ${this.#condition(scope)})`],
      [1, () => `call t.ask()`],
    ])();
    return `${text}${when}${failing}`;
  }

  // ── what is promised ───────────────────────────────────────────────────────────────────────────────────

  /** A number that a guarantee may name. */
  #bound(): string {
    const chance = this.#chance;
    return chance.weighted([
      [6, this.#constant()],
      [2, String(chance.int(0, 12))],
      [1, chance.pick(["k", "m"])],
      [1, chance.pick(["length(xs)", "length(rs)", "length(ys)", "length(ps)"])],
      [1, chance.pick(["total(xs)", "total(rs)", "fold(ps, 0, (s: int, z) => s + z.n)"])],
    ]);
  }

  #automaton(): string {
    const chance = this.#chance;
    const states = ["s", "t", "u", "v", "w"].slice(0, chance.int(2, 5));
    const start = chance.odds(75) ? "s" : chance.pick(states.slice(0, -1));
    const reached = [start];
    const on = chance.times(1, 5, (i) => {
      const over = chance.pick(["t.log", "t.log", "t.pay", "t.set", "t.bump", 'label "l"']);
      const hasNumber = !over.includes("bump");
      const where =
        hasNumber && chance.odds(40) ? ` where p.n ${chance.pick([">", "=="])} ${this.#constant()}` : "";
      const from = chance.pick(reached);
      const to = i === 0 && start === "s" ? (states[1] ?? "s") : chance.pick(states);
      reached.push(to);
      return `on "${from}" p in ${over}${where} -> "${to}"`;
    });
    const names = states.map((state) => `"${state}"`);
    return `automaton(states ${names.join(", ")} start "${start}" ${on.join(" ")} error ${names.at(-1)})`;
  }

  formula(): string {
    const chance = this.#chance;
    const k = () => this.#bound();
    const t = chance.odds(70) ? "t.log" : "t.pay";
    const other = t === "t.log" ? "t.pay" : "t.log";
    const compared = () => chance.pick(["<=", "<", ">=", "==", "!="]);
    const [name, text] = chance.weighted<readonly [string, () => string]>([
      [8, ["all", () => `forall x in ${t}: x.n ${compared()} ${k()}`]],
      [2, ["none", () => `not exists x in ${t}: x.n ${compared()} ${k()}`]],
      [1, ["all where", () => `forall x in ${t} where x.who == "a": x.n ${compared()} ${k()}`]],
      [1, ["nothing", () => `count(x in ${t}) == 0`]],
      [3, ["count", () => `count(x in ${t}) <= ${k()}`]],
      [2, ["count where", () => `count(x in ${t} where x.n ${compared()} ${this.#constant()}) <= ${k()}`]],
      [3, ["sum", () => `sum(x in ${t}: x.n) ${chance.pick(["<=", ">="])} ${k()}`]],
      [2, ["max", () => `max(x in ${t}: x.n else 0) <= ${k()}`]],
      [2, ["min", () => `min(x in ${t}: x.n else 0) >= ${k()}`]],
      [1, ["distinct", () => `distinct(x in ${t}: ${chance.pick(["x.who", "x.n"])})`]],
      [
        2,
        [
          "two alike",
          () =>
            `forall x in ${t}: forall y in ${t}: ${chance.pick(["x.n == y.n", "x.who == y.who implies x.n == y.n", "x.n <= y.n + 1"])}`,
        ],
      ],
      [2, ["some for each", () => `forall w in ${t}: exists x in ${t}: x.n ${compared()} ${k()}`]],
      [1, ["some of a label", () => `forall w in ${t}: exists x in label "l": x.n ${compared()} w.n`]],
      [
        1,
        [
          "automaton and some",
          () => `${this.#automaton()} and (forall w in ${t}: exists x in ${t}: x.n ${compared()} ${k()})`,
        ],
      ],
      [1, ["two kinds", () => `forall x in ${t}: forall y in ${other}: x.n ${compared()} y.n`]],
      [
        2,
        [
          "per key",
          () =>
            `forall v = ${chance.pick(["count(x in T by x.who)", "sum(x in T by x.who: x.n)", "count(x in T by x.n)"]).replace("T", t)}: v <= ${k()}`,
        ],
      ],
      [
        1,
        [
          "per key, least and greatest",
          () => `forall v = ${chance.pick(["min", "max"])}(x in ${t} by x.who: x.n): v <= ${k()}`,
        ],
      ],
      [1, ["exists per key", () => `not exists v = sum(x in ${t} by x.who: x.n): v > ${k()}`]],
      [1, ["before", () => `forall x in ${t}: exists y in ${other}: precedes(y, x)`]],
      [
        1,
        ["before with a key", () => `forall x in ${t}: exists y in ${other}: precedes(y, x) and y.n == x.n`],
      ],
      [1, ["never after", () => `forall x in ${t}: forall y in ${other}: not precedes(y, x)`]],
      [
        1,
        [
          "never after itself",
          () => `forall x in ${t}: forall y in ${t}: precedes(y, x) implies y.n ${compared()} x.n`,
        ],
      ],
      [6, ["automaton", () => this.#automaton()]],
      [1, ["end state", () => `final t.at["a"] ${compared()} ${k()}`]],
      [2, ["end state of all", () => `forall c in final t.at: c.value ${compared()} ${k()}`]],
      [1, ["end state of others", () => `forall c in final t.at where c.key != "a": c.value == 0`]],
      [
        1,
        [
          "flags at the end",
          () =>
            chance.pick([
              "forall c in final t.on: c.value",
              'final t.on["a"]',
              "forall c in final t.on: not c.value",
            ]),
        ],
      ],
      [
        1,
        [
          "always",
          () =>
            chance.pick([
              `always(now t.at["a"] ${compared()} ${k()})`,
              `always(forall c in now t.at: c.value ${compared()} ${k()})`,
            ]),
        ],
      ],
      [
        1,
        [
          "count of cells",
          () => `count(c in final t.at where c.value > ${this.#constant()}) <= ${chance.int(0, 2)}`,
        ],
      ],
      [
        1,
        [
          "of an input",
          () =>
            chance.pick([
              `forall x in ${t}: contains(xs, x.n)`,
              `forall x in ${t}: contains(ys, x.who)`,
              `any(xs, u => u == ${this.#constant()}) or not exists x in ${t}: x.n == ${this.#constant()}`,
            ]),
        ],
      ],
      [
        1,
        [
          "calls of a label",
          () => `count(x in label "l" where x.n ${compared()} ${this.#constant()}) <= ${k()}`,
        ],
      ],
      [1, ["counts compared", () => `count(x in ${t}) <= count(y in ${other})`]],
    ]);
    this.#tag(`guarantee: ${name}`);
    return chance.weighted([
      [8, text],
      [1, () => `(${text()}) or (${this.formula()})`],
      [1, () => `(${this.formula()}) implies (${text()})`],
    ])();
  }
}

/** An insertion sort, or what looks like one: all elements in some order. */
function sortOf(list: string, before: string): string {
  const among = (condition: string) => `filter(s, s2 => ${condition})`;
  return `fold(${list}, [], (s: list<int>, z) => ${among(before)} ++ [z] ++ ${among(`not ${before}`)})`;
}
