/**
 * Checks before and after a call: the conditions of its tool, its cost, and its result. The one place for calls of
 * runs and of sessions. Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { fromJs } from "../convert/from-js.ts";
import type { Diagnostic, Trail } from "../diagnostic.ts";
import type { Expr, Tool } from "../document.ts";
import { callEnvironment, costOf, firstBroken, writesOf } from "../eval/clauses.ts";
import type { Environment } from "../eval/evaluate.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { isPartly, Unknown } from "../eval/partly.ts";
import type { State, Write } from "../eval/state.ts";
import type { Outcome } from "../eval/trace.ts";
import { compare, type Num, numText } from "../number.ts";
import { printExpr, printValue } from "../text/printer.ts";
import type { RecordValue, Value } from "../value.ts";
import { variablesOf } from "../visit.ts";
import { Stop } from "./stop.ts";

/** A tool with the arguments of one call of it. */
export interface ToolCall {
  readonly tool: Tool;
  readonly args: RecordValue;
}

/** Throws a `Stop` if the call must not be made in this state. */
export function lookBefore(
  checked: Checked,
  tool: Tool,
  args: RecordValue,
  state: State,
  meter: Meter,
  trail: Trail,
): { readonly cost: Num; readonly writes: readonly Write[] } {
  const before = callEnvironment(checked, tool, args, state, meter);
  checkRequires(tool, before, trail);
  return { cost: checkedCost(tool, before, trail), writes: writesOf(tool, before) };
}

/**
 * SOUNDNESS: the proof speaks of results that are of their type and meet `ensures`. With any other, or one that
 * is too big to be looked at, the call counts as one that may have had its effect, and the run stops.
 */
export function judgeAnswer(
  checked: Checked,
  call: ToolCall,
  value: unknown,
  state: State,
  meter: Meter,
): Outcome {
  const { tool } = call;
  try {
    const result = tool.result && fromJs(value, tool.result, { limits: meter.limits });
    if (result !== undefined && !result.ok) {
      const [problem] = result.problems;
      const reason = `returned a wrong value${placeIn(problem)}: ${problem?.message}`;
      const broken = { kind: "broken", code: "FC1505", reason } as const;
      return problem?.help === undefined ? broken : { ...broken, help: problem.help };
    }
    const broken = brokenPromise(checked, call, result?.value, state, meter);
    if (broken === undefined)
      return result === undefined ? { kind: "returned" } : { kind: "returned", result: result.value };
    return {
      kind: "broken",
      code: "FC1506",
      reason: `ensures ${broken}, which does not hold for what it returned`,
    };
  } catch (thrown) {
    if (!(thrown instanceof LimitReached)) throw thrown;
    return {
      kind: "broken",
      code: thrown.code,
      reason: `returned what takes too much to look at: ${thrown.message}`,
    };
  }
}

/** The condition on its result that the tool does not keep, in words. */
export function brokenPromise(
  checked: Checked,
  { tool, args }: ToolCall,
  result: Value | undefined,
  state: State,
  meter: Meter,
): string | undefined {
  if (tool.ensures.length === 0) return undefined;
  const after = callEnvironment(checked, tool, args, state, meter, result);
  const broken = firstBroken(tool.ensures, after);
  return broken && `\`${printExpr(broken.condition)}\`${valuesIn(broken.condition, after)}`;
}

function checkRequires(tool: Tool, environment: Environment, trail: Trail): void {
  const broken = firstBroken(tool.requires, environment);
  if (broken === undefined) return;
  const needs = `\`${tool.name}\` requires \`${printExpr(broken.condition)}\``;
  if (broken.why instanceof Unknown)
    throw new Stop("FC1512", trail, `${needs}, which is not known: ${broken.why.why}`);
  throw new Stop("FC1502", trail, `${needs}, which does not hold${valuesIn(broken.condition, environment)}`);
}

function checkedCost(tool: Tool, environment: Environment, trail: Trail): Num {
  const cost = costOf(tool, environment);
  if (compare(cost, 0n) >= 0) return cost;
  throw new Stop(
    "FC1514",
    trail,
    `\`${tool.name}\` would cost ${numText(cost)}, and a cost cannot be negative`,
  );
}

/** Renders the place of a problem in a value. */
export function placeIn(problem: Diagnostic | undefined): string {
  if (problem === undefined || problem.path.length === 0) return "";
  const steps = problem.path.length > 8 ? [...problem.path.slice(0, 8), "…"] : problem.path;
  return ` at \`${steps.join(".")}\``;
}

/** Lists the values of the names in a broken condition: `, where \`amount\` is -1`. */
function valuesIn(condition: Expr, { names }: Environment): string {
  const shown = [...variablesOf(condition)].flatMap((name) => {
    const value = names.get(name);
    return value === undefined || isPartly(value) ? [] : [`\`${name}\` is \`${printValue(value, 60)}\``];
  });
  return shown.length === 0 ? "" : ` (${shown.slice(0, 4).join(", ")})`;
}
