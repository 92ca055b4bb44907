/**
 * Terms to SMT-LIB. One definition a term, so the script is as long as the terms are many, however they are shared.
 * Part of what must be trusted.
 */
import { append, operatorNamed } from "../../ir/index.ts";
import {
  type ApplyTerm,
  type LiteralTerm,
  type Sort,
  type Term,
  typeOfSort,
  unknownPrefix,
} from "../terms/term.ts";
import { literal } from "./solver/literals.ts";
import type { Script, Wanted } from "./solver/port.ts";

/** Unsatisfiable if and only if the goal holds wherever the assumptions do. */
export function scriptFor(assumptions: readonly Term[], goal: Term): Script {
  const encoder = new Encoder();
  for (const assumption of assumptions) encoder.assert(encoder.name(assumption));
  encoder.assert(`(not ${encoder.name(goal)})`);
  return encoder.script();
}

/**
 * The same without theories that are hard to decide: texts are numbers that are equal where the texts are, and what is
 * made of them, products and quotients are unknown functions. Undefined where nothing of that is in it.
 * SOUNDNESS: every model of the script is one of this, with a number for each text. So where this is unsatisfiable,
 * the goal holds; nothing follows where it is not.
 */
export function plainScriptFor(assumptions: readonly Term[], goal: Term): Script | undefined {
  const encoder = new Encoder(true);
  for (const assumption of assumptions) encoder.assert(encoder.name(assumption));
  encoder.assert(`(not ${encoder.name(goal)})`);
  return encoder.isPlainer ? encoder.script() : undefined;
}

/** Satisfiable if and only if the assumptions do not contradict each other. */
export function consistencyScript(assumptions: readonly Term[]): Script {
  const encoder = new Encoder();
  for (const assumption of assumptions) encoder.assert(encoder.name(assumption));
  return encoder.script();
}

/** Encoding of texts in a script. */
interface TextForm {
  readonly length: (text: string) => string;
  readonly literal: (text: string) => string;
}

/** SOUNDNESS: true of every value that the operator can give. The solver knows nothing else of it. */
function lawOf(
  { op, args }: ApplyTerm,
  made: string,
  operands: readonly string[],
  form: TextForm,
): string | undefined {
  const { length, literal: text } = form;
  const [a = "", b = "", c = ""] = operands;
  switch (op) {
    case "trim":
    case "trimStart":
    case "trimEnd":
      return `(<= ${length(made)} ${length(a)})`;
    case "toLowerCase":
    case "toUpperCase":
      return `(<= ${length(made)} (* 3 ${length(a)}))`;
    case "textOf":
      return `(and (<= 1 ${length(made)}) ${args[0] ? digitsOf(args[0], a, length(made)) : "true"})`;
    case "timeText":
      return `(<= 24 ${length(made)} 27)`;
    case "squareRoot":
      return `(<= 0.0 ${made})`;
    case "padStart":
    case "padEnd":
      return `(= ${length(made)} (ite (or (= ${c} ${text("")}) (<= ${b} ${length(a)})) ${length(a)} ${b}))`;
    default:
      return undefined;
  }
}

/** Numbers of digits up to which the length of a number as text is said; larger ones have exponents. */
const digitsSaid = [1, 2, 3, 4, 6, 9, 12, 15];

/** SOUNDNESS: only of integers, which are written with all their digits and a sign; what has a fraction may be longer. */
function digitsOf(term: Term, number: string, length: string): string {
  if (term.sort === "Int" || (term.kind === "apply" && term.op === "toReal")) {
    const said = digitsSaid.map((digits) => {
      const beyond = `1${"0".repeat(digits)}${term.sort === "Int" ? "" : ".0"}`;
      const zero = term.sort === "Int" ? "0" : "0.0";
      return `(=> (< (- ${beyond}) ${number} ${beyond}) (<= ${length} (ite (< ${number} ${zero}) ${digits + 1} ${digits})))`;
    });
    return `(and ${said.join(" ")})`;
  }
  return "true";
}

