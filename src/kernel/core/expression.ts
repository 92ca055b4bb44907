/**
 * Invariants as expressions of the Effect IR: checked when the policy is read, total when they are judged. They see
 * `before` and `after` (the state), `action` and `history`. Only the keys that they name are looked up, so that an
 * invariant on three keys costs the same in a state of ten and of ten thousand.
 * Part of what must be trusted.
 */
import {
  bool,
  check,
  checkExpr,
  type Document,
  defaultLimits,
  type Expr,
  evaluateExactly,
  exprsIn,
  int,
  json,
  LimitReached,
  list,
  listOf,
  Meter,
  multiply,
  type Num,
  type OpExpr,
  parseExpr,
  partsOf,
  record,
  recordOf,
  string,
  type Value,
  valuesOnly,
} from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { why } from "../reasons.ts";
import type { Violation } from "../rules/rule.ts";
import { entriesOf, get, type Trie } from "../trie.ts";
import { type Action, effectValue } from "./action.ts";
import type { BudgetPolicy } from "./budget.ts";
import { isSince } from "./form.ts";
import type { History } from "./history.ts";
import type { Invariant, Scene } from "./invariant.ts";

/** Reads an expression; throws `Refused`. */
export function expressionRule(text: string, budgets: readonly BudgetPolicy[]): Invariant["rule"] {
  const read = parseExpr(text);
  if (!read.ok) return refuse("when cannot be read", { why: read.problems[0]?.message ?? "" });
  const { expr } = read.value;
  const checked = checkExpr(names, expr, "values");
  if (!checked.ok) return refuse("when makes no sense", { why: checked.problems[0]?.message ?? "" });
  if (checked.value.types.get(expr)?.kind !== bool.kind) return refuse("when is no condition");
  const { types } = checked.value;
  const uses = usesOf(expr);
  const holds = (values: readonly (readonly [string, Value])[]): Violation => {
    // SOUNDNESS: a default, such as 0 for a number that is not there, would let the rule hold of nothing.
    const undefinedStep = isSince(3) ? stopAt : undefined;
    const environment = valuesOnly(types, new Meter(meterLimits), undefinedStep);
    for (const [name, value] of values) environment.names.set(name, value);
    try {
      return evaluateExactly(expr, environment) === true ? undefined : why("does not hold");
    } catch (thrown) {
      if (thrown instanceof UndefinedStep) return why("undefined step", { operator: thrown.operator });
      // Expressions are total, so only their size can stop them; whatever does, it was not seen to hold.
      return thrown instanceof LimitReached
        ? why("too much work", { limit: thrown.code })
        : why("cannot be judged");
    }
  };
  const tables = restsOnTables(expr) ? { restsOnTables: () => true } : {};
  if (!uses.has("before") && !uses.has("action") && !uses.has("history")) {
    const after = uses.get("after");
    const isOrderFree = after === undefined || (after !== "whole" && after.size === 1);
    return {
      ...tables,
      ...(isOrderFree && { isOrderFree }),
      state: (data) => holds([["after", seen(data, after)]]),
    };
  }
  return {
    ...tables,
    step: (scene) =>
      holds([
        ["before", seen(scene.before, uses.get("before"))],
        ["after", seen(scene.after, uses.get("after"))],
        ["action", actionValue(scene, budgets)],
        ["history", uses.has("history") ? historyValue(scene.history()) : null],
      ]),
  };
}

class UndefinedStep extends Error {
  readonly operator: string;
  constructor(operator: string) {
    super();
    this.operator = operator;
  }
}

function stopAt(expr: OpExpr): void {
  if (!isCallCount(expr)) throw new UndefinedStep(expr.op);
}

/**
 * Recognizes the call count of a tool: `value(jsonNumber(value(jsonField(history.calls, …))))`, or a part of that. A
 * tool that is not in there was called 0 times, which is no default.
 */
function isCallCount(expr: Expr): boolean {
  if (expr.kind !== "op") return false;
  const [of] = expr.args;
  if (of === undefined) return false;
  if (expr.op === "jsonField")
    return of.kind === "field" && of.name === "calls" && of.of.kind === "var" && of.of.name === "history";
  return (expr.op === "value" || expr.op === "jsonNumber") && of.kind !== "lambda" && isCallCount(of);
}

const meterLimits = { ...defaultLimits, steps: limits.expressionSteps };

