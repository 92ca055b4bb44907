/**
 * A plan from JSON text. Strict about kinds, words and limits, each problem with its place; a field that is not known
 * is a warning, since other runtimes have further ones.
 */
import {
  type Code,
  closest,
  type Diagnostic,
  defaultLimits,
  failed,
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type Limits,
  type Locator,
  ok,
  type Path,
  quoted,
  type Result,
  readJson,
  withSpans,
} from "../ir/index.ts";
import type { PlanCode } from "./codes.ts";
import { compensations, type Form, type FormName, forms, type Slot } from "./fields.ts";
import { defaultPlanLimits, type PlanLimits } from "./limits.ts";
import type { Action, Comparison, Compensation, Effect, Plan, Precondition, State } from "./plan.ts";
import { eachString, looksLikeReference, referenceIn } from "./references.ts";

export interface ReadPlan {
  readonly plan: Plan;
  readonly warnings: readonly PlanWarning[];
  readonly locate: Locator;
}

/** Something that was taken, and is most likely not meant. */
export interface PlanWarning {
  readonly code: PlanCode;
  readonly message: string;
  readonly path: Path;
  readonly part?: "key";
  readonly help?: string;
}

export interface ReadPlanOptions {
  readonly limits?: Limits;
  readonly planLimits?: PlanLimits;
}

export function readPlan(text: string, options: ReadPlanOptions = {}): Result<ReadPlan> {
  const read = readJson(text, options.limits ?? defaultLimits);
  if (!read.ok) return read;
  const { value, locate } = read.value;
  const reader = new PlanReader(options.planLimits ?? defaultPlanLimits);
  const plan = reader.plan(value);
  if (plan === undefined || reader.problems.length > 0) return failed(withSpans(reader.problems, locate));
  return ok({ plan, warnings: reader.warnings, locate });
}

/** A state: an object with a value for each key. */
export function readState(text: string, limits: Limits = defaultLimits): Result<State> {
  const read = readJson(text, limits);
  if (!read.ok) return read;
  const { value, locate } = read.value;
  if (isJsonObject(value)) return ok(new Map(Object.entries(value)));
  const problem = problemOf("FC1102", [], `a state is an object, and this is ${kindOf(value)}`);
  return failed(withSpans([problem], locate));
}

/** LIMIT: problems that are collected; nobody fixes more at once. */
const mostProblems = 1_000;

class PlanReader {
  readonly problems: Diagnostic[] = [];
  readonly warnings: PlanWarning[] = [];
  readonly #limits: PlanLimits;
  readonly #path: (string | number)[] = [];

  constructor(limits: PlanLimits) {
    this.#limits = limits;
  }

  plan(json: Json): Plan | undefined {
    const fields = this.#form(forms.plan, json);
    if (fields === undefined) return undefined;
    return {
      id: text(fields.id) ?? "",
      source: text(fields.source) ?? "",
      actions: this.#each("actions", fields.actions, (item, i) => this.#action(item, i)),
      timestamp: text(fields.timestamp),
      context: object(fields.context),
      guarantees: texts(fields.guarantees),
      json: fields,
    };
  }