/** The same of operators whose meaning the solver knows, where that is omitted: of lengths alone. */
function lengthLawOf(
  { op, args }: ApplyTerm,
  made: string,
  operands: readonly string[],
  { length }: TextForm,
): string | undefined {
  const [a = "", b = "", c = ""] = operands;
  const areTexts = (...at: readonly number[]) => at.every((i) => args[i]?.sort === "String");
  switch (op) {
    case "++":
      if (!areTexts(...args.keys())) return undefined;
      return `(= ${length(made)} (+ ${operands.map(length).join(" ")}))`;
    case "slice": {
      if (!areTexts(0)) return undefined;
      const within = (place: string) =>
        `(ite (< ${place} 0) (ite (< (+ ${length(a)} ${place}) 0) 0 (+ ${length(a)} ${place})) (ite (< ${length(a)} ${place}) ${length(a)} ${place}))`;
      const between = `(- ${within(c)} ${within(b)})`;
      return `(= ${length(made)} (ite (< ${between} 0) 0 ${between}))`;
    }
    case "replaceFirst":
    case "replaceAll":
      if (!areTexts(0, 1, 2)) return undefined;
      return `(=> (<= ${length(c)} ${length(b)}) (<= ${length(made)} ${length(a)}))`;
    case "startsWith":
    case "endsWith":
    case "contains":
      if (!areTexts(0, 1)) return undefined;
      return `(=> ${made} (<= ${length(b)} ${length(a)}))`;
    default:
      return undefined;
  }
}

/** Returns true if its meaning is one of texts, or of products of unknowns. */
function isHard({ op, args, sort }: ApplyTerm): boolean {
  if (op === "==" || op === "!=" || op === "if") return false;
  if (sort === "String" || args.some((arg) => arg.sort === "String")) return true;
  if (op === "*") return args.filter(({ kind }) => kind !== "literal").length > 1;
  return op === "/" && args[1]?.kind !== "literal";
}

function isLength({ op, args }: ApplyTerm): boolean {
  return op === "length" && args[0]?.sort === "String";
}

/** Texts as the theory of the solver has them. */
const inTheory: TextForm = {
  length: (text) => `(str.len ${text})`,
  literal: (text) => literal(text, "String"),
};

/** The length of a text among the unknown functions. */
const lengthKey = "length String Int";

class Encoder {
  readonly #lines: string[] = [];
  readonly #names = new Map<Term, string>();
  readonly #functions = new Map<string, string>();
  readonly #wanted: Wanted[] = [];
  readonly #isPlain: boolean;
  /** The numbers of texts. */
  readonly #texts = new Map<string, number>();
  /** Laws of lengths and the names of texts, if there are any. */
  readonly #laws: ((form: TextForm) => string | undefined)[] = [];
  #isPlainer = false;

  /** @param isPlain whether theories that are hard to decide are omitted */
  constructor(isPlain = false) {
    this.#isPlain = isPlain;
  }

  /** True if something was omitted. */
  get isPlainer(): boolean {
    return this.#isPlainer;
  }

  assert(text: string): void {
    this.#lines.push(`(assert ${text})`);
  }

  script(): Script {
    const length = this.#functions.get(lengthKey);
    if (this.#isPlain && length !== undefined) this.#sayLengths(length);
    return { text: `${this.#lines.join("\n")}\n`, values: this.#wanted };
  }

  /** SOUNDNESS: each of these is true of texts and their lengths, so a model of the texts is one of their numbers. */
  #sayLengths(name: string): void {
    const form: TextForm = {
      length: (text) => `(${name} ${text})`,
      literal: (text) => this.#number(text),
    };
    for (const law of this.#laws) {
      const said = law(form);
      if (said !== undefined) this.assert(said);
    }
    for (const [text, number] of this.#texts) this.assert(`(= ${form.length(`${number}`)} ${text.length})`);
  }

  /** Returns the name of a term in the script; declares and defines its parts first. */
  name(term: Term): string {
    // Parts before wholes, without recursion: terms can be nested deeper than the stack is.
    const open = [term];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const missing =
        next.kind === "apply" && !this.#names.has(next) ? next.args.filter((arg) => !this.#has(arg)) : [];
      if (missing.length > 0) append(open, missing);
      else {
        this.#define(next);
        open.pop();
      }
    }
    return this.#called(term);
  }

  #has(term: Term): boolean {
    return term.kind === "literal" || this.#names.has(term);
  }

