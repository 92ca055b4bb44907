/** Invariant candidates about every cell of a fluent that a loop sets. Not trusted. */
import { invariantNames, type Met } from "../../certificate/index.ts";
import {
  type Checked,
  type Expr,
  exprsIn,
  type Fluent,
  printExpr,
  printIdentifier,
  type QuantifierExpr,
  variablesOf,
} from "../../ir/index.ts";
import {
  type CellMoment,
  type CellView,
  cellGuessesOf,
  type KeySet,
  type Stated,
} from "../loops/cell-candidates.ts";
import { constantsOf, integersOf, textsOf } from "../loops/constants.ts";
import { scalar, sortOf } from "../symbolic/symbolic-value.ts";
import type { Sort } from "../terms/term.ts";
import type { Standing } from "./standing.ts";

export function cellTexts(checked: Checked, loop: Met, standing: Standing): readonly string[] {
  return loop.fluents.flatMap((name) => {
    const fluent = checked.fluents.get(name);
    const sort = fluent && sortOf(fluent.key);
    return fluent === undefined || sort === undefined
      ? []
      : textsOfCell(checked, loop, fluent, sort, standing);
  });
}

function textsOfCell(
  checked: Checked,
  loop: Met,
  fluent: Fluent,
  sort: Sort,
  standing: Standing,
): readonly string[] {
  const { terms } = standing;
  const { name } = fluent;
  const held = sortOf(fluent.value) ?? "Bool";
  const [now, before] = [invariantNames.cell(name), invariantNames.firstCell(name)].map((written) => {
    const value = scalar(standing.named(written, held));
    return { read: () => value };
  });
  if (now === undefined || before === undefined) return [];
  const moment = momentOf(loop, invariantNames.cellKey(name), sort, standing);
  const view: CellView = { key: standing.named(invariantNames.cellKey(name), sort), before, now, moment };
  const literals = [...constantsOf(checked, terms), ...textsOf(checked, terms)];
  const inputs = checked.document.program.inputs.flatMap((input) => {
    const given = input.optional === true ? undefined : sortOf(input.type);
    return given === undefined ? [] : [standing.named(input.name, given)];
  });
  const keys = [...inputs, ...integersOf(checked, terms), ...literals].filter((term) => term.sort === sort);
  const stated = statedOf(checked, fluent).map((text): Stated => {
    const holds = standing.for(`(${text})`, "Bool");
    return { fluent: name, reads: [name], holds: () => holds };
  });
  return cellGuessesOf(terms, fluent, moment, stated, literals, keys).map(({ at }) =>
    standing.text(at(view)),
  );
}

function momentOf({ command }: Met, key: string, sort: Sort, standing: Standing): CellMoment {
  const { terms } = standing;
  const index = standing.named(invariantNames.index, "Int");
  const changes = command.carry.flatMap(({ name, type }) => {
    const number = type.kind === "int" ? "Int" : type.kind === "real" ? "Real" : undefined;
    if (number === undefined) return [];
    const [after, first] = [name, invariantNames.first(name)].map((one) =>
      terms.toReal(standing.named(one, number)),
    );
    return after && first ? [terms.apply("-", after, first)] : [];
  });
  const lists = command.carry.flatMap(({ name, type }): KeySet[] => {
    if (type.kind !== "list" || sortOf(type.element) !== sort) return [];
    const has = standing.for(`contains(${printIdentifier(name)}, ${printIdentifier(key)})`, "Bool");
    return [{ sort, has: () => has }];
  });
  const passed: KeySet = { sort: "Int", has: (one) => terms.apply("<", one, index) };
  return { index, changes, sets: [...lists, passed] };
}

/** LIMIT: of what guarantees say of every cell. */
const mostStated = 4;

/** Instantiates the guarantees' formulas about every cell for one cell. */
function statedOf(checked: Checked, fluent: Fluent): readonly string[] {
  const found = new Set<string>();
  const add = ({ over, quantifier, body }: QuantifierExpr) => {
    if (over.in.kind !== "cells" || over.in.fluent !== fluent.name || over.in.at === "initial") return;
    const [said, where] = [body, over.where].map((part) => part && inCell(part, over.var, fluent.name));
    if (said === undefined || (over.where !== undefined && where === undefined)) return;
    const op = quantifier === "forall" ? "implies" : "and";
    const whole: Expr = where === undefined ? said : { kind: "op", op, args: [where, said] };
    found.add(printExpr(quantifier === "forall" ? whole : { kind: "op", op: "not", args: [whole] }));
  };
  for (const expr of exprsIn(...checked.document.guarantees.map(({ formula }) => formula)))
    if (expr.kind === "quantifier") add(expr);
  return [...found].slice(0, mostStated);
}

/** With the names of a cell for the parts of the row; undefined for what speaks of more. */
function inCell(expr: Expr, row: string, name: string): Expr | undefined {
  const { cell, cellKey } = invariantNames;
  if (expr.kind === "field" && expr.of.kind === "var" && expr.of.name === row)
    return { kind: "var", name: expr.name === "key" ? cellKey(name) : cell(name) };
  if (expr.kind === "op") {
    const args = expr.args.flatMap((arg) => inCell(arg, row, name) ?? []);
    return args.length === expr.args.length ? { ...expr, args } : undefined;
  }
  const isPlain = ["bool", "number", "string", "none", "var"].includes(expr.kind);
  return isPlain && !variablesOf(expr).has(row) ? expr : undefined;
}
