/**
 * A plan that waits for less and does the same. Actions stay as they are but for their `dependencies`, and are listed by
 * levels. The result is given only if strict `equivalent` says yes; otherwise the plan stays as it was.
 */
import type { Json, JsonObject } from "../../ir/index.ts";
import type { Finding } from "../findings.ts";
import type { Action, Plan, State } from "../plan.ts";
import { whyNot } from "../strict/equivalent.ts";
import { type ObservablePlan, observablePlan } from "../strict/observable-plan.ts";
import { type Structure, type StructureOptions, structureOf } from "../strict/structure.ts";
import { verifyWith } from "../strict/verify.ts";
import { type Proof, proofOf, type Why, type Whys } from "./proof.ts";
import { type Rewritten, rewrite } from "./rewrite.ts";

export type Optimization =
  | { readonly kind: "optimized" | "unchanged"; readonly plan: Plan; readonly proof: Proof }
  /** The plan as it was, since it is not valid. */
  | { readonly kind: "invalid"; readonly plan: Plan; readonly findings: readonly Finding[] }
  /** The plan as it was, since what would be better is not known to do the same. */
  | { readonly kind: "unproved"; readonly plan: Plan; readonly why: string }
  /** It does not hang together. */
  | { readonly kind: "broken"; readonly findings: readonly Finding[] };

export interface OptimizeOptions extends StructureOptions {
  /** The state at the start that the plan must be valid for; without it, for all. What is given back does the same for all. */
  readonly state?: State;
}

/** LIMIT: times that the dependencies are gone through; one is enough for nearly all plans. */
const mostRounds = 12;

export function optimize(plan: Plan, options: OptimizeOptions = {}): Optimization {
  return optimizeWith(rewrite, plan, options);
}

/** With another way to make plans, which need not be right. */
export function optimizeWith(rewriter: typeof rewrite, plan: Plan, options: OptimizeOptions): Optimization {
  const structure = structureOf(plan, options);
  if (structure.kind === "broken") return structure;
  const error = verifyWith(plan, structure, options).findings.find(({ severity }) => severity === "error");
  if (error !== undefined) return { kind: "invalid", plan, findings: [notValid(error)] };
  const before = observablePlan(plan, structure, options);
  const { side: after, whys, structure: settledTo } = settled(before, rewriter, options);
  if (after === before || settledTo === undefined)
    return { kind: "unchanged", plan, proof: proofOf(before, before, whys) };
  const why = whyNot([before, after]);
  if (why !== undefined) return { kind: "unproved", plan, why };
  if (!verifyWith(after.plan, settledTo, options).valid)
    return { kind: "unproved", plan, why: "it would not be valid" };
  return { kind: "optimized", plan: after.plan, proof: proofOf(before, after, whys) };
}

interface Settled {
  readonly side: ObservablePlan;
  readonly whys: Whys;
  /** Structure of the optimized plan, if it changed. */
  readonly structure?: Structure;
}

/** Repeats until a fixpoint: a removed dependency may have been in the way of another change. */
function settled(before: ObservablePlan, rewriter: typeof rewrite, options: StructureOptions): Settled {
  const whys = new Map<string, Map<string, Why>>();
  let side = before;
  let known: Structure | undefined;
  for (let round = 0; round < mostRounds; round++) {
    const rewritten = rewriter(side);
    const actions = listed(side, rewritten);
    if (actions === undefined) break;
    noteWhys(side.plan, rewritten, whys);
    const json = withField(
      side.plan.json,
      "actions",
      actions.map((action) => action.json),
    );
    const plan = { ...side.plan, actions, json };
    const structure = structureOf(plan, options);
    // Not what it was: then it is not used.
    if (structure.kind === "broken") return { side: before, whys: new Map() };
    side = observablePlan(plan, structure, options);
    known = structure;
  }
  return { side, whys, ...(known && { structure: known }) };
}

function noteWhys({ actions }: Plan, { reasons }: Rewritten, whys: Map<string, Map<string, Why>>): void {
  const idOf = (i: number): string => actions[i]?.id ?? "";
  for (const [i, why] of reasons) {
    const known = whys.get(idOf(i)) ?? new Map<string, Why>();
    whys.set(idOf(i), known);
    for (const [one, reason] of why) {
      known.set(idOf(one), reason.kind === "implied" ? reason : { ...reason, action: idOf(reason.action) });
    }
  }
}

/** The actions with these dependencies, by levels and within a level as they were; undefined if that changes nothing. */
function listed(
  { plan, graph, numbers, data }: ObservablePlan,
  { dependencies }: Rewritten,
): Action[] | undefined {
  const levelOf = new Int32Array(plan.actions.length);
  const levels: number[][] = [];
  for (const i of graph.order) {
    let level = 0;
    const wait = (one: number): void => {
      level = Math.max(level, (levelOf[one] ?? 0) + 1);
    };
    for (const one of data[i] ?? []) wait(one);
    for (const one of dependencies[i] ?? []) wait(one);
    levelOf[i] = level;
    const row = levels[level];
    if (row === undefined) levels[level] = [i];
    else row.push(i);
  }
  const order = levels.flat();
  const moves = order.some((i, at) => i !== at);
  let changes = moves;
  const actions = order.flatMap((i) => {
    const action = plan.actions[i];
    if (action === undefined) return [];
    const now = withDependencies(action, dependencies[i] ?? [], plan, numbers, moves);
    changes ||= now !== action;
    return [now];
  });
  return changes ? actions : undefined;
}

function withDependencies(
  action: Action,
  now: readonly number[],
  { actions }: Plan,
  numbers: ReadonlyMap<string, number>,
  moves: boolean,
): Action {
  const isSame =
    now.length === action.dependencies.length &&
    action.dependencies.every((id, at) => numbers.get(id) === now[at]);
  const dependencies = isSame ? action.dependencies : now.map((one) => actions[one]?.id ?? "");
  // An action without an id is called by its place, which may be another one now.
  const nameless = moves && action.json.id === undefined;
  if (isSame && !nameless) return action;
  const named = nameless ? withField(action.json, "id", action.id) : action.json;
  return { ...action, dependencies, json: isSame ? named : withField(named, "dependencies", dependencies) };
}

function withField(json: JsonObject, name: string, value: Json): JsonObject {
  return Object.assign(Object.create(null), json, { [name]: value });
}

function notValid({ message, ...error }: Finding): Finding {
  const { witness: _, ...rest } = error;
  return {
    ...rest,
    code: "FC3401",
    message: `the plan is not valid, so it is not optimized: ${message}`,
    help: "correct it, or give its initial state with `--state`; `foreclaim plan verify` lists all errors",
  };
}
