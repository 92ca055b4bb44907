/**
 * SMT-LIB as it is written: constants, functions and definitions, one a line, in the order in which they are met.
 * The only evaluation is that of constants, by the operators of the Effect IR themselves.
 * Part of what must be trusted.
 */
import { add, compare, equal, isNum, type Num, type Path, type Value } from "../ir/index.ts";

/** `Thing`: what nothing is known of but which is the same as which, such as a JSON value or a list of any length. */
export type Sort = "Bool" | "Int" | "Real" | "String" | "Thing";

/** INVARIANT: terms of one translation with one text are one term. */
export interface Term {
  readonly text: string;
  readonly sort: Sort;
  /** Value of a known constant. */
  readonly value?: Value;
  /** The line that declares or defines it. */
  readonly line?: number;
}

interface Line {
  readonly text: string;
  readonly needs: readonly number[];
  /** Marks an over-approximated constant: a goal that is not provable with it may still hold. */
  readonly doubt?: string;
}

export interface Script {
  readonly text: string;
  /** Reasons why the script over-approximates, so that a model may not be a real run. */
  readonly doubts: readonly string[];
}

/** LIMIT: of lines of all that is translated of one document. */
const mostLines = 400_000;

/**
 * Thrown for constructs without a plain translation; the whole document then has no certificate, because nothing may
 * be omitted.
 */
export class NotPlain extends Error {
  override readonly name = "NotPlain";
  /** The command or the guarantee. */
  readonly path: Path;
  constructor(message: string, path: Path = []) {
    super(message);
    this.path = path;
  }
}

export class Terms {
  readonly true: Term = { text: "true", sort: "Bool", value: true };
  readonly false: Term = { text: "false", sort: "Bool", value: false };
  readonly #lines: Line[] = [];
  readonly #known = new Map<string, Term>();

  bool(value: boolean): Term {
    return value ? this.true : this.false;
  }

  int(value: number): Term {
    return this.literal(BigInt(value), "Int");
  }

  literal(value: Value, sort: Sort): Term {
    return { text: literalText(value, sort), sort, value };
  }

  /** A value of which nothing is known. */
  constant(sort: Sort, doubt?: string): Term {
    const name = `c${this.#lines.length}`;
    const line = this.#add(`(declare-const ${name} ${sort})`, this.#sorts([sort]), doubt);
    return { text: name, sort, line };
  }

