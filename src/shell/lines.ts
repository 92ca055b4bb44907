/** Lines of JSON: a command in, a classification out. */

import { type Classification, classifyCommand } from "./classify.ts";
import type { ClassifyOptions } from "./context.ts";

/** Length of a line in UTF-16 code units. */
export const MAX_LINE = 262_144;

export interface ClassifiedLine extends Classification {
  /** False of a line that holds no command: it is refused. */
  readonly understood: boolean;
}

/** Classifies the command of one line `{"command": "…"}`. */
export function classifyLine(line: string, options: ClassifyOptions = {}): ClassifiedLine {
  if (line.length > MAX_LINE) return bad(`the line is longer than ${MAX_LINE} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad("the line is not JSON");
  }
  if (
    typeof value !== "object" ||
    value === null ||
    !("command" in value) ||
    typeof value.command !== "string"
  ) {
    return bad('the line is no object with a text "command"');
  }
  return { understood: true, ...classifyCommand(value.command, options) };
}

function bad(message: string): ClassifiedLine {
  return { understood: false, verdict: "refuse", reasons: [{ code: "bad-input", message }] };
}
