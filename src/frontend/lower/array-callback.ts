/** Methods of arrays that take a function: on known elements one by one, on lists of the run as operators or loops. */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { choose, field, num, op, same, variable } from "../build.ts";
import { bool, int, isNothing, isOptional, joinTy, listTy, settledTy, type Ty, toIr } from "../ty.ts";
import { data, promiseOf, undefinedVal, unreachable, type Val } from "../value.ts";
import { appended, asElement, concatenated, listOf, newArray, newList } from "./access.ts";
import { isCollection, joined, refuseFlattened } from "./array.ts";
import { invoke, lambdaOver, paramName } from "./callback.ts";
import { truthy } from "./coerce.ts";
import { copyOf } from "./collection.ts";
import type { Lowering } from "./core.ts";
import { asType, reify, withKnownWords } from "./data.ts";
import { awaited } from "./expression.ts";
import { narrowed } from "./lookup.ts";
import { dynamicLoop, type LoopKind } from "./loop.ts";
import { branch, mergeValues } from "./merge.ts";
import { isMutable, partsOf } from "./own.ts";
import { outcomeOf, settled } from "./settled.ts";
import { unroll } from "./turns.ts";

export function overItems(
  low: Lowering,
  items: readonly Val[],
  name: string,
  callback: Val,
  start: Val | undefined,
  node: Node,
): Val {
  const at = (i: number): Val => data(num(BigInt(i)), int);
  const call = (item: Val, i: number): Val => {
    low.countIteration(node);
    return invoke(low, callback, [item, at(i)], node);
  };
  const test = (item: Val, i: number): Expr => truthy(low, call(item, i), node);
  const first = (i: number, found: (i: number, item: Val) => Val, none: Val, wanted: boolean): Val => {
    const item = items[i];
    if (item === undefined) return none;
    const holds = test(item, i);
    const rest = () => first(i + 1, found, none, wanted);
    return wanted
      ? branch(low, holds, node, "found", () => found(i, item), rest)
      : branch(low, holds, node, "holds", rest, () => found(i, item));
  };
  switch (name) {
    case "map":
      return newArray(low, items.map(call));
    case "flatMap":
      return items.reduce<Val>(
        (sofar, item, i) => joined(low, sofar, call(item, i), node),
        newArray(low, []),
      );
    case "forEach":
      unroll(low, items, node, (item, i) => eachItem(low, callback, item, i, node));
      return undefinedVal;
    case "reduce": {
      const from = start === undefined ? 1 : 0;
      const initial = start ?? items[0];
      if (initial === undefined)
        return low.refuse(
          node,
          "FC2109",
          "`.reduce` of an empty list needs a first value",
          "give it as the second argument",
        );
      return items.slice(from).reduce<Val>((held, item, i) => {
        low.countIteration(node);
        return invoke(low, callback, [held, item, at(i + from)], node);
      }, initial);
    }
    case "some":
      return first(
        0,
        () => data({ kind: "bool", value: true }, bool),
        data({ kind: "bool", value: false }, bool),
        true,
      );
    case "every":
      return first(
        0,
        () => data({ kind: "bool", value: false }, bool),
        data({ kind: "bool", value: true }, bool),
        false,
      );
    case "find":
      return first(0, (_, item) => item, undefinedVal, true);
    case "findIndex":
      return first(0, (i) => at(i), data(num(-1n), int), true);
    default:
      return filterItems(low, items, test, node);
  }
}

export function eachItem(low: Lowering, callback: Val, item: Val, i: number, node: Node): void {
  waited(low, invoke(low, callback, [item, data(num(BigInt(i)), int)], node), node);
}

function filterItems(
  low: Lowering,
  items: readonly Val[],
  test: (item: Val, i: number) => Expr,
  node: Node,
): Val {
  let held: Val = { kind: "items", items: [] };
  items.forEach((item, i) => {
    const holds = test(item, i);
    if (holds.kind === "bool") {
      if (holds.value) held = appended(low, held, [item], node);
      return;
    }
    const solid = low.implies(holds, () => narrowed(low, item));
    const sofar = reify(low, held, node, true);
    const longer = reify(low, appended(low, sofar, [solid], node), node);
    held = mergeValues(low, holds, longer, sofar, node, "kept");
  });
  return copyOf(low, held, node);
}

