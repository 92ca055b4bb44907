/**
 * From a solver's model to a run: inputs and tool results are read off the model, and the run is made with them on
 * the interpreter. A model that does not lead to a run that really breaks the promise is not believed.
 */
import {
  type Cell,
  type Checked,
  clockTool,
  defaultOf,
  type Field,
  isOption,
  list,
  Meter,
  none,
  type Outcome,
  operatorNamed,
  type PendingCall,
  type RecordedRun,
  type RecordValue,
  type Resolution,
  type Run,
  readType,
  record,
  run,
  some,
  type ToolHandler,
  type Type,
  type Value,
  valueKey,
} from "../../ir/index.ts";
import type { Model } from "../decide/solver/port.ts";
import { initialName } from "../symbolic/fluent-state.ts";
import { inputName, reasonName, resultName } from "../symbolic/symbolic-state.ts";
import { escaped, sortOf } from "../symbolic/symbolic-value.ts";
import type { Schedule } from "./schedules.ts";

export interface Replayed {
  readonly run: Run;
  readonly recorded: RecordedRun;
}

/** A solver's model with its context. */
export interface Supposed {
  readonly model: Model;
  /** JSON values, by the names of the unknowns. */
  readonly json?: ReadonlyMap<string, unknown>;
  /** Length of all lists from tools and inputs, if it was chosen. */
  readonly length?: number | undefined;
  /** In which order calls at the same time start and end; one after the other by default. */
  readonly schedule?: Schedule | undefined;
}

/** The run that the model speaks of. What the model leaves open takes its plainest value. */
export async function replay(
  checked: Checked,
  { model, json, length, schedule }: Supposed,
): Promise<Replayed> {
  const values = new Values(json === undefined ? model : new Map([...model, ...parsed(json)]), length);
  const inputs = inputsOf(checked, values);
  const initial = initialOf(checked, model);
  const nobody: ToolHandler = {
    run: () => {
      throw new Error("no call is made while a counterexample is tried");
    },
  };
  const tools = new Map(checked.document.tools.map((tool) => [tool.name, nobody]));
  const recorded = (call: PendingCall) => outcomeOf(call, values);
  const order = schedule === undefined ? { concurrency: 1 } : { schedule };
  const tried = await run(checked, { inputs, initial, tools, recorded, ...order });
  const resolution: Resolution = {
    took: (position) => model.get(`took@${nameAt(tried, position)}`) === true,
    left: (position, update) => leftAt(checked, tried, position, update, values),
  };
  return { run: tried, recorded: { inputs, initial, trace: tried.trace, resolution } };
}

function parsed(json: ReadonlyMap<string, unknown>): [string, Value][] {
  const evaluate = operatorNamed("parseJson")?.evaluate;
  return [...json].flatMap(([name, value]): [string, Value][] => {
    const found =
      evaluate?.kind === "strict"
        ? evaluate.apply([JSON.stringify(value)], { meter: new Meter(), type: { kind: "json" } })
        : undefined;
    return found !== undefined && isOption(found) && found.kind === "some" ? [[name, found.value]] : [];
  });
}

/** Returns the model's values of undeclared cells. */
function initialOf(checked: Checked, model: Model): Cell[] {
  const cells: Cell[] = [];
  for (const { name, value, initial } of checked.fluents.values()) {
    if (initial !== undefined) continue;
    const base = initialName(name);
    const byKey = new Map<string, { readonly key: Value; readonly parts: Map<string, Value> }>();
    for (const { part, key, held } of applicationsOf(base, model)) {
      const cell = byKey.get(valueKey(key)) ?? { key, parts: new Map<string, Value>() };
      byKey.set(valueKey(key), cell);
      cell.parts.set(part, held);
    }
    for (const { key, parts } of byKey.values())
      cells.push({ fluent: name, key, value: new Values(parts, undefined).named(base, value) });
  }
  return cells;
}

