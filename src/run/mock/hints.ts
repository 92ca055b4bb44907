/** Numbers and strings that the conditions of a tool and the arguments of a call speak of. */
import {
  append,
  type Expr,
  exprsIn,
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
  const note = (value: Value): boolean => {
    if (typeof value === "string") strings.add(value);
    else if (typeof value === "bigint" || isRatio(value)) numbers.add(value);
    else return false;
    return true;
  };
  for (const expr of firstFew(exprsIn(...conditions)).reverse())
    if (expr.kind === "number" || expr.kind === "string") note(expr.value);
  const pending: Value[] = [args];
  for (let looks = 0; looks < mostLooks; looks++) {
    const value = pending.pop();
    if (value === undefined) break;
    if (note(value)) continue;
    const parts = isRecord(value) ? Object.values(value.fields) : isList(value) ? value : [];
    append(pending, parts.slice(0, mostLooks));
  }
  return { numbers: [...numbers], strings: [...strings] };
}

/** Returns as many of the expressions as are looked at. */
function firstFew(all: Iterable<Expr>): Expr[] {
  const some: Expr[] = [];
  for (const expr of all) {
    if (some.length === mostLooks) break;
    some.push(expr);
  }
  return some;
}
