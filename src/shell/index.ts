/** Classification of shell command lines, fail closed. */

export { type Classification, classifyCommand, MAX_COMMAND } from "./classify.ts";
export type { ClassifyOptions } from "./context.ts";
export { type ClassifiedLine, classifyLine, MAX_LINE } from "./lines.ts";
export type { Reason, ReasonCode } from "./reason.ts";
