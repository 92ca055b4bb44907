/**
 * Random programs in which objects have several names and holders: variables, keys of objects and of `Map`s, elements of lists,
 * fields of a table, choices. What is changed under one name is looked at under another, in nested loops and on paths.
 */
import type { LabProgram } from "./lab.ts";

/** A pseudo-random number below the bound. */
type Dice = (below: number) => number;

function diceOf(seed: number): Dice {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917) >>> 0;
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

interface Context {
  /** Names of objects that are there for certain, and whether they may be assigned to. */
  readonly objects: readonly { readonly name: string; readonly isLet: boolean }[];
  /** Expressions of keys, conditions and numbers. */
  readonly keys: readonly string[];
  readonly conditions: readonly string[];
  readonly numbers: readonly string[];
  readonly depth: number;
  /** Lists and maps that a loop around goes over, which it must not change. */
  readonly loops: number;
  /** Names of arrays inside objects, of lists of objects, and of objects that hold others (`wide` programs). */
  readonly arrays: readonly string[];
  readonly lists: readonly string[];
  readonly boxes: readonly string[];
}

/** Functions of `wide` programs: they change what they are given, hand it on, or copy its outer half. */
const helpers = `
function touch(o: O, n: number): O {
  o.n += n;
  o.xs.push(n);
  return o;
}
function pick(a: O, b: O, first: boolean): O {
  return first ? a : b;
}
const half = (o: O): O => ({ ...o });
function keepIn(l: O[], o: O): void {
  l.push(o);
}
`;

class Writer {
  readonly #dice: Dice;
  /** Also with functions, closures, `try`, arrays out of objects, copies of lists and objects in objects. */
  readonly #isWide: boolean;
  #names = 0;

  constructor(dice: Dice, isWide: boolean) {
    this.#dice = dice;
    this.#isWide = isWide;
  }

  #one<T>(options: readonly T[]): T {
    const found = options[this.#dice(options.length)];
    if (found === undefined) throw new RangeError("nothing to choose from");
    return found;
  }

