/** Whether two calls that are under way at the same time meet in a fluent, so that the order of their effects matters. */
import type { Expr, Update } from "../../ir/index.ts";
import { children, literal, same } from "../build.ts";
import type { StartedCall } from "./tasks.ts";

interface Access {
  readonly fluent: string;
  readonly key: Expr;
}

/** The fluent that one of the calls changes and the other reads, or changes to something else. */
export function clash(a: StartedCall, b: StartedCall): string | undefined {
  return readsChanged(a, b) ?? readsChanged(b, a) ?? changesOther(a, b);
}

function readsChanged(writer: StartedCall, reader: StartedCall): string | undefined {
  const { tool } = writer.tool;
  const read = accesses(reader);
  return tool.sets.find((update) =>
    read.some(
      (one) => one.fluent === update.fluent && !differ(keyOf(writer, update.key), keyOf(reader, one.key)),
    ),
  )?.fluent;
}

/** Two changes of one cell to the same constant may come in either order. */
function changesOther(a: StartedCall, b: StartedCall): string | undefined {
  const agree = (x: Update, y: Update): boolean => literal(x.value) !== undefined && same(x.value, y.value);
  return a.tool.tool.sets.find((mine) =>
    b.tool.tool.sets.some(
      (theirs) =>
        mine.fluent === theirs.fluent &&
        !agree(mine, theirs) &&
        !differ(keyOf(a, mine.key), keyOf(b, theirs.key)),
    ),
  )?.fluent;
}

/** Everything of the state that a tool's clauses look at. */
function accesses({ tool: { tool } }: StartedCall): Access[] {
  const updates = tool.sets.flatMap(({ key, value, when }) => [key, value, ...(when ? [when] : [])]);
  const clauses = [...tool.requires, ...tool.ensures, ...updates, ...(tool.cost ? [tool.cost] : [])];
  const found: Access[] = [];
  const pending: Expr[] = [...clauses];
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    if (expr.kind === "cell") found.push({ fluent: expr.fluent, key: expr.key });
    pending.push(...children(expr));
  }
  return found;
}

/** The key of a clause, where it is a parameter as the argument of this call. */
function keyOf(call: StartedCall, key: Expr): Expr {
  return key.kind === "var" ? (call.args.get(key.name) ?? key) : key;
}

/** Whether they are constants, and not the same. */
function differ(a: Expr, b: Expr): boolean {
  return literal(a) !== undefined && literal(b) !== undefined && !same(a, b);
}