function waited(low: Lowering, value: Val, node: Node): void {
  if (value.kind === "promise")
    low.refuse(node, "FC2311", "`.forEach` does not wait for its calls", "use `for … of` with `await`");
}

// ── lists of the run ─────────────────────────────────────────────────────────────────────────────────────

type List = NonNullable<ReturnType<typeof listOf>>;

/**
 * As an operator or a loop.
 * @param keep notes that elements of the list are held elsewhere too
 */
export function overList(
  low: Lowering,
  list: List,
  name: string,
  callback: Val,
  start: Val | undefined,
  node: Node,
  keep: () => void,
): Val {
  if (name === "reduce") return reduceList(low, list, callback, start, node, keep);
  if (name !== "forEach") {
    const pure = asOperator(low, list, name, callback, node);
    if (pure !== undefined && mayKeep(low, pure)) keep();
    if (pure !== undefined) return pure;
  }
  keep();
  if (name === "map" || name === "flatMap")
    return low.tasks.start(
      low,
      node,
      (isSettled) => mapped(low, list, callback, isSettled, node, name),
      true,
    );
  return asLoop(low, list, name, callback, node);
}

/** Returns true if an element of the list, or a part of one, can be part of what the operator gave. */
function mayKeep(low: Lowering, given: Val): boolean {
  if (given.kind === "data") return isMutable(given.type);
  const held =
    given.kind === "ref" && given.shape.kind === "array" ? low.state.get(given.shape.slot) : undefined;
  return held?.kind !== "data" || partsOf(held.type).some(isMutable);
}

function flattened(low: Lowering, value: Val, node: Node): List {
  return (
    listOf(low, value, node) ??
    low.refuse(
      node,
      "FC2105",
      "the function of `.flatMap` must give a list",
      "give `[x]` for one element and `[]` for none, or use `.map`",
    )
  );
}

/** As an operator of the IR, if the callback only computes. */
function asOperator(low: Lowering, list: List, name: string, callback: Val, node: Node): Val | undefined {
  let promised = false;
  const found = lambdaOver(low, list, callback, node, (value) => {
    if (name === "map") {
      promised = value.kind === "promise";
      return withKnownWords(reify(low, awaited(value), node, true));
    }
    if (name === "flatMap" && isCollection(value)) return refuseFlattened(low, node);
    if (name === "flatMap") return withKnownWords(flattened(low, value, node));
    return data(truthy(low, value, node), bool);
  });
  if (found === undefined) return undefined;
  const { lambda, over, body, indexed } = found;
  const element = list.type.element;
  const back = (expr: Expr): Expr => {
    if (!indexed) return expr;
    const item = low.names.fresh("entry");
    return op("map", expr, {
      kind: "lambda",
      params: [{ name: item }],
      body: field(variable(item), "value"),
    });
  };
  switch (name) {
    case "map": {
      const values = isUndefinedTy(body.type)
        ? nothings()
        : newList(low, data(op("map", over, lambda), listTy(body.type)));
      return promised ? { ...promiseOf(values), many: true } : values;
    }
    case "flatMap":
      return newList(low, data(op("flatMap", over, lambda), body.type));
    case "filter": {
      const kept = back(op("filter", over, lambda));
      const solid = indexed ? undefined : withoutAbsentElements(low, kept, lambda, element);
      return newList(low, solid ?? data(kept, list.type));
    }
    case "some":
      return data(op("any", over, lambda), bool);
    case "every":
      return data(op("every", over, lambda), bool);
    case "find": {
      const hit = op("find", over, lambda);
      if (!indexed) return data(hit, asElement(element));
      const named = low.named(hit, "found", node);
      return data(
        choose(op("isSome", named), op("some", field(op("value", named), "value")), { kind: "none" }),
        asElement(element),
      );
    }
    case "findIndex":
      return data(op("findIndex", over, lambda), int);
    default:
      return undefined;
  }
}

