/**
 * Terms to SMT-LIB. One definition a term, so the script is as long as the terms are many, however they are shared.
 * Part of what must be trusted.
 */
import { append, operatorNamed } from "../../ir/index.ts";
import { type ApplyTerm, type Sort, type Term, typeOfSort, unknownPrefix } from "../terms/term.ts";
import { literal } from "./solver/literals.ts";
import type { Script, Wanted } from "./solver/port.ts";

/** Unsatisfiable if and only if the goal holds wherever the assumptions do. */
export function scriptFor(assumptions: readonly Term[], goal: Term): Script {
  const encoder = new Encoder();
  for (const assumption of assumptions) encoder.assert(encoder.name(assumption));
  encoder.assert(`(not ${encoder.name(goal)})`);
  return encoder.script();
}

/** Satisfiable if and only if the assumptions do not contradict each other. */
export function consistencyScript(assumptions: readonly Term[]): Script {
  const encoder = new Encoder();
  for (const assumption of assumptions) encoder.assert(encoder.name(assumption));
  return encoder.script();
}

class Encoder {
  readonly #lines: string[] = [];
  readonly #names = new Map<Term, string>();
  readonly #functions = new Map<string, string>();
  readonly #wanted: Wanted[] = [];

  assert(text: string): void {
    this.#lines.push(`(assert ${text})`);
  }

  script(): Script {
    return { text: `${this.#lines.join("\n")}\n`, values: this.#wanted };
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
    const name = term.kind === "literal" ? literal(term.value, term.sort) : this.#names.get(term);
    if (name === undefined) throw new TypeError("a term has no name yet");
    return name;
  }

  #define(term: Term): void {
    if (term.kind === "literal" || this.#names.has(term)) return;
    const name = `${term.kind === "constant" ? "c" : "t"}${term.id}`;
    this.#names.set(term, name);
    if (term.kind === "constant") {
      this.#lines.push(`(declare-const ${name} ${term.sort})`);
      this.#wanted.push({ name: term.name, sort: term.sort, term: name });
    } else {
      this.#lines.push(`(define-fun ${name} () ${term.sort} ${this.#text(term)})`);
      this.#wantCell(name, term);
    }
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

  #text({ op, args, sort }: ApplyTerm): string {
    const operands = args.map((arg) => this.#called(arg));
    if (op === "toReal") return `(to_real ${operands.join(" ")})`;
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
    const sorts = args.map((arg) => arg.sort).join(" ");
    const key = `${op} ${sorts} ${sort}`;
    const known = this.#functions.get(key);
    if (known !== undefined) return known;
    const name = `f${this.#functions.size}`;
    this.#functions.set(key, name);
    this.#lines.push(`(declare-fun ${name} (${sorts}) ${sort})`);
    return name;
  }
}
