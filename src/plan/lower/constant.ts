/** Values as expressions of a document. */
import {
  type Expr,
  fieldOf,
  isList,
  isNum,
  isOption,
  isRecord,
  recordOf as recordType,
  string,
  type Type,
  type Value,
} from "../../ir/index.ts";

/** Undefined for what has no expression of its own: a value of type `json`. */
export function constant(value: Value, type: Type): Expr | undefined {
  switch (type.kind) {
    case "bool":
      return typeof value === "boolean" ? { kind: "bool", value } : undefined;
    case "int":
    case "real":
      return isNum(value) ? { kind: "number", value } : undefined;
    case "string":
    case "enum":
      return typeof value === "string" ? { kind: "string", value } : undefined;
    case "list":
      return isList(value) ? listOf(value, type.element) : undefined;
    case "record":
      return isRecord(value) ? recordOf(value.fields, type) : undefined;
    case "option": {
      if (!isOption(value)) return undefined;
      if (value.kind === "none") return { kind: "none" };
      const held = constant(value.value, type.value);
      return held && { kind: "op", op: "some", args: [held] };
    }
    case "map": {
      const element = recordType([
        { name: "key", type: string },
        { name: "value", type: type.value },
      ]);
      const entries = isList(value) ? listOf(value, element) : undefined;
      return entries && { kind: "op", op: "mapOf", args: [entries] };
    }
    case "json":
    case "never":
      return undefined;
  }
}

function listOf(values: readonly Value[], element: Type): Expr | undefined {
  const items: Expr[] = [];
  for (const value of values) {
    const item = constant(value, element);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return { kind: "list", items };
}

function recordOf(
  values: Readonly<Record<string, Value>>,
  type: Extract<Type, { readonly kind: "record" }>,
): Expr | undefined {
  const fields = [];
  for (const [name, value] of Object.entries(values)) {
    const of = fieldOf(type, name)?.type;
    const part = of && constant(value, of);
    if (part === undefined) return undefined;
    fields.push({ name, value: part });
  }
  return { kind: "record", fields };
}
