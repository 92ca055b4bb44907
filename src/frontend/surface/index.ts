/**
 * The package's exports for tool modules and programs. Light and without dependencies, because tool modules load it
 * when they run. Nothing here proves anything: the sources are read, not executed.
 */
import type {
  Answer,
  AutomatonOptions,
  Contract,
  CoverageOptions,
  CoveragePolicy,
  DataSource,
  FieldOf,
  Fluent,
  FluentOptions,
  Guarantee,
  InputSource,
  Labelled,
  Program,
  ProgramOptions,
  Returned,
  Returning,
  Tool,
  ToolOptions,
  Unknown,
} from "./types.ts";

// They mean the same in a contract, in a program, and in the body of a tool, where they are called.
export { pathInside } from "../../ir/inside/path.ts";
export { urlInside } from "../../ir/inside/url.ts";
export type * from "./types.ts";

/** The symbol under which `foreclaim run` finds a tool's definition in a loaded module. */
export const definition: unique symbol = Symbol.for("foreclaim.definition");

/** The initial value of a fluent of which nothing is assumed. */
// SAFETY: `Unknown` has no members; the symbol only has to be told from every value of a fluent.
export const unknown = Symbol.for("foreclaim.unknown") as unknown as Unknown;

/** Declares a tool; types come from the annotations on `run`. */
export function tool<Args = unknown, Result = void>(options: ToolOptions<Args, Result>): Tool<Args, Result> {
  // SAFETY: outside a compiled source a tool is only its definition, and everything else of it throws.
  return outside("a tool can only be called in a program that Foreclaim runs", options) as Tool<Args, Result>;
}

/** Declares state that tools change, a value for each key. */
export function fluent<Key, Value>(options: FluentOptions<Value, Key>): Fluent<Key, Value> {
  // SAFETY: as for `tool`.
  return outside("a fluent can only be read in a contract or a tool's clause", options) as unknown as Fluent<
    Key,
    Value
  >;
}

/** Declares a promise that programs can make. */
export function contract<Params extends readonly unknown[]>(
  formula: (...params: Params) => boolean,
): Contract<Params> {
  const message =
    "a contract can only be stated among the `guarantees` of a program, or in a coverage policy";
  // A coverage policy states contracts while its module loads: to be stated is harmless, every other use throws.
  const made = outside(message, formula, () => outside(message, undefined));
  // SAFETY: as for `tool`.
  return made as Contract<Params>;
}

/** Says which contracts a program should or must state when it uses certain tools. */
export function coverage(options: CoverageOptions): CoveragePolicy {
  return Object.freeze({ ...options });
}

/** The calls of all tools with a label. */
export function labelled<Row = Readonly<Record<string, never>>>(label: string): Labelled<Row> {
  // SAFETY: as for `tool`.
  return outside("`labelled` is only allowed in a contract", label) as unknown as Labelled<Row>;
}

/** Answers and notes of programs: in a contract, the relation of all of them. */
// SAFETY: as for `tool`.
export const answer = outside("`answer` is only allowed in a contract", undefined) as unknown as Answer;

/** Data of an input of the program, or of any input. */
export function input(name?: string): InputSource {
  // SAFETY: as for `tool`. A tool names sources while its module loads.
  return outside("`input` is only allowed in a contract", name) as unknown as InputSource;
}

/** True when the value may carry data of the source, or of one field of what the tool returned. */
export function flowsFrom<Result>(
  value: unknown,
  source: Returning<Result>,
  field: FieldOf<Result>,
): Guarantee;
export function flowsFrom(value: unknown, source: DataSource): Guarantee;
export function flowsFrom(): Guarantee {
  throw new Error("`flowsFrom` is only allowed in a contract");
}

/** True when an argument of the call, or whether it is made, may depend on data of the source. */
export function influencedBy(_call: object, _source: DataSource): Guarantee {
  throw new Error("`influencedBy` is only allowed in a contract");
}

/** The result of a call; undefined for a failed one. */
export function resultOf<Result>(_call: Returned<Result>): Result | undefined {
  throw new Error("`resultOf` is only allowed in a contract");
}

/** True when the value may carry data of a tool whose `source` is `"untrusted"`. */
export function untrusted(_value: unknown): Guarantee {
  throw new Error("`untrusted` is only allowed in a contract");
}

/** True when of every result that the value may carry data of, the reader is one of its `readers`. */
export function mayRead(_value: unknown, _reader: string | readonly string[]): Guarantee {
  throw new Error("`mayRead` is only allowed in a contract");
}

/** True when the calls, in their order, never lead to an error state. */
export function automaton<
  const State extends string,
  const Bad extends string,
  Rows extends readonly unknown[],
>(_options: AutomatonOptions<State, Bad, Rows>): Guarantee {
  throw new Error("`automaton` is only allowed in a contract");
}

/**
 * States a fact that holds whenever a program gets here. At the start of a loop it helps to prove the loop; it is
 * itself proved, and a run stops where it does not hold.
 */
export function invariant(_condition: boolean): void {
  throw new Error("`invariant` is only allowed in a program");
}

/** The one default export of a program. */
export function program<Input = undefined>(options: ProgramOptions<Input>): Program {
  return Object.freeze({ kind: "program", options });
}

/** Something that has a definition, and whose every other use says that it is used in the wrong place. */
function outside(message: string, held: unknown, call?: () => object): object {
  const refuse = (): never => {
    throw new Error(message);
  };
  return new Proxy(refuse, {
    get: (_target, name) => {
      if (name === definition) return held;
      // What a loader or a debugger asks of anything that was exported.
      if (typeof name === "symbol" || name === "then" || name === "name" || name === "toJSON")
        return undefined;
      // Reading `send.all` is harmless; calling it says what is wrong.
      return outside(message, undefined);
    },
    apply: call ?? refuse,
    set: refuse,
  });
}
