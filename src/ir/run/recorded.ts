/**
 * A run as one JSON object that can be kept, sent and resumed from: exact, and tied to its document by hash.
 * What is read back is checked against the document as strictly as a tool's answer.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { decodeValue } from "../convert/decode.ts";
import { encodeValue } from "../convert/encode.ts";
import { type Diagnostic, failed, isCode, ok, type Result, Trail } from "../diagnostic.ts";
import type { RecordedRun } from "../eval/formula.ts";
import { Unknown } from "../eval/partly.ts";
import type { Cell } from "../eval/state.ts";
import { isOrderly, type Outcome, type TraceEntry } from "../eval/trace.ts";
import { hashDocument } from "../hash.ts";
import type { PlainJson } from "../json/canonical.ts";
import { isJsonArray, isJsonObject, type Json, JsonNumber, type JsonObject } from "../json/json.ts";
import { recordOf, type Type } from "../type.ts";
import { isRecord, type Value } from "../value.ts";

/** The form that `foreclaim ir run --json` writes and `ir eval --trace` and `ir run --resume` read. */
export function recordedRunToJson(checked: Checked, run: RecordedRun): { readonly [key: string]: PlainJson } {
  const inputs = encodeValue(run.inputs, recordOf(checked.document.program.inputs));
  return {
    document: hashDocument(checked.document),
    inputs,
    initial: (run.initial ?? []).map((cell) => cellToJson(checked, cell)),
    trace: run.trace.map((entry) => entryToJson(checked, entry)),
  };
}

/** SOUNDNESS: a cell that is not known is said to be so; omitted, it would be taken for the initial value. */
function cellToJson(checked: Checked, { fluent, key, value }: Cell): { readonly [key: string]: PlainJson } {
  const declared = checked.fluents.get(fluent);
  if (declared === undefined) throw new TypeError(`there is no fluent \`${fluent}\``);
  const at = { fluent, key: encodeValue(key, declared.key) };
  return value instanceof Unknown
    ? { ...at, unknown: value.why }
    : { ...at, value: encodeValue(value, declared.value) };
}

function entryToJson(
  checked: Checked,
  { position, id, indices, tool, args, outcome, ended }: TraceEntry,
): PlainJson {
  const declared = checked.tools.get(tool);
  if (declared === undefined) throw new TypeError(`there is no tool \`${tool}\``);
  const given = encodeValue(args, recordOf(declared.params));
  const entry = { position, id, indices, tool, args: given, ...(ended !== undefined && { ended }) };
  if (outcome.kind === "failed") return { ...entry, failed: outcome.reason };
  if (outcome.kind === "broken") return { ...entry, broken: brokenToJson(outcome) };
  if (outcome.result === undefined || declared.result === undefined) return entry;
  return { ...entry, result: encodeValue(outcome.result, declared.result) };
}

function brokenToJson({ code, reason, help }: Outcome & { readonly kind: "broken" }): PlainJson {
  return help === undefined ? { code, reason } : { code, reason, help };
}

/** Further fields are allowed at the top, so that a report around a run can be read as it is. */
export function recordedRunFromJson(checked: Checked, json: Json): Result<RecordedRun> {
  const reader = new Reader(checked);
  const run = reader.run(json);
  return run === undefined || reader.problems.length > 0 ? failed(reader.problems) : ok(run);
}

