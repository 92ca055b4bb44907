/**
 * One run of a plan as the reference pages describe it, action by action, with every choice left to an oracle. The world
 * is kept apart from the state of the kernel: tools change the world whether they answer or not, and the kernel knows
 * of it only what it is told.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../src/ir/json/json.ts";
import { decimalText, type Num } from "../../../src/ir/number.ts";
import type { Action, Plan } from "../../../src/plan/plan.ts";
import { waitsFor } from "./order.ts";
import { argsOf, type Change, cellNumber, fits, type Model, models, type Worked } from "./tools.ts";
import {
  type Cell,
  holds,
  isExact,
  isKept,
  isKeptName,
  numberJson,
  referenceOf,
  referencesIn,
  resolved,
  textOf,
} from "./values.ts";

/** Stands for every value, where nothing is known. */
export const anything = Symbol("anything");
type Anything = typeof anything;

/** Outcome of a tool at one attempt. `effects` is the number of its effects that happen, in their order. */
export type Attempt =
  | { readonly kind: "answers" }
  | { readonly kind: "throws" | "hangs"; readonly effects: number }
  | { readonly kind: "does nothing" };

export interface Call {
  readonly actionId: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** From 1. */
  readonly attempt: number;
  readonly effects: number;
}

/** A call that was made, with what the tool did. */
export interface Made extends Call {
  readonly did: Attempt["kind"];
}

/** A key that is only said to be written. */
export interface Written {
  readonly tool: string | undefined;
  readonly args: JsonObject;
  readonly key: string;
  readonly now: Cell;
  /** The claimed value. */
  readonly claimed: Cell;
}

export interface Oracle {
  /** The initial value of a key in the world, given its possible values. */
  readonly start: (key: string, possible: readonly Cell[] | Anything) => Cell;
  /** Chooses the next action. Undefined stops, which only a plan that has ended early may do. */
  readonly next: (ready: readonly number[], hasEnded: boolean) => number | undefined;
  /** Undefined if it is not tried again, because the plan has ended. */
  readonly attempt: (call: Call, mayHang: boolean) => Attempt | undefined;
  readonly answer: (call: Call) => Json;
  /** The value afterwards. */
  readonly left: (written: Written) => Cell;
}

export type Status = "done" | "skipped" | "failed" | "in doubt";

/** Something that a valid plan does not come upon. */
export interface Found {
  readonly actionId: string;
  /**
   * `unmet`: the run says so. `refused`: the kernel does not take it. `held`: a call that never answered holds a key of it.
   * `untrue`: the run goes on, and in the world it does not hold.
   */
  readonly kind: "unmet" | "refused" | "held" | "untrue";
  readonly what: string;
}

export interface Went {
  readonly endedBy: string | undefined;
  readonly statuses: ReadonlyMap<string, Status>;
  readonly calls: readonly Made[];
  /** Compensating calls. */
  readonly undone: readonly Omit<Call, "attempt" | "effects">[];
  readonly found: readonly Found[];
  readonly kernel: ReadonlyMap<string, Json>;
  /** Further possible values of a key that the kernel does not know. */
  readonly marks: ReadonlyMap<string, readonly Json[] | Anything>;
  /** Keys of calls that never answered. */
  readonly held: ReadonlySet<string>;
  readonly world: ReadonlyMap<string, Json>;
}

type Setting = { readonly key: string; readonly to: Json | Anything };

type Ready =
  | {
      readonly kind: "ready";
      readonly args: JsonObject;
      readonly settings: readonly Setting[];
      /** For a call that has happened once, twice and so on, what it may have set. */
      readonly rounds: readonly (readonly Setting[])[];
      /** Maximum number of attempts. */
      readonly tries: number;
    }
  | Found;

export interface Scene {
  readonly plan: Plan;
  /** True if a tool module declares the tools; otherwise the plan's claims count. */
  readonly isDeclared: boolean;
  /** True if the claims come true, and are written to the state. */
  readonly isBelieved: boolean;
  /** For each action those that have to end before it begins. */
  readonly waits: readonly ReadonlySet<number>[];
}

/** The plan must hang together. */
export function sceneOf(plan: Plan, isDeclared: boolean): Scene {
  return { plan, isDeclared, isBelieved: true, waits: waitsFor(plan, isDeclared) };
}

export function simulated(scene: Scene, initial: ReadonlyMap<string, Json>, oracle: Oracle): Went {
  return new Simulation(scene, initial, oracle).run();
}

