/**
 * Verification as the Common Agent Runtime does it, its mistakes included: for users who need the same answers.
 * Where it goes through a map without an order, here the order is that of the document.
 */
import { append, type Json, type JsonObject, quoted } from "../../ir/index.ts";
import type { PlanCode } from "../codes.ts";
import type { Finding, Severity, Tier } from "../findings.ts";
import { defaultPlanLimits, type PlanLimits } from "../limits.ts";
import { type Action, keyOf, type Plan, type State, writtenValue } from "../plan.ts";
import { wholeNumber } from "../values.ts";
import { levelsOf, writtenKeys } from "./levels.ts";
import { checkPrecondition } from "./preconditions.ts";
import { sameValue, tooBig, valueText } from "./values.ts";

export interface CarVerification {
  readonly valid: boolean;
  readonly findings: readonly Finding[];
  readonly state: State;
  readonly levels: readonly (readonly string[])[];
  readonly conflicts: readonly (readonly [string, string, string])[];
}

export interface CarOptions {
  readonly state?: State;
  readonly knownTools?: ReadonlySet<string>;
  readonly maxActions?: number;
}

export function verify(
  plan: Plan,
  { state: initial, knownTools, maxActions = 30 }: CarOptions = {},
): CarVerification {
  const { actions } = plan;
  const state = new Map(initial);
  const findings: Finding[] = [];
  if (actions.length > maxActions) {
    const message = `excessive actions: ${actions.length} (limit ${maxActions})`;
    findings.push(finding("FC3002", "warning", actions[0]?.id ?? "", message, ["actions"]));
  }
  append(findings, repeated(actions));
  const levels = levelsOf(actions);
  for (const level of levels) {
    for (const i of level) {
      const action = actions[i];
      if (action === undefined) continue;
      append(findings, checked(action, i, state, knownTools));
      applyEffects(action, state);
    }
  }
  const conflicts = conflictsOf(actions);
  for (const [first, second, key] of conflicts) {
    const message = `write conflict on '${key}' with action ${second} (no dependency declared)`;
    findings.push({ ...finding("FC3107", "warning", first, message, ["actions"]), key });
  }
  return {
    valid: !findings.some(({ severity }) => severity === "error"),
    findings,
    state,
    levels: levels.map((level) => level.map((i) => actions[i]?.id ?? "")),
    conflicts,
  };
}

export function simulate(plan: Plan, state?: State): State {
  const left = new Map(state);
  for (const level of levelsOf(plan.actions)) {
    for (const i of level) {
      const action = plan.actions[i];
      if (action !== undefined) applyEffects(action, left);
    }
  }
  return left;
}

/** The first of the states after which the two plans differ, if there is one. */
export function difference(one: Plan, other: Plan, states: readonly State[] = sampled()): State | undefined {
  return states.find((state) => !isSameState(simulate(one, state), simulate(other, state)));
}

/** The states that are tried when none are given: an empty one, and one with `x` and `y`. */
function sampled(): State[] {
  return [new Map(), new Map<string, Json>(Object.entries(sampleState))];
}

const sampleState: Readonly<Record<string, Json>> = { x: wholeNumber(1n), y: wholeNumber(2n) };

/** Leaves out every state dependency on a key that no action writes. */
export function optimize(plan: Plan): { readonly json: JsonObject; readonly dropped: readonly Dropped[] } {
  const written = new Set<string>();
  for (const action of plan.actions) for (const key of writtenKeys(action)) written.add(key);
  const dropped: Dropped[] = [];
  const actions = plan.actions.map(({ id, json, stateDependencies }) => {
    const kept = stateDependencies.filter((key) => written.has(key));
    if (kept.length === stateDependencies.length) return json;
    for (const key of stateDependencies) if (!written.has(key)) dropped.push({ actionId: id, key });
    return withField(json, "state_dependencies", kept);
  });
  return { json: withField(plan.json, "actions", actions), dropped };
}

export interface Dropped {
  readonly actionId: string;
  readonly key: string;
}

