/** Values as JSON values: what `JSON.parse(JSON.stringify(value))` gives. */
import type { Argument, Expr } from "../../ir/index.ts";
import { choose, listExpr, none, op, recordExpr, some, variable } from "../build.ts";
import { isNothing, isOptional, type RecordTy, type Ty, tyText } from "../ty.ts";
import type { RefVal, Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import { plainFields } from "./class.ts";
import type { Lowering } from "./core.ts";
import { namedField, reify, typedField } from "./data.ts";
import { areInOrder, mapToJson, orderedObject, toJson } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/**
 * The value as an option of a JSON value, absent where it is `undefined`. Local arrays and objects are looked at part by
 * part, so their elements need no common type. Refuses what JSON cannot say.
 */
export function jsonFormOf(low: Lowering, val: Val, node: At): Expr {
  low.count(node);
  if (val.kind === "ref" && val.shape.kind === "object") return some(ofFields(low, val.shape.fields, node));
  if (val.kind === "ref") return some(op("json", ofRef(low, val, node)));
  const { expr, type } = reify(low, val, node);
  if (!isOptional(type)) return some(jsonOf(low, expr, type, node));
  if (isNothing(type)) return none;
  const whole = low.named(expr, "given", node);
  return choose(op("isSome", whole), some(jsonOf(low, op("value", whole), type.value, node)), none);
}

/** What the option holds, or the other where it is absent. */
export function orElse(form: Expr, absent: Expr): Expr {
  return form.kind === "none" ? absent : choose(op("isSome", form), held(form), absent);
}

/** What the option holds, where it is known to be present. */
export function held(form: Expr): Expr {
  const [, yes, no] = form.kind === "op" && form.op === "if" ? form.args : [];
  if (yes !== undefined && no?.kind === "none") return held(yes);
  if (no !== undefined && yes?.kind === "none") return held(no);
  return op("value", form);
}

/** In a list, `undefined` is `null`. */
const orNull = (form: Expr): Expr => orElse(form, op("json", none));

function ofRef(low: Lowering, val: RefVal, node: At): Expr {
  const { shape } = val;
  if (shape.kind === "object") return ofObject(low, plainFields(low, shape, node), node);
  const items = shape.kind === "array" ? arrayItems(low, val) : undefined;
  if (items !== undefined) return listExpr(items.map((item) => orNull(jsonFormOf(low, item, node))));
  const { expr, type } = reify(low, val, node);
  return toJson(low, expr, type) ?? shaped(low, expr, type, node);
}

/** Fields that are not in the order of their names are given one by one. */
function ofFields(low: Lowering, slots: ReadonlyMap<string, number>, node: At): Expr {
  const whole = ofObject(low, slots, node);
  if (whole.kind !== "record" || areInOrder(whole.fields.map(({ name }) => name))) return op("json", whole);
  return orderedObject(
    whole.fields.map(({ name, value, optional }) =>
      optional
        ? { name, value: op("value", value), when: op("isSome", value) }
        : { name, value: op("json", value) },
    ),
  );
}

function ofObject(low: Lowering, slots: ReadonlyMap<string, number>, node: At): Expr {
  const fields: Argument[] = [];
  for (const [name, slot] of slots) {
    const value = jsonFormOf(low, low.read(slot), node);
    if (value.kind === "none") continue;
    const inside = value.kind === "op" && value.op === "some" ? value.args[0] : undefined;
    fields.push(inside === undefined ? { name, value, optional: true } : { name, value: unwrapped(inside) });
  }
  return recordExpr(fields);
}

/** The object as a whole is made a JSON value, so its fields need not be. */
function unwrapped(value: Expr): Expr {
  const inside = value.kind === "op" && value.op === "json" ? value.args[0] : undefined;
  return inside === undefined || inside.kind === "none" ? value : inside;
}

function jsonOf(low: Lowering, expr: Expr, type: Ty, node: At): Expr {
  return toJson(low, expr, type) ?? op("json", shaped(low, expr, type, node));
}

/** The value with every part as it is in JSON, of a type that `json` takes. */
function shaped(low: Lowering, expr: Expr, type: Ty, node: At): Expr {
  if (isPlain(type)) return expr;
  switch (type.kind) {
    case "list": {
      const name = low.names.fresh("item");
      const body = jsonOf(low, variable(name), type.element, node);
      return op("map", expr, { kind: "lambda", params: [{ name }], body });
    }
    case "option":
      return choose(op("isSome", expr), jsonOf(low, op("value", expr), type.value, node), op("json", none));
    case "map": {
      const found = mapToJson(low, expr, type.value);
      if (found !== undefined) return found;
      return low.refuse(
        node,
        "FC2105",
        `\`${tyText(type)}\` has no JSON form`,
        "name the values that are meant",
      );
    }
    case "record":
      return shapedRecord(low, expr, type, node);
    default:
      return low.refuse(
        node,
        "FC2105",
        `\`${tyText(type)}\` has no JSON form`,
        type.kind === "bigint"
          ? "write `Number(…)` or `String(…)` around it"
          : "name the fields that are meant",
      );
  }
}

/** A tuple is an array in JSON. */
function shapedRecord(low: Lowering, expr: Expr, { fields, tuple }: RecordTy, node: At): Expr {
  if (tuple)
    return listExpr(fields.map(({ name, type }) => jsonOf(low, typedField(expr, name, type), type, node)));
  return recordExpr(
    fields.map(({ name, type }) => {
      const part = typedField(expr, name, type);
      if (!isOptional(type)) return { name, value: shaped(low, part, type, node) };
      if (isPlain(type)) return namedField(name, part, type);
      const inside = shaped(low, op("value", part), type.value, node);
      return { name, value: choose(op("isSome", part), some(inside), none), optional: true };
    }),
  );
}

/** Returns whether every value of the type has the same parts in the IR and in JSON. */
function isPlain(type: Ty): boolean {
  switch (type.kind) {
    case "list":
      return isPlain(type.element);
    case "option":
      return isNothing(type) || isPlain(type.value);
    case "record":
      return type.tuple !== true && type.fields.every((one) => isPlain(one.type));
    case "bigint":
    case "map":
    case "settled":
      return false;
    default:
      return true;
  }
}
