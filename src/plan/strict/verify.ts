/**
 * Strict verification. `valid` means: whatever the initial state (or for the one that is given), whatever the schedule
 * that the dependencies allow, and whichever tools fail, no action that is reached finds anything unmet that it asks
 * (`reach.ts`): of the state, of outputs and their parts, of tools, and of what can be kept.
 */
import { type Json, quoted } from "../../ir/index.ts";
import type { PlanCode } from "../codes.ts";
import type { Finding, Severity, Tier, Verification, Witness } from "../findings.ts";
import type { Action, Plan, State } from "../plan.ts";
import type { PlanWarning } from "../read.ts";
import { shownValue } from "../values.ts";
import { knowledgeAtStart, type Scene, type Walked, walk } from "./abstract-interpreter.ts";
import { type AbstractValue, atStart, type Judgment, onlyValue, type Possibility } from "./abstract-state.ts";
import type { Ask } from "./access-sets.ts";
import { conditionText } from "./conditions.ts";
import { conflictsOf } from "./conflicts.ts";
import { byLevels } from "./graph.ts";
import { repeatedCalls } from "./repeated.ts";
import { type Structure, structureOf } from "./structure.ts";
import type { Requirement, ToolBook } from "./tool-book.ts";
import { WitnessBudget, witnessFor } from "./witness.ts";

export interface VerifyOptions {
  /** The whole state at the start. Without it nothing is known of any key. */
  readonly state?: State;
  readonly knownTools?: ReadonlySet<string>;
  readonly maxActions?: number;
  /** Declarations of trusted tool modules; calls of other tools are then errors. */
  readonly book?: ToolBook;
  /** Warnings of the reader. */
  readonly warnings?: readonly PlanWarning[];
}

export function verify(plan: Plan, options: VerifyOptions = {}): Verification {
  return verifyWith(plan, structureOf(plan, options), options);
}

/** The same with what is known already of how the plan hangs together. */
export function verifyWith(plan: Plan, structure: Structure, options: VerifyOptions): Verification {
  const early = (options.warnings ?? []).map((warning) => warned(plan, warning));
  if (structure.kind === "broken") {
    const findings = [...structure.findings, ...early];
    return {
      valid: false,
      findings,
      state: new Map(),
      levels: [],
      conflicts: [],
      tier: "decided",
      claims: [],
    };
  }
  const scene = sceneOf(plan, structure, options);
  const { graph } = scene;
  const judge = new Judge(scene);
  const walked = walk(scene, judge);
  const conflicts = conflictsOf(scene);
  const findings = [
    ...judge.findings,
    ...toolFindings(plan, options.knownTools),
    ...early,
    ...conflicts.map((conflict) => conflictFinding(conflict, scene)),
    ...repeatedCalls(plan.actions),
    ...compensationFindings(plan.actions),
  ];
  const claims = judge.claims();
  return {
    valid: !findings.some(({ severity }) => severity === "error"),
    findings,
    state: knownState(scene, walked),
    levels: byLevels(graph, (i) => plan.actions[i]?.id ?? ""),
    conflicts,
    tier: claims.length > 0 ? "heuristic" : "decided",
    claims,
  };
}

export function sceneOf(
  plan: Plan,
  { graph, keys, numbers, calls }: Extract<Structure, { readonly kind: "sound" }>,
  { state: initial, book }: VerifyOptions,
): Scene {
  return {
    plan,
    graph,
    keys,
    numbers,
    initial,
    ...(book && { tools: { book, calls } }),
    left: new Map(),
    doubtful: new Set(),
  };
}

/**
 * The keys that have one value for sure, those of the initial state that nobody touches included. Keys that runs and
 * policies keep for themselves are not among them: a run changes them by itself.
 */
export function knownState({ keys, initial = new Map() }: Scene, { knowledge }: Walked): State {
  const state = new Map<string, Json>();
  const at = knowledgeAtStart(initial);
  for (const name of new Set([...initial.keys(), ...keys.names])) {
    const value = onlyValue(knowledge[keys.find(name) ?? -1] ?? at(name));
    if (value !== undefined) state.set(name, value);
  }
  return state;
}

