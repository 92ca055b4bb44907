/**
 * Definitions of unknowns for operators with compound results: the parts are unknowns for a proof, and a search for a
 * run computes them. Not trusted.
 */
import { isOption, isRecord, type Type, type Value } from "../../ir/index.ts";
import { isOfSort, type Scalar, type Term } from "./term.ts";

/** A part of what an operator gives. */
export interface Definition {
  readonly op: string;
  readonly args: readonly Term[];
  /** The whole result. */
  readonly type: Type;
  /** Undefined where there is no such part. */
  readonly part: (value: Value) => Scalar | undefined;
}

const definitions = new WeakMap<Term, Definition>();

export function definitionOf(term: Term): Definition | undefined {
  return term.kind === "constant" ? definitions.get(term) : undefined;
}

type Whole = Omit<Definition, "part">;
type Step = (value: Value) => Value | undefined;

/** The parts of a value as the prover holds it, such as `option` of `record`. */
interface Parts {
  readonly kind: string;
  readonly term?: Term;
  readonly present?: Term;
  readonly value?: Parts | undefined;
  readonly fields?: ReadonlyMap<string, { readonly present: Term; readonly value: Parts }>;
}

/** Says what the unknowns in a value stand for. */
export function define(made: Parts, whole: Whole, step: Step = (value) => value): void {
  const inside =
    (next: Step): Step =>
    (value) => {
      const found = step(value);
      return found === undefined ? undefined : next(found);
    };
  if (made.kind === "scalar" && made.term !== undefined) note(made.term, whole, step);
  if (made.kind === "option" && made.present !== undefined) {
    note(
      made.present,
      whole,
      inside((value) => isOption(value) && value.kind === "some"),
    );
    if (made.value !== undefined)
      define(
        made.value,
        whole,
        inside((value) => (isOption(value) && value.kind === "some" ? value.value : undefined)),
      );
  }
  for (const [name, field] of made.fields ?? []) {
    const read: Step = (value) => (isRecord(value) ? value.fields[name] : undefined);
    note(
      field.present,
      whole,
      inside((value) => read(value) !== undefined),
    );
    define(field.value, whole, inside(read));
  }
}

function note(term: Term, whole: Whole, step: Step): void {
  if (term.kind !== "constant" || definitions.has(term)) return;
  const part = (value: Value): Scalar | undefined => {
    const found = step(value);
    return found !== undefined && isOfSort(found, term.sort) ? found : undefined;
  };
  definitions.set(term, { ...whole, part });
}
