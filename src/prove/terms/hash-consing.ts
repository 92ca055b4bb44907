/**
 * The terms of a factory, each once: equal parts give the same object again. A term is looked for far more often than
 * it is made, so keys are numbers, or texts that are there already, wherever they can be.
 * SOUNDNESS: two different terms never have one key.
 * Part of what must be trusted.
 */
import { numText } from "../../ir/index.ts";
import type { ApplyTerm, ConstantTerm, LiteralTerm, Scalar, Sort, Term } from "./term.ts";

/** INVARIANT: two numbers below this make one in which no digit is lost. */
const mostPaired = 2 ** 26;

export class Shared {
  readonly #literals = bySort<bigint | string | boolean, LiteralTerm>();
  readonly #constants = bySort<string, ConstantTerm>();
  /** By operator, then by operands. */
  readonly #applied = bySort<string, Map<number | string, ApplyTerm>>();
  #next = 0;

  literal(value: Scalar, sort: Sort): LiteralTerm {
    const known = this.#literals[sort];
    // An object is a number that is no integer, and no other literal of its sort is a text.
    const key = typeof value === "object" ? numText(value) : value;
    const before = known.get(key);
    if (before !== undefined) return before;
    const term: LiteralTerm = { kind: "literal", id: this.#next++, sort, value };
    known.set(key, term);
    return term;
  }

  constant(name: string, sort: Sort): ConstantTerm {
    const known = this.#constants[sort];
    const before = known.get(name);
    if (before !== undefined) return before;
    const term: ConstantTerm = { kind: "constant", id: this.#next++, sort, name };
    known.set(name, term);
    return term;
  }

  apply(op: string, args: readonly Term[], sort: Sort): ApplyTerm {
    let known = this.#applied[sort].get(op);
    if (known === undefined) {
      known = new Map();
      this.#applied[sort].set(op, known);
    }
    const key = keyOf(args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const term: ApplyTerm = { kind: "apply", id: this.#next++, sort, op, args };
    known.set(key, term);
    return term;
  }
}

function bySort<Key, Held>(): Readonly<Record<Sort, Map<Key, Held>>> {
  return { Bool: new Map(), Int: new Map(), Real: new Map(), String: new Map() };
}

/** One operand is a number below zero, two are one that is not, and any others are a text. */
function keyOf(args: readonly Term[]): number | string {
  const [first, second] = args;
  if (first !== undefined && args.length === 1) return -1 - first.id;
  if (first !== undefined && second !== undefined && args.length === 2)
    if (first.id < mostPaired && second.id < mostPaired) return first.id * mostPaired + second.id;
  let key = "";
  for (const arg of args) key += `${arg.id},`;
  return key;
}
