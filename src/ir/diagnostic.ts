/**
 * Problems with a user's input, as data: collected, never thrown. The set of codes is closed; each has a page
 * in `docs/reference/errors/` with a failing and a mended example, and both are run by a test.
 * Part of what must be trusted.
 */
export const codes = {
  // reading text
  FC1001: "unexpected character",
  FC1002: "string or quoted name without an end",
  FC1003: "bad escape",
  FC1004: "bad number",
  FC1005: "unexpected word or sign",
  FC1006: "unknown version",
  FC1007: "comparisons cannot be chained",
  FC1008: "clause given twice",
  // reading JSON
  FC1101: "not JSON",
  FC1102: "wrong kind of JSON value",
  FC1103: "missing field",
  FC1104: "unknown field",
  FC1105: "unknown word in a closed set",
  FC1106: "key given twice",
  // names
  FC1201: "unknown name",
  FC1202: "name already taken",
  FC1203: "unknown tool",
  FC1204: "unknown fluent",
  FC1205: "unknown label",
  FC1206: "tool declared twice",
  FC1207: "fluent declared twice",
  FC1208: "call id used twice",
  FC1209: "field or argument given twice",
  FC1210: "unknown operator",
  FC1211: "`next` for a name that is not carried",
  FC1212: "carried name without `next`",
  FC1213: "`next` given twice",
  FC1214: "malformed name",
  FC1215: "missing argument",
  FC1216: "unknown argument",
  FC1217: "unknown field of a record",
  FC1218: "not a variable for a call",
  FC1219: "unknown input",
  FC1220: "label given twice",
  FC1221: "store, source or state given twice",
  FC1222: "unknown state of an automaton",
  FC1223: "name of what runs at the same time",
  FC1224: "fewer than two branches",
  FC1225: "name that Foreclaim reserves",
  // types
  FC1301: "wrong type",
  FC1302: "operator does not take these types",
  FC1303: "wrong number of operands",
  FC1304: "no common type",
  FC1305: "not a constant",
  FC1306: "type cannot be used here",
  FC1307: "tool returns nothing",
  FC1308: "function outside an operator",
  FC1309: "only in a guarantee",
  FC1310: "bad enum",
  FC1311: "parameter needs a type",
  FC1312: "only states under `always`",
  FC1313: "no value of this type",
  FC1314: "state cannot be read here",
  FC1315: "aggregate is incomplete",
  FC1316: "one expression with two types",
  FC1317: "not a pattern",
  FC1318: "rests on what may be",
  FC1319: "transition looks beyond its call",
  FC1320: "no value of a call",
  FC1321: "transition that is never taken",
  // limits
  FC1401: "document too long",
  FC1402: "nested too deep",
  FC1403: "document too big",
  FC1404: "string too long",
  FC1405: "list too long",
  FC1406: "number too big",
  FC1407: "too much work",
  FC1408: "name too long",
  FC1409: "bound too big",
  FC1410: "pattern too big",
  FC1411: "key that every object inherits",
  // running
  FC1501: "no handler for a tool",
  FC1502: "`requires` does not hold",
  FC1503: "`require` does not hold",
  FC1504: "tool failed",
  FC1505: "tool returned a wrong value",
  FC1506: "`ensures` does not hold",
  FC1507: "argument cannot be passed exactly",
  FC1508: "run aborted",
  FC1509: "call refused",
  FC1510: "recorded run does not fit",
  FC1511: "list longer than `max`",
  FC1512: "state unknown",
  FC1513: "bad input",
  FC1514: "cost cannot be charged",
  FC1524: "text that is no date of the standard format",
  FC1525: "infinite number",
  FC1526: "too many iterations of a loop",
  FC1527: "pause that is too long",
  // values from and to JavaScript
  FC1601: "not a finite number",
  FC1602: "negative zero",
  FC1603: "integer not safe as a number",
  FC1604: "no number equals it",
  FC1605: "not data",
  FC1606: "cycle",
  FC1607: "foreign prototype",
  FC1608: "wrong kind of value",
  FC1609: "unknown field of a value",
  FC1610: "missing field of a value",
  FC1611: "gap in a list",
  FC1612: "accessor or symbol property",
} as const;

export type Code = keyof typeof codes;

export function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/**
 * The one form of a problem, for every room. `C` is the set of codes that it may have, `K` names the places that it always has:
 * in a document by default. Rooms that know more of a problem extend it.
 */
export type Diagnostic<C extends string = Code, K extends keyof Places = "path"> = Told<C> & Pick<Places, K>;

interface Told<C> extends Partial<Places> {
  readonly code: C;
  /** One sentence, lower-case start, no full stop, the user's own words in backticks. */
  readonly message: string;
  /** Set if the key at the end of the path is meant, not the value under it. */
  readonly part?: "key";
  /** The text beside the mark of its own place. */
  readonly mark?: string;
  /** Further places that have to do with it. */
  readonly labels?: readonly Label[];
  /** The thing to do instead. */
  readonly help?: string;
  /** The kind of problem; the default is `error`. */
  readonly title?: string;
}

interface Places {
  /** Place in the document. */
  readonly path: Path;
  /** Absent where one file is understood, or none. */
  readonly file: string;
  /** Place in the text, once known. */
  readonly span: Span;
}

/** Field names and positions from the document's root; the same for text, JSON and data. */
export type Path = readonly (string | number)[];

/** Offsets in UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Label {
  readonly span: Span;
  readonly text: string;
}

/** A value, or why there is none: `F` is the form of the failure, with its diagnostics by default. */
export type Result<T, F extends { readonly ok: false } = Failed> =
  | { readonly ok: true; readonly value: T }
  | F;

export interface Failed<D = Diagnostic> {
  readonly ok: false;
  readonly problems: readonly D[];
}

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failed<D>(problems: readonly D[]): Failed<D> {
  return { ok: false, problems };
}

/** A path that grows by one step at a time without copying what came before. */
export class Trail {
  static readonly root = new Trail(undefined, "");
  private readonly parent: Trail | undefined;
  private readonly step: string | number;

  private constructor(parent: Trail | undefined, step: string | number) {
    this.parent = parent;
    this.step = step;
  }

  at(...steps: readonly (string | number)[]): Trail {
    return steps.reduce<Trail>((trail, step) => new Trail(trail, step), this);
  }

  path(): Path {
    const steps: (string | number)[] = [];
    for (let at: Trail = this; at.parent !== undefined; at = at.parent) steps.push(at.step);
    return steps.reverse();
  }
}
