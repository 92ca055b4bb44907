/** The guarantees of a document on one run: judged, and shown. */

import { visibleText } from "../explain/index.ts";
import { type Checked, judge, type PlainJson, printExpr, printName, type RecordedRun } from "../ir/index.ts";
import type { Paint } from "./text/paint.ts";
import { cut } from "./text/width.ts";

export interface Judged {
  readonly name: string;
  /** In text form. */
  readonly args: readonly string[];
  readonly verdict: "holds" | "violated" | "unknown";
  /** Why it is unknown. */
  readonly why?: string;
}

export function judgeAll(checked: Checked, run: RecordedRun): Judged[] {
  return checked.document.guarantees.map(({ name, args, formula }) => {
    const stated = { name, args: args.map(printExpr) };
    if (formula === undefined) {
      return { ...stated, verdict: "unknown", why: "its formula is the trusted contract's" };
    }
    const verdict = judge(checked, formula, run);
    return verdict.kind === "unknown"
      ? { ...stated, verdict: verdict.kind, why: verdict.why }
      : { ...stated, verdict: verdict.kind };
  });
}

export function allHold(judged: readonly Judged[]): boolean {
  return judged.every(({ verdict }) => verdict === "holds");
}

export function judgedToJson({ name, args, verdict, why }: Judged): PlainJson {
  return { name, args, verdict, ...(why === undefined ? {} : { why }) };
}

/** LIMIT: of columns; an argument may be a long text, and a line is for reading. */
const mostArguments = 200;

/** One line each, and one more for why something is unknown. */
export function verdictLines(judged: readonly Judged[], paint: Paint): string[] {
  return judged.flatMap(({ name, args, verdict, why }) => {
    const colour = { holds: paint.green, violated: paint.red, unknown: paint.yellow }[verdict];
    const word = colour(`${paint.signs[verdict]}${verdict.padEnd("violated".length)}`);
    const stated = cut(visibleText(args.join(", ")), mostArguments, paint.signs.cut);
    const line = `  ${word}  ${visibleText(printName(name))}(${stated})`;
    if (why === undefined) return [line];
    const indent = " ".repeat(paint.signs[verdict].length + "  violated  ".length);
    return [line, paint.dim(`${indent}${visibleText(why)}`)];
  });
}
