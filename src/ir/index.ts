/**
 * The Effect IR: `read → check → judge` or `read → check → run`.
 * Every stage takes what the one before it gives, so that they cannot be done in the wrong order.
 */

export {
  type Additive,
  type Aggregate,
  aggregates,
  type Extreme,
  isAdditive,
  isExtreme,
} from "./aggregates.ts";
export { append } from "./append.ts";
export {
  answerIn,
  answerLabel,
  answerTool,
  builtinTools,
  clockTool,
  firstReadingMs,
  isBuiltin,
  isReading,
  isReserved,
  isTold,
  lastReadingMs,
  longestPauseMs,
  notesIn,
  noteTool,
  pauseTool,
  randomTool,
} from "./builtin.ts";
export { closest } from "./check/closest.ts";
export type { View } from "./check/context.ts";
export { Checked, check, checkExpr } from "./check/index.ts";
export { misplacedIn } from "./check/polarity.ts";
export { looksBeyond } from "./check/provenance.ts";
export { type CollationOptions, collationKey } from "./collation.ts";
export { isConstant } from "./constant.ts";
export { conforms } from "./convert/conforms.ts";
export { decodeValue } from "./convert/decode.ts";
export { encodeValue } from "./convert/encode.ts";
export { fromJs } from "./convert/from-js.ts";
export { jsOfNum, nearestJs, numOfJs } from "./convert/js-number.ts";
export { holdsMap, withObjects } from "./convert/objects.ts";
export { toJs } from "./convert/to-js.ts";
export {
  type Code,
  codes,
  type Diagnostic,
  type Failed,
  failed,
  isCode,
  type Label,
  ok,
  type Path,
  type Result,
  type Span,
  Trail,
} from "./diagnostic.ts";
export type * from "./document.ts";
export { callEnvironment, costOf, firstBroken, writesOf } from "./eval/clauses.ts";
export { defaultOf } from "./eval/default-value.ts";
export {
  type Environment,
  evaluate,
  evaluateExactly,
  type Known,
  readField,
  valuesOnly,
} from "./eval/evaluate.ts";
export { evaluateOn, judge, type RecordedRun, type Resolution, type Verdict } from "./eval/formula.ts";
export { finiteKeys } from "./eval/keys.ts";
export { LimitReached, Meter, type Watch } from "./eval/meter.ts";
export { isPartly, type Partly, Unknown } from "./eval/partly.ts";
export { type Cell, State, type Write } from "./eval/state.ts";
export { type CallEvent, cutOff, eventsOf, type Outcome, type TraceEntry } from "./eval/trace.ts";
export { type Asked, type Flow, type FlowPath, flowOf } from "./flow/flow.ts";
export type { Edge } from "./flow/graph.ts";
export { type Need, type Needs, needsOf } from "./flow/readers.ts";
export { nodesOf } from "./flow/shape.ts";
export { hashDocument } from "./hash.ts";
export { canonicalJson, type PlainJson, writeCanonicalJson } from "./json/canonical.ts";
export { documentFromJson, documentFromJsonText } from "./json/decode.ts";
export { sha256Hex } from "./json/digest.ts";
export { documentToJson, exprToJson } from "./json/encode.ts";
export { isJsonArray, isJsonObject, type JsonObject } from "./json/json.ts";
export { quoted, quotedList } from "./json/quoted.ts";
export { type Json, JsonNumber, readJson } from "./json/reader.ts";
export { jsonSchema } from "./json/schema.ts";
export { labelRowType } from "./label-row.ts";
export { defaultLimits, defaultTurns, type Limits } from "./limits.ts";
export { inheritedNames, keyOfEntry, mapOfPairs, valueOfEntry } from "./map-value.ts";
export {
  add,
  bits,
  compare,
  decimalText,
  divide,
  floor,
  isRatio,
  multiply,
  type Num,
  negate,
  numText,
  parseNum,
  type Ratio,
  ratio,
  subtract,
} from "./number.ts";
export { type Operator, operatorNamed, operators } from "./operators/index.ts";
export type { Signature, TypePattern } from "./operators/operator.ts";
export { checkWritten, parseWritten, type ReadDocument, readDocument, type WrittenDocument } from "./read.ts";
export { Automaton } from "./regular/automaton.ts";
export { haveCommonText, type Member } from "./regular/common.ts";
export { type Expression, readExpression } from "./regular/expression.ts";
export { anything, exactly, type Language, sequence, sizeOf } from "./regular/language.ts";
export { readPattern } from "./regular/pattern.ts";
export { readInputs, run } from "./run/interpret.ts";
export { judgeAnswer, lookBefore, placeIn, type ToolCall } from "./run/look.ts";
export type {
  CallContext,
  Decision,
  Hook,
  PendingCall,
  Run,
  RunOptions,
  ToolHandler,
} from "./run/options.ts";
export { type Ambient, readingHandlers } from "./run/readings.ts";
export { recordedRunFromJson, recordedRunToJson } from "./run/recorded.ts";
export { reasonOf, Stop } from "./run/stop.ts";
export { placeOf, pointer, type SourceMap, type SourcePlace, sourceMapToJson } from "./source-map.ts";
export { type Locator, withSpans } from "./spans.ts";
export { type LookedAt, Standing, type StandingOptions } from "./standing/standing.ts";
export { parseDocument, parseExpr } from "./text/parser.ts";
export { printSource } from "./text/print-formula.ts";
export { printIdentifier, printLabel, printString } from "./text/print-name.ts";
export {
  printCommand,
  printDocument,
  printExpr,
  printFields,
  printName,
  printType,
  printValue,
} from "./text/printer.ts";
export { timeText } from "./time.ts";
export {
  bool,
  type Field,
  fieldOf,
  hasNoValue,
  int,
  isSubtype,
  json,
  listOf,
  mapOf,
  never,
  optionOf,
  readType,
  real,
  recordOf,
  string,
  type Type,
} from "./type.ts";
export {
  equal,
  isList,
  isNum,
  isOption,
  isRecord,
  jsonObject,
  list,
  none,
  type RecordValue,
  record,
  some,
  type Value,
  valueKey,
} from "./value.ts";
export {
  bodiesOf,
  clausesOf,
  commandsAt,
  commandsIn,
  exprsAt,
  exprsIn,
  exprsOf,
  isLoop,
  isParallel,
  mapNamesRead,
  mapParts,
  mapSelections,
  namesBoundBy,
  namesLeftBy,
  namesReadBy,
  noOtherKind,
  partsOf,
  programExprs,
  type References,
  referencesIn,
  selectionsOf,
  variablesOf,
} from "./visit.ts";
