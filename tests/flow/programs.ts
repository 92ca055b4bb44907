/**
 * Random programs that pass on what tools return by every way there is: arguments, conditions, loops, carried values,
 * other tools, caught failures, stores, fluents, sorting, counting, text.
 */
import { type Checked, check } from "../../src/ir/check/index.ts";
import type { Document, Source, Tool } from "../../src/ir/document.ts";
import { readDocument } from "../../src/ir/read.ts";
import { programOf } from "../support/arbitrary-program.ts";
import { Chance } from "../support/program/chance.ts";

/** `row`: a record of `s`, `n`, `ok` and, if it is there, `o`. */
type Kind = "string" | "int" | "bool" | "strings" | "rows" | "row" | "maybe";

const typeText: Record<Kind, string> = {
  string: "string",
  int: "int",
  bool: "bool",
  strings: "list<string>",
  row: "record{s: string, n: int, ok: bool, o?: string}",
  rows: "list<record{s: string, n: int, ok: bool, o?: string}>",
  maybe: "option<string>",
};
const kinds = Object.keys(typeText) as Kind[];

interface ToolForm {
  readonly name: string;
  readonly params: readonly (readonly [name: string, kind: Kind, optional?: true])[];
  readonly result?: Kind;
  readonly sets?: string;
}

const forms: readonly ToolForm[] = [
  { name: "t.rows", params: [], result: "rows" },
  { name: "t.row", params: [["key", "string"]], result: "row" },
  { name: "t.text", params: [["n", "int"]], result: "string" },
  { name: "t.ask", params: [["about", "row"]], result: "bool" },
  { name: "t.count", params: [["in", "strings"]], result: "int" },
  { name: "t.list", params: [["like", "maybe"]], result: "strings" },
  { name: "t.maybe", params: [["s", "string", true]], result: "maybe" },
  {
    name: "t.send",
    params: [
      ["to", "string"],
      ["row", "row"],
      ["all", "rows"],
      ["copy", "strings", true],
    ],
  },
  {
    name: "t.put",
    params: [
      ["k", "string"],
      ["v", "int"],
    ],
    sets: 't.cell[k] = v + now t.cell["x"]',
  },
  { name: "t.note", params: [["ok", "bool"]], sets: 't.flag["a"] = ok when now t.cell["a"] < 3' },
];

const storeNames = ["mail", "disk", "memory"];

/** The case that a seed stands for: a document, checked. */
export function flowCase(seed: number): Checked {
  const chance = Chance.seeded(seed);
  const base = chance.odds(35) ? anyDocument(chance) : new Programs(chance).document();
  return checkedOf(withStores(base, chance));
}

/** One that goes through what tools return, and mostly does something for each element by itself. */
export function loopingCase(seed: number): Checked {
  const chance = Chance.seeded(seed);
  const document = new Programs(chance).looping();
  return checkedOf(chance.odds(25) ? withStores(document, chance) : withoutStores(document));
}

function withoutStores(document: Document): Document {
  return { ...document, tools: document.tools.map((tool): Tool => ({ ...tool, stores: [] })) };
}

function checkedOf(document: Document): Checked {
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.value;
}

/** Every operator and every form of command; nothing that would only stop the run. */
function anyDocument(chance: Chance): Document {
  const size = { failing: 0, fluents: 2, tools: 4, commands: 9, guarantees: 1, fuel: 3, catching: 25 };
  const { document } = programOf(chance.int(0, 2 ** 31 - 1), size);
  const tools = document.tools.map(({ cost, ...tool }) => ({ ...tool, requires: [], ensures: [] }));
  return { ...document, tools, guarantees: [] };
}

