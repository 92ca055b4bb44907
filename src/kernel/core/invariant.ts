/**
 * Invariants: a ready rule, an expression of the Effect IR or a function, under a name, blocking or monitoring.
 * Part of what must be trusted.
 */
import { type KernelCode, refuse } from "../problem.ts";
import { type Args, type Given, type Reason, reasons, type Why, why } from "../reasons.ts";
import type { AttestationGate } from "../rules/attestations.ts";
import type { Clock, Rule, Violation } from "../rules/rule.ts";
import type { Action } from "./action.ts";
import type { Data } from "./effects.ts";
import { isSince } from "./form.ts";
import type { History } from "./history.ts";
import { isWritten, nameOfCheck, settled } from "./written.ts";

export type Enforcement = "blocking" | "monitoring";
export const enforcements: readonly Enforcement[] = ["blocking", "monitoring"];

export interface Invariant {
  readonly name: string;
  readonly enforcement: Enforcement;
  readonly rule: Rule & { readonly step?: (scene: Scene) => Violation };
  readonly passes: Check;
  readonly notJudged: Check;
}

/** A rule that asks for attestations. */
export type Gated = Invariant & { readonly rule: { readonly attests: AttestationGate } };

export function isGate(one: Invariant): one is Gated {
  return one.rule.attests !== undefined;
}

/** The input of an invariant. */
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
  /** Why it is violated, and the arguments of that. */
  readonly reason?: Reason;
  readonly args?: Args;
  /** The sentence for it, where somebody is told. */
  readonly message?: string;
  /** It is told and stops nothing. */
  readonly monitoring?: true;
}

export function passing(check: string): Check {
  return Object.freeze({ check, result: "ok" });
}

export function violated<R extends Reason>(check: string, reason: R, ...given: Given<R>): Check {
  return violatedBy(check, why(reason, ...given));
}

export function violatedBy(check: string, { reason, args }: Why, code = reasons[reason].code): Check {
  return { check, result: "violated", code, reason, args };
}

export function invariant(name: string, enforcement: Enforcement, rule: Invariant["rule"]): Invariant {
  const monitoring = enforcement === "monitoring" ? ({ monitoring: true } as const) : {};
  const check = nameOfCheck(name);
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
  let violation = violationOf(one, scene);
  const isOurs = one.rule.ownTables === true && isSince(4);
  if (isWritten() && !isOurs && one.rule.restsOnTables?.(scene.after, scene.before) === true)
    violation = settled(one.name, violation);
  if (violation === undefined) return one.passes;
  const { reason, args } = violation;
  return { ...one.passes, result: "violated", code: "invariant", reason, args };
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
export function checkNames(
  names: readonly string[],
  what: "budgets" | "emergency actions" | "principals" | "probes" | "rules",
): void {
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) refuse("two of a name", { what, name: twice });
}
