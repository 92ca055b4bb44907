/** The constants that arguments of a call can be, from the facts of a proof. */
import {
  type Argument,
  append,
  type CallCommand,
  type Expr,
  isNum,
  list,
  type Num,
  none,
  printValue,
  type RecordValue,
  record,
  some,
  type Value,
  valueKey,
} from "../../ir/index.ts";
import type { Fact, Proof, Symbolic, Term } from "../../prove/index.ts";
import { numberText } from "../number-text.ts";
import { quotedText, visibleText } from "../visible.ts";

/** Everything that something can be: there is nothing else. */
export type Possible = readonly PossibleValue[];

export type PossibleValue =
  | {
      readonly kind: "value";
      readonly key: string;
      readonly text: string;
      readonly value: Value;
      readonly number?: Num;
    }
  /** An argument that is not given. */
  | { readonly kind: "absent" };

/** LIMIT: of values that are told apart; beyond this it is any value. */
const mostValues = 200;

export interface FoundFacts {
  /** Undefined for any value; empty if the call is never made. */
  readonly args: (arg: Argument) => Possible | undefined;
  /** The most of its calls in a run, those of one iteration where a loop is of any length; 0 is never. */
  readonly most: number;
  readonly unbounded: (inLoop: boolean) => boolean;
}

export class Constants {
  /** By the id of the call; undefined if the program was not followed. */
  readonly #facts: ReadonlyMap<string, readonly Fact[]> | undefined;

  constructor({ walk }: Proof) {
    if (walk === undefined) return;
    const facts = new Map<string, Fact[]>();
    for (const fact of walk.facts) {
      if (fact.guard.kind === "literal" && fact.guard.value === false) continue;
      const same = facts.get(fact.id);
      if (same === undefined) facts.set(fact.id, [fact]);
      else same.push(fact);
    }
    this.#facts = facts;
  }

  of(command: CallCommand): FoundFacts {
    if (this.#facts === undefined) {
      // SOUNDNESS: without facts only what is written as a constant is one, and a loop is of any length.
      const args = ({ value, optional }: Argument) => (optional ? undefined : written(value));
      return { args, most: 1, unbounded: (inLoop) => inLoop };
    }
    const facts = this.#facts.get(command.id) ?? [];
    const places = new Set(facts.map(({ indices }) => indices.join()));
    return {
      args: ({ name }) => union(facts.map((fact) => argumentOf(fact, name))),
      most: places.size,
      unbounded: () => facts.some(({ loop, turns }) => loop !== undefined || turns.length > 0),
    };
  }
}

/** `"a", "b" or "c"`. */
export function anyOf(possible: Possible): string {
  const texts = possible.map(textOf);
  return texts.length < 2
    ? (texts[0] ?? "no value")
    : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1) ?? ""}`;
}

export function textOf(one: PossibleValue): string {
  return one.kind === "absent" ? "not given" : one.text;
}

/** A constant as it is written, with nothing in it that could be overlooked. */
export function constantText(value: Value): string {
  if (typeof value === "string") return quotedText(value);
  if (value !== null && isNum(value)) return numberText(value);
  return visibleText(printValue(value));
}

/** Both together; undefined, which is any value, stays so. */
export function union(sets: readonly (Possible | undefined)[]): Possible | undefined {
  const all = new Map<string, PossibleValue>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const one of set) all.set(one.kind === "absent" ? "" : one.key, one);
    if (all.size > mostValues) return undefined;
  }
  return [...all.values()];
}

/** The arguments of a call of a run. */
export function valueIn({ fields }: RecordValue, name: string): PossibleValue {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined ? { kind: "absent" } : possible(value);
}

function written(expr: Expr): Possible | undefined {
  const isLiteral = expr.kind === "string" || expr.kind === "number" || expr.kind === "bool";
  return isLiteral ? [possible(expr.value)] : undefined;
}

function argumentOf({ args }: Fact, name: string): Possible | undefined {
  const field = args.fields.get(name);
  if (field === undefined) return [{ kind: "absent" }];
  const { present, value } = field;
  if (present.kind === "literal" && present.value === false) return [{ kind: "absent" }];
  const values = valuesOf(value)?.map(possible);
  if (present.kind === "literal" && present.value === true) return values;
  return values && [...values, { kind: "absent" }];
}

function possible(value: Value): PossibleValue {
  const found = { kind: "value" as const, key: valueKey(value), text: constantText(value), value };
  return value !== null && isNum(value) ? { ...found, number: value } : found;
}

/** Everything that it can be, or undefined. */
function valuesOf(symbolic: Symbolic): readonly Value[] | undefined {
  switch (symbolic.kind) {
    case "scalar":
      return literalsOf(symbolic.term);
    case "option": {
      const { present, value } = symbolic;
      if (present.kind !== "literal") return undefined;
      if (present.value === false) return [none];
      return value && valuesOf(value)?.map(some);
    }
    case "list": {
      const items = symbolic.items.map(({ present, value }) => onlyValue(present, value));
      return items.every((item) => item !== undefined) ? [list(items)] : undefined;
    }
    case "record": {
      const entries: [string, Value][] = [];
      for (const [name, { present, value }] of symbolic.fields) {
        if (present.kind === "literal" && present.value === false) continue;
        const only = onlyValue(present, value);
        if (only === undefined) return undefined;
        entries.push([name, only]);
      }
      return [record(entries)];
    }
    case "opaque":
      return undefined;
  }
}

function onlyValue(present: Term, symbolic: Symbolic): Value | undefined {
  if (present.kind !== "literal" || present.value !== true) return undefined;
  const values = valuesOf(symbolic);
  return values?.length === 1 ? values[0] : undefined;
}

/** The literals that a choice is between, whatever it depends on. */
function literalsOf(term: Term): readonly Value[] | undefined {
  const found = new Set<Term>();
  const seen = new Set<Term>();
  const waiting: Term[] = [term];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "literal") found.add(next);
    else if (next.kind === "apply" && next.op === "if" && next.args.length === 3)
      append(waiting, next.args.slice(1).reverse());
    else return undefined;
    if (found.size > mostValues || seen.size > 10 * mostValues) return undefined;
  }
  return Array.from(found, (one) => (one.kind === "literal" ? one.value : null));
}