/** After `.filter((x) => x !== null)` no element is absent any more. */
function withoutAbsentElements(low: Lowering, kept: Expr, lambda: Expr, element: Ty) {
  if ((element.kind !== "option" && element.kind !== "settled") || lambda.kind !== "lambda") return undefined;
  if (element.kind === "settled" && element.isFulfilled) return undefined;
  const [param] = lambda.params;
  const outcome = (of: Expr): Expr => (element.kind === "settled" ? outcomeOf(of, element) : of);
  if (
    param === undefined ||
    !low.implies(lambda.body, () => low.isKnownPresent(outcome(variable(param.name)), same))
  )
    return undefined;
  const name = low.names.fresh("item");
  const body = op("value", outcome(variable(name)));
  const held = element.kind === "settled" ? settledTy(element.value, true) : element.value;
  return data(op("map", kept, { kind: "lambda", params: [{ name }], body }), listTy(held));
}

function isUndefinedTy(type: Ty): boolean {
  return isNothing(type) && isOptional(type);
}

/** A list of nothing but `undefined`, which nobody can use for anything. */
function nothings(): Val {
  return undefinedVal;
}

/** `.map` or `.flatMap` as a loop. Where the function gives promises, its iterations run at the same time. */
function mapped(
  low: Lowering,
  list: List,
  callback: Val,
  isSettled: boolean,
  node: Node,
  name: "map" | "flatMap",
): Val {
  const slot = low.newSlot({ kind: "items", items: [] });
  low.slotNames.set(slot, "mapped");
  let nothing = false;
  const kind: LoopKind = { isParallel: false };
  dynamicLoop(
    low,
    list,
    { item: paramName(callback, 0) ?? "item", index: "index" },
    node,
    (item, index) => {
      low.tasks.again();
      const call = () => {
        const given = invoke(low, callback, [item, index], node, true);
        if (given.kind === "promise") low.tasks.join(low, given.tasks ?? [], node);
        return given;
      };
      const value = isSettled && name === "map" ? settled(low, node, call) : call();
      // SOUNDNESS: each promise of the list would be settled by itself.
      if (isSettled && name === "flatMap" && value.kind === "promise")
        low.refuse(
          node,
          "FC2309",
          "`Promise.allSettled` takes no `.flatMap` here",
          "flatten the rows first: `Promise.allSettled(rows.flatMap((row) => row.items).map((item) => …))`",
        );
      if (value.kind === "promise") {
        kind.isParallel = true;
        low.tasks.apart(low, node);
      }
      const given = low.isReached ? awaited(value) : unreachable;
      // A list of promises is flattened to them; one promise is an element.
      const isFlat = name === "flatMap" && (value.kind !== "promise" || value.many === true);
      if (isFlat && isCollection(given)) refuseFlattened(low, node);
      if (isFlat && given !== unreachable) {
        const part = flattened(low, given, node);
        low.write(slot, concatenated(low, reify(low, low.read(slot), node), part, node), node);
        return;
      }
      nothing = given.kind === "data" && isUndefinedTy(given.type);
      if (!nothing)
        low.write(slot, appended(low, low.read(slot), [reify(low, given, node, true)], node), node);
    },
    kind,
  );
  const values = nothing ? nothings() : copyOf(low, low.read(slot), node);
  if (!kind.isParallel) return values;
  return { ...promiseOf(values), many: true, ...(isSettled ? { isSettled } : {}) };
}

