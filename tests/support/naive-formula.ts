/**
 * A second semantics of formulas on a trace: nested loops over lists of rows, in one possible world after the other.
 * A world fixes the effect of each failed call and the value of each unknown cell. A formula holds if it is true in
 * every world, and is violated if it is false in every world.
 */
import type { Checked } from "../../src/ir/check/index.ts";
import type {
  AggregateExpr,
  AutomatonExpr,
  CellExpr,
  Expr,
  PerKeyExpr,
  Relation,
  Selection,
  TraceExpr,
} from "../../src/ir/document.ts";
import type { RecordedRun, Resolution } from "../../src/ir/eval/formula.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { ratio } from "../../src/ir/number.ts";
import { recordOf, type Type } from "../../src/ir/type.ts";
import { equal, isList, isNum, none, record, some, type Value } from "../../src/ir/value.ts";
import {
  bound,
  finite,
  Inexact,
  infinite,
  type NaiveEnvironment,
  type NaiveValue,
  naive,
  naiveBool,
  namesOf,
} from "./naive-eval.ts";
import { naiveOperators } from "./naive-operators.ts";
import { NaiveState, type NaiveWrite, naiveWrites } from "./naive-state.ts";
import { Chance } from "./program/chance.ts";
import { commonFields } from "./program/formulas.ts";
import { someValue } from "./program/types.ts";

export interface Truth {
  /** In how many worlds it is true, and in how many false. */
  readonly yes: number;
  readonly no: number;
  /** True if these were all worlds. */
  readonly complete: boolean;
}

/** Number of tried assignments of unknown cells. */
const samples = 4;
/** LIMIT: with more failed calls there are too many worlds. */
const maxFailed = 6;

/** Undefined where this reference has no exact answer. */
export function naiveTruth(checked: Checked, formula: Expr, run: RecordedRun): Truth | undefined {
  const worlds = worldsOf(checked, run);
  if (worlds === undefined) return undefined;
  try {
    const yes = worlds.filter((world) => world.isTrue(formula)).length;
    return { yes, no: worlds.length - yes, complete: !isOpen(checked, run) };
  } catch (thrown) {
    if (thrown instanceof Inexact) return undefined;
    throw thrown;
  }
}

/** Every way in which the failed calls may have gone, with some of the ways for unknown cells to be. */
export function worldsOf(checked: Checked, run: RecordedRun): World[] | undefined {
  const failed = run.trace.filter(({ outcome }) => outcome.kind !== "returned");
  if (failed.length > maxFailed) return undefined;
  return Array.from({ length: isOpen(checked, run) ? samples : 1 }, (_, sample) =>
    Array.from({ length: 2 ** failed.length }, (_, subset) => {
      const effective = new Set(failed.filter((_, i) => (subset >> i) & 1));
      return new World(checked, run, effective, Chance.seeded(sample * 7919));
    }),
  ).flat();
}

/** Returns true if some cell is unknown from the start. */
function isOpen(checked: Checked, run: RecordedRun): boolean {
  return (
    [...checked.fluents.values()].some(({ initial }) => initial === undefined) ||
    (run.initial ?? []).some(({ value }) => typeof value === "object" && value !== null && "why" in value)
  );
}

interface FormulaEnvironment extends NaiveEnvironment {
  readonly calls: ReadonlyMap<string, TraceEntry>;
  /** The state that `now` means. */
  readonly now: NaiveState | undefined;
}

interface Row {
  readonly value: Value;
  readonly entry?: TraceEntry;
  /** Stands for keys without end. */
  readonly fresh?: true;
}

/** LIMIT: how often keys are added that some comparison turned out to speak of. */
const maxRounds = 5;
/**
 * LIMIT: how many rows a formula may look at in one world. Keys that are compared become keys of the next round, so
 * that two nested quantifiers over `a + b` would look at 10, 100, 10,000 … of them and never end.
 */
const maxVisits = 100_000;
/** LIMIT: how many keys are tried one by one. */
const maxKeys = 300;

