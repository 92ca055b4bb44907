// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs have templates of their own
/**
 * Random programs over the whole surface: JSON, maps, sets, dates, patterns, numbers in texts, `while`, labels, closures,
 * generators, recursion, casts, destructuring, settled promises. Values are kept by calls as they are made, so that a
 * difference between engines is seen where it begins.
 */
import type { LabProgram } from "../lab.ts";

/**
 * Kinds of values: numbers, numbers that may be `NaN`, texts, truth, lists of numbers and of texts, records, maps, sets,
 * JSON, dates, texts that may be absent, rows.
 */
type Kind = "n" | "q" | "s" | "b" | "xs" | "ws" | "m" | "k" | "e" | "j" | "d" | "o" | "rs";

/** Forms of expressions. `<s>` is any text; `<s!>` is a name of one. */
const forms: Readonly<Record<Kind, readonly string[]>> = {
  n: [
    "0",
    "1",
    "2",
    "7",
    "-3",
    "10",
    "0.5",
    "(<n> + <n>)",
    "(<n> - <n>)",
    "(<n> * 2)",
    "(<n> % 4)",
    "Math.min(<n>, <n>)",
    "Math.max(<n>, 2)",
    "Math.abs(<n>)",
    "Math.floor(<n> / 2)",
    "Math.round(<n>)",
    "Math.trunc(<n>)",
    "Math.sign(<n>)",
    "(<b> ? <n> : <n>)",
    "(<q> || <n>)",
    "(Number.isNaN(<q>) ? <n> : 4)",
    "<s>.length",
    "<s>.indexOf(<s>)",
    "<s>.lastIndexOf(<s>)",
    "<s>.search(/[0-9]/)",
    "<xs>.length",
    "<ws>.length",
    "<xs>.reduce((p, q) => p + q, <n>)",
    "<xs>.indexOf(<n>)",
    "<ws>.indexOf(<s>)",
    "<ws>.findIndex((w) => w > <s>)",
    "(<xs>[0] ?? <n>)",
    "(<xs>.at(-1) ?? <n>)",
    "<xs>.filter((x, i) => x > i).length",
    "(<m>[<s>] ?? <n>)",
    "Object.keys(<m>).length",
    "Object.values(<m>).reduce((p, q) => p + q, 0)",
    "(<k>.get(<s>) ?? <n>)",
    "<k>.size",
    "<e>.size",
    '(typeof <j!> === "number" ? 5 : <n>)',
    "(Array.isArray(<j!>) ? <j!>.length : <n>)",
    "<d>.getUTCFullYear() % 100",
    "<d>.getUTCDay()",
    "<d>.getUTCDate()",
    "(<d>.getTime() % 1000)",
    "(<o>?.length ?? <n>)",
    "<rs>.filter((r) => r.ok).length",
    "<rs>.reduce((p, r) => p + r.n, 0)",
    "(<rs>[0]?.n ?? <n>)",
    "(<rs>.find((r) => r.n > <n>)?.n ?? -1)",
    "[...<s>].length",
    "(<s>.match(/[a-z]/g) ?? []).length",
    "depth(<n> % 5)",
    "twice((x) => x + 1, <n>)",
    "JSON.stringify(<ws>).length",
  ],
  q: [
    "Number(<s>)",
    "parseInt(<s>, 10)",
    "parseFloat(<s>)",
    "(+<s>)",
    "(Number(<s>) + <n>)",
    "Math.max(Number(<s>), <n>)",
    "Math.floor(parseFloat(<s>))",
    "parseInt(<s>, 16)",
    "Math.sqrt(<n> * <n> * 4)",
    "(<b> ? Number(<s>) : <n>)",
    "new Date(<s>).getTime()",
  ],
  s: [
    '""',
    '"a"',
    '"b"',
    '"a,b"',
    '"12"',
    '" 7 "',
    '"x1-y22"',
    '"Éß"',
    '"😀b"',
    '"0x1F"',
    '"2024-02-29"',
    '"2024-03-01T10:00:00+02:00"',
    '\'{"b":1,"1":[2],"a":null}\'',
    "(<s> + <s>).slice(0, 24)",
    "<s>.slice(0, 3)",
    "<s>.slice(-2)",
    "<s>.slice(1)",
    "<s>.substring(2, 1)",
    "<s>.trim()",
    "<s>.toUpperCase()",
    "<s>.toLowerCase()",
    '<s>.replace("a", "z")',
    '<s>.replaceAll(",", ";")',
    '<s>.replace(/[0-9]+/g, "#")',
    '<s>.replace(/([a-z])([0-9])?/, "$2$1")',
    "<s>.replace(/\\w/g, (c) => c + <n!>)",
    '<s>.padStart(4, "*")',
    "<s>.repeat(2).slice(0, 20)",
    "<s>.charAt(<n>)",
    '(<s>[0] ?? "-")',
    '(<s>.at(-1) ?? "-")',
    '<s>.split("").reverse().join("")',
    "<s>.concat(<s>).slice(0, 20)",
    "(<b> ? <s> : <s>)",
    "`${<n>}:${<s>}`",
    "`${<q>}`",
    "String(<n>)",
    "(<n>).toFixed(2)",
    "String(<b>)",
    '<ws>.join("-").slice(0, 24)',
    "<xs>.join()",
    '(<ws>[0] ?? "")',
    '(<ws>.find((w) => w.length > 1) ?? "?")',
    "(<o> ?? <s>)",
    '(<o> || "none")',
    "Object.keys(<m>).join()",
    "[...<k>.keys()].join()",
    '[...<e>].join("|")',
    "JSON.stringify(<j!> ?? null)",
    "JSON.stringify(<m>)",
    "JSON.stringify(<xs>)",
    "JSON.stringify(<s>)",
    "JSON.stringify({ b: <n>, a: <o> })",
    "typeof <j!>",
    '(typeof <j!> === "string" ? <j!> : "no text")',
    "<d>.toISOString()",
    '(<s>.match(/(\\w)(\\d)?/)?.[1] ?? "none")',
    '(<s>.match(/(?<y>\\d+)-(\\d+)/)?.groups?.y ?? "")',
    "[...<s>.matchAll(/[a-z]/g)].map((m) => m[0] + m.index).join()",
    '<s>.split(/[,-]/).join("/")',
    '(<rs>[0]?.id ?? "")',
    '<rs>.map((r) => r.note ?? "_").join()',
    "Object.entries(<m>).map(([key, value]) => key + value).join()",
    "<rs>.toSorted((p, q) => p.n - q.n).map((r) => r.id).join()",
  ],
  b: [
    "true",
    "false",
    "(<n> > <n>)",
    "(<n> === <n>)",
    "(<q> > <n>)",
    "(<q> === <q>)",
    "Number.isNaN(<q>)",
    "(<s> === <s>)",
    "(<s> < <s>)",
    "<s>.includes(<s>)",
    '<s>.startsWith("a")',
    "<s>.endsWith(<s>)",
    "/^[a-z]+$/i.test(<s>)",
    "/\\d/.test(<s>)",
    "/^.$/u.test(<s>)",
    "!<b>",
    "(<b> && <b>)",
    "(<b> || <b>)",
    "<xs>.includes(<n>)",
    "<ws>.some((w) => w === <s!>)",
    "<xs>.every((x) => x > <n!>)",
    "(<s> in <m!>)",
    "<k>.has(<s>)",
    "<e>.has(<s>)",
    "Array.isArray(<j!>)",
    "(<j!> === null)",
    '(typeof <j!> === "object")',
    "!<j!>",
    "(<o> === undefined)",
    "!!<o>",
    "(<d> < <d>)",
    "Number.isInteger(<n>)",
  ],
  xs: [
    "[<n>, <n>]",
    "[3, 1, 2]",
    "<xs>.map((x) => x + 1)",
    "<xs>.filter((x) => x > <n!>)",
    "<xs>.slice(0, 2)",
    "<xs>.toReversed()",
    "<xs>.toSorted((p, q) => p - q)",
    "<xs>.toSorted()",
    "[...<xs>, <n>].slice(0, 6)",
    "<ws>.map((w) => w.length)",
    "<rs>.map((r) => r.n)",
    "Object.values(<m>)",
    "Array.from({ length: 3 }, (_, i) => i * 2)",
    "[...up(<n> % 4)]",
    "<ws>.flatMap((w) => [w.length, 1]).slice(0, 5)",
    "<xs>.concat(<n>).slice(-4)",
    "<xs>.with(0, 9)",
  ],
  ws: [
    "[<s>, <s>]",
    '["b", "a", "10", "9"]',
    '<s>.split(",")',
    '<s>.split("").slice(0, 4)',
    '<ws>.map((w) => w + "!").slice(0, 3)',
    "<ws>.filter((w) => w !== <s!>)",
    "<ws>.toSorted()",
    "<ws>.toReversed()",
    "Object.keys(<m>)",
    "[...<k>.keys()]",
    "[...new Set(<ws>)]",
    "<rs>.map((r) => r.id)",
    "[...<ws>, <s>].slice(-3)",
    "<ws>.slice(1)",
    "<rs>.flatMap((r) => r.tags).slice(0, 4)",
    "(<s>.match(/[a-z]+|\\d+/g) ?? [])",
    "<ws>.toSorted((p, q) => p.length - q.length || (p < q ? -1 : p > q ? 1 : 0))",
    "<xs>.map(String)",
  ],
  m: [
    "{ b: 1, a: 2 }",
    'Object.fromEntries([["2", 1], ["b", 2], ["1", 3]])',
    "{}",
    "Object.fromEntries(<ws>.map((w) => [w, w.length]))",
    "{ ...<m>, z: <n> }",
    "{ ...<m>, [<s>]: 4 }",
    "Object.fromEntries(Object.entries(<m>).filter(([, v]) => v > 1))",
    "Object.fromEntries(<k>)",
    '(JSON.parse("{\\"k\\": 1, \\"0\\": 2}") as Record<string, number>)',
  ],
  k: [
    'new Map([["a", 1], ["b", 2]])',
    "new Map(<ws>.map((w, i) => [w, i]))",
    "new Map(Object.entries(<m>))",
    "new Map(<rs>.map((r) => [r.id, r.n]))",
  ],
  e: ["new Set(<ws>)", "new Set([<s>, <s>])", "new Set(<rs>.map((r) => r.id))"],
  j: [
    'JSON.parse("[1, \\"two\\", null]")',
    'JSON.parse(\'{"b":{"c":[1]},"a":"x","7":true}\')',
    "JSON.parse(JSON.stringify(<xs>))",
    "JSON.parse(JSON.stringify(<m>))",
    "JSON.parse(String(<n>))",
    "JSON.parse(JSON.stringify(<s>))",
    "JSON.parse(JSON.stringify({ a: <n>, b: <ws>, c: <o> }))",
    "<j!>?.b?.c",
    "<j!>?.[0]",
    "<j!>?.a",
  ],
  d: [
    'new Date("2024-02-29T12:34:56.789Z")',
    "new Date(<n> * 86400000)",
    "new Date(Date.UTC(2024, <n> % 20, 31))",
    "new Date(Date.now())",
    "new Date(<d>.getTime() + 90061001)",
    'new Date("1969-12-31")',
  ],
  o: [
    "(undefined as string | undefined)",
    "<ws>[1]",
    '<ws>.find((w) => w.startsWith("a"))',
    "<rs>[0]?.note",
    "<s>.match(/(\\d)/)?.[1]",
    "(<b> ? <s> : undefined)",
    "<ws>.at(<n>)",
    "(await lab.maybe({ key: <s> }))",
  ],
  rs: ["(await lab.rows())", "(await lab.rows()).filter((r) => r.ok)", "(await lab.rows()).slice(0, 2)"],
};

