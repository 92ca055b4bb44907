/**
 * A document from JSON, by the table in `shape.ts`. Strict: an unknown field, a missing one, a wrong kind is a
 * problem with its place, never something skipped.
 * Part of what must be trusted.
 */
import { append } from "../append.ts";
import { closest } from "../check/closest.ts";
import { type Code, type Diagnostic, failed, ok, type Path, type Result, Trail } from "../diagnostic.ts";
import type { Document } from "../document.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { bits, parseNum } from "../number.ts";
import { readSourceMap, type SourceMap } from "../source-map.ts";
import { type Locator, withSpans } from "../spans.ts";
import { isJsonArray, isJsonObject, type Json, JsonNumber, type JsonObject } from "./json.ts";
import { readJson } from "./reader.ts";
import { type Form, formsOf, type Slot, type Sort } from "./shape.ts";

export interface DecodedJson {
  readonly document: Document;
  readonly sourceMap?: SourceMap;
  readonly locate: Locator;
}

/** Reads a JSON text. */
export function documentFromJsonText(text: string, limits: Limits = defaultLimits): Result<DecodedJson> {
  // Three levels of JSON can stand for one of a document (a record's fields), four values for one node, and a few
  // levels enclose it all; the checker looks at what the document itself has.
  const read = readJson(text, { ...limits, depth: 3 * limits.depth + 10, nodes: 4 * limits.nodes });
  if (!read.ok) return read;
  const { value, locate } = read.value;
  const decoded = documentFromJson(value, limits);
  return decoded.ok ? ok({ ...decoded.value, locate }) : failed(withSpans(decoded.problems, locate));
}

/** Takes JSON that was already read. */
export function documentFromJson(
  json: Json,
  limits: Limits = defaultLimits,
): Result<{ readonly document: Document; readonly sourceMap?: SourceMap }> {
  const decoder = new Decoder(limits);
  const document = decoder.document(json);
  if (document === undefined || decoder.problems.length > 0) return failed(decoder.problems);
  const { sourceMap } = decoder;
  return ok(sourceMap === undefined ? { document } : { document, sourceMap });
}

