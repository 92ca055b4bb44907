/**
 * Judges formulas on a recorded run, in three-valued logic: if a failed call or an unknown state leaves both
 * possible, the verdict is unknown, and unknown never counts as "holds". Part of what must be trusted.
 */

import { aggregateEntry } from "../aggregates.ts";
import type { Checked } from "../check/index.ts";
import type {
  AggregateExpr,
  AutomatonExpr,
  CellExpr,
  DistinctExpr,
  Expr,
  Moment,
  PerKeyExpr,
  QuantifierExpr,
  Relation,
  Selection,
  TraceExpr,
} from "../document.ts";
import { labelRow, labelRowType } from "../label-row.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { recordOf } from "../type.ts";
import { isList, none, type RecordValue, some, type Value, valueKey } from "../value.ts";
import type { AggregateRow } from "./aggregate.ts";
import { rowOf, runAutomaton } from "./automaton.ts";
import { callEnvironment, writesOf } from "./clauses.ts";
import { type Environment, evaluate, type Known, readField } from "./evaluate.ts";
import { finiteKeys, isKey } from "./keys.ts";
import { LimitReached, Meter, type Watch } from "./meter.ts";
import { AnyOtherKey, Between, Infinite, isPartly, rangeOf, Unknown, unknownFrom } from "./partly.ts";
import { type Noted, Provenance } from "./provenance.ts";
import { callRow, cellRow, type Row } from "./rows.ts";
import { type Cell, State, type Write } from "./state.ts";
import { eventsOf, type TraceEntry } from "./trace.ts";

export interface RecordedRun {
  readonly inputs: RecordValue;
  readonly trace: readonly TraceEntry[];
  /** Cells that were known to differ from the declared initial values. */
  readonly initial?: readonly Cell[];
  /** Assumed effects of failed calls; without it both possibilities remain. */
  readonly resolution?: Resolution;
}

/** One of the ways in which a run with failed calls may really have gone. */
export interface Resolution {
  /** True if the failed call at that position had its effect. */
  readonly took: (position: number) => boolean;
  /** The value that its update of that number left in the cell. */
  readonly left: (position: number, update: number) => Value | undefined;
}

/** LIMIT: a key is text that is built, so each part of it costs more than a look. */
const keyCost = 8;

export type Verdict =
  | { readonly kind: "holds" }
  | { readonly kind: "violated" }
  | { readonly kind: "unknown"; readonly why: string };

/** Judges a formula of the checked document on the run: holds, violated, or unknown. */
export function judge(
  checked: Checked,
  formula: Expr,
  run: RecordedRun,
  limits: Limits = defaultLimits,
  watch?: Watch,
): Verdict {
  try {
    const answer = evaluateOn(checked, formula, run, limits, undefined, watch);
    if (typeof answer === "boolean") return { kind: answer ? "holds" : "violated" };
    return { kind: "unknown", why: isPartly(answer) ? unknownFrom(answer).why : "it is no formula" };
  } catch (thrown) {
    if (thrown instanceof LimitReached) return { kind: "unknown", why: thrown.message };
    throw thrown;
  }
}

/**
 * The value of an expression over the inputs and the trace of a run. Throws `LimitReached`.
 * @param noted told of the flows that were come upon
 */
export function evaluateOn(
  checked: Checked,
  expr: Expr,
  run: RecordedRun,
  limits: Limits = defaultLimits,
  noted?: Noted,
  watch?: Watch,
): Known {
  const meter = new Meter(limits, watch);
  const past = new Past(checked, expr, run, meter, noted);
  const inputs = recordOf(checked.document.program.inputs);
  return evaluate(expr, {
    names: new Map(inputs.fields.map(({ name }) => [name, readField(run.inputs, name, inputs)])),
    types: checked.types,
    meter,
    look: (inner, environment) => past.look(inner, environment),
  });
}

class Past {
  readonly #checked: Checked;
  readonly #trace: readonly TraceEntry[];
  readonly #meter: Meter;
  readonly #initial: State;
  readonly #resolution: Resolution | undefined;
  readonly #byTool = new Map<string, TraceEntry[]>();
  readonly #calls = new Map<string, TraceEntry>();
  readonly #provenance: Provenance;
  #final: State | undefined;
  #now: State | undefined;

