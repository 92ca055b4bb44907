/** The types of the language surface: examples type-check in an editor, and wrong use is a type error. */

/** An integer: as an argument, a `number` without a fraction. */
export type Int = number;

declare const brand: unique symbol;

/** Marks a fluent of which nothing is assumed before the run. */
export interface Unknown {
  readonly [brand]: "unknown";
}

/** A promise about a whole run, made by stating a contract. Combines like a boolean inside other contracts. */
export type Guarantee = boolean & { readonly [brand]: "guarantee" };

/** A change of a fluent, only for `effects`. */
export interface Update {
  readonly [brand]: "update";
}

/** Context that `run` and `undo` receive besides the arguments. */
export interface ToolCall {
  /** The same whenever the same call is tried again, also after a crash: two calls with one key are one. */
  readonly key: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the time is up or the run is interrupted. */
  readonly signal: AbortSignal;
  /** The declared type of the result as JSON Schema; absent for a tool that returns nothing. */
  readonly result?: { readonly [key: string]: unknown };
}

export interface ToolOptions<Args, Result> {
  /** Does the work. Never compiled; its annotations are the tool's types. */
  readonly run: (args: Args, call: ToolCall) => Promise<Result> | Result;
  /** Takes a call back when a run must be undone. Never compiled. */
  readonly undo?: (args: NoInfer<Args>, result: NoInfer<Result>, call: ToolCall) => unknown;
  /** Must hold before every call. */
  readonly requires?: (args: NoInfer<Args>) => boolean;
  /** Assumed of every result, and checked at run time. */
  readonly ensures?: (result: NoInfer<Result>, args: NoInfer<Args>) => boolean;
  /** Updates of fluents by the call. */
  readonly effects?: (args: NoInfer<Args>) => readonly Update[];
  /** Cost of the call. */
  readonly cost?: (args: NoInfer<Args>) => number;
  readonly labels?: readonly string[];
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  /** Has no side effect. */
  readonly reads?: boolean;
  /** Marks the result as possibly written by an adversary. */
  readonly source?: "untrusted";
  /** Stores that it writes its arguments to and reads its result from; `[]`: none. Default: any. */
  readonly stores?: readonly string[];
  /** Its result does not carry on what its arguments carry of these. */
  readonly endorses?: "untrusted" | readonly DataSource[];
  /** Readers of its result; for a list, of each row. Default: anyone. */
  readonly readers?: (
    returned: NoInfer<Result> extends readonly (infer Row)[] ? Row : NoInfer<Result>,
    args: NoInfer<Args>,
  ) => readonly string[];
  readonly description?: string;
}

declare const returned: unique symbol;

/** A call as a contract sees it: its arguments, and for `resultOf` what it returned. */
export type Call<Args, Result> = Args & Returned<Result>;

export interface Returned<Result> {
  readonly [returned]?: Result;
}

/** A tool can be called in a program, and is the relation of its calls in a contract. */
export type Tool<Args, Result> = Callable<Args, Result> &
  Relation<Call<Args, Result>> & {
    /** The rows that it returned. */
    readonly rows: Result extends readonly (infer Row)[] ? Relation<Row> : never;
  };

/** Any tool, where only which one it is matters. */
export interface AnyTool {
  readonly rows: unknown;
  readonly precedes: unknown;
  readonly perKey: unknown;
}

/** The calls of all tools with a label. */
export type Labelled<Row> = Relation<Row> & { readonly [brand]: "labelled" };

/** The answers and notes of programs. `value` is JSON. */
export type Answer = Relation<{ readonly value: unknown }> & { readonly [brand]: "answer" };

/** Inputs of the program that states the contract. */
export interface InputSource {
  readonly [brand]: "input";
}

/** A source of data: results of a tool, results of tools with a label, or inputs. */
export type DataSource = AnyTool | Labelled<never> | InputSource | UntrustedSource | string;

/** `untrusted` itself: every tool whose `source` is `"untrusted"`. */
export type UntrustedSource = (value: unknown) => Guarantee;

/** The fields of what a tool returns, or of its rows. */
export type FieldOf<Result> = Result extends readonly (infer Row)[] ? Fields<Row> : Fields<Result>;
type Fields<Value> = Value extends object ? keyof Value & string : never;

/** A tool, where what it returns matters. */
export type Returning<Result> = AnyTool & ((...args: never) => Promise<Result>);

export interface Transition<State extends string, Row> {
  readonly from: State | readonly State[];
  /** A tool, `tool.where(…)` or `labelled(…)`. */
  readonly call: Relation<Row>;
  /** Looks at the arguments of the call, constants and parameters of the contract. */
  readonly when?: (call: NoInfer<Row>) => boolean;
  readonly to: State;
}