const actionType = recordOf([
  { name: "id", type: string },
  { name: "tool", type: string, optional: true },
  { name: "args", type: json, optional: true },
  {
    name: "effects",
    type: listOf(
      recordOf([
        { name: "key", type: string },
        { name: "op", type: string },
        { name: "value", type: json, optional: true },
      ]),
    ),
  },
  { name: "cost", type: json },
]);

const historyType = recordOf([
  { name: "steps", type: int },
  { name: "refusals", type: int },
  { name: "rollbacks", type: int },
  { name: "emergencies", type: int },
  { name: "spent", type: json },
  { name: "calls", type: json },
]);

const names = namesDocument();

function namesDocument() {
  const document: Document = {
    effectIr: 1,
    tools: [],
    fluents: [],
    program: {
      inputs: [
        { name: "before", type: json },
        { name: "action", type: actionType },
        { name: "after", type: json },
        { name: "history", type: historyType },
      ],
      body: [],
    },
    guarantees: [],
  };
  const checked = check(document);
  if (!checked.ok) throw new TypeError("the names of invariants do not fit together");
  return checked.value;
}

/** The names that an expression uses, with their fields; `whole` if it uses a name in any other way. */
type Uses = ReadonlyMap<string, ReadonlySet<string> | "whole">;

function usesOf(expr: Expr): Uses {
  const uses = new Map<string, Set<string> | "whole">();
  const visit = (one: Expr): void => {
    const read = fieldRead(one);
    if (read === undefined) {
      if (one.kind === "var") uses.set(one.name, "whole");
      for (const part of partsOf(one)) visit(part);
      return;
    }
    const known = uses.get(read.of) ?? new Set<string>();
    if (known !== "whole") uses.set(read.of, known.add(read.field));
  };
  visit(expr);
  return uses;
}

const byTables: ReadonlySet<string> = new Set([
  "toLowerCase",
  "toUpperCase",
  "trim",
  "trimStart",
  "trimEnd",
  "hasMatch",
  "firstMatch",
  "allMatches",
  "replaceMatch",
  "replaceMatches",
  "splitByMatch",
  "sortKey",
]);

/** Returns true if an operator in the expression depends on Unicode tables. */
function restsOnTables(expr: Expr): boolean {
  for (const one of exprsIn(expr)) if (one.kind === "op" && byTables.has(one.op)) return true;
  return false;
}

/** `jsonField(name, "field")`, with the field written out. */
function fieldRead(expr: Expr): { readonly of: string; readonly field: string } | undefined {
  if (expr.kind !== "op" || expr.op !== "jsonField") return undefined;
  const [of, field] = expr.args;
  return of?.kind === "var" && field?.kind === "string" ? { of: of.name, field: field.value } : undefined;
}

function seen(data: Trie<Value>, fields: ReadonlySet<string> | "whole" | undefined): Value {
  if (fields === undefined) return null;
  if (fields === "whole") return record(entriesOf(data));
  const found: [string, Value][] = [];
  for (const field of fields) {
    const value = get(data, field);
    if (value !== undefined) found.push([field, value]);
  }
  return record(found);
}

function actionValue({ action }: Scene, budgets: readonly BudgetPolicy[]): Value {
  if (action === undefined)
    return record([
      ["id", ""],
      ["effects", list([])],
      ["cost", record([])],
    ]);
  const fields: [string, Value][] = [
    ["id", action.id],
    ["effects", list(action.effects.map(effectValue))],
    ["cost", costOf(action, budgets)],
  ];
  if (action.tool !== undefined) fields.push(["tool", action.tool]);
  if (action.args !== undefined) fields.push(["args", action.args]);
  return record(fields);
}

/** Every budget, as a number; texts cannot be compared by size. */
function costOf({ charges }: Action, budgets: readonly BudgetPolicy[]): Value {
  return numbers(budgets.map(({ name, quantum }, i) => [name, multiply(charges[i] ?? 0n, quantum.size)]));
}

function historyValue(history: History): Value {
  return record([
    ["steps", BigInt(history.steps)],
    ["refusals", BigInt(history.refusals)],
    ["rollbacks", BigInt(history.rollbacks)],
    ["emergencies", BigInt(history.emergencies)],
    ["spent", numbers(history.spent)],
    ["calls", numbers([...entriesOf(history.calls)].map(([tool, count]) => [tool, BigInt(count)]))],
  ]);
}

function numbers(named: readonly (readonly [string, Num])[]): Value {
  return record(named);
}
