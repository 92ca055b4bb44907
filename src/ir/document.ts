/**
 * The Effect IR, version 1, as immutable data. This file is the list of everything that can be said;
 * `shape.ts` says how each node is written as JSON, `grammar.ebnf` how it is written as text,
 * `check.ts` which documents make sense, `evaluate.ts` and `interpret.ts` what they mean.
 * Part of what must be trusted.
 */
import type { Aggregate } from "./aggregates.ts";
import type { Num } from "./number.ts";
import type { Field, Type } from "./type.ts";

export interface Document {
  readonly effectIr: 1;
  /** The hash of the tool modules that this document was compiled against. */
  readonly modules?: string;
  readonly fluents: readonly Fluent[];
  readonly tools: readonly Tool[];
  readonly program: Program;
  readonly guarantees: readonly Guarantee[];
}

/** A keyed cell of state. Without `initial`, nothing is assumed about what it holds before the run. */
export interface Fluent {
  readonly name: string;
  readonly key: Type;
  readonly value: Type;
  readonly initial?: Expr;
}

export interface Tool {
  readonly name: string;
  readonly params: readonly Field[];
  /** Absent when the tool returns nothing. */
  readonly result?: Type;
  readonly labels: readonly string[];
  /** Must hold before the call; may read the parameters and the fluents. */
  readonly requires: readonly Expr[];
  /** May be assumed after the call; may read the parameters and `result`. */
  readonly ensures: readonly Expr[];
  /** In order; each reads the state before the call, and of two writes of one key the later wins. */
  readonly sets: readonly Update[];
  readonly cost?: Expr;
  /** Has no side effect. */
  readonly reads?: true;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent?: true;
  /** Its result may hold what an adversary wrote. */
  readonly untrusted?: true;
  /** It has a handler that takes a call back. */
  readonly undoable?: true;
  /** Stores that it writes its arguments to and reads its result from. Absent: any store; empty: none. */
  readonly stores?: readonly string[];
  /** Sources whose data its result no longer carries, even if the arguments do. */
  readonly endorses?: readonly Source[];
  /**
   * Readers of its result; absent: anyone. May read the parameters and `result`, or, for a tool that returns a list,
   * the parameters and `row`: then it gives the readers of that element.
   */
  readonly readers?: Expr;
}

export interface Update {
  readonly fluent: string;
  readonly key: Expr;
  readonly value: Expr;
  readonly when?: Expr;
}

export interface Program {
  readonly inputs: readonly Field[];
  readonly body: readonly Command[];
}

