/**
 * Shapes of the values behind references, known before a run: parts of an output, their types, and the tools that can
 * receive them. SOUNDNESS: a shape stands for at least every value that can be there in a run.
 */
import {
  type Field,
  fieldOf,
  fromJs,
  isJsonArray,
  isJsonObject,
  isSubtype,
  type Json,
  type Type,
  toJs,
} from "../../ir/index.ts";
import { isItemNumber, partOf, referenceIn } from "../references.ts";
import { isReceivable } from "../values.ts";

export type Shape =
  /** This value. */
  | { readonly kind: "is"; readonly value: Json }
  /** Result of a declared tool, or a part of it. Other tools can receive it. */
  | { readonly kind: "typed"; readonly type: Type }
  /** Result of an undeclared tool. */
  | { readonly kind: "given" }
  | { readonly kind: "any" }
  | { readonly kind: "list"; readonly items: readonly Shape[] }
  | { readonly kind: "object"; readonly fields: ReadonlyMap<string, Shape> };

export const anyShape: Shape = { kind: "any" };
export const given: Shape = { kind: "given" };
export const nothing: Shape = { kind: "is", value: null };

/** Possible shapes of an action's output. */
export interface Output {
  readonly shapes: readonly Shape[];
  /**
   * True if a tool returned it. If no declaration lists its parts, the run fails the call whose result lacks a
   * referenced part, not the action that refers to it.
   */
  readonly isResult: boolean;
}

/** The values that JSON with references may stand for, and the first reference of which a part may not be there. */
export interface Possible {
  /** Empty if a part is never there. */
  readonly shapes: readonly Shape[];
  readonly missing: Missing | undefined;
}

export interface Missing {
  readonly reference: string;
  readonly of: string;
  readonly always: boolean;
}

/** LIMIT: shapes that are kept apart; beyond, nothing is known. */
const most = 8;

export function possibleValues(json: Json, outputOf: (id: string) => Output | undefined): Possible {
  let missing: Missing | undefined;
  const note = (one: Missing): void => {
    if (missing === undefined || (one.always && !missing.always)) missing = one;
  };
  const go = (part: Json): readonly Shape[] => {
    if (typeof part === "string") {
      const reference = referenceIn(part);
      if (reference === undefined) return [{ kind: "is", value: part }];
      const { id: of, field } = reference;
      const found = partsOf(outputOf(of), field);
      if (found.mayMiss) note({ reference: part, of, always: found.shapes.length === 0 });
      return found.shapes;
    }
    if (isJsonArray(part)) return combined(part.map(go)).map(listOf);
    if (!isJsonObject(part)) return [{ kind: "is", value: part }];
    const names = Object.keys(part);
    return combined(names.map((name) => go(part[name] ?? null))).map((shapes) => objectOf(names, shapes));
  };
  return { shapes: go(json), missing };
}

interface Parts {
  readonly shapes: readonly Shape[];
  readonly mayMiss: boolean;
}

function partsOf(output: Output | undefined, field: readonly string[]): Parts {
  let shapes = output?.shapes ?? [anyShape];
  let mayMiss = false;
  for (const name of field) {
    const parts = shapes.map((shape) => partAt(shape, name, output?.isResult === true));
    mayMiss ||= parts.some((one) => one.mayMiss);
    shapes = parts.flatMap((one) => one.shapes);
  }
  return { shapes, mayMiss };
}

const none: Parts = { shapes: [], mayMiss: true };

function partAt(shape: Shape, name: string, isResult: boolean): Parts {
  switch (shape.kind) {
    case "is": {
      const value = partOf(shape.value, [name]);
      return value === undefined ? none : { shapes: [{ kind: "is", value }], mayMiss: false };
    }
    case "typed":
      return partOfType(shape.type, name, isResult);
    case "given":
      return { shapes: [given], mayMiss: !isResult };
    case "any":
      return { shapes: [anyShape], mayMiss: true };
    case "list": {
      const item = isItemNumber(name) ? shape.items[Number(name)] : undefined;
      return item === undefined ? none : { shapes: [item], mayMiss: false };
    }
    case "object": {
      const part = shape.fields.get(name);
      return part === undefined ? none : { shapes: [part], mayMiss: false };
    }
  }
}

function partOfType(type: Type, name: string, isResult: boolean): Parts {
  switch (type.kind) {
    case "record": {
      const field = fieldOf(type, name);
      if (field === undefined) return none;
      return { shapes: [{ kind: "typed", type: field.type }], mayMiss: field.optional === true };
    }
    case "option":
      return { ...partOfType(type.value, name, isResult), mayMiss: true };
    case "list":
      return isItemNumber(name) ? { shapes: [{ kind: "typed", type: type.element }], mayMiss: true } : none;
    case "map":
      return { shapes: [{ kind: "typed", type: type.value }], mayMiss: true };
    case "json":
      return { shapes: [{ kind: "typed", type }], mayMiss: !isResult };
    case "bool":
    case "int":
    case "real":
    case "string":
    case "enum":
    case "never":
      return none;
  }
}

