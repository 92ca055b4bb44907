/** Evaluates the expressions of one formula for one call at a time. Part of what must be trusted. */
import type { Checked } from "../check/index.ts";
import type { CellExpr, Expr, Relation, ResultExpr, Selection } from "../document.ts";
import { rowOf } from "../eval/automaton.ts";
import { type Environment, evaluate, type Known, readField } from "../eval/evaluate.ts";
import { Meter } from "../eval/meter.ts";
import type { State } from "../eval/state.ts";
import { defaultLimits } from "../limits.ts";
import { recordOf } from "../type.ts";
import type { RecordValue } from "../value.ts";
import type { StandingCall } from "./call.ts";

/** Answers for a part of the formula that has a value of its own. */
export type Look = (expr: Parameters<Environment["look"]>[0], environment: Environment) => Known | undefined;

export class Scope {
  readonly checked: Checked;
  readonly #names: Map<string, Known>;
  readonly #initial: State;
  readonly #look: Look;
  #result: { readonly call: string; readonly value: Known } | undefined;
  #now: ((cell: CellExpr, environment: Environment) => Known) | undefined;

  /** @param look asked first about what speaks of state or trace */
  constructor(checked: Checked, inputs: RecordValue, initial: State, look: Look) {
    const type = recordOf(checked.document.program.inputs);
    this.checked = checked;
    this.#names = new Map(type.fields.map(({ name }) => [name, readField(inputs, name, type)]));
    this.#initial = initial;
    this.#look = look;
  }

  /** Binds the call as a row of the relation; false if it is none of it. */
  bind({ in: relation, var: name }: Selection, call: Pick<StandingCall, "tool" | "args">): boolean {
    const row = rowOf(this.checked, relation, call);
    if (row === undefined) return false;
    this.#names.set(name, row);
    return true;
  }

  bindRow(name: string, row: Known): void {
    this.#names.set(name, row);
  }

  evaluate(expr: Expr, meter: Meter = new Meter(defaultLimits)): Known {
    return evaluate(expr, {
      names: this.#names,
      types: this.checked.types,
      meter,
      look: (inner, environment) => this.#lookAt(inner, environment),
    });
  }

  /** Does work in which `result(call)` has a value. */
  withResult<T>(call: string, value: Known, work: () => T): T {
    this.#result = { call, value };
    try {
      return work();
    } finally {
      this.#result = undefined;
    }
  }

  /** Does work in which the cells of `now` have values. */
  withState<T>(now: (cell: CellExpr, environment: Environment) => Known, work: () => T): T {
    this.#now = now;
    try {
      return work();
    } finally {
      this.#now = undefined;
    }
  }

  #lookAt(expr: Parameters<Environment["look"]>[0], environment: Environment): Known {
    const own = this.#look(expr, environment);
    if (own !== undefined) return own;
    if (expr.kind === "cell") return this.#cell(expr, environment);
    if (expr.kind === "result") return this.#resultOf(expr);
    throw new TypeError(`\`${expr.kind}\` has no standing value`);
  }

  #cell(expr: CellExpr, environment: Environment): Known {
    if (expr.at === "initial") return this.#initial.read(expr.fluent, evaluate(expr.key, environment));
    if (expr.at === "now" && this.#now !== undefined) return this.#now(expr, environment);
    throw new TypeError(`the state of \`${expr.at}\` has no standing value`);
  }

  #resultOf({ call }: ResultExpr): Known {
    if (this.#result?.call !== call) throw new TypeError(`the result of \`${call}\` is not known here`);
    return this.#result.value;
  }
}

/** Returns whether the call is a row of the relation, for any arguments. */
export function isRowOf(checked: Checked, relation: Relation, tool: string): boolean {
  if (relation.kind === "label")
    return (checked.labels.get(relation.label) ?? []).some(({ name }) => name === tool);
  return relation.kind !== "cells" && relation.tool === tool;
}
