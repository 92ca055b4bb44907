/**
 * A call of a declared tool that happens once, or again and again because it is tried again: what its tool requires each
 * time, and what is set afterwards. A try that failed may have had its effect, so the next one finds the state that it left.
 */
import { decimalText, type Expr, isPartly, type Json, type Tool, variablesOf } from "../../ir/index.ts";
import type { Action } from "../plan.ts";
import { sameValue } from "../values.ts";
import type { CallModel, ReadKey, Requirement, ToolBook, Update } from "./tool-book.ts";

export interface Happening {
  /** Requirements that fail before the call, or may fail. */
  readonly unmet: readonly Requirement[];
  /** In the order of the tool's `sets`. */
  readonly updates: readonly Update[];
  /** Cells after the call, including earlier attempts; undefined if unknown. */
  readonly cells: ReadonlyMap<string, Json | undefined>;
}

export interface Happenings {
  /** The first, the second and so on, until nothing changes any more. Never empty. */
  readonly each: readonly [Happening, ...Happening[]];
  /** True if further attempts may follow, each different from those before. */
  readonly isCut: boolean;
}

/** LIMIT: times that a call is followed. */
const mostTimes = 9;

export function happenings(book: ToolBook, call: CallModel, read: ReadKey, times: number): Happenings {
  let last = happening(book, call, read, new Map());
  const each: [Happening, ...Happening[]] = [last];
  // One that reads nothing of what it sets does the same each time, also where that is unknown.
  const isSteady = call.reads.every((key) => !call.writes.includes(key));
  while (!isSteady && each.length < times) {
    if (each.length === mostTimes) return { each, isCut: true };
    const next = happening(book, call, read, last.cells);
    if (isSame(next.cells, last.cells) && next.unmet.length === 0) break;
    each.push(next);
    last = next;
  }
  return { each, isCut: false };
}

function happening(book: ToolBook, call: CallModel, read: ReadKey, before: Happening["cells"]): Happening {
  const now: ReadKey = (key) => {
    if (!before.has(key)) return read(key);
    const cell = before.get(key);
    return cell === undefined ? "unknown" : { cell };
  };
  const updates = book.updates(call, now);
  const cells = new Map(before);
  for (const [i, { happens, value }] of updates.entries()) {
    const key = call.writes[i] ?? "";
    if (happens !== "never") cells.set(key, happens === "always" ? value : undefined);
  }
  return { unmet: book.unmet(call, now), updates, cells };
}

/** SOUNDNESS: values that are not known may differ. */
function isSame(a: Happening["cells"], b: Happening["cells"]): boolean {
  return [...a].every(([key, value]) => {
    const other = b.get(key);
    return value !== undefined && other !== undefined && sameValue(value, other);
  });
}

/** Returns the maximum number of calls as far as effects matter: once if repetition is harmless. */
export function timesOf({ failureBehavior, maxRetries }: Action, { idempotent, reads }: Tool): number {
  if (failureBehavior !== "retry" || idempotent === true || reads === true) return 1;
  return 1 + maxRetries;
}

/** Finds an update of the tool without an exact value: certainly, or possibly. */
export function inexactIn(
  book: ToolBook,
  { tool, arguments: names, writes }: CallModel,
  { updates }: Happening,
  /** Returns true if every possible content of the key is known and has the fluent's type. */
  isClear: (key: string) => boolean,
): { readonly kind: "fails" | "open"; readonly key: string } | undefined {
  for (const [i, { happens, value }] of updates.entries()) {
    const set = tool.sets[i];
    if (set === undefined || happens === "never" || (happens === "always" && value !== undefined)) continue;
    const clauses = set.when === undefined ? [set.value] : [set.value, set.when];
    const areCellsClear = clauses
      .flatMap((one) => book.keysIn(one, names))
      .every((key) => key !== undefined && isClear(key));
    if (areCellsClear && clauses.every(isDecimal)) continue;
    const isKnown = clauses.every((one) => [...variablesOf(one)].every((name) => !isPartly(names.get(name))));
    return { kind: isKnown && areCellsClear ? "fails" : "open", key: writes[i] ?? "" };
  }
  return undefined;
}

/** Operators that make decimal numbers of decimal numbers, and always have a value. */
const decimalOperators: ReadonlySet<string> = new Set(
  "+ - negate * abs floor ceil round truncate isInteger min max ++ length contains and or not implies if == != < <= > >= some isSome orElse startsWith endsWith".split(
    " ",
  ),
);

function isDecimal(expr: Expr): boolean {
  switch (expr.kind) {
    case "bool":
    case "string":
    case "none":
    case "var":
    case "cell":
      return true;
    case "number":
      return decimalText(expr.value) !== undefined;
    case "field":
      return isDecimal(expr.of);
    case "op":
      return decimalOperators.has(expr.op) && expr.args.every(isDecimal);
    case "list":
      return expr.items.every(isDecimal);
    case "record":
      return expr.fields.every(({ value }) => isDecimal(value));
    default:
      return false;
  }
}
