/** Numbers and strings that the conditions of a tool and the arguments of a call speak of. */
import {
  type Expr,
  isList,
  isRatio,
  isRecord,
  type Num,
  type RecordValue,
  type Value,
} from "../../ir/index.ts";

export interface Hints {
  readonly numbers: readonly Num[];
  readonly strings: readonly string[];
}

/** LIMIT: hints need not be complete, and big arguments must not make every call slow. */
const mostLooks = 2000;

export function hintsFrom(conditions: readonly Expr[], args: RecordValue): Hints {
  const numbers = new Set<Num>();
  const strings = new Set<string>();
  const note = (x: unknown): boolean => {
    if (typeof x === "string") strings.add(x);
    else if (typeof x === "bigint" || isRatio(x)) numbers.add(x);
    else return false;
    return true;
  };
  walk<unknown>(conditions, (node) => {
    if (typeof node !== "object" || node === null) return [];
    // Of what is no object in an expression, only `value` is a literal; the others are names.
    return Object.entries(node).flatMap(([key, part]: [string, unknown]) =>
      key === "value" && note(part) ? [] : [part],
    );
  });
  walk<Value>([args], (value) => {
    if (note(value)) return [];
    if (isRecord(value)) return Object.values(value.fields);
    return isList(value) ? value : [];
  });
  return { numbers: [...numbers], strings: [...strings] };
}

function walk<T>(roots: readonly T[], partsOf: (node: T) => readonly T[]): void {
  const pending = [...roots];
  for (let looks = 0; looks < mostLooks; looks++) {
    const next = pending.pop();
    if (next === undefined) return;
    for (const part of partsOf(next).slice(0, mostLooks)) pending.push(part);
  }
}
