/** Values as JSON values: what `JSON.parse(JSON.stringify(value))` gives. */
import type { Expr } from "../../ir/index.ts";
import { choose, listExpr, none, op, recordExpr, some, text } from "../build.ts";
import { isNothing, isOptional, type Ty, tyText } from "../ty.ts";
import type { RefVal, Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import type { Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { isInOrder, toJson } from "./to-json.ts";

type At = { readonly start: number; readonly end: number };

/**
 * The value as an option of a JSON value, absent where it is `undefined`. Local arrays and objects are looked at part by
 * part, so their elements need no common type. Refuses what JSON cannot say.
 */
export function jsonFormOf(low: Lowering, val: Val, node: At): Expr {
  low.count(node);
  if (val.kind === "ref") return some(ofRef(low, val, node));
  const { expr, type } = reify(low, val, node);
  if (!isOptional(type)) return some(jsonOf(low, expr, type, node));
  if (isNothing(type)) return none;
  const whole = low.named(expr, "given", node);
  return choose(op("isSome", whole), some(jsonOf(low, op("value", whole), type.value, node)), none);
}

/** Returns the option's value, or the other if it is absent. */
export function orElse(form: Expr, absent: Expr): Expr {
  return form.kind === "none" ? absent : choose(op("isSome", form), held(form), absent);
}

/** Returns the value of an option that is known to be present. */
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
  if (shape.kind === "object") return ofObject(low, shape.fields, node);
  const items = shape.kind === "array" ? arrayItems(low, val) : undefined;
  if (items !== undefined)
    return op("json", listExpr(items.map((item) => orNull(jsonFormOf(low, item, node)))));
  const { expr, type } = reify(low, val, node);
  return jsonOf(low, expr, type, node);
}

interface Part {
  readonly name: string;
  /** An option of a JSON value. */
  readonly form: Expr;
}

function ofObject(low: Lowering, slots: ReadonlyMap<string, number>, node: At): Expr {
  const parts = Array.from(slots, ([name, slot]): Part => {
    return { name, form: jsonFormOf(low, low.read(slot), node) };
  }).filter(({ form }) => form.kind !== "none");
  if (!isInOrder(parts.map(({ name }) => name))) return inThisOrder(parts);
  const fields = parts.map(({ name, form }) =>
    isSure(form) ? { name, value: unwrapped(held(form)) } : { name, value: form, optional: true as const },
  );
  return op("json", recordExpr(fields));
}

/** As a list of names and values, which keeps the order of the source. */
function inThisOrder(parts: readonly Part[]): Expr {
  const lists = parts.map(({ name, form }) => {
    const entry = recordExpr([
      { name: "key", value: text(name) },
      { name: "value", value: held(form) },
    ]);
    return { entry, form };
  });
  if (lists.every(({ form }) => isSure(form)))
    return op("jsonObject", listExpr(lists.map(({ entry }) => entry)));
  const args = lists.map(({ entry, form }) =>
    isSure(form) ? listExpr([entry]) : choose(op("isSome", form), listExpr([entry]), listExpr([])),
  );
  const [only] = args;
  return op("jsonObject", args.length === 1 && only !== undefined ? only : { kind: "op", op: "++", args });
}

function isSure(form: Expr): boolean {
  return form.kind === "op" && form.op === "some";
}

/** The object as a whole is made a JSON value, so its fields need not be. */
function unwrapped(value: Expr): Expr {
  const inside = value.kind === "op" && value.op === "json" ? value.args[0] : undefined;
  return inside === undefined || inside.kind === "none" ? value : inside;
}

function jsonOf(low: Lowering, expr: Expr, type: Ty, node: At): Expr {
  return (
    toJson(low, expr, type) ??
    low.refuse(
      node,
      "FC2105",
      `\`${tyText(type)}\` has no JSON form`,
      type.kind === "bigint"
        ? "write `Number(…)` or `String(…)` around it"
        : "name the fields that are meant",
    )
  );
}