class Judge {
  readonly findings: Finding[] = [];
  readonly #scene: Scene;
  readonly #budget: WitnessBudget;
  readonly #claims = new Map<Possibility, number>();

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#budget = new WitnessBudget(scene.plan.actions.length + scene.graph.edges);
  }

  claims(): { readonly actionId: string; readonly key: string }[] {
    const { plan, keys } = this.#scene;
    return Array.from(this.#claims, ([{ source }, key]) => ({
      actionId: plan.actions[source]?.id ?? "",
      key: keys.names[key] ?? "",
    }));
  }

  readonly claimed = (knowledge: AbstractValue, key: number): void => {
    for (const one of knowledge) {
      // Every time an effect is claimed there is a possibility of its own.
      if (one.claim && one.source >= 0) this.#claims.set(one, key);
    }
  };

  readonly unmet = (
    i: number,
    ask: Ask,
    judgment: Exclude<Judgment, { kind: "holds" }>,
    valueIsOpen: boolean,
  ): void => {
    const { failing, kind } = judgment;
    const wanted = { kind: "unmet", ask, failing } as const;
    const witness = valueIsOpen ? undefined : witnessFor(this.#scene, i, wanted, this.#budget);
    const id = this.#scene.plan.actions[i]?.id ?? "";
    const finding: Finding = {
      actionId: id,
      severity: "error",
      message: unmetText(id, ask, kind, this.#becauseOf(judgment, witness, ask, valueIsOpen)),
      code: codeFor(ask, kind),
      // What may happen is decided by a run in which it does.
      tier: failing.claim || (kind === "open" && witness === undefined) ? "heuristic" : "decided",
      key: ask.key,
      path: ["actions", i, ...ask.path],
    };
    const help = this.#helpFor(failing);
    this.findings.push({ ...finding, ...(witness && { witness }), ...(help !== undefined && { help }) });
  };

  readonly noOutput = (i: number, of: number, never: boolean, reference: string | undefined): void => {
    const { actions } = this.#scene.plan;
    const [action, other] = [actions[i], actions[of]];
    if (action === undefined || other === undefined) return;
    if (reference !== undefined) {
      this.#noPart(i, action, other, never, reference);
      return;
    }
    const witness = witnessFor(this.#scene, i, { kind: "no output", of }, this.#budget);
    const when = never ? "is always skipped" : "may be skipped";
    this.findings.push({
      actionId: action.id,
      severity: "error",
      message: `${quoted(action.id)} needs the output of ${quoted(other.id)}, which ${when}`,
      code: "FC3105",
      tier: never || witness !== undefined ? "decided" : "heuristic",
      path: ["actions", i, "parameters"],
      help: `let ${quoted(other.id)} \`abort\` or \`retry\`, or do without its output`,
      ...(witness && { witness }),
    });
  };

  #noPart(i: number, { id }: Action, other: Action, never: boolean, reference: string): void {
    const verb = never ? "never has" : "may not have";
    const message = `${quoted(id)} refers to ${quoted(reference)}, and what ${quoted(other.id)} gives ${verb} that part`;
    const tier = never ? "decided" : "heuristic";
    this.findings.push(finding("FC3105", "error", tier, id, message, ["actions", i, "parameters"]));
  }

  readonly misfit = (i: number, kind: "fails" | "open", parameter: string, what: string): void => {
    const { id = "", tool = "" } = this.#scene.plan.actions[i] ?? {};
    const verb = kind === "fails" ? "does not fit" : "may not fit";
    const message = `the parameter ${quoted(parameter)} of ${quoted(id)} ${verb} ${quoted(tool)}: it ${kind === "fails" ? "is" : "may be"} ${what}`;
    const tier = kind === "fails" ? "decided" : "heuristic";
    this.findings.push(
      finding("FC3201", "error", tier, id, message, ["actions", i, "parameters", parameter]),
    );
  };

  readonly inexact = (i: number, kind: "fails" | "open", key: string): void => {
    const { id = "", tool = "" } = this.#scene.plan.actions[i] ?? {};
    const verb = kind === "fails" ? "has no exact value" : "may have no exact value";
    const message = `${quoted(tool)} sets ${quoted(key)}, which ${verb} after ${quoted(id)}`;
    const tier = kind === "fails" ? "decided" : "heuristic";
    const found = { ...finding("FC3206", "error", tier, id, message, ["actions", i]), key };
    const help = "nothing is known of the state at the start; give it with `--state`";
    const isOpen = kind === "open" && this.#scene.initial === undefined;
    this.findings.push(isOpen ? { ...found, help } : found);
  };

  readonly refused = (i: number, why: string): void => {
    const { id = "", type, expectedEffects = [] } = this.#scene.plan.actions[i] ?? {};
    const isOnlyRead = (type === "state_read" || type === "assertion") && expectedEffects.length === 0;
    const what = isOnlyRead ? `the key that ${quoted(id)} reads` : `what ${quoted(id)} sets or hands over`;
    const message = `no run can store ${what}: ${why}`;
    this.findings.push(finding("FC3111", "error", "decided", id, message, ["actions", i]));
  };

  readonly required = (i: number, { kind, text, again }: Requirement): void => {
    const { id = "", tool = "" } = this.#scene.plan.actions[i] ?? {};
    const verb = kind === "fails" ? "does not hold" : "may not hold";
    const when = again === true ? " when it is tried again" : "";
    const message = `${quoted(tool)} requires ${quoted(text)}, which ${verb} for ${quoted(id)}${when}`;
    const tier = kind === "fails" ? "decided" : "heuristic";
    this.findings.push(finding("FC3202", "error", tier, id, message, ["actions", i]));
  };

  readonly disputed = (i: number, at: number, is: Json | undefined): void => {
    const action = this.#scene.plan.actions[i];
    const effect = action?.expectedEffects[at];
    if (action === undefined || effect === undefined) return;
    const { id, tool = "" } = action;
    const { key, value } = effect;
    const path = ["actions", i, "expected_effects", key];
    const claim = `${quoted(id)} claims that ${quoted(key)} becomes ${quoted(shownValue(value))}`;
    if (is === undefined) {
      const message = `${claim}, of which ${quoted(tool)} says nothing`;
      this.findings.push({ ...finding("FC3204", "warning", "decided", id, message, path), key });
    } else {
      const message = `${claim}, and ${quoted(tool)} makes it ${quoted(shownValue(is))}`;
      this.findings.push({ ...finding("FC3203", "error", "decided", id, message, path), key });
    }
  };

  /** Explains why the condition fails. */
  #becauseOf(
    { failing }: Exclude<Judgment, { kind: "holds" }>,
    witness: Witness | undefined,
    ask: Ask,
    valueIsOpen: boolean,
  ): string {
    if (valueIsOpen && failing.kind !== "absent") return "what it is compared with is known only in a run";
    const { source, kind } = failing;
    const from = this.#scene.plan.actions[source]?.id;
    // A read asks for nothing but to be there and known.
    if (failing.doubt === true && (kind === "any" || (kind === "value" && ask.from === "read"))) {
      const who = from === undefined ? "a call" : quoted(from);
      return `${who} may or may not have set it, and a run does not know`;
    }
    const when = witness?.failed[0] === undefined ? "" : `if ${quoted(witness.failed[0])} fails, `;
    return `${when}${this.#contentOf(failing, witness, ask.key)}`;
  }

  #contentOf(failing: Possibility, witness: Witness | undefined, key: string): string {
    const { source } = failing;
    const from = this.#scene.plan.actions[source]?.id;
    if (source === atStart) {
      if (this.#scene.initial !== undefined) {
        return failing.kind === "value"
          ? `it is ${quoted(shownValue(failing.value))} at the start`
          : "it is absent at the start";
      }
      const value = witness?.state.get(key);
      return value === undefined
        ? "it may be absent at the start"
        : `it may be ${quoted(shownValue(value))} at the start`;
    }
    if (from === undefined) return "it may have one of several values";
    const verb = failing.claim ? "is said to make" : "makes";
    if (failing.kind === "value") return `${quoted(from)} ${verb} it ${quoted(shownValue(failing.value))}`;
    return `${quoted(from)} writes it and does not say what`;
  }

  #helpFor({ source }: Possibility): string | undefined {
    if (source !== atStart || this.#scene.initial !== undefined) return undefined;
    return "nothing is known of the state at the start; give it with `--state`";
  }
}