  #fresh(hint: string): string {
    return `${hint}${this.#names++}`;
  }

  #literal(at: Context): string {
    return this.#one([
      "{ n: 1, xs: [] }",
      `{ n: ${this.#one(at.numbers)}, xs: [${this.#one(at.numbers)}] }`,
      ...at.objects.map(({ name }) => `{ ...${name}, n: 7 }`),
      ...at.objects.map(({ name }) => `{ n: ${name}.n, xs: [...${name}.xs] }`),
    ]);
  }

  /** An object that is there, or `undefined`. */
  #found(at: Context): string {
    const key = this.#one(at.keys);
    return this.#one([
      `m[${key}]`,
      `mp.get(${key})`,
      "list.at(-1)",
      "list[0]",
      `list.find((o) => o.n > ${this.#one(at.numbers)})`,
      `list.findLast((o) => o.xs.length > 0)`,
      ...at.lists.map((name) => `${name}[0]`),
      ...at.boxes.map((box) => `${box}.others.at(-1)`),
    ]);
  }

  /** Statements of `wide` programs. */
  #wide(at: Context): { readonly text: string; readonly at: Context } {
    const plain = (text: string) => ({ text, at });
    const names = at.objects.map(({ name }) => name);
    const number = this.#one(at.numbers);
    switch (this.#dice(12)) {
      case 0:
      case 1: {
        const from = this.#one([...names, "table.a", ...at.boxes.map((box) => `${box}.o`)]);
        const name = this.#fresh("a");
        const text = this.#one([`const ${name} = ${from}.xs;`, `const { xs: ${name} } = ${from};`]);
        return { text, at: { ...at, arrays: [...at.arrays, name] } };
      }
      case 2: {
        if (at.arrays.length === 0) return plain(this.#store(at));
        const name = this.#one(at.arrays);
        return plain(
          this.#one([
            `${name}.push(${number});`,
            `${name}.sort((x, y) => y - x);`,
            `await lab.nums({ items: ${name} });`,
            `${name}[0] = ${number};`,
            `${name}.splice(0, 1);`,
          ]),
        );
      }
      case 3:
      case 4: {
        const name = this.#fresh("l");
        const from = this.#one([
          "list.filter((o) => o.n > 1)",
          "[...list]",
          "list.slice(0, 2)",
          "Object.values(m)",
          "[...mp.values()]",
          "list",
          "[table.a, table.b]",
          ...(names.length === 0 ? [] : [`[${this.#one(names)}, ${this.#one(names)}]`]),
          ...(names.length === 0 ? [] : [`list.concat([${this.#one(names)}])`]),
          "list.map((o) => ({ ...o, n: o.n + 1 }))",
          "list.map((o) => o)",
        ]);
        return { text: `const ${name} = ${from};`, at: { ...at, lists: [...at.lists, name] } };
      }
      case 5: {
        if (at.lists.length === 0) return plain(this.#store(at));
        const list = this.#one(at.lists);
        const name = this.#fresh("e");
        const inner = { ...at, objects: [...at.objects, { name, isLet: false }], depth: at.depth + 1 };
        return plain(
          this.#one([
            `for (const ${name} of ${list}) {\n${this.#change(name, inner)}\n}`,
            `for (const ${name} of ${list}) {\n${this.#look(name)}\n}`,
            `${list}.forEach((${name}) => {\n${this.#change(name, inner)}\n});`,
            `${list}.sort((x, y) => x.n - y.n);`,
            ...(names.length === 0 ? [] : [`keepIn(${list}, ${this.#one(names)});`]),
          ]),
        );
      }
      case 6: {
        const name = this.#fresh("b");
        const [o, other] = [this.#object(at), this.#object(at)];
        return {
          text: `const ${name}: { o: O; others: O[] } = { o: ${o}, others: [${other}] };`,
          at: { ...at, boxes: [...at.boxes, name] },
        };
      }
      case 7: {
        if (at.boxes.length === 0) return plain(this.#store(at));
        const box = this.#one(at.boxes);
        return plain(
          this.#one([
            this.#change(`${box}.o`, at),
            `${box}.others.push(${this.#object(at)});`,
            `${box}.o = ${this.#object(at)};`,
            this.#look(`${box}.o`),
          ]),
        );
      }
      case 8: {
        if (names.length === 0) return plain(this.#store(at));
        const name = this.#fresh("f");
        const object = this.#one(names);
        return plain(`const ${name} = () => {
${this.#change(object, at)}
};
${this.#change(this.#one(names), at)}
${name}();
${this.#look(object)}`);
      }
      case 9: {
        if (names.length === 0) return plain(this.#store(at));
        const object = this.#one(names);
        return plain(`try {
${this.#change(object, at)}
await lab.risky({ key: "k" });
${this.#change(this.#one(names), at)}
} catch {
${this.#change(object, at)}
}`);
      }
      case 10: {
        if (names.length === 0) return plain(this.#store(at));
        return plain(`touch(${this.#one(names)}, ${number});`);
      }
      default:
        return plain(
          at.loops > 0
            ? `if (${this.#one(at.conditions)}) ${this.#one(["continue", "break"])};`
            : this.#store(at),
        );
    }
  }

  #object(at: Context): string {
    const key = this.#one(at.keys);
    const names = at.objects.map(({ name }) => name);
    return this.#one([
      this.#literal(at),
      `(m[${key}] ??= { n: 0, xs: [] })`,
      `m[${key}] ?? { n: 3, xs: [] }`,
      `mp.get(${key}) ?? { n: 4, xs: [4] }`,
      `table[${this.#one(at.conditions)} ? "a" : "b"]`,
      "table.a",
      ...names,
      ...(this.#isWide ? names.map((name) => `half(${name})`) : []),
      ...(this.#isWide ? names.map((name) => `touch(${name}, ${this.#one(at.numbers)})`) : []),
      ...(this.#isWide && names.length > 0
        ? [`pick(${this.#one(names)}, ${this.#one(names)}, ${this.#one(at.conditions)})`]
        : []),
      ...at.boxes.map((box) => `${box}.o`),
      ...(names.length > 1
        ? [`${this.#one(at.conditions)} ? ${this.#one(names)} : ${this.#one(names)}`]
        : []),
    ]);
  }

  #change(of: string, at: Context): string {
    const number = this.#one(at.numbers);
    return this.#one([
      `${of}.n += ${number};`,
      `${of}.n++;`,
      `${of}.xs.push(${number});`,
      `${of}.xs.push(${number}, ${of}.n);`,
      `${of}.xs.sort((a, b) => a - b);`,
      `${of}.xs.reverse();`,
      `${of}.xs = [${number}];`,
      `if (!${of}.xs.includes(${number})) ${of}.xs.push(${number});`,
      `${of}.xs.pop();`,
    ]);
  }

  #look(of: string): string {
    return this.#one([
      `await lab.put({ n: ${of}.n });`,
      `await lab.put({ n: ${of}.xs.length });`,
      `await lab.nums({ items: ${of}.xs });`,
      `await lab.say({ text: ${of}.xs.join("-") });`,
      `seen += ${of}.xs.reduce((a, b) => a + b, ${of}.n);`,
    ]);
  }

  #store(at: Context): string {
    const key = this.#one(at.keys);
    const value = this.#object(at);
    return this.#one([
      `m[${key}] = ${value};`,
      `m[${key}] ??= ${this.#literal(at)};`,
      `mp.set(${key}, ${value});`,
      `if (!mp.has(${key})) mp.set(${key}, ${this.#literal(at)});`,
      `list.push(${value});`,
      `list.push(${this.#literal(at)});`,
      `table.${this.#one(["a", "b"])} = ${value};`,
      `delete m[${key}];`,
      `mp.delete(${key});`,
      "list.pop();",
      "list.reverse();",
      "list.sort((a, b) => a.n - b.n);",
    ]);
  }

  #statement(at: Context): { readonly text: string; readonly at: Context } {
    if (this.#isWide && this.#dice(5) < 2) return this.#wide(at);
    const plain = (text: string) => ({ text, at });
    const kind = this.#dice(at.depth > 2 ? 9 : 13);
    const [object] = at.objects.length === 0 ? [] : [this.#one(at.objects)];
    switch (kind) {
      case 0:
      case 1: {
        const name = this.#fresh("o");
        const isLet = this.#dice(3) === 0;
        return {
          text: `${isLet ? "let" : "const"} ${name} = ${this.#object(at)};`,
          at: { ...at, objects: [...at.objects, { name, isLet }] },
        };
      }
      case 2:
      case 3:
        return plain(this.#store(at));
      case 4:
        return plain(object === undefined ? this.#store(at) : this.#change(object.name, at));
      case 5: {
        const target = this.#one([
          `(m[${this.#one(at.keys)}] ??= { n: 0, xs: [] })`,
          "table.a",
          `table[${this.#one(at.conditions)} ? "a" : "b"]`,
          ...(object === undefined ? [] : [object.name]),
        ]);
        return plain(target.startsWith("(") ? `${target}.xs.push(5);` : this.#change(target, at));
      }
      case 6:
        return plain(object === undefined ? "" : this.#look(object.name));
      case 7: {
        const name = this.#fresh("f");
        const inner = { ...at, objects: [...at.objects, { name, isLet: false }], depth: at.depth + 1 };
        return plain(`const ${name} = ${this.#found(at)};
if (${name}) {
${this.#block(inner, 2)}
}`);
      }
      case 8: {
        const changed = at.objects.filter(({ isLet }) => isLet);
        if (changed.length === 0) return plain(this.#store(at));
        return plain(`${this.#one(changed).name} = ${this.#object(at)};`);
      }
      case 9: {
        const inner = { ...at, depth: at.depth + 1 };
        const other = this.#dice(2) === 0 ? ` else {\n${this.#block(inner, 2)}\n}` : "";
        return plain(`if (${this.#one(at.conditions)}) {\n${this.#block(inner, 2)}\n}${other}`);
      }
      case 10: {
        const row = this.#fresh("r");
        const inner: Context = {
          ...at,
          keys: [...at.keys, `${row}.id`],
          conditions: [...at.conditions, `${row}.ok`, `${row}.n > 2`],
          numbers: [...at.numbers, `${row}.n`],
          depth: at.depth + 1,
          loops: at.loops + 1,
        };
        return plain(`for (const ${row} of rows) {\n${this.#block(inner, 3)}\n}`);
      }
      case 11: {
        const name = this.#fresh("e");
        const inner: Context = {
          ...at,
          objects: [...at.objects, { name, isLet: false }],
          depth: at.depth + 1,
          loops: at.loops + 1,
        };
        const over = this.#one(["list", "mp.values()", "Object.values(m)"]);
        if (over === "list" && this.#dice(2) === 0)
          return plain(`list.forEach((${name}) => {\n${this.#change(name, inner)}\n});`);
        return plain(`for (const ${name} of ${over}) {\n${this.#block(inner, 2)}\n}`);
      }
      default: {
        const i = this.#fresh("i");
        const inner: Context = {
          ...at,
          numbers: [...at.numbers, i],
          depth: at.depth + 1,
          loops: at.loops + 1,
        };
        return plain(`for (let ${i} = 0; ${i} < rows.length; ${i}++) {\n${this.#block(inner, 2)}\n}`);
      }
    }
  }

  #block(at: Context, most: number): string {
    return this.statements(at, 1 + this.#dice(most));
  }

  statements(at: Context, count: number): string {
    let now = at;
    const lines: string[] = [];
    for (let i = 0; i < count; i++) {
      const made = this.#statement(now);
      lines.push(made.text);
      now = made.at;
    }
    return lines.join("\n");
  }

  program(): LabProgram {
    const at: Context = {
      objects: [],
      keys: [`"a"`, `"b"`, "word"],
      conditions: ["flag", `word === "a"`],
      numbers: ["1", "2", "5"],
      depth: 0,
      loops: 0,
      arrays: [],
      lists: [],
      boxes: [],
    };
    const body = this.statements(at, 4 + this.#dice(5));
    return {
      top: `interface O { n: number; xs: number[] }${this.#isWide ? helpers : ""}`,
      body: `const rows = await lab.rows();
const flag = await lab.test({ key: "k" });
const word = await lab.word();
let seen = 0;
const m: Record<string, O> = {};
const mp = new Map<string, O>();
const list: O[] = [];
const table: { a: O; b: O } = { a: { n: 10, xs: [] }, b: { n: 20, xs: [2] } };
${body}
return { seen, m, mp: [...mp], list, table };`,
    };
  }
}

export function aliasProgram(seed: number, isWide: boolean): LabProgram {
  return new Writer(diceOf(seed), isWide).program();
}