/** Starts and ends one by one: whatever moment is no end of a call that says so is the start of the next. */
function naiveMoments(
  trace: readonly TraceEntry[],
): { readonly entry: TraceEntry; readonly starts: boolean }[] {
  const moments: { readonly entry: TraceEntry; readonly starts: boolean }[] = [];
  const waiting = [...trace];
  while (moments.length < 2 * trace.length) {
    const ending = trace.find(({ ended }) => ended === moments.length);
    const entry = ending ?? waiting.shift();
    if (entry === undefined) throw new Error("a trace without an order");
    moments.push({ entry, starts: ending === undefined });
    if (ending === undefined && entry.ended === undefined) moments.push({ entry, starts: false });
  }
  return moments;
}

export class World {
  readonly #checked: Checked;
  readonly #run: RecordedRun;
  /** The calls that had their effect. */
  readonly #calls: readonly TraceEntry[];
  /** The first, and the one after each call. */
  readonly #states: readonly NaiveState[];
  /** Values that the updates of failed calls left in their cells, by position. */
  readonly #left = new Map<number, Map<number, Value>>();
  /** Keys that are tried one by one, where there are infinitely many. */
  #keys: Value[];
  #visits = 0;

  constructor(checked: Checked, run: RecordedRun, effective: ReadonlySet<TraceEntry>, chance: Chance) {
    this.#checked = checked;
    this.#run = run;
    this.#calls = run.trace.filter((entry) => entry.outcome.kind === "returned" || effective.has(entry));
    let state = NaiveState.initial(checked, run.initial, (name) =>
      someValue(chance, checked.fluents.get(name)!.value),
    );
    const states = [state];
    // A key that a call would have written is a key whether it did or not.
    const writable: Value[] = [];
    const started = new Map<TraceEntry, NaiveWrite[]>();
    for (const { entry, starts } of naiveMoments(run.trace)) {
      if (starts) {
        started.set(entry, naiveWrites(checked, checked.tools.get(entry.tool)!, entry.args, state));
        continue;
      }
      const before = state;
      state = state.copy();
      const writes = started.get(entry)!;
      for (const { key } of writes) if (key !== undefined) writable.push(key);
      const happened = this.#calls.includes(entry);
      if (happened) for (const write of writes) state.write(write);
      const left = writes.map(({ update, fluent, key, value }): [number, Value] => [
        update,
        happened ? value! : before.read(fluent, key!),
      ]);
      this.#left.set(entry.position, new Map(left));
      states.push(state);
    }
    this.#states = states;
    // Zero is what it is compared with where a key equals its own negative, and no other key shows that.
    // An input may be compared with a key behind a test that no other key passes.
    const given = Object.values(run.inputs.fields).filter(isScalar);
    this.#keys = distinctValues([0n, ...given, ...states.flatMap((one) => one.allKeys()), ...writable]);
  }