  constructor(checked: Checked, formula: Expr, run: RecordedRun, meter: Meter, noted: Noted | undefined) {
    this.#checked = checked;
    this.#trace = run.trace;
    this.#meter = meter;
    this.#initial = State.initial(checked, run.initial);
    this.#resolution = run.resolution;
    const [trace, state, call] = [run.trace, this.#initial, (variable: string) => this.#call(variable)];
    this.#provenance = new Provenance({ checked, formula, trace, call, state, noted });
    for (const entry of run.trace) {
      const entries = this.#byTool.get(entry.tool);
      if (entries === undefined) this.#byTool.set(entry.tool, [entry]);
      else entries.push(entry);
    }
  }

  look(expr: CellExpr | TraceExpr, environment: Environment): Known {
    switch (expr.kind) {
      case "cell":
        return this.#state(expr.at).read(expr.fluent, evaluate(expr.key, environment));
      case "quantifier":
        return this.#quantify(expr, environment);
      case "aggregate":
        return this.#aggregate(expr, environment);
      case "perKey":
        return this.#perKey(expr, environment);
      case "distinct":
        return this.#distinct(expr, environment);
      case "always":
        return this.#always(expr.body, environment);
      case "precedes":
        return this.#call(expr.first).position < this.#call(expr.second).position;
      case "result": {
        const { outcome } = this.#call(expr.call);
        return outcome.kind === "returned" && outcome.result !== undefined ? some(outcome.result) : none;
      }
      case "flows":
      case "influenced":
      case "mayRead":
        return this.#provenance.look(expr, environment);
      case "automaton":
        return this.#automaton(expr, environment);
    }
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────────────

  #state(at: Moment): State {
    if (at === "initial") return this.#initial;
    if (at === "now") return this.#now ?? this.#initial;
    if (this.#final === undefined) {
      this.#final = this.#initial.copy();
      for (const _ of this.#states(this.#final));
    }
    return this.#final;
  }

  /** Takes the state through the run: yields whenever a call has ended. */
  *#states(state: State): Generator<void> {
    /** The writes of calls under way: computed when a call starts, applied when it ends. */
    const underWay = new Map<TraceEntry, readonly Write[]>();
    for (const { kind, entry } of eventsOf(this.#trace)) {
      if (kind === "start") underWay.set(entry, this.#writes(state, entry));
      else {
        this.#write(state, entry, underWay.get(entry) ?? []);
        underWay.delete(entry);
        yield;
      }
    }
  }

  #writes(state: State, { tool: name, args }: TraceEntry): readonly Write[] {
    const tool = this.#checked.tools.get(name);
    if (tool === undefined || tool.sets.length === 0) return [];
    return writesOf(tool, callEnvironment(this.#checked, tool, args, state, this.#meter));
  }

  #write(state: State, { outcome, position }: TraceEntry, writes: readonly Write[]): void {
    for (const write of writes) {
      if (outcome.kind === "returned") state.write(write);
      else state.writeMaybe(write, this.#resolution?.left(position, write.update));
    }
  }

  #always(body: Expr, environment: Environment): Known {
    const state = this.#initial.copy();
    this.#now = state;
    let open: Unknown | undefined;
    const states = this.#states(state);
    do {
      const holds = evaluate(body, environment);
      if (holds === false) return false;
      if (holds !== true) open ??= undecided(holds);
    } while (states.next().done !== true);
    return open ?? true;
  }

  // ── relations ──────────────────────────────────────────────────────────────────────────────────────────

  #call(variable: string): TraceEntry {
    const entry = this.#calls.get(variable);
    if (entry === undefined) throw new TypeError(`\`${variable}\` does not stand for a call`);
    return entry;
  }

  /** The rows for which `where` may hold, one after the other, each bound to the variable in its turn. */
  *#select(selection: Selection, environment: Environment): Generator<Row> {
    for (const row of this.#rows(selection.in)) {
      this.#meter.charge(1);
      environment.names.set(selection.var, row.known);
      if (row.entry !== undefined) this.#calls.set(selection.var, row.entry);
      const chosen = selection.where === undefined ? true : evaluate(selection.where, environment);
      if (chosen === false) continue;
      yield chosen === true ? row : { ...row, certain: false };
    }
  }

  #rows(relation: Relation): Iterable<Row> {
    switch (relation.kind) {
      case "calls":
        return this.#callRows(this.#byTool.get(relation.tool) ?? []);
      case "label": {
        const tools = this.#checked.labels.get(relation.label) ?? [];
        const type = labelRowType(tools);
        const names = new Set(tools.map((tool) => tool.name));
        const entries = this.#trace.filter((entry) => names.has(entry.tool));
        return this.#callRows(entries).map((row) => ({ ...row, known: labelRow(row.entry.args, type) }));
      }
      case "rows":
        return (this.#byTool.get(relation.tool) ?? []).flatMap(({ outcome }) => {
          const rows = outcome.kind === "returned" ? outcome.result : undefined;
          return rows !== undefined && isList(rows) ? rows.map((known) => ({ known, certain: true })) : [];
        });
      case "cells":
        return this.#cells(this.#state(relation.at), relation.fluent);
    }
  }

  #callRows(entries: readonly TraceEntry[]): (Row & { readonly entry: TraceEntry })[] {
    const resolution = this.#resolution;
    if (resolution === undefined)
      return entries.map((entry) => callRow(entry, entry.outcome.kind === "returned"));
    const happened = entries.filter(
      ({ outcome, position }) => outcome.kind === "returned" || resolution.took(position),
    );
    return happened.map((entry) => callRow(entry, true));
  }

  #automaton(expr: AutomatonExpr, environment: Environment): Known {
    const takes = ({ in: relation, var: name, where }: Selection, entry: TraceEntry): Known => {
      this.#meter.charge(1);
      const row = rowOf(this.#checked, relation, entry);
      if (row === undefined) return false;
      environment.names.set(name, row);
      this.#calls.set(name, entry);
      return where === undefined || evaluate(where, environment);
    };
    return runAutomaton(expr, this.#trace, this.#resolution, takes);
  }

  /** Every written key; then all others at once; then, one by one, the keys on which those turned out to depend. */
  *#cells(state: State, name: string): Generator<Row> {
    const type = this.#checked.fluents.get(name)?.key;
    if (type === undefined) throw new TypeError(`there is no fluent \`${name}\``);
    const finite = finiteKeys(type);
    const seen = new Set<string>();
    for (const key of finite ?? Array.from(state.cells(name), (cell) => cell.key)) {
      seen.add(valueKey(key));
      yield cellRow(key, state.read(name, key));
    }
    if (finite !== undefined) return;
    const others = new AnyOtherKey();
    yield { ...cellRow(others, state.rest(name)), endless: true };
    for (const key of others.compared) {
      const text = valueKey(key);
      if (seen.has(text) || !isKey(key, type)) continue;
      seen.add(text);
      yield cellRow(key, state.read(name, key));
    }
  }

  // ── formulas over rows ─────────────────────────────────────────────────────────────────────────────────

  #quantify(expr: QuantifierExpr, environment: Environment): Known {
    const decisive = expr.quantifier === "exists";
    let open: Unknown | undefined;
    for (const row of this.#select(expr.over, environment)) {
      const holds = evaluate(expr.body, environment);
      if (holds === decisive && row.certain) return decisive;
      if (holds !== !decisive) open ??= undecided(holds);
    }
    return open ?? !decisive;
  }

  #aggregate(expr: AggregateExpr, environment: Environment): Known {
    const rows: AggregateRow[] = [];
    for (const row of this.#select(expr.over, environment)) {
      if (row.endless)
        return row.certain ? new Infinite() : new Unknown("it is not known how many keys there are");
      const value = numberOf(expr.value, environment);
      if (value instanceof Unknown) return value;
      rows.push({ certain: row.certain, value });
    }
    // With a certain row the value of no rows does not matter, and need not be known.
    if (expr.otherwise === undefined || rows.some((row) => row.certain)) {
      return aggregateEntry(expr.aggregate).evaluate(rows, this.#meter);
    }
    const otherwise = numberOf(expr.otherwise, environment);
    return otherwise instanceof Unknown
      ? otherwise
      : aggregateEntry(expr.aggregate).evaluate(rows, this.#meter, otherwise);
  }

  #perKey(expr: PerKeyExpr, environment: Environment): Known {
    const groups = new Map<string, AggregateRow[]>();
    for (const row of this.#select(expr.over, environment)) {
      const key = evaluate(expr.key, environment);
      if (isPartly(key)) return unknownFrom(key);
      const value = numberOf(expr.value, environment);
      if (value instanceof Unknown) return value;
      const text = valueKey(key, (units) => this.#meter.charge(keyCost * units));
      const group = groups.get(text);
      const member = { certain: row.certain, value };
      if (group === undefined) groups.set(text, [member]);
      else group.push(member);
    }
    const decisive = expr.quantifier === "exists";
    let open: Unknown | undefined;
    for (const rows of groups.values()) {
      environment.names.set(expr.name, aggregateEntry(expr.aggregate).evaluate(rows, this.#meter));
      const holds = evaluate(expr.body, environment);
      if (holds === decisive && rows.some((row) => row.certain)) return decisive;
      if (holds !== !decisive) open ??= undecided(holds);
    }
    return open ?? !decisive;
  }

  #distinct(expr: DistinctExpr, environment: Environment): Known {
    const seen = new Map<string, boolean>();
    let open: Unknown | undefined;
    for (const row of this.#select(expr.over, environment)) {
      const key = evaluate(expr.key, environment);
      if (isPartly(key)) {
        open ??= unknownFrom(key);
        continue;
      }
      const text = valueKey(key, (units) => this.#meter.charge(keyCost * units));
      const before = seen.get(text);
      if (before === true && row.certain) return false;
      if (before !== undefined) open ??= undecided(before);
      seen.set(text, before === true || row.certain);
    }
    return open ?? true;
  }
}

function undecided(x: Known): Unknown {
  return x instanceof Unknown ? x : new Unknown("a call failed, and may or may not have had its effect");
}

const nothing = new Between(0n, 0n);

function numberOf(expr: Expr | undefined, environment: Environment): Between | Unknown {
  return expr === undefined ? nothing : rangeOf(evaluate(expr, environment));
}