  #called(term: Term): string {
    const name = term.kind === "literal" ? this.#literal(term) : this.#names.get(term);
    if (name === undefined) throw new TypeError("a term has no name yet");
    return name;
  }

  #literal({ value, sort }: LiteralTerm): string {
    return this.#isPlain && typeof value === "string" ? this.#number(value) : literal(value, sort);
  }

  #number(text: string): string {
    const number = this.#texts.get(text) ?? this.#texts.size;
    this.#texts.set(text, number);
    return `${number}`;
  }

  #sort(sort: Sort): Sort {
    return this.#isPlain && sort === "String" ? "Int" : sort;
  }

  #define(term: Term): void {
    if (term.kind === "literal" || this.#names.has(term)) return;
    const name = `${term.kind === "constant" ? "c" : "t"}${term.id}`;
    this.#names.set(term, name);
    if (term.kind === "constant") {
      this.#lines.push(`(declare-const ${name} ${this.#sort(term.sort)})`);
      if (this.#sort(term.sort) === term.sort)
        this.#wanted.push({ name: term.name, sort: term.sort, term: name });
      this.#noteText(term, name);
    } else {
      this.#lines.push(`(define-fun ${name} () ${this.#sort(term.sort)} ${this.#text(term)})`);
      const operands = term.args.map((arg) => this.#called(arg));
      if (this.#isPlain) {
        if (isLength(term)) this.assert(`(<= 0 ${name})`);
        if (isHard(term))
          this.#laws.push(
            (form) => lawOf(term, name, operands, form),
            (form) => lengthLawOf(term, name, operands, form),
          );
        this.#noteText(term, name);
        return;
      }
      const law = lawOf(term, name, operands, inTheory);
      if (law !== undefined) this.assert(law);
      this.#wantCell(name, term);
    }
  }

  /** No text is shorter than the empty one, and no other is as short. */
  #noteText({ sort }: Term, name: string): void {
    if (!this.#isPlain || sort !== "String") return;
    this.#laws.push(
      ({ length, literal: text }) =>
        `(and (<= 0 ${length(name)}) (= (= ${length(name)} 0) (= ${name} ${text("")})))`,
    );
  }

  /**
   * Requests the value of an uninterpreted function with its argument, so that a counterexample shows its initial
   * state.
   */
  #wantCell(name: string, { op, args, sort, id }: ApplyTerm): void {
    const [key] = args;
    if (key === undefined || !op.startsWith(unknownPrefix)) return;
    this.#wanted.push({ name: `at@${id}@${op.slice(unknownPrefix.length)}`, sort, term: name });
    this.#wanted.push({ name: `key@${id}`, sort: key.sort, term: this.#called(key) });
  }

  #text(term: ApplyTerm): string {
    const { op, args, sort } = term;
    const operands = args.map((arg) => this.#called(arg));
    if (op === "toReal") return `(to_real ${operands.join(" ")})`;
    if (this.#isPlain && isHard(term)) {
      this.#isPlainer = true;
      return `(${this.#function(op, args, sort)} ${operands.join(" ")})`;
    }
    const form = operatorNamed(op)?.smt;
    const opaque = () => `(${this.#function(op, args, sort)} ${operands.join(" ")})`;
    const text =
      form?.kind === "term"
        ? form.print(
            operands,
            args.map((arg) => typeOfSort[arg.sort]),
            {
              literals: args.map((arg) => (arg.kind === "literal" ? arg.value : undefined)),
              opaque,
            },
          )
        : undefined;
    return text ?? opaque();
  }

  /** An opaque operator is a function of which nothing is known but its sorts. */
  #function(op: string, args: readonly Term[], sort: Sort): string {
    const sorts = args.map((arg) => this.#sort(arg.sort)).join(" ");
    const made = this.#sort(sort);
    // SOUNDNESS: of texts and of numbers an operator is not the same function.
    const key = `${op} ${args.map((arg) => arg.sort).join(" ")} ${sort}`;
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = `f${this.#functions.size}`;
    this.#functions.set(key, name);
    this.#lines.push(`(declare-fun ${name} (${sorts}) ${made})`);
    return name;
  }
}