  /** The value of a function of which nothing is known but that equal operands give equal values. */
  unknown(key: string, operands: readonly Term[], sort: Sort, doubt?: string): Term {
    if (operands.length === 0) return this.#once(`${key} ${sort}`, () => this.constant(sort, doubt));
    const sorts = operands.map((operand) => operand.sort);
    const declared = this.#once(`${key} (${sorts.join(" ")}) ${sort}`, () => {
      const name = `f${this.#lines.length}`;
      const text = `(declare-fun ${name} (${sorts.join(" ")}) ${sort})`;
      return { text: name, sort, line: this.#add(text, this.#sorts([...sorts, sort]), doubt) };
    });
    return this.define(sort, `(${declared.text} ${texts(operands)})`, [declared, ...operands]);
  }

  /** A name for what the text says of the operands. */
  define(sort: Sort, text: string, operands: readonly Term[]): Term {
    return this.#once(`${sort} = ${text}`, () => {
      const name = `d${this.#lines.length}`;
      const needs = [
        ...operands.flatMap(({ line }) => (line === undefined ? [] : [line])),
        ...this.#sorts([sort]),
      ];
      return { text: name, sort, line: this.#add(`(define-fun ${name} () ${sort} ${text})`, needs) };
    });
  }

  // ── with constants worked out ──────────────────────────────────────────────────────────────────────────

  and(...parts: readonly Term[]): Term {
    return this.all(parts);
  }

  or(...parts: readonly Term[]): Term {
    return this.any(parts);
  }

  /**
   * Returns the conjunction of any number of terms. It takes a list, because a spread of so many arguments overflows
   * the stack.
   */
  all(parts: readonly Term[]): Term {
    const open = parts.filter(({ value }) => value !== true);
    if (open.some(({ value }) => value === false)) return this.false;
    const [only] = open;
    if (only === undefined) return this.true;
    return open.length === 1 ? only : this.define("Bool", `(and ${texts(open)})`, open);
  }

  any(parts: readonly Term[]): Term {
    const open = parts.filter(({ value }) => value !== false);
    if (open.some(({ value }) => value === true)) return this.true;
    const [only] = open;
    if (only === undefined) return this.false;
    return open.length === 1 ? only : this.define("Bool", `(or ${texts(open)})`, open);
  }

  not(part: Term): Term {
    if (typeof part.value === "boolean") return this.bool(!part.value);
    return this.define("Bool", `(not ${part.text})`, [part]);
  }

  implies(premise: Term, conclusion: Term): Term {
    return this.or(this.not(premise), conclusion);
  }

  ite(condition: Term, yes: Term, no: Term): Term {
    if (condition.value === true) return yes;
    if (condition.value === false) return no;
    const [a, b] = this.alike([yes, no]);
    if (a === undefined || b === undefined || a.text === b.text) return yes;
    return this.define(a.sort, `(ite ${texts([condition, a, b])})`, [condition, a, b]);
  }

  equal(first: Term, second: Term): Term {
    const [a, b] = this.alike([first, second]);
    if (a === undefined || b === undefined || a.text === b.text) return this.true;
    if (a.value !== undefined && b.value !== undefined) return this.bool(equal(a.value, b.value));
    return this.define("Bool", `(= ${texts([a, b])})`, [a, b]);
  }

  sum(parts: readonly Term[]): Term {
    const terms = this.alike(parts);
    const sort = terms[0]?.sort ?? "Int";
    const open = terms.filter(({ value }) => value === undefined);
    const values = terms.flatMap(({ value }) => (value !== undefined && isNum(value) ? [value] : []));
    const rest = this.literal(values.reduce(add, 0n), sort);
    const all = rest.value === 0n && open.length > 0 ? open : [...open, rest];
    const [only = rest] = all;
    return all.length === 1 ? only : this.define(sort, `(+ ${texts(all)})`, all);
  }

  difference(first: Term, second: Term): Term {
    const [a = first, b = second] = this.alike([first, second]);
    if (b.value === 0n) return a;
    return this.define(a.sort, `(- ${texts([a, b])})`, [a, b]);
  }

  atMost(first: Term, second: Term): Term {
    const [a = first, b = second] = this.alike([first, second]);
    if (a.value !== undefined && b.value !== undefined && isNum(a.value) && isNum(b.value))
      return this.bool(compare(a.value, b.value) <= 0);
    return this.define("Bool", `(<= ${texts([a, b])})`, [a, b]);
  }

  /** Integers among reals as reals. */
  alike(parts: readonly Term[]): readonly Term[] {
    return parts.some(({ sort }) => sort === "Real") ? parts.map((part) => this.real(part)) : parts;
  }

  real(part: Term): Term {
    if (part.sort !== "Int") return part;
    if (part.value !== undefined) return this.literal(part.value, "Real");
    return this.define("Real", `(to_real ${part.text})`, [part]);
  }

  // ── scripts ────────────────────────────────────────────────────────────────────────────────────────────

  /** The assertions, with every line that they need and no other. */
  script(assertions: readonly Term[]): Script {
    const needed = new Set<number>();
    const open = assertions.flatMap(({ line }) => (line === undefined ? [] : [line]));
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (needed.has(next)) continue;
      needed.add(next);
      for (const line of this.#lines[next]?.needs ?? []) open.push(line);
    }
    const lines = [...needed].sort((a, b) => a - b).flatMap((line) => this.#lines[line] ?? []);
    const doubts = new Set(lines.flatMap(({ doubt }) => doubt ?? []));
    const text = [...lines.map((line) => line.text), ...assertions.map((one) => `(assert ${one.text})`)];
    return { text: text.map((line) => `${line}\n`).join(""), doubts: [...doubts] };
  }

  #add(text: string, needs: readonly number[], doubt?: string): number {
    if (this.#lines.length >= mostLines) throw new NotPlain(`it takes more than ${mostLines} lines`);
    this.#lines.push(doubt === undefined ? { text, needs } : { text, needs, doubt });
    return this.#lines.length - 1;
  }

  #sorts(sorts: readonly Sort[]): readonly number[] {
    if (!sorts.includes("Thing")) return [];
    const { line } = this.#once("sort", () => ({
      text: "Thing",
      sort: "Thing",
      line: this.#add("(declare-sort Thing 0)", []),
    }));
    return line === undefined ? [] : [line];
  }

  #once(key: string, make: () => Term): Term {
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}

export function texts(terms: readonly Term[]): string {
  return terms.map(({ text }) => text).join(" ");
}

function literalText(value: Value, sort: Sort): string {
  if (sort === "Bool" && typeof value === "boolean") return value ? "true" : "false";
  if (sort === "Int" && typeof value === "bigint") return signed(value, `${value < 0n ? -value : value}`);
  if (sort === "Real" && isNum(value)) return realText(value);
  // One escape for each code unit that is not plain ASCII, and for what SMT-LIB itself reads as an escape.
  if (sort === "String" && typeof value === "string")
    return `"${value.replace(/[^ -~]|["\\]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`)}"`;
  throw new TypeError(`a value is not of the sort ${sort}`);
}

function realText(value: Num): string {
  if (typeof value === "bigint") return signed(value, `${value < 0n ? -value : value}.0`);
  return signed(value.num, `(/ ${value.num < 0n ? -value.num : value.num}.0 ${value.den}.0)`);
}

/** SMT-LIB has no negative numerals, only negated ones. */
function signed(sign: bigint, size: string): string {
  return sign < 0n ? `(- ${size})` : size;
}