  /** This world, as a judge can be told of it. */
  resolution(): Resolution {
    const happened = new Set(this.#calls.map(({ position }) => position));
    return {
      took: (position) => happened.has(position),
      left: (position, update) => this.#left.get(position)?.get(update),
    };
  }

  isTrue(formula: Expr): boolean {
    this.#visits = 0;
    for (let round = 0; round < maxRounds; round++) {
      const compared: Value[] = [];
      const names = new Map<string, NaiveValue>(
        namesOf(this.#run.inputs, recordOf(this.#checked.document.program.inputs)),
      );
      const environment: FormulaEnvironment = {
        names,
        types: this.#checked.types,
        calls: new Map(),
        now: undefined,
        look: (expr, inner) => this.#look(expr, inner as FormulaEnvironment),
        compared: (a, b) => compared.push(a, b),
      };
      const answer = naiveBool(formula, environment);
      const more = distinctValues([
        ...this.#keys,
        ...compared.filter((key) => isScalar(key) && !isFresh(key)),
      ]);
      if (more.length === this.#keys.length) return answer;
      this.#keys = more;
    }
    throw new Inexact("keys without end");
  }

  #look(expr: CellExpr | TraceExpr, environment: FormulaEnvironment): NaiveValue {
    const holds = (body: Expr) => (row: Row, variable: string) =>
      naiveBool(body, this.#bind(environment, variable, row));
    switch (expr.kind) {
      case "cell":
        return this.#state(expr.at, environment).read(expr.fluent, finite(naive(expr.key, environment)));
      case "quantifier": {
        const rows = this.#select(expr.over, environment);
        const body = (row: Row) => holds(expr.body)(row, expr.over.var);
        return expr.quantifier === "forall" ? rows.every(body) : rows.some(body);
      }
      case "aggregate":
        return this.#aggregate(expr, environment);
      case "perKey":
        return this.#perKey(expr, environment);
      case "distinct": {
        const keys = this.#select(expr.over, environment).map((row) =>
          finite(naive(expr.key, this.#bind(environment, expr.over.var, row))),
        );
        return keys.every((key, i) => keys.every((other, j) => i === j || !equal(key, other)));
      }
      case "always":
        return this.#states.every((now) => naiveBool(expr.body, { ...environment, now } as NaiveEnvironment));
      case "precedes":
        return environment.calls.get(expr.first)!.position < environment.calls.get(expr.second)!.position;
      case "result": {
        const { outcome } = environment.calls.get(expr.call)!;
        return outcome.kind === "returned" ? some(outcome.result!) : none;
      }
      case "flows":
      case "influenced":
      case "mayRead":
        throw new Inexact("where a value came from is not in the trace");
      case "automaton":
        return this.#automaton(expr, environment);
    }
  }

  #automaton({ start, on, error }: AutomatonExpr, environment: FormulaEnvironment): boolean {
    let state = start;
    // One that it starts in is entered.
    if (error.includes(state)) return false;
    for (const call of this.#calls) {
      const taken = on.find(
        ({ from, over }) =>
          from === state && this.#select(over, environment).some(({ entry }) => entry === call),
      );
      state = taken?.to ?? state;
      if (taken !== undefined && error.includes(state)) return false;
    }
    return true;
  }

  #state(at: CellExpr["at"], { now }: FormulaEnvironment): NaiveState {
    if (at === "now") return now!;
    return at === "initial" ? this.#states[0]! : this.#states.at(-1)!;
  }

  // ── rows ───────────────────────────────────────────────────────────────────────────────────────────────

  #bind(environment: FormulaEnvironment, variable: string, { value, entry }: Row): NaiveEnvironment {
    if (++this.#visits > maxVisits) throw new Inexact("too many rows");
    const inner = bound(environment, [[variable, value]]);
    if (entry === undefined) return inner;
    const calls = new Map([...environment.calls, [variable, entry]]);
    return { ...inner, calls } as NaiveEnvironment;
  }

  #select({ var: variable, in: relation, where }: Selection, environment: FormulaEnvironment): Row[] {
    return this.#rows(relation, environment).filter(
      (row) => where === undefined || naiveBool(where, this.#bind(environment, variable, row)),
    );
  }

  #rows(relation: Relation, environment: FormulaEnvironment): Row[] {
    const { tools, fluents } = this.#checked;
    switch (relation.kind) {
      case "calls":
        return this.#calls
          .filter((entry) => entry.tool === relation.tool)
          .map((entry) => ({ value: entry.args, entry }));
      case "label": {
        const labelled = [...tools.values()].filter((tool) => tool.labels.includes(relation.label));
        const common = commonFields(labelled).fields.map(({ name }) => name);
        return this.#calls
          .filter((entry) => labelled.some((tool) => tool.name === entry.tool))
          .map((entry) => {
            const fields = Object.entries(entry.args.fields).filter(([name]) => common.includes(name));
            return { value: record(fields), entry };
          });
      }
      case "rows":
        return this.#calls.flatMap(({ tool, outcome }) => {
          if (tool !== relation.tool || outcome.kind !== "returned") return [];
          return (outcome.result as readonly Value[]).map((value) => ({ value }));
        });
      case "cells": {
        const state = this.#state(relation.at, environment);
        return this.#keysOf(fluents.get(relation.fluent)!.key).map(({ key, fresh }) => {
          const value = record([
            ["key", key],
            ["value", state.read(relation.fluent, key)],
          ]);
          return fresh ? { value, fresh } : { value };
        });
      }
    }
  }

  #keysOf(type: Type): { readonly key: Value; readonly fresh?: true }[] {
    if (type.kind === "bool") return [{ key: true }, { key: false }];
    if (type.kind === "enum") return type.values.map((key) => ({ key }));
    const known = this.#keys.filter((key) => isOfKind(key, type)).map((key) => ({ key }));
    const fresh = type.kind === "string" ? freshTexts : type.kind === "int" ? freshIntegers : freshNumbers;
    return [...known, ...fresh.map((key) => ({ key, fresh: true as const }))];
  }

  // ── numbers of rows ────────────────────────────────────────────────────────────────────────────────────

  #aggregate(
    { aggregate, over, value, otherwise }: AggregateExpr,
    environment: FormulaEnvironment,
  ): NaiveValue {
    const rows = this.#select(over, environment);
    if (aggregate === "count") {
      const fresh = rows.filter((row) => row.fresh).length;
      if (fresh !== 0 && fresh !== freshTexts.length) throw new Inexact("fresh keys are not alike");
      return fresh > 0 ? infinite : BigInt(rows.length);
    }
    if (rows.length === 0 && otherwise !== undefined) return finite(naive(otherwise, environment));
    return folded(
      aggregate,
      rows.map((row) => finite(naive(value!, this.#bind(environment, over.var, row)))),
    );
  }

  #perKey(expr: PerKeyExpr, environment: FormulaEnvironment): boolean {
    const { over, key, value, aggregate } = expr;
    const groups: { readonly key: Value; readonly numbers: Value[] }[] = [];
    for (const row of this.#select(over, environment)) {
      const inner = this.#bind(environment, over.var, row);
      const at = finite(naive(key, inner));
      const number = value === undefined ? 1n : finite(naive(value, inner));
      const group = groups.find((one) => equal(one.key, at));
      if (group === undefined) groups.push({ key: at, numbers: [number] });
      else group.numbers.push(number);
    }
    const holds = ({ numbers }: { readonly numbers: Value[] }) =>
      naiveBool(
        expr.body,
        bound(environment, [[expr.name, folded(aggregate === "count" ? "sum" : aggregate, numbers)]]),
      );
    return expr.quantifier === "forall" ? groups.every(holds) : groups.some(holds);
  }
}

function folded(aggregate: "count" | "sum" | "min" | "max", numbers: readonly Value[]): Value {
  const operator = naiveOperators[aggregate === "sum" ? "+" : aggregate]!;
  return aggregate === "sum" ? operator(0n, ...numbers) : operator(...numbers);
}

// Keys that no document, input or answer has.
const freshTexts: readonly Value[] = ["\u0001 fresh 1", "\u0001 fresh 2", "\u0001 fresh 3"];
const freshIntegers: readonly Value[] = [10n ** 70n + 1n, 10n ** 70n + 7n, 10n ** 70n + 9n];
const freshNumbers: readonly Value[] = [
  10n ** 70n + 1n,
  ratio(10n ** 70n + 7n, 13n),
  ratio(10n ** 70n + 9n, 17n),
];

function isFresh(key: Value): boolean {
  return [...freshTexts, ...freshIntegers, ...freshNumbers].some((one) => equal(one, key));
}

function isScalar(value: Value): boolean {
  return typeof value === "string" || isNum(value);
}

function isOfKind(key: Value, type: Type): boolean {
  if (type.kind === "string") return typeof key === "string";
  return type.kind === "int" ? typeof key === "bigint" : isNum(key) && !isList(key);
}

function distinctValues(values: readonly Value[]): Value[] {
  const distinct: Value[] = [];
  for (const value of values) {
    if (distinct.some((other) => equal(value, other))) continue;
    if (distinct.length === maxKeys) throw new Inexact("too many keys");
    distinct.push(value);
  }
  return distinct;
}
