/** Checks the types that a document writes, and their places. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import type { Field, Type } from "../type.ts";
import type { Context } from "./context.ts";

/** `boundary`: its values pass between a tool or a caller and the program. */
export function checkType(context: Context, type: Type, trail: Trail, boundary: boolean): void {
  context.node(trail, () => {
    switch (type.kind) {
      case "bool":
      case "int":
      case "real":
      case "string":
      case "json":
        return;
      case "never":
        return context.problem("FC1313", trail, "a type without values cannot be declared");
      case "enum":
        return checkEnum(context, type.values, trail);
      case "list":
        return checkType(context, type.element, trail.at("element"), boundary);
      case "map":
        return checkType(context, type.value, trail.at("value"), boundary);
      case "record":
        return checkFields(context, type.fields, trail.at("fields"), boundary);
      case "option":
        if (boundary && (type.value.kind === "option" || type.value.kind === "json")) {
          context.problem(
            "FC1306",
            trail,
            `an option of ${type.value.kind === "json" ? "json" : "an option"} has no JavaScript form`,
            type.value.kind === "json" ? "use `json`, which has null" : "use a single option",
          );
        }
        return checkType(context, type.value, trail.at("value"), boundary);
    }
  });
}

export function checkFields(
  context: Context,
  fields: readonly Field[],
  trail: Trail,
  boundary: boolean,
): void {
  const seen = new Set<string>();
  fields.forEach((field, i) => {
    const at = trail.at(i);
    context.name(field.name, at.at("name"));
    if (seen.has(field.name))
      context.problem("FC1209", at.at("name"), `the field \`${field.name}\` is declared twice`);
    seen.add(field.name);
    checkType(context, field.type, at.at("type"), boundary);
  });
}

function checkEnum(context: Context, values: readonly string[], trail: Trail): void {
  if (values.length === 0) context.problem("FC1310", trail, "an enum needs at least one value");
  if (new Set(values).size !== values.length) {
    const seen = new Set<string>();
    const twice = values.find((value) => seen.size === seen.add(value).size);
    context.problem("FC1310", trail, `the enum has the value \`${twice}\` twice`);
  }
}