/** A key of the state that begins so says of another one that it is not known. */
const unknown = "unknown ";

class Simulation {
  readonly #scene: Scene;
  readonly #plan: Plan;
  readonly #isDeclared: boolean;
  readonly #oracle: Oracle;
  readonly #kernel: Map<string, Json>;
  readonly #world: Map<string, Json>;
  readonly #marks = new Map<string, readonly Json[] | Anything>();
  /** Values that a call without a result may have set, besides the recorded one. */
  readonly #held = new Map<string, readonly (Json | Anything)[]>();
  readonly #outputs = new Map<string, Json>();
  readonly #statuses = new Map<string, Status>();
  readonly #calls: Made[] = [];
  readonly #found: Found[] = [];
  #endedBy: string | undefined;

  constructor(scene: Scene, initial: ReadonlyMap<string, Json>, oracle: Oracle) {
    this.#scene = scene;
    this.#plan = scene.plan;
    this.#isDeclared = scene.isDeclared;
    this.#oracle = oracle;
    this.#kernel = new Map([...initial].filter(([key]) => !key.startsWith(unknown)));
    this.#world = new Map(this.#kernel);
    for (const [key, mark] of initial)
      if (key.startsWith(unknown)) this.#begin(key.slice(unknown.length), mark);
  }

  /** Gives a key that is initially unknown one of its possible values. */
  #begin(key: string, mark: Json): void {
    const may = isJsonObject(mark) ? mark.may : undefined;
    const others = may !== undefined && isJsonArray(may) ? may : anything;
    this.#marks.set(key, others);
    const cell = this.#oracle.start(key, others === anything ? others : [this.#kernel.get(key), ...others]);
    if (cell === undefined) this.#world.delete(key);
    else this.#world.set(key, cell);
  }

  run(): Went {
    const { actions } = this.#plan;
    const { waits } = this.#scene;
    const ended = new Set<number>();
    // A plan that ends lets actions come to their end that were under way, so those were ready by then.
    let ready: readonly number[] = [];
    for (;;) {
      if (this.#endedBy === undefined) {
        ready = [...actions.keys()].filter(
          (i) => !ended.has(i) && [...(waits[i] ?? [])].every((one) => ended.has(one)),
        );
      } else ready = ready.filter((i) => !ended.has(i));
      const next = ready.length === 0 ? undefined : this.#oracle.next(ready, this.#endedBy !== undefined);
      const action = next === undefined ? undefined : actions[next];
      if (next === undefined || action === undefined) break;
      ended.add(next);
      this.#act(action);
    }
    return {
      endedBy: this.#endedBy,
      statuses: this.#statuses,
      calls: this.#calls,
      undone: this.#endedBy === undefined ? [] : this.#undone(),
      found: this.#found,
      kernel: this.#kernel,
      marks: this.#marks,
      held: new Set(this.#held.keys()),
      world: this.#world,
    };
  }

  // ── one action ─────────────────────────────────────────────────────────────────────────────────────────

  #act(action: Action): void {
    const ready = this.#ready(action);
    if (ready.kind !== "ready") {
      this.#found.push(ready);
      const isFatal = action.type !== "tool_call" && (ready.kind === "refused" || ready.kind === "held");
      this.#fail(action, "skipped", isFatal);
      return;
    }
    this.#askTheWorld(action, ready.args);
    if (action.type === "tool_call") this.#call(action, ready);
    else {
      const read = action.type === "state_read" ? this.#kernel.get(keyIn(action)) : undefined;
      this.#settle(ready.settings);
      for (const { key, to } of ready.settings) if (to !== anything) this.#world.set(key, to);
      this.#leave(action, ready.args);
      this.#finish(action, read ?? null);
    }
  }

  #call(action: Action, ready: Extract<Ready, { readonly kind: "ready" }>): void {
    const { id, tool = "" } = action;
    const { args, settings, rounds } = ready;
    let worst: "does nothing" | "throws" | "hangs" = "does nothing";
    let [made, perhaps] = [0, 0];
    for (let attempt = 1; attempt <= ready.tries; attempt++) {
      const changes = this.#changesInWorld(action, args);
      const call = { actionId: id, tool, args, attempt, effects: changes.length };
      const happened = this.#oracle.attempt(call, action.timeoutMs !== undefined);
      if (happened === undefined) break;
      made++;
      this.#calls.push({ ...call, did: happened.kind });
      const effects =
        happened.kind === "answers" ? changes.length : "effects" in happened ? happened.effects : 0;
      for (const [key, to] of changes.slice(0, effects)) this.#world.set(key, to);
      if (happened.kind === "answers") {
        this.#settle(settings);
        this.#markOthers(settings, rounds.slice(1, 1 + perhaps));
        this.#leave(action, args);
        this.#answered(action, this.#oracle.answer(call));
        return;
      }
      if (happened.kind !== "does nothing") perhaps++;
      if (happened.kind === "hangs" || worst === "does nothing") worst = happened.kind;
      if (happened.kind === "hangs" && !this.#isRepeatable(action)) break;
    }
    if (worst !== "does nothing") this.#leave(action, args);
    const isInDoubt = worst === "hangs";
    if (isInDoubt)
      for (const { key, to } of settings) this.#held.set(key, [...(this.#held.get(key) ?? []), to]);
    else if (worst === "throws") {
      for (const { key, to } of settings) this.#mark(key, to);
      this.#markOthers(settings, rounds.slice(1, made));
    }
    this.#fail(action, isInDoubt ? "in doubt" : "skipped", false);
  }

  /** Marks the further values of a call that may have happened more than once. */
  #markOthers(first: readonly Setting[], later: readonly (readonly Setting[])[]): void {
    const seen = first.map(settingText);
    for (const setting of later.flat()) {
      if (setting.to !== anything && seen.includes(settingText(setting))) continue;
      seen.push(settingText(setting));
      this.#mark(setting.key, setting.to);
    }
  }

  /** A result that lacks a part which another action refers to ends the plan. */
  #answered(action: Action, output: Json): void {
    this.#finish(action, output);
    const outputs = new Map([[action.id, output]]);
    const isExpected = (text: string) =>
      referenceOf(text)?.id !== action.id || resolved(text, outputs) !== undefined;
    const isWhole = this.#plan.actions.every(({ parameters, expectedEffects }) =>
      [parameters, ...expectedEffects.map(({ value }) => value)].flatMap(referencesIn).every(isExpected),
    );
    if (!isWhole) this.#endedBy ??= action.id;
  }

  #isRepeatable({ tool = "", idempotent }: Action): boolean {
    return this.#isDeclared ? models[tool]?.repeatable === true : idempotent;
  }

  #finish({ id }: Action, output: Json): void {
    this.#statuses.set(id, "done");
    this.#outputs.set(id, output);
  }

  #fail({ id, failureBehavior }: Action, status: Status, isFatal: boolean): void {
    const isLeftOut = failureBehavior === "skip" && !isFatal;
    this.#statuses.set(id, status === "in doubt" ? status : isLeftOut ? "skipped" : "failed");
    if (!isLeftOut) this.#endedBy ??= id;
  }

  // ── what it asks for ───────────────────────────────────────────────────────────────────────────────────

  #ready(action: Action): Ready {
    const { id, type, parameters } = action;
    const unmet = (what: string, kind: Found["kind"] = "unmet"): Found => ({ actionId: id, kind, what });
    const args = resolved(parameters, this.#outputs);
    if (args === undefined) return unmet("an output that is not there");
    const given = objectIn(args);
    for (const { key, operator, value, isRead } of asksOf(action, given)) {
      const possible = this.#possible(key);
      if (possible === anything || !possible.every((cell) => holds(cell, operator, value)))
        return unmet(`${key} ${operator} ${textOf(value)}`);
      if (isRead && possible.length > 1) return unmet(`what ${key} holds`);
    }
    const claimed = this.#claimed(action, given);
    if (typeof claimed === "string") return unmet(claimed);
    const declared = type === "tool_call" && this.#isDeclared ? models[action.tool ?? ""] : undefined;
    const found = declared
      ? this.#declared(action, declared, given)
      : { rounds: [claimed], tries: triesOf(action) };
    if (typeof found === "string") return unmet(found);
    const settings = found.rounds[0] ?? [];
    if (type === "tool_call" && !isExact(given)) return unmet("an exact number");
    const undo = this.#compensation(action)?.parameters ?? null;
    const isTaken =
      (type === "tool_call" ? isKept(given) && isKept(undo) : isKept(keyIn(action))) &&
      settings.every(({ key, to }) => isKeptName(key) && (to === anything || isKept(to))) &&
      // A call that failed has to be marked, and the name of the mark is longer than the key.
      (type !== "tool_call" || settings.every(({ key }) => isKeptName(unknown + key)));
    if (!isTaken) return unmet("something that the kernel keeps", "refused");
    if (settings.some(({ key }) => this.#held.has(key))) return unmet("a key that is free", "held");
    return { kind: "ready", args: given, settings, ...found };
  }

  /**
   * Returns the values that the run considers possible: the recorded one, and those of failed calls or calls without
   * a result.
   */
  #possible(key: string): readonly Cell[] | Anything {
    const mark = this.#marks.get(key) ?? [];
    const held = this.#held.get(key) ?? [];
    if (mark === anything || held.includes(anything) || mark.length + held.length > 8) return anything;
    return [this.#kernel.get(key), ...mark, ...held.filter((one) => one !== anything)];
  }

  /**
   * A tool that is tried again finds what it may have left the time before. It is not tried again where it might then be
   * called without what it requires.
   */
  #declared(
    action: Action,
    model: Model,
    given: JsonObject,
  ): Pick<Extract<Ready, { readonly kind: "ready" }>, "rounds" | "tries"> | string {
    if (!fits(model, given)) return "parameters that fit";
    const args = argsOf(given);
    const isUncertain = model.reads(args).some((key) => !this.#isKnown(key));
    const left = new Map<string, Worked>();
    const read = (key: string): Worked => {
      const possible = this.#possible(key);
      const before = left.get(key);
      if (before !== undefined) return before;
      return possible === anything || possible.length > 1 ? "not known" : cellNumber(key, possible[0]);
    };
    const tries = triesOf(action);
    const rounds: Setting[][] = [];
    for (let round = 0; round < (model.repeatable ? 1 : tries); round++) {
      if (model.requires(args, read) !== true) break;
      const changes = model.changes(args, read).filter(({ when }) => when !== false);
      const settings = changes.map((change) => settingOf(change, round > 0 || isUncertain));
      if (settings.includes("inexact")) return "a change that is exact";
      rounds.push(settings.filter((one) => one !== "inexact"));
      for (const { key, to, when } of changes)
        left.set(key, when === true && isDecimal(to) ? to : "not known");
    }
    if (rounds.length === 0) return "something that its tool requires";
    return { rounds, tries: model.repeatable ? tries : rounds.length };
  }

  #isKnown(key: string): boolean {
    const possible = this.#possible(key);
    return possible !== anything && possible.length === 1;
  }

  #claimed({ type, expectedEffects }: Action, given: JsonObject): readonly Setting[] | string {
    const settings: Setting[] = [];
    if (type === "state_write") settings.push({ key: String(given.key), to: given.value ?? null });
    for (const { key, value } of expectedEffects) {
      const to = resolved(value, this.#outputs);
      if (to === undefined) return "an output that is not there";
      settings.push({ key, to });
    }
    return type === "tool_call" && !this.#scene.isBelieved ? [] : settings;
  }

  /** The run believes that all is met. In the world it has to be. */
  #askTheWorld(action: Action, given: JsonObject): void {
    const untrue = (what: string) => this.#found.push({ actionId: action.id, kind: "untrue", what });
    for (const { key, operator, value, isRead } of asksOf(action, given)) {
      const cell = this.#world.get(key);
      if (!holds(cell, operator, value)) untrue(`${key} ${operator} ${textOf(value)}`);
      else if (isRead && textOf(cell) !== textOf(this.#kernel.get(key))) untrue(`${key} as it was read`);
    }
    const model = this.#isDeclared && action.type === "tool_call" ? models[action.tool ?? ""] : undefined;
    const met = model?.requires(argsOf(given), (key) => cellNumber(key, this.#world.get(key)));
    if (model !== undefined && met !== true) untrue("what its tool requires");
  }

  // ── what it changes ────────────────────────────────────────────────────────────────────────────────────

  #changesInWorld(action: Action, args: JsonObject): (readonly [string, Json])[] {
    if (!this.#isDeclared) {
      const claimed = this.#claimed(action, args);
      if (typeof claimed === "string") return [];
      return claimed.flatMap(({ key, to }) => (to === anything ? [] : [[key, to] as const]));
    }
    const model = models[action.tool ?? ""];
    const read = (key: string) => cellNumber(key, this.#world.get(key));
    return (model?.changes(argsOf(args), read) ?? []).flatMap(({ key, to, when }) =>
      when !== true || to === "not known" ? [] : [[key, numberJson(to)] as const],
    );
  }

  #settle(settings: readonly Setting[]): void {
    for (const { key, to } of settings) {
      this.#marks.delete(key);
      if (to === anything) this.#marks.set(key, to);
      else this.#kernel.set(key, to);
    }
  }

  #mark(key: string, to: Json | Anything): void {
    const before = this.#marks.get(key) ?? [];
    const isFull = before === anything || before.length >= 8;
    this.#marks.set(key, to === anything || isFull ? anything : [...before, to]);
  }

  /** Nobody says what keys of the write set hold, and a claim that the module of the tool does not make may come true or not. */
  #leave(action: Action, args: JsonObject): void {
    const isClaim = action.type === "tool_call" && this.#isDeclared;
    const claims = new Map(action.expectedEffects.map(({ key, value }) => [key, value]));
    for (const key of new Set([...action.writeSet, ...(isClaim ? claims.keys() : [])])) {
      const claim = claims.get(key);
      const isSaid =
        !isClaim && (claim !== undefined || (action.type === "state_write" && keyIn(action) === key));
      if (isSaid || key.startsWith("t.")) continue;
      const isOpen = claim === undefined || action.writeSet.includes(key);
      const claimed = isOpen ? undefined : resolved(claim, this.#outputs);
      if (!isOpen && claimed === undefined) continue;
      const left = this.#oracle.left({ tool: action.tool, args, key, now: this.#kernel.get(key), claimed });
      for (const state of [this.#kernel, this.#world]) {
        if (left === undefined) state.delete(key);
        else state.set(key, left);
      }
    }
  }

  // ── the end ────────────────────────────────────────────────────────────────────────────────────────────

  #compensation({
    compensation,
  }: Action): { readonly tool?: string | undefined; readonly parameters: JsonObject } | undefined {
    if (compensation?.type !== "action_ref") return compensation;
    return this.#plan.actions.find(({ id }) => id === compensation.actionId);
  }

  /** Returns the compensating calls of the completed ones, newest first. */
  #undone(): Omit<Call, "attempt" | "effects">[] {
    const done = [...this.#statuses].flatMap(([id, status]) => (status === "done" ? [id] : []));
    return done.toReversed().flatMap((id) => {
      const action = this.#plan.actions.find((one) => one.id === id);
      const other = action && this.#compensation(action);
      if (other?.tool === undefined) return [];
      const args = resolved(other.parameters, this.#outputs);
      const model = this.#isDeclared ? models[other.tool] : undefined;
      const given = objectIn(args ?? null);
      const isCalled = args !== undefined && isExact(args) && isKept(args) && (!model || fits(model, given));
      return isCalled ? [{ actionId: id, tool: other.tool, args: given }] : [];
    });
  }
}

interface Ask {
  readonly key: string;
  readonly operator: string;
  readonly value: Json;
  /** Its value becomes an output, so it has to be known. */
  readonly isRead: boolean;
}

/** Returns the conditions of an action. The parameters of an assertion may refer to outputs; preconditions do not. */
function asksOf({ type, preconditions, stateDependencies }: Action, given: JsonObject): Ask[] {
  const asks = preconditions.map(
    ({ key, operator, value }): Ask => ({ key, operator, value, isRead: false }),
  );
  for (const key of stateDependencies) asks.push({ key, operator: "exists", value: null, isRead: false });
  const { key, operator = "eq" } = given;
  if (typeof key !== "string") return asks;
  if (type === "state_read") asks.push({ key, operator: "exists", value: null, isRead: true });
  if (type === "assertion" && typeof operator === "string")
    asks.push({ key, operator, value: given.value ?? given.expected ?? null, isRead: false });
  return asks;
}

/** Returns the write of an update; one that depends on an unknown value may set anything. */
function settingOf({ key, to, when }: Change, isUncertain: boolean): Setting | "inexact" {
  if (when === true && isDecimal(to)) return { key, to: numberJson(to) };
  return isUncertain ? { key, to: anything } : "inexact";
}

function isDecimal(to: Worked): to is Num {
  return to !== "not known" && decimalText(to) !== undefined;
}

function settingText({ key, to }: Setting): string {
  return `${key}=${to === anything ? "anything" : textOf(to)}`;
}

function triesOf({ failureBehavior, maxRetries }: Action): number {
  return failureBehavior === "retry" ? maxRetries + 1 : 1;
}

function keyIn({ parameters }: Action): string {
  return typeof parameters.key === "string" ? parameters.key : "";
}

/** Parameters are objects, and stay objects when their references are resolved. */
export function objectIn(json: Json): JsonObject {
  return isJsonObject(json) ? json : {};
}
