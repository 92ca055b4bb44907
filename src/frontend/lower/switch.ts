/** `switch`: the tests in order, then the bodies from the first that is equal on. */
import type { SwitchStatement } from "oxc-parser";
import { Scope } from "../scope.ts";
import { undefinedVal, type Val } from "../value.ts";
import { strictEqual } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { expression } from "./expression.ts";
import { branch } from "./merge.ts";
import { slug } from "./names.ts";
import { rejoin, takeExits } from "./rejoin.ts";
import { hoist, statements } from "./statement.ts";

export function switchStatement(low: Lowering, scope: Scope, node: SwitchStatement): void {
  const value = expression(low, scope, node.discriminant);
  // Only now: the value may have thrown, and then nothing comes after it.
  const entry = low.path;
  const exits = low.collectExits(() => cases(low, scope, node, value));
  const breaks = takeExits(low, exits, ["break"]);
  rejoin(low, breaks, breaks.length === exits.length ? entry : undefined, node);
}

/** Tests are looked at in order; from the first that is equal on, bodies run until a `break`. */
function cases(low: Lowering, scope: Scope, node: SwitchStatement, value: Val): void {
  const fallback = node.cases.findIndex((one) => one.test === null);
  // Looked for once: there may be as many ways in as there are cases.
  const declarations = node.cases
    .flatMap((one) => one.consequent)
    .filter(({ type }) => type === "FunctionDeclaration" || type === "VariableDeclaration");
  const declared = (): Scope => {
    const inner = new Scope(scope);
    hoist(low, declarations, inner, low.module);
    return inner;
  };
  // What a body declares has no value for those who enter further down, so each way in has names of its own.
  const run = (from: number): Val => {
    const inner = declared();
    for (let i = from; i < node.cases.length && low.isReached; i++)
      statements(low, inner, node.cases[i]?.consequent ?? []);
    return undefinedVal;
  };
  const tests = declared();
  const from = (i: number): Val => {
    const one = node.cases[i];
    if (one === undefined) return fallback === -1 ? undefinedVal : run(fallback);
    if (one.test === null) return from(i + 1);
    const test = expression(low, tests, one.test);
    const hint = slug(`${low.sourceOf(node.discriminant)} === ${low.sourceOf(one.test)}`, "case");
    return branch(
      low,
      strictEqual(low, value, test, one.test),
      one.test,
      hint,
      () => run(i),
      () => from(i + 1),
    );
  };
  from(0);
}