function codeFor({ from }: Ask, kind: "fails" | "open"): PlanCode {
  switch (from) {
    case "precondition":
      return kind === "fails" ? "FC3101" : "FC3102";
    case "dependency":
    case "read":
      return "FC3103";
    case "assertion":
      return "FC3104";
  }
}

function unmetText(id: string, ask: Ask, kind: "fails" | "open", because: string): string {
  const may = kind === "fails" ? "" : "may ";
  switch (ask.from) {
    case "precondition":
      return `the precondition ${quoted(conditionText(ask))} of ${quoted(id)} ${may}fail${may === "" ? "s" : ""}: ${because}`;
    case "assertion":
      return `the assertion ${quoted(conditionText(ask))} of ${quoted(id)} ${may}fail${may === "" ? "s" : ""}: ${because}`;
    case "dependency":
      return `${quoted(id)} depends on the key ${quoted(ask.key)}, which ${may === "" ? "is" : "may be"} missing: ${because}`;
    case "read":
      return `${quoted(id)} reads the key ${quoted(ask.key)}, which ${may === "" ? "is" : "may be"} missing or not known: ${because}`;
  }
}

function toolFindings({ actions }: Plan, known: ReadonlySet<string> | undefined): Finding[] {
  if (known === undefined) return [];
  const findings: Finding[] = [];
  for (const [i, { id, type, tool }] of actions.entries()) {
    if (type !== "tool_call" || tool === undefined || known.has(tool)) continue;
    const message = `${quoted(id)} calls ${quoted(tool)}, which is not a known tool`;
    findings.push(finding("FC3106", "error", "decided", id, message, ["actions", i, "tool"]));
  }
  return findings;
}

