/**
 * The Effect IR: `read → check → judge` or `read → check → run`.
 * Every stage takes what the one before it gives, so that they cannot be done in the wrong order.
 */
export type { View } from "./check/context.ts";
export { Checked, check, checkExpr } from "./check/index.ts";
export { fromJs } from "./convert/from-js.ts";
export { toJs } from "./convert/to-js.ts";
export { type Code, codes, type Diagnostic, type Path, type Result, type Span } from "./diagnostic.ts";
export type * from "./document.ts";
export { evaluateOn, judge, type RecordedRun, type Resolution, type Verdict } from "./eval/formula.ts";
export { LimitReached } from "./eval/meter.ts";
export { isPartly, type Partly, Unknown } from "./eval/partly.ts";
export { type Cell, State, type Write } from "./eval/state.ts";
export type { Outcome, TraceEntry } from "./eval/trace.ts";
export { hashDocument } from "./hash.ts";
export { canonicalJson, type PlainJson } from "./json/canonical.ts";
export { documentFromJson, documentFromJsonText } from "./json/decode.ts";
export { documentToJson } from "./json/encode.ts";
export { type Json, JsonNumber, readJson } from "./json/reader.ts";
export { jsonSchema } from "./json/schema.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { add, compare, type Num, numText, type Ratio, ratio } from "./number.ts";
export { type Operator, operators } from "./operators/index.ts";
export { type ReadDocument, readDocument } from "./read.ts";
export { readInputs, run } from "./run/interpret.ts";
export type {
  CallContext,
  Decision,
  Hook,
  PendingCall,
  Run,
  RunOptions,
  ToolHandler,
} from "./run/options.ts";
export { recordedRunFromJson, recordedRunToJson } from "./run/recorded.ts";
export { placeOf, type SourceMap, sourceMapToJson } from "./source-map.ts";
export { type Locator, withSpans } from "./spans.ts";
export { parseDocument, parseExpr } from "./text/parser.ts";
export { printCommand, printDocument, printExpr, printName, printType, printValue } from "./text/printer.ts";
export type { Field, Type } from "./type.ts";
export { equal, list, none, type RecordValue, record, some, type Value } from "./value.ts";