const annotations: Partial<Readonly<Record<Kind, string>>> = {
  m: ": Record<string, number>",
  k: ": Map<string, number>",
  e: ": Set<string>",
  j: ": any",
  o: ": string | undefined",
  xs: ": number[]",
  ws: ": string[]",
};

const kinds: readonly Kind[] = [
  "n",
  "n",
  "q",
  "s",
  "s",
  "b",
  "xs",
  "ws",
  "m",
  "m",
  "k",
  "e",
  "j",
  "j",
  "d",
  "o",
  "rs",
];

/** One program for each seed. */
export class SurfaceSource {
  #state: number;
  #names = 0;
  #depth = 0;
  #loops = 0;
  #scope = new Map<Kind, string[]>();
  /** Declared with `let` by a statement of its own: nothing ends a loop whose counter is changed at will. */
  #changeable = new Set<string>();
  /** Forms that were used, for a test that all are. */
  readonly used = new Set<string>();

  readonly #start: "known" | "unknown";

  /** @param start whether the first values are constants or results of tools */
  constructor(seed: number, start: "known" | "unknown" = "known") {
    this.#start = start;
    this.#state = (Math.imul(seed, 2654435761) ^ 0x5bd1e995) >>> 0 || 1;
    for (let i = 0; i < 5; i++) this.#dice(2);
  }

