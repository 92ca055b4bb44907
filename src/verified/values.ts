/** Values and types of documents in the texts of the model. Lists, maps and JSON are opaque: known by their text alone. */
import {
  canonicalJson,
  encodeValue,
  isList,
  isOption,
  isRatio,
  isRecord,
  type Type,
  type Value,
} from "../ir/index.ts";
import { beyond } from "./beyond.ts";
import { atom, items, whole } from "./text.ts";

export function typeText(type: Type): string {
  switch (type.kind) {
    case "bool":
    case "int":
    case "real":
    case "string":
      return atom(type.kind);
    // SOUNDNESS: any text, so that the obligations speak of more runs than there are.
    case "enum":
      return atom("string");
    case "list":
    case "map":
    case "json":
      return atom("any");
    case "option":
      return items(atom("option"), typeText(type.value));
    case "record":
      return items(
        atom("record"),
        ...type.fields.map(({ name, type: of, optional }) =>
          items(atom(name), optional ? items(atom("option"), typeText(of)) : typeText(of)),
        ),
      );
    case "never":
      return beyond("a type without values");
  }
}

export function valueText(value: Value, type: Type): string {
  switch (type.kind) {
    case "list":
    case "map":
    case "json":
      return items(atom("o"), atom(canonicalJson(encodeValue(value, type))));
    case "option":
      if (!isOption(value)) return beyond("a value that is not of its type");
      return value.kind === "none" ? noneText : items(atom("some"), valueText(value.value, type.value));
    case "record":
      if (!isRecord(value)) return beyond("a value that is not of its type");
      return items(
        atom("r"),
        ...type.fields.map(({ name, type: of, optional }) => {
          const field = value.fields[name];
          if (!optional)
            return items(atom(name), field === undefined ? beyond("a missing field") : valueText(field, of));
          return items(
            atom(name),
            field === undefined ? noneText : items(atom("some"), valueText(field, of)),
          );
        }),
      );
    default:
      return scalarText(value);
  }
}

const noneText = items(atom("none"));

export function scalarText(value: Value): string {
  if (value === null) return items(atom("null"));
  if (typeof value === "boolean") return items(atom("b"), atom(value ? 1 : 0));
  if (typeof value === "bigint") return items(atom("n"), whole(value), whole(1));
  if (typeof value === "string") return items(atom("s"), atom(value));
  if (!isList(value) && isRatio(value)) return items(atom("n"), whole(value.num), whole(value.den));
  return beyond("a value that is not scalar");
}

/** The sort of a value that terms can have; undefined for options and records, which are taken apart. */
export function sortOf(type: Type): "bool" | "int" | "real" | "string" | "any" | undefined {
  switch (type.kind) {
    case "bool":
    case "int":
    case "real":
    case "string":
      return type.kind;
    case "enum":
      return "string";
    case "list":
    case "map":
    case "json":
      return "any";
    default:
      return undefined;
  }
}