/** As a loop, if the callback makes calls, checks something or changes a variable. */
function asLoop(low: Lowering, list: List, name: string, callback: Val, node: Node): Val {
  const first: Val =
    name === "some" || name === "every"
      ? data({ kind: "bool", value: name === "every" }, bool)
      : name === "find"
        ? undefinedVal
        : name === "findIndex"
          ? data(num(-1n), int)
          : { kind: "items", items: [] };
  const slot = low.newSlot(first);
  low.slotNames.set(slot, name === "filter" ? "kept" : "found");
  dynamicLoop(low, list, { item: paramName(callback, 0) ?? "item", index: "index" }, node, (item, index) => {
    const given = invoke(low, callback, [item, index], node);
    if (name === "forEach") return waited(low, given, node);
    const holds = truthy(low, given, node);
    const hit = () => {
      if (name === "filter") low.write(slot, appended(low, low.read(slot), [item], node), node);
      else {
        low.write(
          slot,
          name === "find"
            ? item
            : name === "findIndex"
              ? index
              : data({ kind: "bool", value: name === "some" }, bool),
          node,
        );
        low.leave("break");
      }
      return undefinedVal;
    };
    const miss = () => undefinedVal;
    if (name === "every") branch(low, holds, node, "holds", miss, hit);
    else branch(low, holds, node, "found", hit, miss);
  });
  if (name === "forEach") return undefinedVal;
  const result = low.read(slot);
  return name === "filter" ? copyOf(low, result, node) : result;
}

/** JavaScript throws where there is no first element, so there must be one. */
function reduceFromFirst(low: Lowering, list: List, callback: Val, node: Node, keep: () => void): Val {
  if (low.mode.kind === "formula")
    return low.refuse(
      node,
      "FC2109",
      "`.reduce` of a list that may be empty needs a first value",
      "give it as the second argument",
    );
  if (callback.kind === "function" && callback.node.params.length > 2)
    return low.refuse(node, "FC2109", "`.reduce` with a position needs a first value", "give it one");
  const whole = low.named(list.expr, "list", node);
  const length = op("length", whole);
  low.require(op(">", length, num(0n)), "`.reduce` of an empty list needs a first value", node);
  const first = data(op("value", op("at", whole, num(0n))), list.type.element);
  const rest: List = { kind: "data", expr: op("slice", whole, num(1n), length), type: list.type };
  return reduceList(low, rest, callback, first, node, keep);
}

/** LIMIT: the type of what is held grows a few times at most. */
const maxWidenings = 5;

function reduceList(
  low: Lowering,
  list: List,
  callback: Val,
  start: Val | undefined,
  node: Node,
  keep: () => void,
): Val {
  if (start === undefined) return reduceFromFirst(low, list, callback, node, keep);
  if (start.kind === "data") {
    let type: Ty = start.type;
    for (let i = 0; i < maxWidenings; i++) {
      const held = low.names.fresh(paramName(callback, 0) ?? "held");
      const found = lambdaOver(low, list, callback, node, (value) => reify(low, value, node, true), {
        name: held,
        type,
      });
      if (found === undefined) break;
      const wider: Ty | undefined = joinTy(type, found.body.type);
      if (wider === undefined) break;
      const body = asType(low, found.body, type);
      if (body !== undefined) {
        const initial = asType(low, start, type);
        const { lambda } = found;
        if (initial === undefined || lambda.kind !== "lambda") break;
        const typed: Expr = {
          ...lambda,
          params: [{ name: held, type: toIr(type) }, ...lambda.params],
          body: found.wrap(body),
        };
        if (isMutable(type)) keep();
        return data(op("fold", found.over, initial, typed), type);
      }
      type = wider;
    }
  }
  keep();
  const slot = low.newSlot(start);
  low.slotNames.set(slot, paramName(callback, 0) ?? "held");
  dynamicLoop(low, list, { item: paramName(callback, 1) ?? "item", index: "index" }, node, (item, index) => {
    const value = invoke(low, callback, [low.read(slot), item, index], node);
    if (value.kind === "promise")
      low.refuse(node, "FC2311", "`.reduce` does not wait for its calls", "use `for … of` with `await`");
    low.write(slot, value, node);
  });
  return low.read(slot);
}
