/**
 * Terms and symbolic values as text for people, in the syntax of the text form. Nothing is read back from it.
 * LIMIT: terms share their parts and text does not, so a term is written up to a number of parts and then cut.
 */
import { type Expr, isNum, printExpr } from "../../ir/index.ts";
import type { Symbolic } from "../symbolic/symbolic-value.ts";
import type { Scalar, Term } from "./term.ts";

/** Parts that are written before the rest is cut. */
const defaultParts = 60;

export function printTerm(term: Term, parts = defaultParts): string {
  return shown(printExpr(new Writer(parts).term(term)));
}

export function printSymbolic(value: Symbolic, parts = defaultParts): string {
  return shown(printExpr(new Writer(parts).symbolic(value)));
}

/** Stands for what was cut; a name of the program cannot hold it, since names of calls are escaped. */
const cutName = "\uE000";

function shown(text: string): string {
  return text.replaceAll(`\`${cutName}\``, "...");
}

class Writer {
  #left: number;

  constructor(parts: number) {
    this.#left = parts;
  }

  term(term: Term): Expr {
    if (this.#left-- <= 0) return name(cutName);
    switch (term.kind) {
      case "literal":
        return literal(term.value);
      case "constant":
        return constant(term.name);
      case "apply": {
        const { op } = term;
        const args = term.args.map((arg) => this.term(arg));
        // An integer is a real of the text form as it stands.
        if (op === "toReal" && args[0] !== undefined) return args[0];
        return { kind: "op", op: readable(op), args };
      }
    }
  }

  symbolic(value: Symbolic): Expr {
    switch (value.kind) {
      case "scalar":
        return this.term(value.term);
      case "option":
        return this.#maybe(value.present, value.value);
      case "record": {
        const fields = Array.from(value.fields, ([field, { present, value: part }]) => ({
          name: field,
          value: present.kind === "literal" ? this.symbolic(part) : this.#maybe(present, part),
        }));
        return { kind: "record", fields };
      }
      case "list":
        return {
          kind: "list",
          items: value.items.map(({ present, value: item }) =>
            present.kind === "literal" ? this.symbolic(item) : this.#maybe(present, item),
          ),
        };
      case "opaque":
        return constant(value.key);
    }
  }

  #maybe(present: Term, value: Symbolic | undefined): Expr {
    if (value === undefined || (present.kind === "literal" && present.value === false))
      return { kind: "none" };
    const there: Expr = { kind: "op", op: "some", args: [this.symbolic(value)] };
    if (present.kind === "literal") return there;
    return { kind: "op", op: "if", args: [this.term(present), there, { kind: "none" }] };
  }
}

function literal(value: Scalar): Expr {
  if (typeof value === "boolean") return { kind: "bool", value };
  if (typeof value === "string") return { kind: "string", value };
  if (isNum(value)) return { kind: "number", value };
  throw new TypeError("a literal is a scalar");
}

const name = (text: string): Expr => ({ kind: "var", name: text });

/**
 * `limit` for the input `limit`, `c1.result.name` for a part of what the call `c1` gave, `c1.failed`, and so on.
 * The names of unknowns are made by the walker; one of another form is written as it stands.
 */
function constant(made: string): Expr {
  const input = /^input@([^@]*)$/.exec(made);
  if (input !== null) return parts(input[1] ?? "");
  // Of any iteration of a loop: whether there is one, its index, and what is carried into it.
  const any = /^(in|index|carry@[^@]*)@\d+(.*)$/.exec(made);
  if (any !== null)
    return parts((any[1] ?? "").replace(/^in$/, "anyIteration").replace("carry@", "") + any[2]);
  const call = /^(?:(failed|reason|took|length|lost@\d+)@)?result@([^@]*)@([\d-]*)(.*)$/.exec(made);
  if (call === null) return name(plain(made));
  const [, what = "result", id = "", indices = "", rest = ""] = call;
  const shown = indices.replace(/(^|-)-\d+/g, "$1*").replaceAll("-", ",");
  const called = indices === "" ? plain(id) : `${plain(id)}[${shown}]`;
  return parts(rest.replace(/^#[^.?!]*/, ".anyElement"), {
    kind: "field",
    of: name(called),
    name: what.replace(/@.*/, ""),
  });
}

/** `.name` is a field, `?` whether an option holds something, `!` what it holds. */
function parts(text: string, start?: Expr): Expr {
  const [first = "", ...others] = text.match(/[?!]|\.?[^.?!]+/g) ?? [];
  let made = start ?? name(plain(first));
  for (const part of start === undefined ? others : text === "" ? [] : [first, ...others]) {
    if (part === "?") made = { kind: "op", op: "isSome", args: [made] };
    else if (part === "!") made = { kind: "op", op: "value", args: [made] };
    else made = { kind: "field", of: made, name: plain(part.replace(/^\./, "")) };
  }
  return made;
}

/** The inverse of `escaped`. */
function plain(part: string): string {
  return part.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Functions of which nothing is known have names of their own. */
function readable(op: string): string {
  return plain(op);
}
