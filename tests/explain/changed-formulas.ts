/** Formulas that differ from a given one in one place, and in what they mean. */
import type { AutomatonExpr, Document, Expr, OpExpr } from "../../src/ir/document.ts";
import { add } from "../../src/ir/number.ts";

/** Groups of operators: exchanging two of a group changes the meaning. */
const operatorGroups: readonly (readonly string[])[] = [
  ["<", "<=", ">", ">="],
  ["==", "!="],
  ["and", "or"],
  ["and", "implies"],
  ["min", "max"],
  ["+", "*"],
  ["-", "/"],
  ["startsWith", "endsWith", "contains"],
  ["floor", "ceil", "round", "truncate"],
  ["trim", "trimStart", "trimEnd", "toLowerCase", "toUpperCase"],
  ["every", "any"],
  ["negate", "abs"],
];

type Node = Readonly<Record<string, unknown>>;

/** Not all of them make sense: the checker has the last word. */
export function changedFormulas(formula: Expr, document: Document): Expr[] {
  return placesOf(formula).flatMap(({ node, put }) => otherNodes(node, document).map((other) => put(other)));
}

interface Place {
  readonly node: Node;
  readonly put: (other: unknown) => Expr;
}

function placesOf(formula: Expr): Place[] {
  const found: Place[] = [];
  const visit = (node: unknown, put: (other: unknown) => unknown): void => {
    if (Array.isArray(node)) {
      node.forEach((item, i) => visit(item, (other) => put(node.map((one, j) => (i === j ? other : one)))));
    } else if (typeof node === "object" && node !== null) {
      if ("den" in node) return;
      found.push({ node: node as Node, put: (other) => put(other) as Expr });
      for (const [slot, part] of Object.entries(node))
        if (slot !== "type") visit(part, (other) => put({ ...node, [slot]: other }));
    }
  };
  visit(formula, (other) => other);
  return found;
}

function otherNodes(node: Node, { tools, fluents, program }: Document): unknown[] {
  const others = (slot: string, names: readonly string[]): unknown[] =>
    names.filter((name) => name !== node[slot]).map((name) => ({ ...node, [slot]: name }));
  const toolNames = tools.map((tool) => tool.name);
  const where = "where" in node ? withoutWhere(node) : [];
  switch (node.kind) {
    case "number":
      return [{ ...node, value: add(node.value as bigint, 1n) }];
    case "string":
      return [{ ...node, value: `${node.value}x` }];
    case "bool":
      return [{ ...node, value: !node.value }];
    case "op": {
      const groups = operatorGroups.filter((group) => group.includes(String(node.op)));
      const { args } = node as unknown as OpExpr;
      return [...groups.flatMap((group) => others("op", group)), ...(node.op === "not" ? [args[0]] : [])];
    }
    case "quantifier":
      return others("quantifier", ["forall", "exists"]);
    case "perKey":
      return [...others("quantifier", ["forall", "exists"]), ...others("aggregate", ["sum", "min", "max"])];
    case "aggregate":
      return others("aggregate", ["min", "max"]);
    case "calls":
    case "rows":
      return others("tool", toolNames);
    case "tool": {
      const { field: _, ...whole } = node;
      return [...others("tool", toolNames), ...(node.field === undefined ? [] : [whole])];
    }
    case "untrusted":
      return [{ kind: "input" }];
    case "flows":
      return [{ kind: "mayRead", value: node.value, reader: { kind: "string", value: "me" } }];
    case "automaton": {
      const { on, error } = node as unknown as AutomatonExpr;
      return [
        ...on.map((_, i) => ({ ...node, on: on.filter((_one, j) => i !== j) })),
        ...on.map((one, i) => ({ ...node, on: on.with(i, { ...one, to: `${one.to}x` }) })),
        ...error.map((_, i) => ({ ...node, error: error.filter((_one, j) => i !== j) })),
        { ...node, start: `${node.start}x` },
      ].map((changed) => ({ ...changed, states: statesIn(changed) }));
    }
    case "label":
      return others("label", [...new Set(tools.flatMap((tool) => tool.labels))]);
    case "input":
      return others(
        "input",
        program.inputs.map(({ name }) => name),
      );
    case "cells":
    case "cell":
      return [
        ...others(
          "fluent",
          fluents.map(({ name }) => name),
        ),
        ...others("at", ["initial", "now", "final"]),
      ];
    case "field":
      return others("name", [
        "key",
        "value",
        ...tools.flatMap((tool) => tool.params.map(({ name }) => name)),
      ]);
    case "precedes":
      return node.first === node.second ? [] : [{ ...node, first: node.second, second: node.first }];
    case "list":
      return (node.items as unknown[]).length > 1
        ? [{ ...node, items: (node.items as unknown[]).slice(1) }]
        : [];
    default:
      return where;
  }
}

/** All that it speaks of, so that none is unknown. */
function statesIn({ start, on, error }: Partial<AutomatonExpr>): string[] {
  const named = [start ?? "", ...(on ?? []).flatMap(({ from, to }) => [from, to]), ...(error ?? [])];
  return [...new Set(named)];
}

/** Changes of a selection. */
function withoutWhere({ where, ...rest }: Node): unknown[] {
  return where === undefined ? [] : [rest, { ...rest, where: { kind: "op", op: "not", args: [where] } }];
}
