/** Evaluates an expression over the inputs and the trace of a recorded run. */
import {
  type Checked,
  checkExpr,
  encodeValue,
  evaluateOn,
  isPartly,
  LimitReached,
  ok,
  type Partly,
  type PlainJson,
  parseExpr,
  printType,
  type RecordedRun,
  type Result,
  withSpans,
} from "../../ir/index.ts";
import { type Failure, textFailure } from "../failure.ts";
import { numberText, valueText } from "../report/wording.ts";

export type Evaluated =
  | { readonly ok: true; readonly type: string; readonly text: string; readonly value: PlainJson }
  | { readonly ok: false; readonly type: string; readonly why: string };

export function evaluateText(checked: Checked, text: string, run: RecordedRun): Result<Evaluated, Failure> {
  const file = "--expr";
  const parsed = parseExpr(text);
  if (!parsed.ok) return textFailure(file, text, parsed.problems);
  const { expr, locate } = parsed.value;
  const within = checkExpr(checked, expr, "trace");
  if (!within.ok) return textFailure(file, text, withSpans(within.problems, locate));
  const type = within.value.types.get(expr);
  if (type === undefined) throw new TypeError("an expression was checked and has no type");
  const typeText = printType(type);
  try {
    const found = evaluateOn(within.value, expr, run);
    if (isPartly(found)) return ok({ ok: false, type: typeText, why: partlyText(found) });
    return ok({ ok: true, type: typeText, text: valueText(found), value: encodeValue(found, type) });
  } catch (thrown) {
    if (!(thrown instanceof LimitReached)) throw thrown;
    return ok({ ok: false, type: typeText, why: thrown.message });
  }
}

function partlyText(found: Partly): string {
  switch (found.kind) {
    case "unknown":
      return found.why;
    case "between": {
      const { low, high } = found;
      if (low !== undefined && high !== undefined)
        return `it is from ${numberText(low)} to ${numberText(high)}, because a call failed`;
      if (low !== undefined) return `it is at least ${numberText(low)}`;
      return high === undefined ? "nothing is known of it" : `it is at most ${numberText(high)}`;
    }
    case "infinite":
      return "it is greater than every number";
    case "anyOtherKey":
    case "partlyRecord":
      return "it is only partly known";
  }
}
