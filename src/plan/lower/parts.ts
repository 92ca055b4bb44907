/** Small parts of lowered documents. */
import type { Expr } from "../../ir/index.ts";

/** INVARIANT: no name hides another, whatever actions are called. */
export function unused(name: string, used: Set<string>): string {
  let free = name;
  for (let n = 2; used.has(free); n++) free = `${name} (${n})`;
  used.add(free);
  return free;
}

export function allOf(conditions: readonly Expr[]): Expr | undefined {
  const [first, ...others] = conditions;
  if (first === undefined) return undefined;
  return others.reduce<Expr>((all, one) => ({ kind: "op", op: "and", args: [all, one] }), first);
}

export function variable(name: string): Expr {
  return { kind: "var", name };
}

export function isSome(name: string): Expr {
  return { kind: "op", op: "isSome", args: [variable(name)] };
}

export function not(expr: Expr): Expr {
  return { kind: "op", op: "not", args: [expr] };
}