/** Why compatible mode has no answer for a plan or a state, if so: it has no number for it, or too many rows. */
export function refusal(plan: Plan, limits: PlanLimits = defaultPlanLimits): string | undefined {
  const number = tooBig(plan.json);
  if (number !== undefined) return `compatible mode has no number ${quoted(number.text)}`;
  const counts = new Map<string, number>();
  let pairs = 0;
  for (const action of plan.actions) {
    for (const key of writtenKeys(action)) {
      const before = counts.get(key) ?? 0;
      pairs += before;
      counts.set(key, before + 1);
    }
  }
  if (pairs <= limits.conflictPairs) return undefined;
  return `compatible mode compares writers two by two, and there are ${pairs} pairs, more than ${limits.conflictPairs}`;
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────────────

function checked(
  action: Action,
  i: number,
  state: State,
  knownTools: ReadonlySet<string> | undefined,
): Finding[] {
  const { id, tool } = action;
  const found: Finding[] = [];
  for (const [j, precondition] of action.preconditions.entries()) {
    const why = checkPrecondition(precondition, state);
    if (why === undefined) continue;
    const path = ["actions", i, "preconditions", j];
    found.push({
      ...finding("FC3101", "error", id, `precondition will fail: ${why}`, path),
      key: precondition.key,
    });
  }
  for (const [j, key] of action.stateDependencies.entries()) {
    if (state.has(key)) continue;
    const message = `state dependency '${key}' not available at this point`;
    found.push({ ...finding("FC3103", "error", id, message, ["actions", i, "state_dependencies", j]), key });
  }
  if (action.type !== "tool_call") return found;
  if (tool === undefined) {
    found.push(finding("FC3005", "error", id, "tool_call action has no tool specified", ["actions", i]));
  } else if (knownTools !== undefined && !knownTools.has(tool)) {
    found.push(finding("FC3106", "error", id, `tool '${tool}' is not registered`, ["actions", i, "tool"]));
  }
  return found;
}

function applyEffects(action: Action, state: Map<string, Json>): void {
  const key = action.type === "state_write" ? keyOf(action) : undefined;
  if (key !== undefined) state.set(key, writtenValue(action));
  for (const effect of action.expectedEffects) state.set(effect.key, effect.value);
}

/** Parameters are compared in the order of the document, since they are compared as text. */
function repeated(actions: readonly Action[]): Finding[] {
  const times = new Map<string, number>();
  for (const { type, tool, parameters } of actions) {
    if (type !== "tool_call" || tool === undefined) continue;
    const fields = Object.keys(parameters).map(
      (name) => `${JSON.stringify(name)}:${valueText(parameters[name] ?? null)}`,
    );
    const call = `${tool}:{${fields.join(",")}}`;
    times.set(call, (times.get(call) ?? 0) + 1);
  }
  const findings: Finding[] = [];
  for (const [call, count] of times) {
    const [tool = "?"] = call.split(":");
    if (count >= 3) {
      const message = `repeated identical tool call: ${tool} (${count}x) — likely loop`;
      findings.push(finding("FC3108", "error", "proposal", message, ["actions"], "heuristic"));
    } else if (count === 2) {
      const message = `duplicate tool call: ${tool} (${count}x)`;
      findings.push(finding("FC3108", "warning", "proposal", message, ["actions"], "heuristic"));
    }
  }
  return findings;
}

function conflictsOf(actions: readonly Action[]): (readonly [string, string, string])[] {
  const writers = new Map<string, string[]>();
  // Of actions with one id the last one counts.
  const dependencies = new Map(actions.map(({ id, stateDependencies }) => [id, new Set(stateDependencies)]));
  for (const action of actions) {
    for (const key of writtenKeys(action)) {
      const known = writers.get(key);
      if (known === undefined) writers.set(key, [action.id]);
      else known.push(action.id);
    }
  }
  const conflicts: (readonly [string, string, string])[] = [];
  for (const [key, ids] of writers) {
    for (const [i, first] of ids.entries()) {
      if (dependencies.get(first)?.has(key)) continue;
      for (let j = i + 1; j < ids.length; j++) {
        const second = ids[j] ?? "";
        if (!dependencies.get(second)?.has(key)) conflicts.push([first, second, key]);
      }
    }
  }
  return conflicts;
}

function isSameState(a: State, b: State): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !sameValue(value, other)) return false;
  }
  return true;
}

function withField(json: JsonObject, name: string, value: Json): JsonObject {
  return Object.assign(Object.create(null), json, { [name]: value });
}

function finding(
  code: PlanCode,
  severity: Severity,
  actionId: string,
  message: string,
  path: readonly (string | number)[],
  tier: Tier = "decided",
): Finding {
  return { actionId, severity, message, code, tier, path };
}
