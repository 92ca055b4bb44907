/**
 * The closed model of one recorded run, and what axioms mean in it: calls and rows are its individuals, and there is nothing
 * else. Written from the meaning of OWL 2 alone, and without the code that makes views, but for the names.
 */

import type { Checked, RecordedRun, Type, Value } from "../../src/ir/index.ts";
import { compare, type Num, numText, parseNum } from "../../src/ir/number.ts";
import { isList, isNum, isOption, isRecord } from "../../src/ir/value.ts";
import type { Literal } from "../../src/view/literal.ts";
import { iriOf, type Name } from "../../src/view/names.ts";
import type { Axiom, ClassExpr, DataRange, Role } from "../../src/view/owl.ts";

interface Individual {
  /** The IRIs of the classes with a name that it is in. */
  readonly classes: ReadonlySet<string>;
  /** The values of each property, by its IRI. */
  readonly values: ReadonlyMap<string, readonly Data[]>;
}

type Data = boolean | string | Num;

const base = "urn:foreclaim:view:";

export class FiniteModel {
  readonly #run: Individual;
  readonly #calls: Individual[] = [];
  readonly #rows: Individual[] = [];

  constructor(checked: Checked, { trace, inputs, resolution }: RecordedRun) {
    const values = new Map<string, Data[]>();
    for (const { name, type, optional } of checked.document.program.inputs)
      note(values, "input", [name], type, inputs.fields[name], optional === true);
    this.#run = { classes: new Set([`${base}Run`]), values };
    for (const { tool: name, args, outcome, position, id } of trace) {
      const tool = checked.tools.get(name);
      if (tool === undefined) throw new Error("there is no such tool");
      const result = outcome.kind === "returned" ? outcome.result : undefined;
      if (tool.result?.kind === "list" && result !== undefined && isList(result)) {
        for (const row of result) {
          const own = new Map<string, Data[]>();
          note(own, "row", [], tool.result.element, row, false);
          this.#rows.push({ classes: new Set([`${base}Row`, iri("rows", name)]), values: own });
        }
      }
      if (outcome.kind !== "returned" && resolution?.took(position) !== true) continue;
      const own = new Map<string, Data[]>();
      for (const param of tool.params)
        note(own, "arg", [param.name], param.type, args.fields[param.name], param.optional === true);
      if (tool.result !== undefined) note(own, "result", [], tool.result, result, true);
      const labels = tool.labels.map((label) => iri("label", label));
      const classes = [`${base}Operation`, iri("tool", name), iri("call", id), ...labels];
      this.#calls.push({ classes: new Set(classes), values: own });
    }
  }