class Decoder {
  readonly problems: Diagnostic[] = [];
  sourceMap: SourceMap | undefined;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  document(json: Json): Document | undefined {
    const root = Trail.root;
    if (!isJsonObject(json))
      return this.#problem("FC1102", root, `a document is an object, and this is ${kindOf(json)}`);
    const { sourceMap, ...rest } = json;
    if (!this.#knownVersion(json)) return undefined;
    if (sourceMap !== undefined) {
      const read = readSourceMap(sourceMap, root.at("sourceMap"));
      if (read.ok) this.sourceMap = read.value;
      else append(this.problems, read.problems);
    }
    const document = this.#node("document", Object.assign(Object.create(null), rest), root);
    // SAFETY: the shape table has every field of `Document` and its parts with the right slot, by its own type;
    // `#node` gave no problem, so each slot was filled with what it stands for.
    return this.problems.length === 0 ? (document as unknown as Document) : undefined;
  }

  #knownVersion(json: JsonObject): boolean {
    const version = json.effectIr;
    if (version === undefined) {
      this.#problem("FC1006", Trail.root, "the document has no version", 'begin it with `"effectIr": 1`');
      return false;
    }
    if (JsonNumber.is(version) && version.value === 1n) return true;
    const shown = JsonNumber.is(version) ? version.text : kindOf(version);
    this.#problem(
      "FC1006",
      Trail.root.at("effectIr"),
      `version ${shown} is not known`,
      "this reader knows version 1",
    );
    return false;
  }

  #node(sort: Sort, json: Json, trail: Trail): object | undefined {
    if (!isJsonObject(json))
      return this.#problem("FC1102", trail, `${article(sort)} is an object, and this is ${kindOf(json)}`);
    const forms = formsOf(sort);
    if ("form" in forms) return this.#fields(forms.form, json, trail, sort, {});
    const { kind } = json;
    if (kind === undefined)
      return this.#problem("FC1103", trail, `${article(sort)} needs a \`kind\``, oneOf(forms.kinds.keys()));
    if (typeof kind !== "string")
      return this.#problem("FC1102", trail.at("kind"), `a \`kind\` is a string, and this is ${kindOf(kind)}`);
    const form = forms.kinds.get(kind);
    if (form !== undefined) return this.#fields(form, json, trail, kind, { kind });
    return this.#problem(
      "FC1105",
      trail.at("kind"),
      `there is no ${sort} of the kind \`${kind}\``,
      oneOf(forms.kinds.keys()),
    );
  }

  #fields(form: Form, json: JsonObject, trail: Trail, what: string, node: Record<string, unknown>): object {
    for (const name of Object.keys(json)) {
      if (form.byName.has(name) || (name === "kind" && node.kind !== undefined)) continue;
      const near = closest(name, form.byName.keys());
      const help = near === undefined ? fieldsOf(form) : `did you mean \`${near}\`?`;
      this.#problem("FC1104", trail.at(name), `\`${what}\` has no field \`${name}\``, help, "key");
    }
    for (const [name, slot] of form.fields) {
      const value = json[name];
      const filled =
        value === undefined ? this.#absent(slot, name, what, trail) : this.#slot(slot, value, trail.at(name));
      if (filled !== undefined) node[name] = filled;
    }
    return node;
  }

  #absent(slot: Slot, name: string, what: string, trail: Trail): readonly [] | undefined {
    if (slot.kind === "nodes" || slot.kind === "texts") return [];
    if (!slot.optional) this.#problem("FC1103", trail, `\`${what}\` needs a field \`${name}\``);
    return undefined;
  }

  #slot(slot: Slot, json: Json, trail: Trail): unknown {
    const wrong = (expected: string) =>
      this.#problem("FC1102", trail, `${expected} was expected, and this is ${kindOf(json)}`);
    switch (slot.kind) {
      case "version":
        return 1;
      case "text":
        return typeof json === "string" ? json : wrong("a string");
      case "boolean":
        return typeof json === "boolean" ? json : wrong("true or false");
      case "flag":
        return json === true ? true : wrong("`true` (or no such field)");
      case "word":
        if (typeof json !== "string") return wrong("a string");
        if (slot.words.includes(json)) return json;
        return this.#problem("FC1105", trail, `\`${json}\` is not known here`, oneOf(slot.words));
      case "count":
        if (!JsonNumber.is(json) || typeof json.value !== "bigint") return wrong("an integer");
        if (json.value >= 0n && json.value <= BigInt(this.#limits.listLength)) return Number(json.value);
        return this.#problem("FC1409", trail, `a bound must be from 0 to ${this.#limits.listLength}`);
      case "number":
        return typeof json === "string" ? this.#number(json, trail) : wrong("a number written as a string");
      case "texts":
      case "keptTexts":
        if (!isJsonArray(json)) return wrong("an array");
        return json.map((item, i) => this.#slot({ kind: "text" }, item, trail.at(i)));
      case "node":
        return this.#node(slot.sort, json, trail);
      case "nodes":
      case "keptNodes":
        return isJsonArray(json)
          ? json.map((item, i) => this.#node(slot.sort, item, trail.at(i)))
          : wrong("an array");
      case "nodeLists":
        return isJsonArray(json)
          ? json.map((list, i) => this.#slot({ kind: "keptNodes", sort: slot.sort }, list, trail.at(i)))
          : wrong("an array");
    }
  }

  #number(text: string, trail: Trail): unknown {
    if (!numberPattern.test(text)) {
      return this.#problem(
        "FC1004",
        trail,
        `\`${text.slice(0, 40)}\` is not a number`,
        'write "12", "0.25" or "7/3"',
      );
    }
    const { numberBits } = this.#limits;
    const number = parseNum(text, numberBits);
    if (number !== undefined && bits(number) <= numberBits) return number;
    return this.#problem("FC1406", trail, `a number has more than ${numberBits} bits`);
  }

  #problem(code: Code, trail: Trail, message: string, help?: string, part?: "key"): undefined {
    // LIMIT: a text that is wrong everywhere need not be told so more often.
    if (this.problems.length >= 100) return;
    const path: Path = trail.path();
    this.problems.push({ code, message, path, ...(help !== undefined && { help }), ...(part && { part }) });
  }
}

const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+|\/[1-9][0-9]*)?$/;

export function kindOf(json: Json): string {
  if (json === null) return "null";
  if (JsonNumber.is(json)) return "a number";
  if (isJsonArray(json)) return "an array";
  return typeof json === "object" ? "an object" : typeof json === "string" ? "a string" : `\`${json}\``;
}

function article(sort: string): string {
  return /^[aeiou]/.test(sort) ? `an ${sort}` : `a ${sort}`;
}

function oneOf(words: Iterable<string>): string {
  return `use one of ${[...words].map((one) => `\`${one}\``).join(", ")}`;
}

function fieldsOf(form: Form): string {
  const names = [...form.byName.keys()];
  return names.length === 0
    ? "it has no fields"
    : `its fields are ${names.map((name) => `\`${name}\``).join(", ")}`;
}
