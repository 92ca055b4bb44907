/**
 * Compile-time values: data of the run, values that exist only while compiling (functions, tools, relations …), and
 * local arrays and objects, which have an identity and can change.
 */
import type { Class } from "oxc-parser";
import type { Aggregate, Expr, Expression, Fluent, Moment, Relation, Source, Tool } from "../ir/index.ts";
import { none } from "./build.ts";
import type { Task } from "./lower/tasks.ts";
import type { Spot } from "./refusal.ts";
import type { Scope } from "./scope.ts";
import type { FunctionNode, Module } from "./syntax.ts";
import { nanTy, never, nullTy, optionTy, type RecordTy, type Ty, undefinedTy } from "./ty.ts";

export type Val =
  | DataVal
  | ItemsVal
  | RefVal
  | FunctionVal
  | GeneratorVal
  | ClassVal
  | PromiseVal
  | ChoiceVal
  | ToolVal
  | FluentVal
  | ContractVal
  | RelationVal
  | SourceVal
  | PerKeyVal
  | PerKeyNumberVal
  | StateVal
  | UpdateVal
  | ModuleVal
  | BuiltinVal
  | ErrorVal
  | RegexVal
  | PoisonVal;

/** A value of the run. */
export interface DataVal {
  readonly kind: "data";
  readonly expr: Expr;
  readonly type: Ty;
  /** The place that it was read from, so that it can be changed there. */
  readonly place?: Place;
  /** `own`: nobody else holds any part of it. Otherwise it is also a part of what another slot holds. */
  readonly hold?: "own" | Link;
}
/** A part of what a slot holds. */
export interface Place {
  readonly slot: number;
  readonly path: readonly Step[];
  /** The slot's value when the part was read. */
  readonly seen: Val;
}
export type Step =
  | { readonly kind: "some" }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly at: Expr }
  /** The value of a key of an object. */
  | { readonly kind: "key"; readonly key: Expr }
  /** The value of a key of a `Map`. */
  | { readonly kind: "entry"; readonly key: Expr };
export interface Link extends Place {
  /** The condition that it is that part in the run. */
  readonly guard: Expr;
  /** The slot is that of an array, and no variable: to write it is to change the array. */
  readonly isArray?: true;
}
/** The elements of a local array whose length is known. Only inside the slot of an array. */
export interface ItemsVal {
  readonly kind: "items";
  readonly items: readonly Val[];
}
/** A local array or object. What it holds is in slots of the state, so that all who share it see a change. */
export interface RefVal {
  readonly kind: "ref";
  readonly shape: Shape;
}
export type Shape =
  | { readonly kind: "set" | "date"; readonly slot: number }
  /** `isTuple`: its length is part of its type, as `[a, b] as const` says. */
  | { readonly kind: "array"; readonly slot: number; readonly isTuple?: true }
  | { readonly kind: "map"; readonly slot: number }
  /** An object whose keys are only known in the run. */
  | { readonly kind: "dict"; readonly slot: number }
  | {
      readonly kind: "object";
      readonly fields: ReadonlyMap<string, number>;
      /** The class that it is an object of: its methods and getters are not among the fields. */
      readonly of?: ClassVal;
      /** The fields are in another order on another path. */
      readonly unordered?: true;
    };