  program(): LabProgram {
    const start =
      this.#start === "unknown"
        ? this.#results()
        : (["rs", "n", "s", "xs", "ws", "m", "j"] as const).map((kind) => this.#declare(kind));
    const rest = Array.from({ length: 4 + this.#dice(6) }, () => this.#statement());
    return { top, body: [...start, ...rest, this.#end()].join("\n") };
  }

  #results(): readonly string[] {
    const lines: readonly (readonly [Kind, string])[] = [
      ["rs", "const rs = await lab.rows();"],
      ["n", 'let n = await lab.read({ key: "n" });'],
      ["s", "let s = await lab.word();"],
      ["xs", "const xs: number[] = rs.map((r) => r.n);"],
      ["ws", "const ws: string[] = rs.map((r) => r.id);"],
      ["m", "const m: Record<string, number> = Object.fromEntries(rs.map((r) => [r.id, r.n]));"],
      ["j", "const j: any = await lab.any();"],
      ["o", 'let o: string | undefined = await lab.maybe({ key: "o" });'],
    ];
    for (const [kind] of lines) this.#scope.set(kind, [kind]);
    for (const name of ["n", "s", "o"]) this.#changeable.add(name);
    return lines.map(([, line]) => line);
  }

  #end(): string {
    const names = [...this.#scope].filter(([kind]) => keepable.has(kind)).map(([, all]) => all.at(-1));
    return `return [${names
      .filter((name) => name !== undefined)
      .map((name) => `${name} ?? null`)
      .join(", ")}];`;
  }

  #dice(sides: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % sides;
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[this.#dice(items.length)];
    if (item === undefined) throw new TypeError("nothing to pick from");
    return item;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  /** A name of that kind in scope. */
  #known(kind: Kind): string | undefined {
    const all = this.#scope.get(kind) ?? [];
    return all.length === 0 ? undefined : this.#pick(all);
  }

  #expr(kind: Kind, depth = 0, of?: Kind): string {
    const known = this.#known(kind);
    if (known !== undefined && (depth > 2 || this.#dice(100) < 35)) return known;
    // A call is made in a statement of its own: an expression may come to stand in a function that does not wait.
    const all =
      depth === 0 && kind === of ? forms[kind] : forms[kind].filter((one) => !one.includes("await"));
    if (all.length === 0) return known ?? "([] as lab.Row[])";
    const form = depth > 2 ? (all.find((one) => !one.includes("<")) ?? this.#pick(all)) : this.#pick(all);
    return this.#filled(form, depth);
  }

  #filled(form: string, depth: number): string {
    this.used.add(form);
    return form.replaceAll(/<(xs|ws|rs|[nqsbmkejdo])(!?)>/g, (_, kind: Kind, name) =>
      name === "" ? this.#expr(kind, depth + 1) : (this.#known(kind) ?? this.#fallback(kind)),
    );
  }

  #fallback(kind: Kind): string {
    return kind === "j"
      ? "(null as any)"
      : kind === "s"
        ? '"a"'
        : kind === "m"
          ? "({} as Record<string, number>)"
          : "1";
  }

  #declare(kind: Kind): string {
    const name = this.#name();
    const keyword = kind === "n" || kind === "s" || kind === "o" ? "let" : "const";
    const line = `${keyword} ${name}${annotations[kind] ?? ""} = ${this.#expr(kind, 0, kind)};`;
    this.#scope.set(kind, [...(this.#scope.get(kind) ?? []), name]);
    if (keyword === "let") this.#changeable.add(name);
    return line;
  }

  /** A block with names of its own. */
  #block(length: number): string {
    const scope = new Map([...this.#scope].map(([kind, all]) => [kind, [...all]]));
    const lines = Array.from({ length: 1 + this.#dice(length) }, () => this.#statement());
    this.#scope = scope;
    return lines.join("\n");
  }

  #within(kind: Kind, name: string, body: () => string): string {
    const scope = new Map([...this.#scope].map(([of, all]) => [of, [...all]]));
    this.#scope.set(kind, [...(this.#scope.get(kind) ?? []), name]);
    this.#loops++;
    const text = body();
    this.#loops--;
    this.#scope = scope;
    return text;
  }

  #statement(): string {
    if (this.#depth > 1 || this.#dice(100) < 55) return this.#simple();
    this.#depth++;
    const text = this.#compound();
    this.#depth--;
    return text;
  }

  #keep(): string {
    const kind = this.#pick(["n", "s", "b", "xs", "ws", "m", "j"] as const);
    if (kind === "n") return `await lab.put({ n: ${this.#expr("n")} });`;
    if (kind === "s") return `await lab.say({ text: ${this.#expr("s")} });`;
    if (kind === "b") return `await lab.flag({ on: ${this.#expr("b")} });`;
    if (kind === "ws") return `await lab.list({ items: ${this.#expr("ws")} });`;
    if (kind === "xs") return `await lab.nums({ items: ${this.#expr("xs")} });`;
    return `await lab.keep({ value: ${this.#expr(kind)} ?? null });`;
  }

  #simple(): string {
    const [n, s, xs, ws, m, k, e] = (["n", "s", "xs", "ws", "m", "k", "e"] as const).map((kind) =>
      this.#known(kind),
    );
    const isOpen = (name: string | undefined) => name !== undefined && this.#changeable.has(name);
    const ways: (() => string)[] = [
      () => this.#keep(),
      () => this.#keep(),
      () => this.#declare(this.#pick(kinds)),
      () => this.#declare(this.#pick(kinds)),
    ];
    if (isOpen(n))
      ways.push(
        () => `${n} = ${this.#expr("n")};`,
        () => `${n} ${this.#pick(["+=", "-="])} ${this.#expr("n")};`,
        () => `${n}++;`,
      );
    if (isOpen(s))
      ways.push(
        () => `${s} = ${this.#expr("s")};`,
        () => `${s} = (${s} + ${this.#expr("s")}).slice(0, 20);`,
      );
    if (xs && this.#loops === 0)
      ways.push(
        () => `${xs}.push(${this.#expr("n")});`,
        () => `${xs}.splice(${this.#dice(2)}, 1);`,
        () => `${xs}.sort((p, q) => q - p);`,
        () => `${xs}.pop();`,
      );
    if (ws && this.#loops === 0)
      ways.push(
        () => `${ws}.push(${this.#expr("s")});`,
        () => `${ws}.reverse();`,
        () => `${ws}.shift();`,
        () => `const [${this.#name()}, ...${this.#name()}] = ${ws};`,
      );
    if (m && this.#loops === 0)
      ways.push(
        () => `${m}[${this.#expr("s")}] = ${this.#expr("n")};`,
        () => `${m}[${this.#expr("s")}] ??= 1;`,
        () => `delete ${m}[${this.#expr("s")}];`,
        () => `for (const key in ${m}) await lab.say({ text: key });`,
      );
    if (k && this.#loops === 0)
      ways.push(
        () => `${k}.set(${this.#expr("s")}, ${this.#expr("n")});`,
        () => `${k}.delete(${this.#expr("s")});`,
      );
    if (e)
      ways.push(
        () => `${e}.add(${this.#expr("s")});`,
        () => `${e}.delete(${this.#expr("s")});`,
      );
    if (this.#loops > 0) ways.push(() => `if (${this.#expr("b")}) ${this.#pick(["break", "continue"])};`);
    ways.push(
      () => `console.log(${this.#expr("s")}, ${this.#expr("n")});`,
      () => `if (${this.#expr("b")}) throw new Error(${this.#expr("s")});`,
      () =>
        `const ${this.#name()} = await Promise.all(${this.#expr("ws")}.slice(0, 2).map((key) => lab.read({ key })));`,
    );
    return this.#pick(ways)();
  }

  #compound(): string {
    const v = this.#name();
    return this.#pick<() => string>([
      () => `if (${this.#expr("b")}) { ${this.#block(3)} } else { ${this.#block(2)} }`,
      () => `for (const ${v} of ${this.#expr("ws")}) { ${this.#within("s", v, () => this.#block(2))} }`,
      () => `for (const ${v} of ${this.#expr("xs")}) { ${this.#within("n", v, () => this.#block(2))} }`,
      () =>
        `for (const ${v} of ${this.#expr("rs")}) { await lab.say({ text: ${v}.id }); ${this.#within("n", `${v}.n`, () => this.#block(2))} }`,
      () =>
        `for (const [key, ${v}] of Object.entries(${this.#expr("m")})) { await lab.say({ text: key }); ${this.#within("n", v, () => this.#block(2))} }`,
      () =>
        `let ${v} = 0; while (${v} < ${1 + this.#dice(3)}) { ${v} += 1; ${this.#within("n", v, () => this.#block(2))} }`,
      () =>
        `let ${v} = ${this.#expr("ws")}.slice(0, 3); while (${v}.length > 0) { const head = ${v}.shift() ?? ""; await lab.say({ text: head }); }`,
      () =>
        `try { ${this.#block(2)} const x = JSON.parse(${this.#expr("s")}); await lab.keep({ value: x }); } catch (error) { await lab.say({ text: (error as Error).name }); } finally { ${this.#quiet(() => this.#keep())} }`,
      () =>
        `try { ${this.#block(2)} await lab.risky({ key: ${this.#expr("s")} }); } catch { ${this.#block(1)} }`,
      () =>
        `switch (${this.#expr("s")}) { case "a": ${this.#quiet(() => this.#keep())} case "b": ${this.#quiet(() => this.#keep())} break; default: ${this.#quiet(() => this.#keep())} }`,
      () =>
        `outer${v}: for (const a of [1, 2]) { for (const b of ${this.#expr("xs")}) { if (b > a) continue outer${v}; if (${this.#expr("b")}) break outer${v}; await lab.put({ n: a * 10 + b }); } }`,
      () =>
        `const ${v} = (x: number, y = ${this.#expr("n")}) => x + y; await lab.put({ n: ${v}(${this.#expr("n")}) + ${v}(1, 2) });`,
      () => `for (const ${v} of up(${this.#dice(4)})) { ${this.#within("n", v, () => this.#block(2))} }`,
      () =>
        `const ${v} = new Tally(); for (const w of ${this.#expr("ws")}) ${v}.add(w); await lab.put({ n: ${v}.total }); await lab.list({ items: ${v}.all() });`,
      () =>
        `const ${v} = await Promise.allSettled([lab.risky({ key: "a" }), lab.risky({ key: "b" })]); await lab.list({ items: ${v}.map((one) => one.status) });`,
      () => `const { length: ${v} } = ${this.#expr("ws")}; await lab.put({ n: ${v} });`,
      () =>
        `{ const date = ${this.#expr("d")}; date.setUTCDate(date.getUTCDate() + ${this.#dice(40)}); await lab.say({ text: date.toISOString() }); }`,
      () =>
        `{ const row = JSON.parse('{"id":"a","n":3}') as { id: string; n: number }; await lab.put({ n: row.n + ${this.#expr("n")} }); }`,
    ])();
  }

  #quiet(body: () => string): string {
    const loops = this.#loops;
    this.#loops = 0;
    const text = body();
    this.#loops = loops;
    return text;
  }
}

const keepable = new Set<Kind>(["n", "s", "b", "xs", "ws", "m", "j", "o"]);

const top = `
function* up(n: number) { for (let i = 0; i < n; i++) yield i; }
const depth = (n: number): number => (n <= 0 ? 0 : 1 + depth(n - 1));
const twice = (f: (x: number) => number, x: number) => f(f(x));
class Tally {
  #seen: Record<string, number> = {};
  total = 0;
  add(key: string) { this.#seen[key] = (this.#seen[key] ?? 0) + 1; this.total += 1; }
  all() { return Object.entries(this.#seen).map(([key, n]) => key + n); }
}
`;
