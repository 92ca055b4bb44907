/**
 * `sort` and `toSorted`. Elements whose order is known are put in order here; a list of the run is put in order one
 * element after the other, each behind those that are not greater, which is the stable order that JavaScript gives
 * for every comparator that is one.
 */
import type { Node } from "oxc-parser";
import { compare as compareNumbers, type Expr, isNum } from "../../ir/index.ts";
import { literal, not, num, op, variable } from "../build.ts";
import {
  bool,
  isMaybeNaN,
  isNothing,
  isNumber,
  isOptional,
  isText,
  type ListTy,
  listTy,
  never,
  type Ty,
  toIr,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { computed, invoke, mentions } from "./callback.ts";
import { textOf } from "./coerce.ts";
import { orderOf } from "./comparator.ts";
import type { Lowering } from "./core.ts";
import { everyPresent, present, reify } from "./data.ts";
import { noteKeys } from "./dict.ts";
import { withoutNaN } from "./not-a-number.ts";

/** The elements in order: as elements where that is known, otherwise as a list of the run. */
export function sorted(low: Lowering, held: Val, compare: Val | undefined, node: Node): Val {
  if (held.kind === "items") {
    const known = knownOrder(low, held.items, compare, node);
    if (known !== undefined) return { kind: "items", items: known };
  }
  const given = reify(low, held, node, true);
  // SOUNDNESS: where a comparison gives `NaN`, JavaScript leaves the order open.
  const isOfNumbers = given.type.kind === "list" && isMaybeNaN(given.type.element);
  const sure = (isOfNumbers ? withoutNaN(low, given, node, "what is sorted") : undefined) ?? given;
  const list = withoutAbsentElements(low, sure, node);
  if (list.type.kind !== "list") return low.refuse(node, "FC2309", "only a list can be sorted");
  const { element } = list.type;
  if (element.kind === "never") return list;
  if (element.kind === "option")
    return low.refuse(
      node,
      "FC2109",
      `a list whose elements may be absent cannot be sorted, and this is \`${tyText(list.type)}\``,
      "remove them first with `.filter((x) => x !== null && x !== undefined)`",
    );
  return inserted(low, { kind: "data", expr: list.expr, type: list.type }, compare, node);
}

/** JavaScript puts `undefined` last without a look; here it is an obligation that no element is. */
function withoutAbsentElements(low: Lowering, list: DataVal, node: Node): DataVal {
  const element = list.type.kind === "list" ? list.type.element : undefined;
  if (element === undefined || !isOptional(element) || isNothing(element)) return list;
  const solid = everyPresent(low, list, listTy(never), node, "what is sorted");
  return solid === undefined ? list : withoutAbsentElements(low, solid, node);
}

/** Puts each element behind those that are not greater; undefined where a comparison is not known. */
function knownOrder(
  low: Lowering,
  items: readonly Val[],
  compare: Val | undefined,
  node: Node,
): readonly Val[] | undefined {
  const sign = (a: Val, b: Val): number | undefined => knownSign(low, a, b, compare, node);
  const order: Val[] = [];
  for (const item of items) {
    let at = order.length;
    for (let i = order.length - 1; i >= 0; i--) {
      const other = order[i];
      const found = other === undefined ? undefined : sign(other, item);
      if (found === undefined) return undefined;
      if (found <= 0) break;
      at = i;
    }
    order.splice(at, 0, item);
  }
  if (compare !== undefined && order.length > 1 && !isShownFor(low, items, compare, node)) {
    if (!isOrderOf(order, sign)) return notAnOrder(low, node);
  }
  return order;
}

/** Returns true if the comparator is shown to be an order for all elements of this type. */
function isShownFor(low: Lowering, items: readonly Val[], compare: Val, node: Node): boolean {
  const list = computed(low, () => reify(low, { kind: "items", items }, node));
  if (list?.value.type.kind !== "list") return false;
  const { element } = list.value.type;
  return shown(low, element, compare, node, false)?.order === "order";
}

/** Returns true if all pairs of these sorted elements compare as their positions do. */
function isOrderOf(order: readonly Val[], sign: (a: Val, b: Val) => number | undefined): boolean {
  let rank = 0;
  const ranks = order.map((item, i) => {
    const before = order[i - 1];
    if (before !== undefined && sign(before, item) !== 0) rank += 1;
    return rank;
  });
  return order.every((a, i) =>
    order.every((b, j) => i === j || sign(a, b) === Math.sign((ranks[i] ?? 0) - (ranks[j] ?? 0))),
  );
}

function knownSign(low: Lowering, a: Val, b: Val, compare: Val | undefined, node: Node): number | undefined {
  low.countIteration(node);
  const assumed: Expr[] = [];
  const found = compared(low, a, b, compare, node, assumed);
  const value = found && assumed.length === 0 ? literal(found.wrap(found.value.expr)) : undefined;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value !== undefined && isNum(value) ? compareNumbers(value, 0n) : undefined;
}

function notAnOrder(low: Lowering, node: Node): never {
  return low.refuse(
    node,
    "FC2325",
    "this function is not shown to be an order, and JavaScript leaves open what comes of one that is not",
    "give 0 for equal elements and the opposite for the opposite: `a.n - b.n` for numbers, `a.s < b.s ? -1 : a.s > b.s ? 1 : 0` for strings, and `||` between keys",
  );
}

interface Shown {
  readonly first: string;
  readonly second: string;
  readonly found: NonNullable<ReturnType<typeof computed>>;
  readonly order: ReturnType<typeof orderOf>;
  /** Conditions under which what is compared are numbers, for all elements. */
  readonly assumed: readonly Expr[];
}

/** The comparison of any two elements; undefined if the function does more than compare. */
function shown(
  low: Lowering,
  element: Ty,
  compare: Val | undefined,
  node: Node,
  only: boolean,
  source?: Expr,
): Shown | undefined {
  const [first, second] = [low.names.fresh("other"), low.names.fresh("item")];
  if (source !== undefined) for (const name of [first, second]) noteKeys(low, source, name);
  const [x, y] = [data(variable(first), element), data(variable(second), element)];
  const assumed: Expr[] = [];
  const found = compared(low, x, y, compare, node, assumed, only);
  if (found === undefined) return undefined;
  const isPlain = isText(element) || isNumber(element) || ["bool", "bigint"].includes(element.kind);
  const answer = found.wrap(found.value.expr);
  return {
    first,
    second,
    found,
    assumed: assumed.map((condition) => found.wrap(condition)),
    order: compare === undefined ? "order" : orderOf({ answer, first, second, isPlain }),
  };
}

function inserted(
  low: Lowering,
  list: DataVal & { readonly type: ListTy },
  compare: Val | undefined,
  node: Node,
): Val {
  const { element } = list.type;
  const held = low.names.fresh("sorted");
  const comparison = shown(low, element, compare, node, true, list.expr);
  if (comparison === undefined)
    return low.refuse(
      node,
      "FC2209",
      "the function of `.sort` may only compare, and this one loops, calls a tool or uses chance",
      "make calls and loops before, as a key of each element: `rows.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => a.key - b.key)`",
    );
  const { order, found } = comparison;
  if (order === undefined) return notAnOrder(low, node);
  // Node asks about a later and an earlier element, in this order, and puts the later one first where the answer is negative.
  const [other, item] =
    order === "ties" ? [comparison.second, comparison.first] : [comparison.first, comparison.second];
  for (const condition of comparison.assumed) requireOfAll(low, list.expr, [other, item], condition, node);
  const { expr: answer, type } = found.value;
  const sign = order === "ties" ? op("<", answer, num(0n)) : op(">", answer, num(0n));
  const after = type.kind === "bool" ? answer : sign;
  const part = (body: Expr): Expr =>
    op("filter", variable(held), { kind: "lambda", params: [{ name: other }], body: found.wrap(body) });
  const expr = op(
    "fold",
    list.expr,
    { kind: "list", items: [] },
    {
      kind: "lambda",
      params: [{ name: held, type: toIr(listTy(element)) }, { name: item }],
      body: op("++", part(not(after)), { kind: "list", items: [variable(item)] }, part(after)),
    },
  );
  return data(low.named(expr, "sorted", node), list.type);
}

/** SOUNDNESS: what JavaScript does where a comparison gives `NaN` for some and not for others is left to the engine. */
function requireOfAll(
  low: Lowering,
  list: Expr,
  names: readonly string[],
  condition: Expr,
  node: Node,
): void {
  const whole = low.named(list, "list", node);
  const holds = names.reduceRight<Expr>(
    (body, name) =>
      mentions(body, name) ? op("every", whole, { kind: "lambda", params: [{ name }], body }) : body,
    condition,
  );
  low.require(holds, "what `.sort` compares may be `NaN` or absent", node);
}

/** Compares two elements. Without a comparator JavaScript compares texts: returns whether the first is greater. */
function compared(
  low: Lowering,
  a: Val,
  b: Val,
  compare: Val | undefined,
  node: Node,
  assumed: Expr[],
  only = false,
): ReturnType<typeof computed> {
  const comparison = () => {
    if (compare === undefined) {
      const [x, y] = [sortable(low, a, node), sortable(low, b, node)];
      return data(op(">", textOf(low, x, node), textOf(low, y, node)), bool);
    }
    const answer = present(low, reify(low, invoke(low, compare, [a, b], node), node), node, "the answer");
    if (!isNumber(answer.type) && answer.type.kind !== "bigint")
      return low.refuse(
        node,
        "FC2108",
        `the function of \`.sort\` must give a number and gives \`${tyText(answer.type)}\``,
        "write `a - b` for numbers and `a < b ? -1 : a > b ? 1 : 0` for strings",
      );
    return answer;
  };
  const before = low.assumed;
  low.assumed = assumed;
  try {
    return computed(low, comparison, only);
  } finally {
    low.assumed = before;
  }
}

function sortable(low: Lowering, val: Val, node: Node): DataVal {
  const found = reify(low, val, node);
  if (isText(found.type) || isNumber(found.type) || found.type.kind === "bool") return found;
  return low.refuse(
    node,
    "FC2108",
    `\`.sort\` without a function compares texts, which \`${tyText(found.type)}\` has not`,
    "give it a function: `.sort((a, b) => a.n - b.n)`",
  );
}
