/**
 * `sort` and `toSorted`. Elements whose order is known are put in order here; a list of the run is put in order one
 * element after the other, each behind those that are not greater, which is the stable order that JavaScript gives
 * for every comparator that is one.
 */
import type { Node } from "oxc-parser";
import type { Expr } from "../../ir/document.ts";
import { literal, not, num, op, variable } from "../build.ts";
import { bool, isNumber, isText, type ListTy, listTy, toIr, tyText } from "../ty.ts";
import { type DataVal, data, type Val } from "../value.ts";
import { computed, invoke } from "./callback.ts";
import { textOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { present, reify } from "./data.ts";

/** The elements in order: as elements where that is known, otherwise as a list of the run. */
export function sorted(low: Lowering, held: Val, compare: Val | undefined, node: Node): Val {
  if (held.kind === "items") {
    const known = knownOrder(low, held.items, compare, node);
    if (known !== undefined) return { kind: "items", items: known };
  }
  const list = reify(low, held, node, true);
  if (list.type.kind !== "list") return low.refuse(node, "FC2309", "only a list can be sorted");
  const { element } = list.type;
  if (element.kind === "never") return list;
  if (element.kind === "option")
    return low.refuse(
      node,
      "FC2109",
      "a list whose elements may be absent cannot be sorted",
      "leave them out first with `.filter((x) => x !== null && x !== undefined)`",
    );
  return inserted(low, { kind: "data", expr: list.expr, type: list.type }, compare, node);
}

/** Puts each element behind those that are not greater; undefined where a comparison is not known. */
function knownOrder(
  low: Lowering,
  items: readonly Val[],
  compare: Val | undefined,
  node: Node,
): readonly Val[] | undefined {
  const order: Val[] = [];
  for (const item of items) {
    let at = order.length;
    for (let i = order.length - 1; i >= 0; i--) {
      const other = order[i];
      if (other === undefined) continue;
      low.countIteration(node);
      const after = isGreater(low, other, item, compare, node);
      const value = after && literal(after.wrap(after.value.expr));
      if (typeof value !== "boolean") return undefined;
      if (!value) break;
      at = i;
    }
    order.splice(at, 0, item);
  }
  return order;
}

function inserted(
  low: Lowering,
  list: DataVal & { readonly type: ListTy },
  compare: Val | undefined,
  node: Node,
): Val {
  const { element } = list.type;
  const [held, item, other] = [low.names.fresh("sorted"), low.names.fresh("item"), low.names.fresh("other")];
  const [x, y] = [data(variable(other), element), data(variable(item), element)];
  const after = isGreater(low, x, y, compare, node, true);
  if (after === undefined)
    return low.refuse(
      node,
      "FC2209",
      "the function of `.sort` may only compare",
      "make the calls before, and keep what they give in a list",
    );
  const part = (body: Expr): Expr =>
    op("filter", variable(held), { kind: "lambda", params: [{ name: other }], body: after.wrap(body) });
  const expr = op(
    "fold",
    list.expr,
    { kind: "list", items: [] },
    {
      kind: "lambda",
      params: [{ name: held, type: toIr(listTy(element)) }, { name: item }],
      body: op(
        "++",
        part(not(after.value.expr)),
        { kind: "list", items: [variable(item)] },
        part(after.value.expr),
      ),
    },
  );
  return data(low.named(expr, "sorted", node), list.type);
}

/** Whether the first must stand behind the second. Without a comparator, texts are compared, as in JavaScript. */
function isGreater(
  low: Lowering,
  a: Val,
  b: Val,
  compare: Val | undefined,
  node: Node,
  only = false,
): ReturnType<typeof computed> {
  const compared = () => {
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
    return data(op(">", answer.expr, num(0n)), bool);
  };
  return computed(low, compared, only);
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
