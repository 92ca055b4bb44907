/** Names, by scope and import, never by spelling. */
import type { IdentifierReference } from "oxc-parser";
import { closest } from "../../ir/index.ts";
import { op, same } from "../build.ts";
import type { Scope } from "../scope.ts";
import { isNothing, settledTy } from "../ty.ts";
import { type DataVal, data, infinite, nanVal, undefinedVal, type Val } from "../value.ts";
import { onlyAlternative } from "./alternatives.ts";
import { answerRelation, isAnswer } from "./answer.ts";
import { cast } from "./cast.ts";
import { heldIn, type Lowering } from "./core.ts";
import { narrowedJson } from "./json.ts";
import { held, inside } from "./own.ts";
import { outcomeOf } from "./settled.ts";

/** Supported JavaScript globals. */
const globals = new Set([
  "Math",
  "Promise",
  "Number",
  "parseInt",
  "parseFloat",
  "isNaN",
  "isFinite",
  "String",
  "Boolean",
  "Object",
  "Array",
  "Set",
  "Map",
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
  "BigInt",
  "JSON",
  "structuredClone",
  "console",
  "RegExp",
  "Date",
  "Intl",
]);

/** Globals that would let the outside world into a program. */
const outside = new Set([
  "process",
  "fetch",
  "setTimeout",
  "setInterval",
  "crypto",
  "performance",
  "globalThis",
  "window",
  "require",
  "eval",
  "Function",
  "Reflect",
  "Proxy",
  "Symbol",
  "queueMicrotask",
  "module",
]);

export function lookUp(
  low: Lowering,
  scope: Scope,
  node: Pick<IdentifierReference, "name" | "start" | "end">,
): Val {
  const { name } = node;
  const binding = scope.get(name);
  if (binding !== undefined) {
    switch (binding.kind) {
      case "lazy":
        return binding.get(low, low.spot(node));
      case "const":
        return isAnswer(binding.value) ? answerRelation(low) : narrowed(low, binding.value);
      case "let":
        return narrowed(low, low.read(binding.slot));
      case "later":
        return low.refuse(
          node,
          "FC2402",
          `\`${name}\` is used before it has a value`,
          "move its declaration up",
        );
    }
  }
  if (name === "undefined") return undefinedVal;
  if (globals.has(name)) return { kind: "builtin", name };
  if (outside.has(name)) {
    return low.refuse(
      node,
      "FC2316",
      `\`${name}\` reaches outside the program`,
      name === "performance"
        ? "use `Date.now()`, which is a recorded input of the run"
        : "call a tool for it, or take it as an input of `run`",
    );
  }
  if (name === "NaN") return nanVal;
  if (name === "Infinity") return infinite("Infinity");
  if (name === "URL")
    return low.refuse(
      node,
      "FC2401",
      "there is no `URL` here",
      "compare addresses with `urlInside(url, origin)`, which the package exports",
    );
  const near = closest(name, scope.visible());
  return low.refuse(
    node,
    "FC2401",
    `there is no \`${name}\` here`,
    near === undefined ? "declare it, or import it from a tool module" : `did you mean \`${near}\`?`,
  );
}

/** Narrows an optional value to its content if the path condition implies its presence. */
export function narrowed(low: Lowering, val: Val): Val {
  if (val.kind !== "data") return val;
  const { expr, type } = val;
  if (type.kind === "settled" && !type.isFulfilled && low.isKnownPresent(outcomeOf(expr, type), same))
    return data(op("value", outcomeOf(expr, type)), settledTy(type.value, true));
  if (type.kind === "json")
    return ofPredicate(low, val) ?? onlyAlternative(low, expr, type) ?? narrowedJson(low, expr) ?? val;
  if (type.kind !== "option" || isNothing(type)) return val;
  return low.isKnownPresent(expr, same)
    ? narrowed(low, inside(val, held, data(heldIn(expr), type.value)))
    : val;
}

/** A value that a function which returns `x is T` has said to be a `T` is checked to be one. */
function ofPredicate(low: Lowering, val: DataVal): Val | undefined {
  const found = low.predicates.find(({ condition, of }) => same(of, val.expr) && low.isKnown(condition));
  return found && cast(low, val, found.type, found.node);
}