function* applicationsOf(base: string, model: Model): Generator<{ part: string; key: Value; held: Value }> {
  for (const [name, held] of model) {
    const [, term, part] = /^at@(\d+)@(.*)$/s.exec(name) ?? [];
    if (part === undefined || !isPartOf(base, part)) continue;
    const key = model.get(`key@${term}`);
    if (key !== undefined) yield { part, key, held };
  }
}

/** Returns true for the base name or the name of a part of it. */
function isPartOf(base: string, name: string): boolean {
  return name.startsWith(base) && (name.length === base.length || "?!.".includes(name.charAt(base.length)));
}

function nameAt({ trace }: Run, position: number): string {
  const entry = trace[position];
  return entry === undefined ? "" : resultName(entry);
}

function leftAt(
  checked: Checked,
  run: Run,
  position: number,
  update: number,
  values: Values,
): Value | undefined {
  const tool = checked.tools.get(run.trace[position]?.tool ?? "");
  const fluent = checked.fluents.get(tool?.sets[update]?.fluent ?? "");
  return fluent && values.named(`lost@${update}@${nameAt(run, position)}`, fluent.value);
}

function inputsOf(checked: Checked, values: Values): RecordValue {
  const fields: [string, Value][] = [];
  for (const input of checked.document.program.inputs) {
    const value = values.named(inputName(input.name), readType(input));
    if (!input.optional) fields.push([input.name, value]);
    else if (isOption(value) && value.kind === "some") fields.push([input.name, value.value]);
  }
  return record(fields);
}

/** The text that the model has for the failure, where the program looks at it. */
function reasonAt(call: PendingCall, values: Values): string {
  const said = values.has(reasonName(call)) ? values.named(reasonName(call), { kind: "string" }) : undefined;
  return typeof said === "string" ? said : "the tool is taken to fail here";
}

function outcomeOf(call: PendingCall, values: Values): Outcome {
  const name = resultName(call);
  if (values.isTrue(`failed@${name}`)) return { kind: "failed", reason: reasonAt(call, values) };
  const { result } = call.tool;
  if (result === undefined) return { kind: "returned" };
  // A reading that the model leaves open is one that its tool may give.
  const open = values.has(name) ? undefined : plainestReading(call);
  return { kind: "returned", result: open ?? values.named(name, result) };
}

/** The clock stands still; chance gives 0, as anything of its type does. */
function plainestReading({ tool, args }: PendingCall): Value | undefined {
  return tool.name === clockTool.name ? args.fields.after : undefined;
}

/** LIMIT: a longer list is not built; the run is then another one, and counts only if it breaks the promise too. */
const mostElements = 100_000n;

/** The inverse of `fresh`: the values that unknowns have in the model. */
class Values {
  readonly #model: ReadonlyMap<string, Value>;
  readonly #length: number | undefined;

  constructor(model: ReadonlyMap<string, Value>, length: number | undefined) {
    this.#model = model;
    this.#length = length;
  }

  has(name: string): boolean {
    return this.#model.has(name);
  }

  isTrue(name: string): boolean {
    return this.#model.get(name) === true;
  }

  named(name: string, type: Type): Value {
    if (sortOf(type) !== undefined) return this.#model.get(name) ?? defaultOf(type);
    if (type.kind === "option") {
      return this.isTrue(`${name}?`) ? some(this.named(`${name}!`, type.value)) : none;
    }
    if (type.kind === "record") {
      const at = (field: Field) => `${name}.${escaped(field.name)}`;
      const present = type.fields.filter((field) => !field.optional || this.isTrue(`${at(field)}?`));
      return record(present.map((field) => [field.name, this.named(at(field), field.type)] as const));
    }
    if (type.kind === "json") return this.#model.get(name) ?? defaultOf(type);
    if (type.kind !== "list") return defaultOf(type);
    const elements = Array.from({ length: this.#lengthOf(name) }, (_, i) => `${name}#${i}`);
    return list(elements.map((element) => this.named(element, type.element)));
  }

  #lengthOf(name: string): number {
    if (this.#length !== undefined) return this.#length;
    const length = this.#model.get(`length@${name}`);
    return typeof length === "bigint" && length < mostElements ? Number(length) : 0;
  }
}