/** Adds stores and endorsements to the tools. */
function withStores(document: Document, chance: Chance): Document {
  // Where nothing is said of most tools, everything may come from everywhere.
  const said = chance.odds(75) ? 100 : 50;
  const tools = document.tools.map((tool): Tool => {
    const stores = chance.odds(55) ? [] : storeNames.filter(() => chance.odds(35));
    return {
      ...tool,
      ...(chance.odds(said) ? { stores } : {}),
      ...(chance.odds(30) ? { reads: true } : {}),
      ...(chance.odds(20) ? { untrusted: true } : {}),
    };
  });
  const sources = (): Source[] => {
    const all: Source[] = [
      { kind: "tool", tool: chance.pick(tools).name },
      { kind: "untrusted" },
      { kind: "input" },
    ];
    return all.filter(() => chance.odds(50));
  };
  const endorsing = (tool: Tool) => tool.result !== undefined && chance.odds(10);
  return {
    ...document,
    tools: tools.map((tool) => (endorsing(tool) ? { ...tool, endorses: sources() } : tool)),
  };
}

class Programs {
  readonly #chance: Chance;
  #names = 0;
  /** Depth of the expressions. */
  #fuel = 2;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  document(): Document {
    return this.#document(this.#body(inputs, this.#chance.int(3, 9), 2).lines);
  }

  looping(): Document {
    this.#fuel = 1;
    const lists = this.#chance.times(1, 2, (): [string, Kind] => [this.#name(), "rows"]);
    const given = lists.map(([name]) => `let ${name} = call t.rows()`);
    const loops = this.#chance.times(1, 2, () => this.#loop([["in1", "string"], ...lists], 2).lines);
    return this.#document([...given, ...loops.flat()]);
  }

  #document(lines: readonly string[]): Document {
    const declared = forms.map(({ name, params, result, sets }) => {
      const list = params.map(([one, kind, optional]) => `${one}${optional ? "?" : ""}: ${typeText[kind]}`);
      const head = `tool ${name}(${list.join(", ")})${result === undefined ? "" : ` -> ${typeText[result]}`}`;
      return sets === undefined ? head : `${head}\n  sets ${sets}`;
    });
    const text = `effect-ir 1
fluent t.cell[string]: int = 0
fluent t.flag[string]: bool = false
${declared.join("\n")}
program (in1: string, in2: int, in3: ${typeText.rows}) {
${lines.join("\n")}
}`;
    const read = readDocument(text);
    if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
    return read.value.checked.document;
  }

  #name(): string {
    return `v${++this.#names}`;
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────────────

  #body(scope: Scope, count: number, loops: number): { lines: string[]; scope: Scope } {
    const lines: string[] = [];
    let inner = scope;
    for (let i = 0; i < count; i++) {
      const made = this.#chance.weighted<() => { lines: string[]; scope: Scope }>([
        [6, () => this.#call(inner)],
        [2, () => this.#let(inner)],
        [loops > 0 ? 2 : 0, () => this.#loop(inner, loops)],
      ])();
      lines.push(...made.lines);
      inner = made.scope;
    }
    return { lines, scope: inner };
  }

  #let(scope: Scope) {
    const kind = this.#chance.pick(kinds);
    const name = this.#name();
    return {
      lines: [`let ${name} = ${this.#expr(kind, scope, this.#fuel)}`],
      scope: [...scope, [name, kind]] satisfies Scope,
    };
  }

  #call(scope: Scope): { lines: string[]; scope: Scope } {
    const chance = this.#chance;
    const { name, params, result } = chance.pick(forms);
    const args = params.flatMap(([one, kind, optional]) => {
      if (!optional || chance.odds(40)) return [`${one}: ${this.#expr(kind, scope, this.#fuel)}`];
      if (kind === "string" && chance.odds(50)) return [`${one}?: ${this.#expr("maybe", scope, 2)}`];
      return chance.odds(50)
        ? []
        : [`${one}?: if ${this.#expr("bool", scope, 1)} then some(${this.#expr(kind, scope, 1)}) else none`];
    });
    const when = chance.odds(35) ? ` when ${this.#expr("bool", scope, this.#fuel)}` : "";
    const caught = chance.odds(25) ? this.#name() : undefined;
    const failing = caught === undefined ? "" : ` catch ${caught}`;
    const call = `call ${name}(${args.join(", ")})${when}${failing}`;
    const flags: Scope = caught === undefined ? [] : [[caught, "bool"]];
    if (result === undefined) return { lines: [call], scope: [...scope, ...flags] };
    const raw = this.#name();
    if (when === "" && caught === undefined)
      return { lines: [`let ${raw} = ${call}`], scope: [...scope, [raw, result]] };
    const value = this.#name();
    const taken = chance.odds(50) ? `value(${raw})` : `orElse(${raw}, ${this.#expr(result, scope, 1)})`;
    const there = this.#name();
    return {
      lines: [`let ${raw} = ${call}`, `let ${value} = ${taken}`, `let ${there} = isSome(${raw})`],
      scope: [...scope, ...flags, [value, result], [there, "bool"]],
    };
  }

  #loop(scope: Scope, loops: number): { lines: string[]; scope: Scope } {
    const chance = this.#chance;
    const rows = scope.filter(([name, kind]) => kind === "rows" && name !== "in3").map(([name]) => name);
    const own = rows.length > 0 && this.#fuel === 1 && chance.odds(70);
    const [list, element] = chance.pick<readonly [string, Kind]>(
      own
        ? [[chance.pick(rows), "row"]]
        : [
            ...(rows.length > 0 ? [[chance.pick(rows), "row"] as const] : []),
            [`slice(${this.#expr("rows", scope, 2)}, 0, 4)`, "row"],
            [this.#expr("rows", scope, 0), "row"],
            [`slice(${this.#expr("strings", scope, 2)}, 0, 4)`, "string"],
            [`range(min(3, ${this.#expr("int", scope, 1)}))`, "int"],
          ],
    );
    const held = chance.times(0, 2, () => [this.#name(), chance.pick(kinds)] as const);
    const inits = held.map(([name, kind]) => `${name}: ${typeText[kind]} = ${this.#expr(kind, scope, 1)}`);
    const [one, index] = [this.#name(), chance.odds(40) ? this.#name() : undefined];
    const inside: Scope = [
      ...scope,
      ...held,
      [one, element],
      ...(index === undefined ? [] : [[index, "int"] as const]),
    ];
    const body = this.#body(inside, chance.int(1, 3), loops - 1);
    const next = held.map(([name, kind]) => `next ${name} = ${this.#next(name, kind, body.scope)}`);
    const carry = inits.length === 0 ? "" : ` carry ${inits.join(", ")}`;
    const head = `for ${one}${index === undefined ? "" : `, ${index}`} in ${list} max 20${carry} {`;
    return { lines: [head, ...body.lines, ...next, "}"], scope: [...scope, ...held] };
  }

  #next(name: string, kind: Kind, scope: Scope): string {
    const chance = this.#chance;
    const change = this.#expr(kind, scope, this.#fuel);
    // It stays short, whatever it grows by.
    const short = kind === "strings" || kind === "rows" ? `slice(${change}, 0, 6)` : change;
    if (chance.odds(40)) return `if ${this.#expr("bool", scope, 1)} then ${short} else ${name}`;
    return kind === "int" && chance.odds(50) ? `${name} + 1` : short;
  }

  // ── expressions ────────────────────────────────────────────────────────────────────────────────────────

  #expr(kind: Kind, scope: Scope, fuel: number): string {
    const chance = this.#chance;
    const known = scope.filter(([, one]) => one === kind).map(([name]) => name);
    const leaf = () =>
      known.length > 0 && chance.odds(85)
        ? chance.pick(known.slice(this.#fuel === 1 ? -2 : -6))
        : this.#literal(kind);
    if (fuel <= 0 || chance.odds(35)) return leaf();
    const of = (one: Kind) => this.#expr(one, scope, fuel - 1);
    if (chance.odds(12)) return `(if ${of("bool")} then ${of(kind)} else ${of(kind)})`;
    const x = this.#name();
    const row: Scope = [...scope, [x, "row"]];
    const given = (one: Kind) => this.#expr(one, row, fuel - 1);
    const ways: Record<Kind, readonly (() => string)[]> = {
      string: [
        () => `${of("row")}.s`,
        () => `(${of("string")} ++ ${of("string")})`,
        () => `slice(${of("string")}, 0, 3)`,
        () => `orElse(${of("maybe")}, ${of("string")})`,
        () => `joinText(${of("strings")}, ",")`,
        () => `textOf(${of("int")})`,
        () => `orElse(at(${of("strings")}, ${of("int")}), "")`,
        () => `orElse(jsonString(json(${of("string")})), "")`,
        () => `fold(${of("strings")}, "", (${x}: string, ${x}e) => if ${x} < ${x}e then ${x}e else ${x})`,
      ],
      int: [
        () => `${of("row")}.n`,
        () => `length(${of("rows")})`,
        () => `length(${of("strings")})`,
        () => `length(${of("string")})`,
        () => `(${of("int")} + ${of("int")})`,
        () => `indexOf(${of("strings")}, ${of("string")})`,
        () => `findIndex(${of("rows")}, ${x} => ${given("bool")})`,
        () => `fold(${of("rows")}, 0, (${x}a: int, ${x}) => ${x}a + ${given("int")})`,
        () => `total(map(${of("rows")}, ${x} => ${given("int")}))`,
      ],
      bool: [
        () => `${of("row")}.ok`,
        () => `(${of("int")} < ${of("int")})`,
        () => `(${of("string")} == ${of("string")})`,
        () => `(${of("bool")} and ${of("bool")})`,
        () => `not ${of("bool")}`,
        () => `isSome(${of("maybe")})`,
        () => `any(${of("rows")}, ${x} => ${given("bool")})`,
        () => `every(${of("rows")}, ${x} => ${given("bool")})`,
        () => `contains(${of("strings")}, ${of("string")})`,
      ],
      strings: [
        () => `map(${of("rows")}, ${x} => ${given("string")})`,
        () => `(${of("strings")} ++ ${of("strings")})`,
        () => `[${of("string")}, ${of("string")}]`,
        () => `split(${of("string")}, ",")`,
        () => `unique(${of("strings")})`,
        () => `reverse(${of("strings")})`,
        () => `slice(${of("strings")}, ${of("int")}, ${of("int")})`,
        () => `flatMap(${of("rows")}, ${x} => ${given("strings")})`,
        () => `filter(${of("strings")}, ${x}s => ${x}s < ${of("string")})`,
      ],
      rows: [
        () => `filter(${of("rows")}, ${x} => ${given("bool")})`,
        () => `map(${of("rows")}, ${x} => ${given("row")})`,
        () => `(${of("rows")} ++ ${of("rows")})`,
        () => `[${of("row")}]`,
        () =>
          `map(entries(${of("rows")}), ${x}e => { s: ${x}e.value.s, n: ${x}e.index, ok: ${x}e.value.ok, o?: ${x}e.value.o })`,
        () => `reverse(${of("rows")})`,
      ],
      row: [
        () => `{ s: ${of("string")}, n: ${of("int")}, ok: ${of("bool")}, o?: ${of("maybe")} }`,
        () => `orElse(find(${of("rows")}, ${x} => ${given("bool")}), ${of("row")})`,
        () => `orElse(at(${of("rows")}, ${of("int")}), ${of("row")})`,
      ],
      maybe: [
        () => `${of("row")}.o`,
        () => `at(${of("strings")}, ${of("int")})`,
        () => `some(${of("string")})`,
        () => `find(${of("strings")}, ${x}s => contains(${x}s, ${of("string")}))`,
      ],
    };
    return chance.pick(ways[kind])();
  }

  #literal(kind: Kind): string {
    const chance = this.#chance;
    switch (kind) {
      case "string":
        return chance.pick(['""', '"a"', '"b"', '"ab"']);
      case "int":
        return String(chance.int(0, 3));
      case "bool":
        return chance.pick(["true", "false"]);
      case "strings":
        return chance.pick(["[]", '["a"]', '["b", "a"]']);
      case "row":
        return '{ s: "a", n: 1, ok: true, o?: some("c") }';
      case "rows":
        return '[{ s: "b", n: 2, ok: false, o?: some("d") }]';
      case "maybe":
        return chance.pick(["none", 'some("a")']);
    }
  }
}

const inputs: Scope = [
  ["in1", "string"],
  ["in2", "int"],
  ["in3", "rows"],
];

type Scope = readonly (readonly [name: string, kind: Kind])[];