class Reader {
  readonly problems: Diagnostic[] = [];
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  run(json: Json): RecordedRun | undefined {
    const root = Trail.root;
    if (!isJsonObject(json)) return this.#problem(root, "a recorded run is an object");
    const hash = hashDocument(this.#checked.document);
    if (json.document !== hash) {
      return this.#problem(root.at("document"), `the run was recorded for another document than \`${hash}\``);
    }
    const inputs = this.#value(
      json.inputs,
      recordOf(this.#checked.document.program.inputs),
      root.at("inputs"),
    );
    const initial = this.#array(json.initial ?? [], root.at("initial")).map((cell, i) =>
      this.#cell(cell, root.at("initial", i)),
    );
    const trace = this.#array(json.trace ?? null, root.at("trace")).map((entry, i) =>
      this.#entry(entry, i, root.at("trace", i)),
    );
    const known = trace.filter((entry) => entry !== undefined);
    if (this.problems.length === 0 && !isOrderly(known))
      return this.#problem(root.at("trace"), "the calls cannot have ended in the order that `ended` says");
    if (this.problems.length > 0 || inputs === undefined || !isRecord(inputs)) return undefined;
    return {
      inputs,
      trace: known,
      initial: initial.filter((cell) => cell !== undefined),
    };
  }

  #cell(json: Json, trail: Trail): Cell | undefined {
    if (!isJsonObject(json)) return this.#problem(trail, "a cell is an object");
    this.#onlyFields(json, ["fluent", "key", "value", "unknown"], trail);
    const fluent = typeof json.fluent === "string" ? this.#checked.fluents.get(json.fluent) : undefined;
    if (fluent === undefined) return this.#problem(trail.at("fluent"), "the document has no such fluent");
    if (json.value !== undefined && json.unknown !== undefined) {
      return this.#problem(trail, "a cell has a value or is unknown, not both");
    }
    const key = this.#value(json.key, fluent.key, trail.at("key"));
    const value =
      typeof json.unknown === "string"
        ? new Unknown(json.unknown)
        : this.#value(json.value, fluent.value, trail.at("value"));
    return key === undefined || value === undefined ? undefined : { fluent: fluent.name, key, value };
  }

  #entry(json: Json, position: number, trail: Trail): TraceEntry | undefined {
    if (!isJsonObject(json)) return this.#problem(trail, "a call is an object");
    this.#onlyFields(
      json,
      ["position", "id", "indices", "tool", "args", "ended", "result", "failed", "broken"],
      trail,
    );
    if (count(json.position) !== position)
      return this.#problem(trail.at("position"), `the position should be ${position}`);
    if (typeof json.id !== "string") return this.#problem(trail.at("id"), "an id is a string");
    const tool = typeof json.tool === "string" ? this.#checked.tools.get(json.tool) : undefined;
    if (tool === undefined) return this.#problem(trail.at("tool"), "the document has no such tool");
    const indices = this.#array(json.indices ?? null, trail.at("indices")).map(count);
    const args = this.#value(json.args, recordOf(tool.params), trail.at("args"));
    const outcome = this.#outcome(json, tool.result, trail);
    if (args === undefined || !isRecord(args) || outcome === undefined) return undefined;
    const known = indices.filter((index) => index !== undefined);
    if (known.length !== indices.length)
      return this.#problem(trail.at("indices"), "an index is an integer from 0");
    const ended = json.ended === undefined ? undefined : count(json.ended);
    if (json.ended !== undefined && ended === undefined)
      return this.#problem(trail.at("ended"), "the number of starts and ends before it is an integer from 0");
    const entry = { position, id: json.id, indices: known, tool: tool.name, args, outcome };
    return ended === undefined ? entry : { ...entry, ended };
  }

  #outcome(json: JsonObject, type: Type | undefined, trail: Trail): Outcome | undefined {
    const { result, failed: reason, broken } = json;
    if ([result, reason, broken].filter((one) => one !== undefined).length > 1) {
      return this.#problem(trail, "a call has a result, or has failed, or was broken off");
    }
    if (reason !== undefined) {
      return typeof reason === "string"
        ? { kind: "failed", reason }
        : this.#problem(trail.at("failed"), "a reason is a string");
    }
    if (broken !== undefined) return this.#broken(broken, trail.at("broken"));
    if (type === undefined) {
      return result === undefined
        ? { kind: "returned" }
        : this.#problem(trail.at("result"), "this tool returns nothing");
    }
    const value = this.#value(result, type, trail.at("result"));
    return value === undefined ? undefined : { kind: "returned", result: value };
  }

  #broken(json: Json, trail: Trail): Outcome | undefined {
    if (!isJsonObject(json)) return this.#problem(trail, "an object with `code` and `reason` was expected");
    this.#onlyFields(json, ["code", "reason", "help"], trail);
    const { code, reason, help } = json;
    if (typeof code !== "string" || !isCode(code))
      return this.#problem(trail.at("code"), "there is no such code");
    return typeof reason === "string"
      ? { kind: "broken", code, reason, ...(typeof help === "string" && { help }) }
      : this.#problem(trail.at("reason"), "a reason is a string");
  }

  #value(json: Json | undefined, type: Type, trail: Trail): Value | undefined {
    if (json === undefined) return this.#problem(trail, "this is missing");
    const decoded = decodeValue(json, type);
    if (decoded.ok) return decoded.value;
    for (const problem of decoded.problems) {
      this.#problem(trail.at(...problem.path), problem.message);
    }
    return undefined;
  }

  #array(json: Json, trail: Trail): readonly Json[] {
    if (isJsonArray(json)) return json;
    this.#problem(trail, "an array was expected");
    return [];
  }

  #onlyFields(json: JsonObject, known: readonly string[], trail: Trail): void {
    for (const name of Object.keys(json)) {
      if (!known.includes(name)) this.#problem(trail.at(name), `there is no field \`${name}\` here`);
    }
  }

  #problem(trail: Trail, message: string): undefined {
    if (this.problems.length < 100) this.problems.push({ code: "FC1510", message, path: trail.path() });
  }
}

function count(json: Json | undefined): number | undefined {
  if (!JsonNumber.is(json) || typeof json.value !== "bigint" || json.value < 0n) return undefined;
  return json.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(json.value) : undefined;
}
