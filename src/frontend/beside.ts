/**
 * Guarantees that could tell calls beside one another from calls after one another. Where a call fails and nothing
 * catches it, a run stops before the next; JavaScript has started the next already. That shows in a guarantee by which
 * the later call may be there only if the earlier one is: "every payment comes after a question".
 * See docs/adr/0033-calls-beside-one-another.md.
 */
import type { Expr, Relation } from "../ir/index.ts";
import { children } from "./build.ts";
import type { Beside } from "./lower/tasks.ts";
import type { CompiledProgram } from "./program.ts";
import type { Problems } from "./refusal.ts";

/** SOUNDNESS: of stated and of required guarantees alike, so this comes after both are known. */
export function checkBeside(program: CompiledProgram, problems: Problems): void {
  if (program.beside.length === 0) return;
  for (const { guarantee } of program.guarantees) {
    if (guarantee.formula === undefined) continue;
    for (const part of partsOf(guarantee.formula)) {
      const roles = new Roles(program);
      roles.collect(part, 1);
      const pair = program.beside.find((one) => roles.rulesOut(one));
      if (pair === undefined) continue;
      const { file, start, end } = pair.spot;
      problems.add({
        code: "FC2324",
        message: `JavaScript makes this call of \`${pair.second}\` even if that of \`${pair.first}\` fails, and \`${guarantee.name}\` allows it only with that one`,
        file,
        span: { start, end },
        help: `await the call of \`${pair.first}\` before this one is made`,
      });
    }
  }
}

/** All of them must hold; one that two numbers are equal is that neither is greater. */
function partsOf(formula: Expr): Expr[] {
  if (formula.kind !== "op") return [formula];
  if (formula.op === "and") return formula.args.flatMap(partsOf);
  if (formula.op === "==" && formula.args.some(hasAggregate))
    return ["<=", ">="].map((op) => ({ ...formula, op }));
  return [formula];
}

function hasAggregate(expr: Expr): boolean {
  return expr.kind === "aggregate" || children(expr).some(hasAggregate);
}

/** 1: more calls make it true, or greater. -1: fewer do. 0: both may. */
type Direction = 1 | 0 | -1;

/** The tools whose calls a formula asks for, and those whose calls it restricts. */
class Roles {
  readonly #program: CompiledProgram;
  readonly #needed = new Set<string>();
  readonly #restricted = new Set<string>();
  readonly #fluents = new Set<string>();
  /** Numbers that a name stands for, as the calls that they count. */
  readonly #counted = new Map<string, Relation>();

  constructor(program: CompiledProgram) {
    this.#program = program;
  }

  rulesOut({ first, second }: Beside): boolean {
    if (this.#needed.has(first) && this.#restricted.has(second)) return true;
    const [before, after] = [this.#changedBy(first), this.#changedBy(second)];
    return before.some((one) => after.some((other) => other !== one));
  }

  #changedBy(tool: string): string[] {
    const sets = this.#program.tools.get(tool)?.tool.sets ?? [];
    return sets.map(({ fluent }) => fluent).filter((fluent) => this.#fluents.has(fluent));
  }

  collect(expr: Expr, direction: Direction): void {
    switch (expr.kind) {
      case "quantifier": {
        const all = expr.quantifier === "forall";
        this.#rows(expr.over.in, all ? opposite(direction) : direction);
        if (expr.over.where) this.collect(expr.over.where, all ? opposite(direction) : direction);
        this.collect(expr.body, direction);
        return;
      }
      case "aggregate": {
        const grows = expr.aggregate === "count" || expr.aggregate === "sum";
        this.#rows(expr.over.in, grows ? direction : 0);
        if (expr.over.where) this.collect(expr.over.where, grows ? direction : 0);
        for (const part of [expr.value, expr.otherwise]) if (part) this.collect(part, 0);
        return;
      }
      case "perKey":
        this.#rows(expr.over.in, expr.quantifier === "forall" ? opposite(direction) : direction);
        this.#counted.set(expr.name, expr.over.in);
        if (expr.over.where) this.collect(expr.over.where, 0);
        for (const part of [expr.key, expr.value]) if (part) this.collect(part, 0);
        this.collect(expr.body, direction);
        return;
      case "distinct":
        this.#rows(expr.over.in, opposite(direction));
        if (expr.over.where) this.collect(expr.over.where, opposite(direction));
        return;
      case "automaton":
        for (const { over } of expr.on) {
          this.#rows(over.in, 0);
          if (over.where) this.collect(over.where, 0);
        }
        return;
      case "var": {
        const counted = this.#counted.get(expr.name);
        if (counted !== undefined) this.#rows(counted, direction);
        return;
      }
      case "cell":
        this.#fluents.add(expr.fluent);
        this.collect(expr.key, 0);
        return;
      case "let":
        this.collect(expr.value, 0);
        this.collect(expr.body, direction);
        return;
      case "always":
        this.collect(expr.body, direction);
        return;
      case "op":
        this.#operator(expr.op, expr.args, direction);
        return;
      default:
        for (const child of children(expr)) this.collect(child, 0);
    }
  }

  #operator(op: string, args: readonly Expr[], direction: Direction): void {
    const directions = directionsOf(op, args, direction);
    args.forEach((arg, i) => {
      this.collect(arg, directions[i] ?? 0);
    });
  }

  #rows(relation: Relation, direction: Direction): void {
    if (relation.kind === "cells") {
      this.#fluents.add(relation.fluent);
      return;
    }
    for (const tool of this.#toolsIn(relation)) {
      if (direction >= 0) this.#needed.add(tool);
      if (direction <= 0) this.#restricted.add(tool);
    }
  }

  #toolsIn(relation: Exclude<Relation, { kind: "cells" }>): string[] {
    if (relation.kind !== "label") return [relation.tool];
    return [...this.#program.tools.values()]
      .filter(({ tool }) => tool.labels.includes(relation.label))
      .map(({ tool }) => tool.name);
  }
}

function directionsOf(op: string, args: readonly Expr[], direction: Direction): readonly Direction[] {
  switch (op) {
    case "and":
    case "or":
    case "+":
      return args.map(() => direction);
    case "not":
    case "negate":
      return [opposite(direction)];
    case "-":
    case ">":
    case ">=":
      return [direction, opposite(direction)];
    case "<":
    case "<=":
      return [opposite(direction), direction];
    case "if":
      return [0, direction, direction];
    default:
      return [];
  }
}

function opposite(direction: Direction): Direction {
  return direction === 0 ? 0 : direction === 1 ? -1 : 1;
}
