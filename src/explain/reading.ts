/** Readings of the clock and of chance, and pauses, in words. */
import {
  clockTool,
  isNum,
  numText,
  pauseTool,
  randomTool,
  type TraceEntry,
  timeText,
  type Value,
} from "../ir/index.ts";

/** The reading or pause as a sentence; undefined for any other call. */
export function readingText({
  tool,
  args,
  outcome,
}: Pick<TraceEntry, "tool" | "args" | "outcome">): string | undefined {
  const result = outcome.kind === "returned" ? outcome.result : undefined;
  switch (tool) {
    case clockTool.name:
      return `the clock says ${typeof result === "bigint" ? `${timeText(result)} (${result} ms)` : "nothing"}`;
    case randomTool.name:
      return `chance gives ${shown(result)}`;
    case pauseTool.name:
      return `the run pauses for ${shown(args.fields.ms)} ms`;
    default:
      return undefined;
  }
}

function shown(value: Value | undefined): string {
  return value !== undefined && isNum(value) ? numText(value) : "nothing";
}

/** Names the result of such a call; undefined for any other tool. */
export function readingName(tool: string): string | undefined {
  if (tool === clockTool.name) return "the time";
  return tool === randomTool.name ? "the random number" : undefined;
}
