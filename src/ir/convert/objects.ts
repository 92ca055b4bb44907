/** Maps inside a value as the objects that they are in JSON. Part of what must be trusted. */
import { keyOfEntry, valueOfEntry } from "../map-value.ts";
import { fieldOf, type Type } from "../type.ts";
import { isList, isOption, isRecord, list, record, some, type Value } from "../value.ts";

const holding = new WeakMap<Type, boolean>();

/** Returns true if a value of the type may contain a map. */
export function holdsMap(type: Type): boolean {
  const known = holding.get(type);
  if (known !== undefined) return known;
  const found = looksForMap(type);
  holding.set(type, found);
  return found;
}

function looksForMap(type: Type): boolean {
  switch (type.kind) {
    case "map":
      return true;
    case "list":
      return holdsMap(type.element);
    case "option":
      return holdsMap(type.value);
    case "record":
      return type.fields.some((field) => holdsMap(field.type));
    default:
      return false;
  }
}

/** The value with a record in the place of every map. Charges nothing: what comes after walks the same parts. */
export function withObjects(value: Value, type: Type): Value {
  if (!holdsMap(type)) return value;
  if (type.kind === "map" && isList(value))
    return record(
      value.map((entry) => [keyOfEntry(entry), withObjects(valueOfEntry(entry), type.value)] as const),
    );
  if (type.kind === "list" && isList(value))
    return list(value.map((item) => withObjects(item, type.element)));
  if (type.kind === "option" && isOption(value))
    return value.kind === "none" ? value : some(withObjects(value.value, type.value));
  if (type.kind !== "record" || !isRecord(value)) throw new TypeError("a value is not of its type");
  return record(
    Object.entries(value.fields).map(([name, part]) => {
      const field = fieldOf(type, name);
      return [name, field === undefined ? part : withObjects(part, field.type)] as const;
    }),
  );
}