export interface Guarantee {
  /** The contract it was stated by. */
  readonly name: string;
  /** Constants. */
  readonly args: readonly Expr[];
  /** Without one, the formula is that of the trusted contract. */
  readonly formula?: Expr;
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────────────

export type Command = LetCommand | CallCommand | ForCommand | WhileCommand | ParallelCommand | RequireCommand;

/** A command whose body runs turn by turn. */
export type LoopCommand = ForCommand | WhileCommand;

export interface LetCommand {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expr;
}

export interface CallCommand {
  readonly kind: "call";
  /** Unique in the program; with the loop indices it names one call of a run. */
  readonly id: string;
  readonly tool: string;
  readonly args: readonly Argument[];
  /** The name of the result: an option if the call has a guard or a `catch`, since it may then be absent. */
  readonly bind?: string;
  readonly when?: Expr;
  /** The name of a boolean that is true when the tool failed. */
  readonly catch?: string;
  /** The name of a string, only beside `catch`: how the tool says that it failed; empty when it did not. */
  readonly reason?: string;
}

export interface ForCommand {
  readonly kind: "for";
  readonly var: string;
  /** The name of the position in the list, from 0. */
  readonly index?: string;
  readonly list: Expr;
  /** The list must not be longer, or the run stops before the first iteration. */
  readonly max?: number;
  /** The iterations run at the same time: none reads what another computes, and only `next` reads what is carried. */
  readonly parallel?: true;
  readonly carry: readonly Carry[];
  readonly body: readonly Command[];
}

/** A loop whose number of turns is not known before it ends. */
export interface WhileCommand {
  readonly kind: "while";
  /** Read before every turn, with what is carried; where it is false, the loop ends. */
  readonly condition: Expr;
  /** The name of the number of the turn, from 0. */
  readonly index?: string;
  /** Before another turn, the run is interrupted; 10,000 by default. */
  readonly max?: number;
  readonly carry: readonly Carry[];
  readonly body: readonly Command[];
}

/** State that passes from one iteration to the next, and out of the loop. All `next` are taken at once. */
export interface Carry {
  readonly name: string;
  readonly type: Type;
  readonly init: Expr;
  readonly next: Expr;
}

/**
 * Runs its branches at the same time and waits for all of them, whatever fails. A branch reads no name of another;
 * afterward the names of all are there.
 */
export interface ParallelCommand {
  readonly kind: "parallel";
  /** At least two. Each runs its commands one after the other. */
  readonly branches: readonly (readonly Command[])[];
}

export interface RequireCommand {
  readonly kind: "require";
  readonly condition: Expr;
  readonly when?: Expr;
  readonly why: string;
}

// ── expressions ──────────────────────────────────────────────────────────────────────────────────────────

export type Expr =
  | BoolExpr
  | NumberExpr
  | StringExpr
  | NoneExpr
  | VarExpr
  | OpExpr
  | LambdaExpr
  | ListExpr
  | RecordExpr
  | FieldExpr
  | LetExpr
  | CellExpr
  | TraceExpr;

export interface BoolExpr {
  readonly kind: "bool";
  readonly value: boolean;
}
export interface NumberExpr {
  readonly kind: "number";
  readonly value: Num;
}
export interface StringExpr {
  readonly kind: "string";
  readonly value: string;
}
/** The absent option. */
export interface NoneExpr {
  readonly kind: "none";
}
export interface VarExpr {
  readonly kind: "var";
  readonly name: string;
}
/** An operator of the table in `operators/`, applied. */
export interface OpExpr {
  readonly kind: "op";
  readonly op: string;
  readonly args: readonly Expr[];
}
/** Only as an argument of an operator that takes a function. */
export interface LambdaExpr {
  readonly kind: "lambda";
  readonly params: readonly LambdaParam[];
  readonly body: Expr;
}
export interface LambdaParam {
  readonly name: string;
  readonly type?: Type;
}
export interface ListExpr {
  readonly kind: "list";
  readonly items: readonly Expr[];
}
export interface RecordExpr {
  readonly kind: "record";
  readonly fields: readonly Argument[];
}
/** A named value: a field of a record or an argument of a call. */
export interface Argument {
  readonly name: string;
  readonly value: Expr;
  /** The value is an option, and the field is there if and only if it is present. */
  readonly optional?: true;
}
export interface FieldExpr {
  readonly kind: "field";
  readonly of: Expr;
  readonly name: string;
}
export interface LetExpr {
  readonly kind: "let";
  readonly name: string;
  readonly value: Expr;
  readonly body: Expr;
}
/** The value of a fluent at a key. `now` is the state before the call, or, under `always`, each state in turn. */
export interface CellExpr {
  readonly kind: "cell";
  readonly at: Moment;
  readonly fluent: string;
  readonly key: Expr;
}

export type Moment = "initial" | "now" | "final";

// ── formulas: expressions over the trace, in guarantees only ─────────────────────────────────────────────

export type TraceExpr =
  | QuantifierExpr
  | AggregateExpr
  | PerKeyExpr
  | DistinctExpr
  | AlwaysExpr
  | PrecedesExpr
  | ResultExpr
  | FlowsExpr
  | InfluencedExpr
  | MayReadExpr
  | AutomatonExpr;

/** Rows of a relation, each bound to `var`, those for which `where` holds. */
export interface Selection {
  readonly var: string;
  readonly in: Relation;
  readonly where?: Expr;
}

export type Relation =
  | { readonly kind: "calls"; readonly tool: string }
  | { readonly kind: "label"; readonly label: string }
  | { readonly kind: "rows"; readonly tool: string }
  | { readonly kind: "cells"; readonly at: Moment; readonly fluent: string };

export interface QuantifierExpr {
  readonly kind: "quantifier";
  readonly quantifier: "forall" | "exists";
  readonly over: Selection;
  readonly body: Expr;
}

export interface AggregateExpr {
  readonly kind: "aggregate";
  readonly aggregate: Aggregate;
  readonly over: Selection;
  /** The aggregated value; absent for `count`. */
  readonly value?: Expr;
  /** The value of an empty selection; for `min` and `max` only. */
  readonly otherwise?: Expr;
}

/** `forall n = sum(x in R by key: e): body`: for the aggregate `n` of the rows of each key. */
export interface PerKeyExpr {
  readonly kind: "perKey";
  readonly quantifier: "forall" | "exists";
  readonly name: string;
  readonly aggregate: Aggregate;
  readonly over: Selection;
  readonly key: Expr;
  readonly value?: Expr;
  readonly body: Expr;
}

/** No two rows have the same key. */
export interface DistinctExpr {
  readonly kind: "distinct";
  readonly over: Selection;
  readonly key: Expr;
}

/** In every state of the run, the first included. */
export interface AlwaysExpr {
  readonly kind: "always";
  readonly body: Expr;
}

/** The call `first` was made before the call `second`. Both are variables bound to calls. */
export interface PrecedesExpr {
  readonly kind: "precedes";
  readonly first: string;
  readonly second: string;
}

/** The result of the call: an option, since a failed call returned nothing. */
export interface ResultExpr {
  readonly kind: "result";
  readonly call: string;
}

/** The value may carry data from the source. A "may": a guarantee can only rule it out. */
export interface FlowsExpr {
  readonly kind: "flows";
  readonly value: Expr;
  readonly from: Source;
}

/** An argument of the call may carry data from the source, or the data may decide whether the call is made. */
export interface InfluencedExpr {
  readonly kind: "influenced";
  /** A variable bound to a call. */
  readonly call: string;
  readonly from: Source;
}

/** Each of the readers may read every result whose data the value may carry. */
export interface MayReadExpr {
  readonly kind: "mayRead";
  readonly value: Expr;
  /** A string, or a list of them. */
  readonly reader: Expr;
}

/**
 * Reads the calls of the trace in order. At each call, the first of the transitions from the state it is in whose
 * selection takes the call leads on; if there is none, it stays. It holds if it never enters an error state; one that
 * it starts in is entered.
 */
export interface AutomatonExpr {
  readonly kind: "automaton";
  readonly states: readonly string[];
  readonly start: string;
  readonly on: readonly Transition[];
  readonly error: readonly string[];
}

export interface Transition {
  readonly from: string;
  /** A selection of calls; its condition reads the call's arguments, constants and inputs. */
  readonly over: Selection;
  readonly to: string;
}

/** A source of data. */
export type Source =
  /** The results of a tool, or what is in one field of them, or of their rows. */
  | { readonly kind: "tool"; readonly tool: string; readonly field?: string }
  /** The results of all tools with the label. */
  | { readonly kind: "label"; readonly label: string }
  /** An input, or any of them. */
  | { readonly kind: "input"; readonly input?: string }
  /** The results of all tools that are `untrusted`. */
  | { readonly kind: "untrusted" };