  #action(json: Json, index: number): Action | undefined {
    const fields = this.#form(forms.action, json);
    if (fields === undefined) return undefined;
    if (fields.id === undefined) {
      const message = `the action has no \`id\`, so it is called ${quoted(nameless(index))}`;
      this.#warn("FC3009", message, []);
    }
    const references = this.#references(fields);
    const preconditions = this.#each("preconditions", fields.preconditions, (item) =>
      this.#precondition(item),
    );
    return {
      id: text(fields.id) ?? nameless(index),
      // SAFETY: `#form` has looked at the words of every closed set; where one is wrong, nothing is given out.
      type: fields.type as Action["type"],
      tool: text(fields.tool),
      parameters: object(fields.parameters),
      preconditions,
      expectedEffects: effects(fields.expected_effects),
      stateDependencies: texts(fields.state_dependencies),
      dependencies: texts(fields.dependencies),
      readSet: texts(fields.read_set),
      writeSet: texts(fields.write_set),
      // SAFETY: as above.
      reversibility: (fields.reversibility ?? "irreversible") as Action["reversibility"],
      compensation: this.#compensation(fields.compensation ?? null),
      idempotent: fields.idempotent === true,
      maxRetries: count(fields.max_retries) ?? 3,
      // SAFETY: as above.
      failureBehavior: (fields.failure_behavior ?? "abort") as Action["failureBehavior"],
      timeoutMs: count(fields.timeout_ms),
      metadata: object(fields.metadata),
      references,
      json: fields,
    };
  }

  #precondition(json: Json): Precondition | undefined {
    const fields = this.#form(forms.precondition, json);
    if (fields === undefined) return undefined;
    const value = fields.value ?? null;
    eachString(value, (one) => {
      if (referenceIn(one) !== undefined || looksLikeReference(one)) this.#literal(one, ["value"]);
    });
    return {
      key: text(fields.key) ?? "",
      // SAFETY: as above.
      operator: (fields.operator ?? "eq") as Comparison,
      value,
      description: text(fields.description) ?? "",
    };
  }

  #compensation(json: Json): Compensation | undefined {
    if (!isJsonObject(json)) return undefined;
    if (json.type === "action_ref") return { type: "action_ref", actionId: text(json.action_id) ?? "" };
    return { type: "tool", tool: text(json.tool) ?? "", parameters: object(json.parameters) };
  }

  /** References of the parameters and of the effects. */
  #references(fields: JsonObject): readonly string[] {
    let found: Set<string> | undefined;
    for (const name of ["parameters", "expected_effects"]) {
      eachString(fields[name] ?? null, (one) => {
        if (!one.includes(".output")) return;
        const reference = referenceIn(one);
        if (reference !== undefined) {
          found ??= new Set();
          found.add(reference.id);
        } else if (looksLikeReference(one)) this.#literal(one, [name]);
      });
    }
    return found === undefined ? none : [...found];
  }

  #literal(one: string, path: Path): void {
    const help = 'a reference is a whole string, as in `"$a1.output"`, among the parameters or effects';
    this.#warn("FC3109", `${quoted(one)} is used literally`, path, help);
  }

  // ── fields by the table ──────────────────────────────────────────────────────────────────────────────────

  #form({ what, fields, required }: Form, json: Json): JsonObject | undefined {
    if (!isJsonObject(json)) {
      return this.#problem("FC1102", `${what} is an object, and this is ${kindOf(json)}`);
    }
    for (const name in json) {
      const slot = fields.get(name);
      this.#path.push(name);
      if (slot === undefined) this.#unknown(what, name, fields);
      else this.#slot(slot, json[name] ?? null);
      this.#path.pop();
    }
    for (const name of required) {
      if (!Object.hasOwn(json, name)) this.#problem("FC1103", `${what} needs a field \`${name}\``);
    }
    return json;
  }

  #unknown(what: string, name: string, fields: Form["fields"]): void {
    const near = closest(name, fields.keys());
    const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
    if (this.warnings.length >= mostProblems) return;
    const message = `${what} has no field ${quoted(name)}, so it is ignored`;
    const warning: PlanWarning = { code: "FC3001", message, path: [...this.#path], part: "key" };
    this.warnings.push(help === undefined ? warning : { ...warning, help });
  }

  #slot(slot: Slot, json: Json): void {
    if (json === null && "nullable" in slot && slot.nullable) return;
    switch (slot.kind) {
      case "text":
        if (typeof json !== "string") this.#wrong("a string", json);
        else if (slot.name) this.#name(json);
        return;
      case "names":
        if (!isJsonArray(json)) this.#wrong("a list of strings", json);
        else this.#names(json);
        return;
      case "word":
        if (typeof json !== "string") this.#wrong("a string", json);
        else if (!slot.words.includes(json)) this.#word(json, slot.words);
        return;
      case "boolean":
        if (typeof json !== "boolean") this.#wrong("true or false", json);
        return;
      case "count":
        this.#count(json, slot.most);
        return;
      case "object":
        if (!isJsonObject(json)) this.#wrong("an object", json);
        return;
      case "list":
        if (!isJsonArray(json)) this.#wrong("a list", json);
        return;
      case "form":
        this.#taggedForm(json);
        return;
      case "json":
        return;
    }
  }

  #name(name: string): void {
    const most = this.#limits.nameLength;
    if (name.length > most) {
      this.#problem("FC1408", `a name is ${name.length} characters long, more than ${most}`);
    }
  }

  #names(items: readonly Json[]): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i] ?? null;
      this.#path.push(i);
      if (typeof item === "string") this.#name(item);
      else this.#wrong("a string", item);
      this.#path.pop();
    }
  }

  #word(word: string, words: readonly string[]): void {
    const near = closest(word, words);
    const all = words.map((one) => `\`${one}\``).join(", ");
    const help = near === undefined ? `one of ${all}` : `did you mean \`${near}\`?`;
    this.#problem("FC1105", `${quoted(word)} is not one of the words allowed here`, help);
  }

  #count(json: Json, most: number): undefined {
    if (!JsonNumber.is(json)) return this.#wrong("a whole number", json);
    const { value } = json;
    if (typeof value === "bigint" && value >= 0n && value <= BigInt(most)) return undefined;
    this.#problem(
      "FC1102",
      `a whole number from 0 to ${most} was expected, and this is ${quoted(json.text)}`,
    );
  }

  #taggedForm(json: Json): undefined {
    if (!isJsonObject(json)) return this.#wrong("an object", json);
    const { type } = json;
    if (type === undefined) return this.#problem("FC1103", "a compensation needs a field `type`");
    const form: FormName | undefined = typeof type === "string" ? compensations.get(type) : undefined;
    if (form !== undefined) this.#form(forms[form], json);
    else {
      this.#path.push("type");
      if (typeof type === "string") this.#word(type, [...compensations.keys()]);
      else this.#wrong("a string", type);
      this.#path.pop();
    }
  }

  #each<T>(
    name: string,
    json: Json | undefined,
    read: (item: Json, i: number) => T | undefined,
  ): readonly T[] {
    if (json === undefined || !isJsonArray(json) || json.length === 0) return none;
    const items: T[] = [];
    this.#path.push(name);
    for (let i = 0; i < json.length; i++) {
      this.#path.push(i);
      const item = read(json[i] ?? null, i);
      this.#path.pop();
      if (item !== undefined) items.push(item);
    }
    this.#path.pop();
    return items;
  }

  #wrong(expected: string, json: Json): undefined {
    return this.#problem("FC1102", `${expected} was expected, and this is ${kindOf(json)}`);
  }

  #problem(code: Code, message: string, help?: string): undefined {
    if (this.problems.length >= mostProblems) return;
    const problem = problemOf(code, [...this.#path], message);
    this.problems.push(help === undefined ? problem : { ...problem, help });
  }

  #warn(code: PlanCode, message: string, path: Path, help?: string): void {
    if (this.warnings.length >= mostProblems) return;
    const warning = { code, message, path: [...this.#path, ...path] };
    this.warnings.push(help === undefined ? warning : { ...warning, help });
  }
}

const none: readonly never[] = Object.freeze([]);
const noFields: JsonObject = Object.freeze(Object.create(null));

function nameless(index: number): string {
  return `#${index + 1}`;
}

function problemOf(code: Code, path: Path, message: string): Diagnostic {
  return { code, message, path };
}

function text(json: Json | undefined): string | undefined {
  return typeof json === "string" ? json : undefined;
}

function object(json: Json | undefined): JsonObject {
  return json !== undefined && isJsonObject(json) ? json : noFields;
}

function effects(json: Json | undefined): readonly Effect[] {
  if (json === undefined || !isJsonObject(json)) return none;
  return Object.keys(json).map((key) => ({ key, value: json[key] ?? null }));
}

function texts(json: Json | undefined): readonly string[] {
  if (json === undefined || !isJsonArray(json) || json.length === 0) return none;
  return json.filter((item): item is string => typeof item === "string");
}

function count(json: Json | undefined): number | undefined {
  return JsonNumber.is(json) ? Number(json.value) : undefined;
}

function kindOf(json: Json): string {
  if (json === null) return "null";
  if (typeof json === "string") return "a string";
  if (typeof json === "boolean") return String(json);
  if (JsonNumber.is(json)) return "a number";
  return isJsonArray(json) ? "a list" : "an object";
}
