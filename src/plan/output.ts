/** JSON output of the plan operations; numbers of the state keep their spelling. */
import { type Json, JsonNumber } from "../ir/index.ts";
import type { CarVerification } from "./compat/car.ts";
import type { Finding, Verification, Witness } from "./findings.ts";
import type { Optimization } from "./optimize/optimize.ts";
import type { State } from "./plan.ts";
import type { Equivalence } from "./strict/equivalent.ts";
import type { Simulation } from "./strict/simulate.ts";

/** JSON whose numbers are of either kind. */
export type OutputJson = null | boolean | number | string | JsonNumber | readonly OutputJson[] | OutputObject;

export interface OutputObject {
  readonly [key: string]: OutputJson;
}

export function verificationToJson({
  valid,
  findings,
  state,
  levels,
  conflicts,
  tier,
  claims,
}: Verification): OutputJson {
  return {
    valid,
    issues: findings.map(findingToJson),
    simulated_state: stateToJson(state),
    execution_levels: levels,
    conflicts: conflicts.map(({ key, writers }) => ({ key, writers })),
    tier,
    claims: claims.map(({ actionId, key }) => ({ action_id: actionId, key })),
  };
}

export function carVerificationToJson({
  valid,
  findings,
  state,
  levels,
  conflicts,
}: CarVerification): OutputJson {
  return {
    valid,
    issues: findings.map(findingToJson),
    simulated_state: stateToJson(state),
    execution_levels: levels,
    conflicts,
  };
}

export function simulationToJson({ state, unknown, blocked, unreached }: Simulation): OutputJson {
  return {
    state: stateToJson(state),
    unknown,
    blocked: blocked.map(({ actionId, always, endsPlan, because }) => ({
      action_id: actionId,
      always,
      ends_plan: endsPlan,
      because,
    })),
    unreached,
  };
}

export function equivalenceToJson(found: Exclude<Equivalence, { readonly kind: "broken" }>): OutputJson {
  switch (found.kind) {
    case "equivalent":
      return { equivalent: true };
    case "unknown":
      return { equivalent: null, reason: found.why };
    case "different": {
      const { state, failing, runs } = found.difference;
      const [first, second] = runs.map(({ schedule, calls, endedBy, state: left }) => ({
        schedule,
        calls,
        state: stateToJson(left),
        ended_by: endedBy ?? null,
      }));
      return {
        equivalent: false,
        difference: { state: stateToJson(state), failing, first: first ?? null, second: second ?? null },
      };
    }
  }
}

export function optimizationToJson(found: Exclude<Optimization, { readonly kind: "broken" }>): OutputJson {
  const proposal = found.plan.json;
  if (found.kind === "invalid") return { proposal, proof: null, issues: found.findings.map(findingToJson) };
  if (found.kind === "unproved") return { proposal, proof: null, reason: found.why };
  const { steps, before, after } = found.proof;
  return {
    proposal,
    proof: {
      equivalent: true,
      changed: found.kind === "optimized",
      steps: steps.map(({ actionId, ...step }) => ({ action_id: actionId, ...step })),
      critical_path: {
        before: { length: before.length, actions: before },
        after: { length: after.length, actions: after },
      },
    },
  };
}

export function findingToJson({
  actionId,
  severity,
  message,
  code,
  tier,
  key,
  witness,
  help,
}: Finding): OutputJson {
  return {
    action_id: actionId,
    severity,
    message,
    code,
    tier,
    ...(key !== undefined && { key }),
    ...(witness !== undefined && { witness: witnessToJson(witness) }),
    ...(help !== undefined && { help }),
  };
}

function witnessToJson({ state, schedule, failed, written }: Witness): OutputJson {
  return {
    state: stateToJson(state),
    schedule,
    failed,
    written: written.map(({ actionId, key, value }) => ({
      action_id: actionId,
      key,
      ...(value === undefined ? { absent: true } : { value }),
    })),
  };
}

export function stateToJson(state: State): OutputObject {
  const object: Record<string, Json> = Object.create(null);
  for (const [key, value] of state) object[key] = value;
  return object;
}

/** As `JSON.stringify(value, null, 2)` would lay it out, with a line end. */
export function outputText(json: OutputJson): string {
  const pieces: string[] = [];
  write(json, "\n", pieces);
  return `${pieces.join("")}\n`;
}

function write(json: OutputJson, newLine: string, pieces: string[]): void {
  if (JsonNumber.is(json)) {
    pieces.push(json.text);
    return;
  }
  if (typeof json !== "object" || json === null) {
    pieces.push(JSON.stringify(json));
    return;
  }
  const inner = `${newLine}  `;
  if (isList(json)) {
    for (const [i, item] of json.entries()) {
      pieces.push(i === 0 ? "[" : ",", inner);
      write(item, inner, pieces);
    }
    pieces.push(json.length === 0 ? "[]" : `${newLine}]`);
    return;
  }
  const names = Object.keys(json);
  for (const [i, name] of names.entries()) {
    pieces.push(i === 0 ? "{" : ",", inner, JSON.stringify(name), ": ");
    write(json[name] ?? null, inner, pieces);
  }
  pieces.push(names.length === 0 ? "{}" : `${newLine}}`);
}

function isList(json: OutputJson): json is readonly OutputJson[] {
  return Array.isArray(json);
}