  holds(axiom: Axiom): boolean {
    const all = [this.#run, ...this.#calls, ...this.#rows];
    const within = (one: Individual, of: ClassExpr) => this.#isIn(one, of);
    switch (axiom.kind) {
      case "subclass":
        return all.every((one) => !within(one, axiom.sub) || within(one, axiom.of));
      case "same":
        return all.every((one) => within(one, axiom.a) === within(one, axiom.b));
      case "disjoint":
        return all.every((one) => axiom.classes.filter((of) => within(one, of)).length < 2);
      case "key": {
        const members = all.filter((one) => within(one, axiom.of));
        const share = (a: Individual, b: Individual, property: Name) =>
          valuesOf(a, property).some((x) => valuesOf(b, property).some((y) => sameData(x, y)));
        return members.every((a, i) =>
          members.slice(i + 1).every((b) => !axiom.properties.every((property) => share(a, b, property))),
        );
      }
      case "domain":
        return all.every(
          (one) => this.#of(one, { name: axiom.role, inverse: false }).length === 0 || within(one, axiom.of),
        );
      case "range":
        return all.every((one) =>
          this.#of(one, { name: axiom.role, inverse: false }).every((other) => within(other, axiom.of)),
        );
    }
  }

  #of(one: Individual, { name, inverse }: Role): readonly Individual[] {
    const members = iriOf(name) === `${base}hasEffect` ? this.#calls : this.#rows;
    if (!inverse) return one === this.#run ? members : [];
    return members.includes(one) ? [this.#run] : [];
  }

  #isIn(one: Individual, expr: ClassExpr): boolean {
    const count = (role: Role, of: ClassExpr) =>
      this.#of(one, role).filter((other) => this.#isIn(other, of)).length;
    switch (expr.kind) {
      case "thing":
        return true;
      case "nothing":
        return false;
      case "class":
        return one.classes.has(iriOf(expr.name));
      case "one":
        return one === this.#run;
      case "not":
        return !this.#isIn(one, expr.of);
      case "and":
        return expr.parts.every((part) => this.#isIn(one, part));
      case "or":
        return expr.parts.some((part) => this.#isIn(one, part));
      case "some":
        return count(expr.role, expr.of) > 0;
      case "only":
        return count(expr.role, expr.of) === this.#of(one, expr.role).length;
      case "atLeast":
        return BigInt(count(expr.role, expr.of)) >= expr.number;
      case "atMost":
        return BigInt(count(expr.role, expr.of)) <= expr.number;
      case "exactly":
        return BigInt(count(expr.role, expr.of)) === expr.number;
      case "dataSome":
        return valuesOf(one, expr.property).some((value) => isInRange(value, expr.range));
      case "dataOnly":
        return valuesOf(one, expr.property).every((value) => isInRange(value, expr.range));
      case "dataAtMost":
        return BigInt(valuesOf(one, expr.property).length) <= expr.number;
      case "dataExactly":
        return BigInt(valuesOf(one, expr.property).length) === expr.number;
    }
  }
}

function valuesOf(one: Individual, property: Name): readonly Data[] {
  return one.values.get(iriOf(property)) ?? [];
}

function isInRange(value: Data, range: DataRange): boolean {
  switch (range.kind) {
    case "literal":
      return true;
    case "datatype":
      if (range.datatype === "xsd:boolean") return typeof value === "boolean";
      if (range.datatype === "xsd:string") return typeof value === "string";
      return range.datatype === "xsd:integer" ? typeof value === "bigint" : isNumber(value);
    case "values":
      return range.values.some((one) => sameData(dataOf(one), value));
    case "bound": {
      const bound = dataOf(range.bound);
      if (!isNumber(value) || !isNumber(bound)) return false;
      const sign = compare(value, bound);
      return { "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0 }[range.facet];
    }
    case "other":
      return !isInRange(value, range.than);
  }
}

function isNumber(value: Data): value is Num {
  return typeof value === "bigint" || typeof value === "object";
}

function dataOf({ datatype, text }: Literal): Data {
  if (datatype === "xsd:boolean") return text === "true";
  // Strings of the model are written as in the view, which is one to one.
  if (datatype === "xsd:string") return text;
  const number = parseNum(text, 1_000_000);
  if (number === undefined) throw new Error(`\`${text}\` is no number`);
  return number;
}

function sameData(a: Data, b: Data): boolean {
  return isNumber(a) && isNumber(b) ? numText(a) === numText(b) : a === b;
}

// ── from values ──────────────────────────────────────────────────────────────────────────────────────────

function iri(space: string, ...parts: readonly string[]): string {
  return iriOf({ space: space as Name["space"], parts });
}

/** Escapes characters that xsd:string cannot hold, as in the reference. */
function text(value: string): string {
  return Array.from(value, (char) => {
    const isXml = /[\t\n\r\u0020-\ud7ff\ue000-\ufffd]/.test(char) || char.length === 2;
    return isXml && char !== "\u241b"
      ? char
      : `\u241b${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  }).join("");
}

function note(
  values: Map<string, Data[]>,
  root: string,
  steps: readonly string[],
  type: Type,
  value: Value | undefined,
  optional: boolean,
): void {
  if (value === undefined) return;
  const add = (name: string, data: Data) => {
    const before = values.get(name) ?? [];
    if (!before.some((one) => sameData(one, data))) values.set(name, [...before, data]);
  };
  if (type.kind === "option") {
    if (isOption(value) && value.kind === "some") note(values, root, steps, type.value, value.value, true);
    return;
  }
  const isCompound = type.kind === "list" || type.kind === "record" || type.kind === "json";
  if (optional && isCompound) add(iri("given", root, ...steps), true);
  if (type.kind === "list" && isList(value)) {
    for (const item of value) {
      const data = scalar(item);
      if (data !== undefined) add(iri("elements", root, ...steps), data);
    }
  } else if (type.kind === "record" && isRecord(value)) {
    for (const field of type.fields)
      note(
        values,
        root,
        [...steps, field.name],
        field.type,
        value.fields[field.name],
        field.optional === true,
      );
  } else if (!isCompound) {
    const data = scalar(value);
    if (data !== undefined) add(iri(root, ...steps), data);
  }
}

function scalar(value: Value): Data | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "string") return text(value);
  return value !== null && isNum(value) ? value : undefined;
}