export interface FunctionVal {
  readonly kind: "function";
  readonly node: FunctionNode;
  readonly scope: Scope;
  readonly module: Module;
  readonly name: string;
  /** The object that it is called on: `this`, unless it is an arrow function. */
  readonly self?: Val;
}
/** The value of a generator call: its body runs where it is iterated. */
export interface GeneratorVal {
  readonly kind: "generator";
  readonly fn: FunctionVal;
  /** Holds the parameters. */
  readonly scope: Scope;
  /** The slot that says whether it was gone over. */
  readonly begun: number;
}
/** A class of the program, which has no superclass. */
export interface ClassVal {
  readonly kind: "class";
  readonly node: Class;
  readonly scope: Scope;
  readonly module: Module;
  readonly name: string;
  /** The static fields that were made so far, once, where the class stands. */
  readonly statics?: ReadonlyMap<string, Val>;
}
export interface PromiseVal {
  readonly kind: "promise";
  /** Its value, to be looked at once its tasks have been awaited. */
  readonly of: () => Val;
  /** A list of the run whose elements are promises; `of` is the list of their values. */
  readonly many?: true;
  /** Never rejected: its value says whether it would have been. For `Promise.allSettled` alone. */
  readonly isSettled?: true;
  /** The tasks that an `await` of it waits for. */
  readonly tasks?: readonly Task[];
}
/** One of two things that can be called. */
export interface ChoiceVal {
  readonly kind: "choice";
  readonly condition: Expr;
  readonly yes: Val;
  readonly no: Val;
}
export interface ToolVal {
  readonly kind: "tool";
  readonly tool: ToolInfo;
}
export interface ToolInfo {
  readonly tool: Tool;
  readonly params: RecordTy;
  readonly result: Ty | undefined;
  readonly spot: Spot;
}
export interface FluentVal {
  readonly kind: "fluent";
  readonly fluent: FluentInfo;
}
export interface FluentInfo {
  readonly fluent: Fluent;
  readonly key: Ty;
  readonly value: Ty;
  readonly spot: Spot;
}
export interface ContractVal {
  readonly kind: "contract";
  readonly contract: ContractInfo;
}
export interface ContractInfo {
  readonly name: string;
  readonly formula: FunctionVal;
  readonly params: readonly ContractParam[];
  /** Its last parameter is a list of all further arguments of a call. */
  readonly isRest?: true;
  readonly spot: Spot;
}
export interface ContractParam {
  readonly name: string;
  readonly type: Ty;
  readonly optional: boolean;
}
export interface RelationVal {
  readonly kind: "relation";
  readonly relation: Relation;
  readonly row: RecordTy | Ty;
  readonly where: readonly Val[];
  readonly hint: string;
}
/** A source of data that is neither a tool nor a label. */
export interface SourceVal {
  readonly kind: "source";
  readonly source: Source;
}
export interface PerKeyVal {
  readonly kind: "perKey";
  readonly of: RelationVal;
  readonly key: Val;
}
export interface PerKeyNumberVal {
  readonly kind: "perKeyNumber";
  readonly of: PerKeyVal;
  readonly aggregate: Aggregate;
  readonly value?: Val;
}
/** A fluent at a moment, or in every state. */
export interface StateVal {
  readonly kind: "state";
  readonly fluent: FluentInfo;
  readonly at: Moment | "always";
}
export interface UpdateVal {
  readonly kind: "update";
  readonly fluent: string;
  readonly key: Expr;
  readonly value: Expr;
}
export interface ModuleVal {
  readonly kind: "module";
  readonly module: Module;
}
/** Something of JavaScript or of the package, by its name. */
export interface BuiltinVal {
  readonly kind: "builtin";
  readonly name: string;
  /** The language and the options that an `Intl.NumberFormat` was made with. */
  readonly format?: readonly Val[];
  /** The length of a new array that is only known in the run; its elements are not set yet. */
  readonly length?: Expr;
}
/** The value of `new Error(…)`. */
export interface ErrorVal {
  readonly kind: "error";
  /** `Error`, `RangeError` …; an expression where it is one of several. */
  readonly name: string | Expr;
  readonly message: Val;
  /** The class of the program that it is an object of, and its own fields; an empty text if it is of none. */
  readonly of?: string | Expr;
  readonly fields?: ReadonlyMap<string, Val>;
}
/** A regular expression that is written out. */
export interface RegexVal {
  readonly kind: "regex";
  /** As JavaScript writes it: `/…/gi`. */
  readonly written: string;
  readonly expression: Expression;
  /** As a pattern without flags of which a prover knows the texts, if it is one. */
  readonly pattern?: string;
}
/** Has no meaning; using it says why, or nothing if the cause was reported. */
export interface PoisonVal {
  readonly kind: "poison";
  readonly why?: (spot: Spot) => never;
}

export const undefinedVal: DataVal = { kind: "data", expr: none, type: undefinedTy };
/** `NaN`. */
export const nanVal: DataVal = { kind: "data", expr: none, type: nanTy };

export function infinite(absent: "Infinity" | "-Infinity"): DataVal {
  return { kind: "data", expr: none, type: optionTy(never, absent) };
}
export const nullVal: DataVal = { kind: "data", expr: none, type: nullTy };
/** The value of a promise that is always rejected, with which nobody goes on. */
export const unreachable: DataVal = { kind: "data", expr: none, type: never };
export const poison: PoisonVal = { kind: "poison" };

export function data(expr: Expr, type: Ty): DataVal {
  return { kind: "data", expr, type };
}

/** A promise of what is known already. */
export function promiseOf(value: Val): PromiseVal {
  return { kind: "promise", of: () => value };
}

/** A promise of what is put together when it is awaited, once for all who await it. */
export function promiseLater(value: () => Val): PromiseVal {
  let known: Val | undefined;
  return {
    kind: "promise",
    of: () => {
      known ??= value();
      return known;
    },
  };
}

export function isUndefined(val: Val): boolean {
  return (
    val.kind === "data" &&
    val.expr.kind === "none" &&
    val.type.kind === "option" &&
    val.type.absent === "undefined"
  );
}