function conflictFinding({ key, writers }: Verification["conflicts"][number], { numbers }: Scene): Finding {
  const shown = writers.slice(0, 3).map(quoted).join(", ");
  const rest = writers.length > 3 ? ` and ${writers.length - 3} more` : "";
  const message = `${quoted(key)} is written by ${shown}${rest}, and only their position in the list orders them`;
  const [first = ""] = writers;
  const path = ["actions", numbers.get(first) ?? 0];
  const help = "declare the order: add the earlier one to the `dependencies` of the later one";
  return { ...finding("FC3107", "warning", "decided", first, message, path), key, help };
}

function compensationFindings(actions: readonly Action[]): Finding[] {
  const findings: Finding[] = [];
  for (const [i, { id, reversibility, compensation }] of actions.entries()) {
    if (reversibility !== "compensable" || compensation !== undefined) continue;
    const message = `${quoted(id)} is marked compensable but names no compensation`;
    findings.push(finding("FC3110", "warning", "decided", id, message, ["actions", i]));
  }
  return findings;
}

function warned({ actions }: Plan, { code, message, path, part, help }: PlanWarning): Finding {
  const [list, i] = path;
  const id = list === "actions" && typeof i === "number" ? actions[i]?.id : undefined;
  const found = finding(code, "warning", "decided", id ?? "plan", message, path);
  return { ...found, ...(part && { part }), ...(help !== undefined && { help }) };
}

function finding(
  code: PlanCode,
  severity: Severity,
  tier: Tier,
  actionId: string,
  message: string,
  path: readonly (string | number)[],
): Finding {
  return { actionId, severity, message, code, tier, path };
}
