/** The guarantees of a document on one run: judged, and shown. */

import type { Judged } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { printName } from "../../../ir/index.ts";
import type { Paint } from "../../text/paint.ts";
import { cut } from "../../text/width.ts";

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
