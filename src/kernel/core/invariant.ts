/**
 * Invariants: a ready rule, an expression of the Effect IR or a function, under a name, blocking or monitoring.
 * Part of what must be trusted.
 */
import { type KernelCode, refuse } from "../problem.ts";
import type { Clock, Rule, Violation } from "../rules/rule.ts";
import type { Action } from "./action.ts";
import type { Data } from "./effects.ts";
import type { History } from "./history.ts";

export type Enforcement = "blocking" | "monitoring";
export const enforcements: readonly Enforcement[] = ["blocking", "monitoring"];

export interface Invariant {
  readonly name: string;
  readonly enforcement: Enforcement;
  readonly rule: Rule & { readonly step?: (scene: Scene) => Violation };
  readonly passes: Check;
  readonly notJudged: Check;
}

/** What an invariant is judged on. */
export interface Scene {
  /** `ordinary`: an action. `other`: a rollback, a grant, an observation, or what settles a reservation. */
  readonly kind: "initial" | "ordinary" | "emergency" | "other";
  readonly before: Data;
  readonly after: Data;
  /** Undefined where no action is behind the change. */
  readonly action: Action | undefined;
  readonly clock: Clock;
  readonly history: () => History;
}

/** The result of one check; every one is reported. */
export interface Check {
  readonly check: string;
  readonly result: "ok" | "violated" | "not judged";
  readonly code?: KernelCode;
  readonly message?: string;
  /** It is told and stops nothing. */
  readonly monitoring?: true;
}

export function passing(check: string): Check {
  return Object.freeze({ check, result: "ok" });
}

export function violated(check: string, code: KernelCode, message: string): Check {
  return { check, result: "violated", code, message };
}

export function invariant(name: string, enforcement: Enforcement, rule: Invariant["rule"]): Invariant {
  const monitoring = enforcement === "monitoring" ? ({ monitoring: true } as const) : {};
  const check = `invariant ${name}`;
  return {
    name,
    enforcement,
    rule,
    passes: Object.freeze({ check, result: "ok", ...monitoring }),
    notJudged: Object.freeze({ check, result: "not judged", ...monitoring }),
  };
}

/** Judges one invariant on a scene. */
export function judge(one: Invariant, scene: Scene): Check {
  const message = violationOf(one, scene);
  if (message === undefined) return one.passes;
  return { ...one.passes, result: "violated", code: "invariant", message };
}

function violationOf({ rule }: Invariant, scene: Scene): Violation {
  const { kind, before, after } = scene;
  if (kind === "initial") return rule.state?.(after);
  if (kind === "emergency") {
    // What was broken before does not keep an emergency action from happening (T8).
    const violation = rule.state?.(after);
    return violation !== undefined && rule.state?.(before) === undefined ? violation : undefined;
  }
  if (kind === "ordinary") {
    const violation = rule.gate?.(before, scene.clock);
    if (violation !== undefined) return violation;
  }
  return rule.change?.(before, after) ?? rule.state?.(after) ?? rule.step?.(scene);
}

/** No two invariants have one name: a report could not be told apart. */
export function checkNames(names: readonly string[], what: string): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) refuse("shape", `there are two ${what} named \`${twice}\``);
}