/** One shape of each, in every way; nothing if one of them has none, and what is too much is not known. */
function combined(parts: readonly (readonly Shape[])[]): readonly (readonly Shape[])[] {
  let found: Shape[][] = [[]];
  for (const shapes of parts) {
    const few = found.length * shapes.length > most ? [anyShape] : shapes;
    const [only] = few;
    // There may be very many parts, and nearly all have one shape.
    if (few.length === 1 && only !== undefined) for (const one of found) one.push(only);
    else found = found.flatMap((before) => few.map((shape) => [...before, shape]));
  }
  return found;
}

function listOf(items: readonly Shape[]): Shape {
  const values = valuesOf(items);
  return values === undefined ? { kind: "list", items } : { kind: "is", value: values };
}

function objectOf(names: readonly string[], shapes: readonly Shape[]): Shape {
  const values = valuesOf(shapes);
  if (values === undefined) {
    return { kind: "object", fields: new Map(names.map((name, i) => [name, shapes[i] ?? anyShape])) };
  }
  const object: Record<string, Json> = Object.create(null);
  for (const [i, name] of names.entries()) object[name] = values[i] ?? null;
  return { kind: "is", value: object };
}

function valuesOf(shapes: readonly Shape[]): readonly Json[] | undefined {
  const values: Json[] = [];
  for (const shape of shapes) {
    if (shape.kind !== "is") return undefined;
    values.push(shape.value);
  }
  return values;
}

// ── what tools can receive ───────────────────────────────────────────────────────────────────────────────

export type Fit = "fits" | "misfits" | "open";

export function fitsAll(fits: readonly Fit[]): Fit {
  if (fits.every((one) => one === "fits")) return "fits";
  return fits.length > 0 && fits.every((one) => one === "misfits") ? "misfits" : "open";
}

/** Decides if an undeclared tool can receive the shape exactly. */
export function fitOfPlain(shape: Shape): Fit {
  switch (shape.kind) {
    case "is":
      return isReceivable(shape.value) ? "fits" : "misfits";
    case "typed":
    case "given":
      return "fits";
    case "any":
      return "open";
    case "list":
      return fitOfParts(shape.items.map(fitOfPlain));
    case "object":
      return fitOfParts([...shape.fields.values()].map(fitOfPlain));
  }
}

/** Decides if a parameter of a declared tool can receive the shape exactly. */
export function fitOfField(shape: Shape, { type, optional }: Pick<Field, "type" | "optional">): Fit {
  if (optional !== true) return fitOf(shape, type);
  const takesNull = type.kind === "option" || type.kind === "json";
  if (takesNull) return fitOf(shape, type);
  if (shape.kind === "is") return shape.value === null ? "misfits" : fitOf(shape, type);
  // An absent value is `null`, and an optional field does not accept that.
  return shape.kind === "typed" && shape.type.kind === "option" ? "open" : fitOf(shape, type);
}

function fitOf(shape: Shape, type: Type): Fit {
  switch (shape.kind) {
    case "is":
      return converts(shape.value, type) ? "fits" : "misfits";
    case "typed":
      return fitOfType(shape.type, type);
    case "given":
      return type.kind === "json" ? "fits" : "open";
    case "any":
      return "open";
    case "list":
      return fitOfList(shape.items, type);
    case "object":
      return fitOfObject(shape.fields, type);
  }
}

function converts(value: Json, type: Type): boolean {
  const read = fromJs(value, type);
  return read.ok && toJs(read.value, type).ok;
}

function fitOfList(items: readonly Shape[], type: Type): Fit {
  if (type.kind === "option") return fitOfList(items, type.value);
  if (type.kind === "list") return fitOfParts(items.map((item) => fitOf(item, type.element)));
  return type.kind === "json" ? fitOfParts(items.map((item) => fitOf(item, type))) : "misfits";
}

function fitOfObject(fields: ReadonlyMap<string, Shape>, type: Type): Fit {
  if (type.kind === "option") return fitOfObject(fields, type.value);
  if (type.kind === "json") return fitOfParts(Array.from(fields.values(), (part) => fitOf(part, type)));
  if (type.kind !== "record") return "misfits";
  const isWhole = type.fields.every(({ name, optional }) => optional === true || fields.has(name));
  if (!isWhole) return "misfits";
  return fitOfParts(
    Array.from(fields, ([name, part]) => {
      const field = fieldOf(type, name);
      return field === undefined ? "misfits" : fitOfField(part, field);
    }),
  );
}

function fitOfParts(parts: readonly Fit[]): Fit {
  if (parts.includes("misfits")) return "misfits";
  return parts.includes("open") ? "open" : "fits";
}

/** As the JSON of a value of one type fits another: what is absent is `null` there. */
function fitOfType(from: Type, to: Type): Fit {
  if (isSubtype(from, to) || to.kind === "json") return "fits";
  if (to.kind === "option" && from.kind !== "option")
    return from.kind === "json" ? "open" : fitOfType(from, to.value);
  if (from.kind === "option" || from.kind === "json" || from.kind === "never") return "open";
  return isScalarOfOtherKind(from, to) ? "misfits" : "open";
}

function isScalarOfOtherKind(from: Type, to: Type): boolean {
  return classOf(from) !== classOf(to) && classOf(to) !== "option";
}

function classOf({ kind }: Type): string {
  if (kind === "int" || kind === "real") return "number";
  return kind === "enum" ? "string" : kind;
}