export interface AutomatonOptions<State extends string, Bad extends string, Rows extends readonly unknown[]> {
  readonly states: readonly State[];
  readonly start: NoInfer<State>;
  /** The first that fits a call leads on; if none does, it stays where it is. */
  readonly on: { readonly [K in keyof Rows]: Transition<NoInfer<State | Bad>, Rows[K]> };
  /** Must never be entered. They need not be among `states`. */
  readonly error: Bad | readonly Bad[];
}

type Callable<Args, Result> = unknown extends Args
  ? (args?: Readonly<Record<string, never>>) => Promise<Result>
  : Record<never, never> extends Args
    ? (args?: Args) => Promise<Result>
    : (args: Args) => Promise<Result>;

export interface Relation<Row> {
  all(holds: (row: Row) => boolean): boolean;
  some(holds?: (row: Row) => boolean): boolean;
  none(holds?: (row: Row) => boolean): boolean;
  where(holds: (row: Row) => boolean): Relation<Row>;
  count(holds?: (row: Row) => boolean): number;
  sum(value: (row: Row) => number): number;
  /** `otherwise` is the value when there are no calls. */
  min(value: (row: Row) => number, otherwise: number): number;
  max(value: (row: Row) => number, otherwise: number): number;
  /** No two have the same key. */
  distinct(key: (row: Row) => unknown): boolean;
  perKey(key: (row: Row) => unknown): PerKey<Row>;
  /** Some call of each agree on the key. */
  sharesValue<Other>(other: Relation<Other>, key: (row: Row | Other) => unknown): boolean;
  /** Every call of `other` has an earlier call of this relation. */
  before<Other>(other: Relation<Other>): boolean;
  precedes<Other>(other: Relation<Other>, match: (mine: Row, other: Other) => boolean): boolean;
  /** No call of this relation once `other` was called. */
  neverAfter<Other>(other: Relation<Other>): boolean;
}

/** Numbers for each key, to be compared: the comparison must hold for every key. */
export interface PerKey<Row> {
  count(): number;
  sum(value: (row: Row) => number): number;
  min(value: (row: Row) => number): number;
  max(value: (row: Row) => number): number;
}

export interface FluentOptions<Value, Key = never> {
  readonly initial: Value | Unknown;
  /** Returns the value at a key as the world has it; undefined for nothing. Never compiled. */
  readonly probe?: (key: Key, call: ProbeCall) => Promise<Value | undefined> | Value | undefined;
  /** Returns all keys that the world has, so that one unknown to the model is found too. Never compiled. */
  readonly keys?: (call: ProbeCall) => Promise<readonly Key[]> | readonly Key[];
  /** The rule for a difference: the kernel stops (default), or the state takes the world's value. */
  readonly drift?: "stop" | "take";
  readonly description?: string;
}

/** Context that `probe` and `keys` of a fluent receive. */
export interface ProbeCall {
  /** Aborted when the time is up. */
  readonly signal: AbortSignal;
}

export interface Cell<Key, Value> {
  readonly key: Key;
  readonly value: Value;
}

export interface Cells<Key, Value> {
  all(holds: (cell: Cell<Key, Value>) => boolean): boolean;
}

export interface State<Key, Value> extends Cells<Key, Value> {
  get(key: Key): Value;
  some(holds: (cell: Cell<Key, Value>) => boolean): boolean;
  none(holds: (cell: Cell<Key, Value>) => boolean): boolean;
  /** Infinite if the initial value is counted. */
  count(holds: (cell: Cell<Key, Value>) => boolean): number;
}

export interface Fluent<Key, Value> {
  /** Before the call; in `requires` and `effects`. */
  get(key: Key): Value;
  /** In `effects`. */
  set(key: Key, value: Value): Update;
  readonly final: State<Key, Value>;
  readonly always: Cells<Key, Value>;
  readonly initial: { get(key: Key): Value };
}

/** Called with constants, it is a guarantee. */
export type Contract<Params extends readonly unknown[]> = (...params: Params) => Guarantee;

export interface CoverageOptions {
  /** Speaks of programs that call one of these. */
  readonly whenUsed: readonly (AnyTool | Answer)[];
  /** Should be stated; without arguments, with any. */
  readonly recommended?: readonly CoverageContract[];
  /** Must hold, stated or not, so one that takes arguments is given them. */
  readonly required?: readonly (Guarantee | (() => Guarantee))[];
  /** Display name of the domain. */
  readonly label?: string;
}

export type CoverageContract = Guarantee | ((...params: never) => Guarantee);

export type CoveragePolicy = Readonly<CoverageOptions>;

export interface ProgramOptions<Input> {
  readonly guarantees: readonly [Guarantee, ...Guarantee[]];
  run(input: Input): Promise<unknown>;
}

export interface Program {
  readonly kind: "program";
  readonly options: unknown;
}
