/** Fluents: their cells at a moment, and updates. */
import type { Node } from "oxc-parser";
import type { Relation } from "../../ir/index.ts";
import { bool, type Ty } from "../ty.ts";
import { data, type FluentInfo, type RelationVal, type StateVal, undefinedVal, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { convert, reify } from "./data.ts";
import { overRelation } from "./relation.ts";

export function use(low: Lowering, fluent: FluentInfo): void {
  low.usedFluents.set(fluent.fluent.name, fluent);
}

export function fluentMethod(
  low: Lowering,
  info: FluentInfo,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const { fluent, key, value } = info;
  if (low.mode.kind !== "formula" || low.mode.view !== "state") {
    const help =
      low.mode.kind === "formula"
        ? "a contract reads `.final.get(key)` or `.initial.get(key)`"
        : "a program cannot see fluents; state a contract about them";
    return low.refuse(
      node,
      "FC2219",
      `\`${fluent.name}\` cannot be ${name === "set" ? "set" : "read"} here`,
      help,
    );
  }
  use(low, info);
  const [first = undefinedVal, second] = args;
  const at = convert(low, first, key, node, `the key of \`${fluent.name}\``).expr;
  if (name === "get") return data({ kind: "cell", at: "now", fluent: fluent.name, key: at }, value);
  if (second === undefined)
    return low.refuse(node, "FC2314", `\`${fluent.name}.set\` takes a key and a value`);
  return {
    kind: "update",
    fluent: fluent.name,
    key: at,
    value: convert(low, second, value, node, `the value of \`${fluent.name}\``).expr,
  };
}

export function stateMethod(
  low: Lowering,
  of: StateVal,
  name: string,
  args: readonly Val[],
  node: Node,
): Val {
  const { fluent, key, value } = of.fluent;
  const [first] = args;
  if (first === undefined) return low.refuse(node, "FC2314", `\`.${name}\` needs an argument`);
  if (name === "get") {
    if (of.at === "always")
      return low.refuse(node, "FC2206", "`.always` has only `.all`", "write `.always.all((d) => …)`");
    return data(
      {
        kind: "cell",
        at: of.at,
        fluent: fluent.name,
        key: convert(low, first, key, node, `the key of \`${fluent.name}\``).expr,
      },
      value,
    );
  }
  if (of.at === "initial" || (of.at === "always" && name !== "all"))
    return low.refuse(
      node,
      "FC2206",
      `\`.${of.at}\` has no \`.${name}\``,
      of.at === "always" ? "write `.always.all((d) => …)`" : "write `.initial.get(key)`",
    );
  const row: Ty = {
    kind: "record",
    fields: [
      { name: "key", type: key },
      { name: "value", type: value },
    ],
  };
  const moment = of.at === "always" ? "now" : of.at;
  const relation: Relation = { kind: "cells", at: moment, fluent: fluent.name };
  const cells: RelationVal = { kind: "relation", relation, row, where: [], hint: "cell" };
  const said = overRelation(low, cells, name, [first], node);
  if (of.at !== "always") return said;
  return data({ kind: "always", body: reify(low, said, node).expr }, bool);
}
