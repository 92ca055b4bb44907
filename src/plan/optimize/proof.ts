/** Lists the changes with their reasons, and the critical path before and after. */
import { quoted } from "../../ir/index.ts";
import type { ObservablePlan } from "../strict/observable-plan.ts";

export interface Proof {
  readonly steps: readonly Step[];
  readonly before: CriticalPath;
  readonly after: CriticalPath;
}

export type Step =
  | {
      readonly kind: "removed" | "added";
      readonly actionId: string;
      readonly dependency: string;
      readonly reason: string;
    }
  /** Levels are counted from 0. */
  | {
      readonly kind: "moved";
      readonly actionId: string;
      readonly from: number;
      readonly to: number;
      readonly reason: string;
    };

/** A longest path, the first action first; there are as many levels as it has actions. */
export type CriticalPath = readonly string[];

/** Explains why a dependency was removed or added. */
export type Why =
  | { readonly kind: "implied" }
  | { readonly kind: "not seen" | "through"; readonly action: string };

/** By action and then by dependency. */
export type Whys = ReadonlyMap<string, ReadonlyMap<string, Why>>;

export function proofOf(before: ObservablePlan, after: ObservablePlan, whys: Whys): Proof {
  const path = criticalPath(before);
  if (before === after) return { steps: [], before: path, after: path };
  const steps: Step[] = [];
  for (const [i, { id, dependencies }] of before.plan.actions.entries()) {
    const number = after.numbers.get(id) ?? -1;
    const kept = new Set(after.plan.actions[number]?.dependencies);
    const had = new Set(dependencies);
    const why = whys.get(id);
    for (const one of had) {
      if (kept.has(one)) continue;
      steps.push({
        kind: "removed",
        actionId: id,
        dependency: one,
        reason: removedText(id, one, why?.get(one)),
      });
    }
    for (const one of kept) {
      if (had.has(one)) continue;
      steps.push({ kind: "added", actionId: id, dependency: one, reason: addedText(id, one, why?.get(one)) });
    }
    const [from, to] = [before.graph.levelOf[i] ?? 0, after.graph.levelOf[number] ?? 0];
    if (from !== to) steps.push({ kind: "moved", actionId: id, from, to, reason: movedText(after, number) });
  }
  return { steps, before: path, after: criticalPath(after) };
}

function removedText(id: string, dependency: string, why: Why | undefined): string {
  if (why?.kind === "not seen") {
    return `${quoted(why.action)} calls nothing, cannot end the plan, and uses no key with ${quoted(why.action === id ? dependency : id)} that one of them writes`;
  }
  return `${quoted(id)} waits for ${quoted(dependency)} by way of what else it depends on or refers to`;
}

function addedText(id: string, dependency: string, why: Why | undefined): string {
  const through = why?.kind === "through" ? quoted(why.action) : "another action";
  return `${quoted(id)} waited for ${quoted(dependency)} by way of ${through}, which does not wait for it any more or is not waited for`;
}

function movedText({ plan, graph: { before, levelOf } }: ObservablePlan, i: number): string {
  const last = (before[i] ?? []).find((one) => (levelOf[one] ?? 0) === (levelOf[i] ?? 0) - 1);
  return last === undefined
    ? "it waits for nothing"
    : `the last that it waits for is ${quoted(plan.actions[last]?.id ?? "")}`;
}

function criticalPath({ plan, graph: { order, before, levelOf, depth } }: ObservablePlan): CriticalPath {
  const path: string[] = [];
  let at = order.find((one) => levelOf[one] === depth - 1);
  while (at !== undefined) {
    path.push(plan.actions[at]?.id ?? "");
    const level = (levelOf[at] ?? 0) - 1;
    at = before[at]?.find((one) => levelOf[one] === level);
  }
  return path.reverse();
}
