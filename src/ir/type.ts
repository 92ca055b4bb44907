/**
 * Types and their order. `a` is a subtype of `b` when every value of `a` is, as it stands, a value of `b`:
 * `int` of `real`, an enum of `string` and of a larger enum, and lists, options and records of their like.
 * A map is a list of entries only inside; for the order of types it stands apart.
 * `never`, the type of no value, is what an empty list holds; it cannot be written in a document.
 * Part of what must be trusted.
 */
export type Type = PlainType | EnumType | ListType | MapType | OptionType | RecordType;

export type PlainType = { [K in PlainKind]: { readonly kind: K } }[PlainKind];
type PlainKind = "never" | "bool" | "int" | "real" | "string" | "json";

export interface EnumType {
  readonly kind: "enum";
  readonly values: readonly string[];
}
export interface ListType {
  readonly kind: "list";
  readonly element: Type;
}
/** Values by string keys, in JavaScript's order of keys. */
export interface MapType {
  readonly kind: "map";
  readonly value: Type;
}
export interface OptionType {
  readonly kind: "option";
  readonly value: Type;
}
export interface RecordType {
  readonly kind: "record";
  readonly fields: readonly Field[];
}

/** A field of a record, a parameter of a tool or an input of a program. */
export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Reading an optional field gives an option. */
  readonly optional?: true;
}

export const never: Type = { kind: "never" };
export const bool: Type = { kind: "bool" };
export const int: Type = { kind: "int" };
export const real: Type = { kind: "real" };
export const string: Type = { kind: "string" };
export const json: Type = { kind: "json" };
export const listOf = (element: Type): ListType => ({ kind: "list", element });
export const mapOf = (value: Type): MapType => ({ kind: "map", value });
export const optionOf = (value: Type): OptionType => ({ kind: "option", value });
export const recordOf = (fields: readonly Field[]): RecordType => ({ kind: "record", fields });

/** Returns true for uninhabited types: `never`, and a record with a field of such a type. */
export function hasNoValue(type: Type): boolean {
  if (type.kind === "record") return type.fields.some((field) => !field.optional && hasNoValue(field.type));
  return type.kind === "never";
}

export function isSubtype(a: Type, b: Type): boolean {
  if (a === b || a.kind === "never") return true;
  if (!isCompound(a) || !isCompound(b)) return isScalarSubtype(a, b);
  return remembered(subtypes, a, b, () => isCompoundSubtype(a, b));
}

/** The least type that has the values of both, if there is one. */
export function join(a: Type, b: Type): Type | undefined {
  if (isSubtype(a, b)) return b;
  if (isSubtype(b, a)) return a;
  if (!isCompound(a) || !isCompound(b)) return undefined;
  return remembered(joins, a, b, () => joinCompound(a, b));
}

/** A few fields are found sooner by looking at each than by an index. */
const fewFields = 16;

/** The field of that name; for many fields linear work is done once per type, not once per look-up. */
export function fieldOf(type: RecordType, name: string): Field | undefined {
  if (type.fields.length <= fewFields) return type.fields.find((field) => field.name === name);
  let index = fieldIndexes.get(type);
  if (index === undefined) {
    index = new Map(type.fields.map((field) => [field.name, field]));
    fieldIndexes.set(type, index);
  }
  return index.get(name);
}

/** Tests membership of a value in an enum; a set is built once per type. */
export function enumHas(type: EnumType, value: string): boolean {
  let index = enumIndexes.get(type);
  if (index === undefined) {
    index = new Set(type.values);
    enumIndexes.set(type, index);
  }
  return index.has(value);
}

/** Returns the type of reading this field. */
export function readType(field: Field): Type {
  return field.optional ? optionOf(field.type) : field.type;
}

const subtypes = new WeakMap<Type, WeakMap<Type, boolean>>();
const joins = new WeakMap<Type, WeakMap<Type, Type | undefined>>();
const enumIndexes = new WeakMap<EnumType, Set<string>>();
const fieldIndexes = new WeakMap<RecordType, Map<string, Field>>();

type Compound = EnumType | ListType | MapType | OptionType | RecordType;

const compounds: ReadonlySet<string> = new Set(["enum", "list", "map", "option", "record"]);

function isCompound(type: Type): type is Compound {
  return compounds.has(type.kind);
}

function isScalarSubtype(a: Type, b: Type): boolean {
  if (a.kind === "int") return b.kind === "int" || b.kind === "real";
  if (a.kind === "enum") return b.kind === "string";
  return !isCompound(a) && a.kind === b.kind;
}

function isCompoundSubtype(a: Compound, b: Compound): boolean {
  if (a.kind === "list" && b.kind === "list") return isSubtype(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return isSubtype(a.value, b.value);
  if (a.kind === "option" && b.kind === "option") return isSubtype(a.value, b.value);
  if (a.kind === "enum" && b.kind === "enum") return a.values.every((value) => enumHas(b, value));
  if (a.kind !== "record" || b.kind !== "record") return false;
  // A field may be missing only where the other type says it may, and there may be no further field.
  return (
    a.fields.every((field) => {
      const other = fieldOf(b, field.name);
      return (
        other !== undefined &&
        isSubtype(field.type, other.type) &&
        (!field.optional || other.optional === true)
      );
    }) && b.fields.every((field) => field.optional === true || fieldOf(a, field.name) !== undefined)
  );
}

/** LIMIT: joins of joins of wide types must not grow with the square of the document. */
const maxJoined = 1000;

function joinCompound(a: Compound, b: Compound): Type | undefined {
  if (a.kind === "enum" && b.kind === "enum") {
    if (a.values.length + b.values.length > maxJoined) return string;
    return { kind: "enum", values: [...new Set([...a.values, ...b.values])] };
  }
  if (a.kind === "list" && b.kind === "list") return mapType(join(a.element, b.element), listOf);
  if (a.kind === "map" && b.kind === "map") return mapType(join(a.value, b.value), mapOf);
  if (a.kind === "option" && b.kind === "option") return mapType(join(a.value, b.value), optionOf);
  if (a.kind !== "record" || b.kind !== "record") return undefined;
  if (a.fields.length + b.fields.length > maxJoined) return undefined;
  const fields: Field[] = [];
  for (const field of a.fields) {
    const other = fieldOf(b, field.name);
    const type = other === undefined ? field.type : join(field.type, other.type);
    if (type === undefined) return undefined;
    const optional = other === undefined || field.optional === true || other.optional === true;
    fields.push(optional ? { name: field.name, type, optional } : { name: field.name, type });
  }
  for (const field of b.fields) {
    if (fieldOf(a, field.name) === undefined) fields.push({ ...field, optional: true });
  }
  return recordOf(fields);
}

function mapType(type: Type | undefined, wrap: (type: Type) => Type): Type | undefined {
  return type === undefined ? undefined : wrap(type);
}

function remembered<T>(memory: WeakMap<Type, WeakMap<Type, T>>, a: Type, b: Type, compute: () => T): T {
  let row = memory.get(a);
  if (row === undefined) {
    row = new WeakMap();
    memory.set(a, row);
  }
  const known = row.get(b);
  if (known !== undefined) return known;
  const answer = compute();
  row.set(b, answer);
  return answer;
}
