/**
 * Checks an action in the abstract state: conditions, outputs and their parts, exact parameters, the tool's
 * requirements, values that can be computed and stored. The run makes the same checks on concrete values
 * (`readied.ts`), with the same functions. SOUNDNESS: every check that is not shown to hold is reported to the
 * watcher.
 */
import type { Json, JsonObject } from "../../ir/index.ts";
import type { Action } from "../plan.ts";
import { hasReference } from "../references.ts";
import { isReceivable } from "../values.ts";
import type { Fate, Scene, Watcher } from "./abstract-interpreter.ts";
import {
  type AbstractValue,
  type Asked,
  isDoubtful,
  type Judgment,
  judge,
  restsOnClaims,
  unknownAtStart,
} from "./abstract-state.ts";
import { type Ask, dependencyAsk, type Keys, ownAsk, preconditionAsk } from "./access-sets.ts";
import type { Condition } from "./conditions.ts";
import { type Happenings, happenings, inexactIn, timesOf } from "./happenings.ts";
import { refusalOf, type Setting, settingsOf } from "./keepable.ts";
import { fitOfField, fitOfPlain, fitsAll, type Output, type Possible, possibleValues } from "./shapes.ts";
import type { CallModel, ReadKey } from "./tool-book.ts";

/** Abstract state when an action is reached. */
export interface Around {
  readonly knowledge: readonly AbstractValue[];
  readonly fates: readonly Fate[];
  readonly outputs: readonly (Output | undefined)[];
}

export interface Reached {
  /** `fails`: some check fails in every run; `open`: some check may fail. */
  readonly fails: boolean;
  readonly open: boolean;
  /** True if the action ends the plan in every run, even if it could be skipped. */
  readonly isFatal: boolean;
  /** Attempts of a call of a declared tool. */
  readonly happenings: Happenings | undefined;
}

export function reach(scene: Scene, i: number, action: Action, around: Around, watcher: Watcher): Reached {
  return new Reach(scene, i, action, around, watcher).all();
}

class Reach {
  #fails = false;
  #open = false;
  #isFatal = false;
  readonly #scene: Scene;
  readonly #i: number;
  readonly #action: Action;
  readonly #around: Around;
  readonly #watcher: Watcher;

  constructor(scene: Scene, i: number, action: Action, around: Around, watcher: Watcher) {
    this.#scene = scene;
    this.#i = i;
    this.#action = action;
    this.#around = around;
    this.#watcher = watcher;
  }

  all(): Reached {
    const { references, type } = this.#action;
    this.#conditions();
    if (references.length > 0) this.#outputsAreThere();
    const model = this.#scene.tools?.calls.get(this.#i);
    let found: Happenings | undefined;
    if (model !== undefined) found = this.#declaredCall(model);
    else if (type === "tool_call") this.#plainCall();
    this.#keepable(found);
    return { fails: this.#fails, open: this.#open, isFatal: this.#isFatal, happenings: found };
  }

  #note(kind: "fails" | "open"): void {
    if (kind === "fails") this.#fails = true;
    else this.#open = true;
  }

  /** Something besides the state, so that no run can be shown to get past it. */
  #doubt(kind: "fails" | "open"): void {
    this.#note(kind);
    this.#scene.doubtful.add(this.#i);
  }

  // ── the state ────────────────────────────────────────────────────────────────────────────────────────────

  #conditions(): void {
    const { preconditions, stateDependencies, readSet } = this.#action;
    const reads = this.#scene.graph.uses[this.#i]?.reads ?? [];
    for (let j = 0; j < preconditions.length; j++) {
      const condition = preconditions[j];
      if (condition !== undefined) this.#ask({ condition }, reads[j], () => preconditionAsk(this.#action, j));
    }
    for (let j = 0; j < stateDependencies.length; j++) {
      const key = reads[preconditions.length + j];
      this.#ask({ condition: isThere }, key, () => dependencyAsk(this.#action, j));
    }
    const key = reads[preconditions.length + stateDependencies.length + readSet.length];
    if (this.#action.type === "state_read") {
      const own = ownAsk(this.#action);
      if (own !== undefined) this.#ask({ condition: own, mustBeKnown: true }, key, () => own);
    } else if (this.#action.type === "assertion") this.#assertion(key);
  }

  /** An assertion may compare with an output. */
  #assertion(key: number | undefined): void {
    const own = ownAsk(this.#action);
    if (own === undefined) return;
    if (this.#action.references.length === 0 || !hasReference(own.value)) {
      this.#ask({ condition: own }, key, () => own);
      return;
    }
    const { shapes } = this.#possible(own.value);
    const [only] = shapes;
    if (shapes.length !== 1 || only?.kind !== "is") {
      this.#ask({ condition: own, valueIsOpen: true }, key, () => own);
      this.#scene.doubtful.add(this.#i);
      return;
    }
    const resolved = { ...own, value: only.value };
    this.#ask({ condition: resolved }, key, () => resolved);
  }

  #ask(asked: Asked, key: number | undefined, ask: () => Ask): void {
    const known = this.#around.knowledge[key ?? -1] ?? unknownAtStart;
    const judgment: Judgment = judge(asked, known);
    if (restsOnClaims(known)) this.#watcher.claimed?.(known, key ?? -1, this.#i);
    if (judgment.kind === "holds") return;
    this.#watcher.unmet?.(this.#i, ask(), judgment, asked.valueIsOpen === true);
    this.#note(judgment.kind);
  }

  // ── outputs ──────────────────────────────────────────────────────────────────────────────────────────────

  #possible(json: Json): Possible {
    const { numbers } = this.#scene;
    return possibleValues(json, (id) => this.#around.outputs[numbers.get(id) ?? -1]);
  }

  #outputsAreThere(): void {
    const { references, parameters, expectedEffects } = this.#action;
    for (const id of references) {
      const of = this.#scene.numbers.get(id) ?? -1;
      const fate = this.#around.fates[of];
      if (fate !== "may be skipped" && fate !== "is skipped") continue;
      this.#note(fate === "is skipped" ? "fails" : "open");
      this.#watcher.noOutput?.(this.#i, of, fate === "is skipped", undefined);
    }
    this.#parts(parameters);
    for (const { value } of expectedEffects) this.#parts(value);
  }

  #parts(json: Json): void {
    const { missing } = this.#possible(json);
    if (missing === undefined) return;
    const of = this.#scene.numbers.get(missing.of) ?? -1;
    if (this.#around.fates[of] === "is skipped") return;
    this.#doubt(missing.always ? "fails" : "open");
    this.#watcher.noOutput?.(this.#i, of, missing.always, missing.reference);
  }

  // ── calls ────────────────────────────────────────────────────────────────────────────────────────────────

  #plainCall(): void {
    const { parameters, references } = this.#action;
    if (references.length === 0 && isReceivable(parameters)) return;
    for (const name of Object.keys(parameters)) {
      const { shapes } = this.#possible(parameters[name] ?? null);
      if (shapes.length > 0)
        this.#fit(name, fitsAll(shapes.map(fitOfPlain)), "a number that it cannot have exactly");
    }
  }

  #declaredCall(model: CallModel): Happenings {
    const { parameters } = this.#action;
    const { tool } = model;
    const book = this.#book();
    const known: Record<string, Json> = Object.create(null);
    let isKnown = true;
    for (const field of tool.params) {
      const given = parameters[field.name];
      if (given === undefined) continue;
      const { shapes } = this.#possible(given);
      const [only] = shapes;
      if (shapes.length === 1 && only?.kind === "is") known[field.name] = only.value;
      else isKnown = false;
      if (shapes.length === 0) continue;
      const fit = fitsAll(shapes.map((shape) => fitOfField(shape, field)));
      this.#fit(field.name, fit, "a value that is not of its type, or not exact");
    }
    const call = (isKnown && this.#action.references.length > 0 && this.#resolved(known)) || model;
    const found = happenings(
      book,
      call,
      readerOf(this.#scene.keys, this.#around.knowledge),
      timesOf(this.#action, tool),
    );
    this.#requirements(found);
    if (found.each[0].unmet.length === 0) this.#exactness(call, found);
    return found;
  }

  /** The call with what its references stand for, if that is known. */
  #resolved(parameters: JsonObject): CallModel | undefined {
    const { tool = "" } = this.#action;
    const read = this.#book().read({ tool, parameters }, () => false);
    return read.kind === "modelled" ? read.call : undefined;
  }

  #book(): NonNullable<Scene["tools"]>["book"] {
    const { tools } = this.#scene;
    if (tools === undefined) throw new TypeError("a call is declared by a book");
    return tools.book;
  }

  #fit(parameter: string, fit: ReturnType<typeof fitsAll>, what: string): void {
    if (fit === "fits") return;
    const kind = fit === "misfits" ? "fails" : "open";
    this.#doubt(kind);
    this.#watcher.misfit?.(this.#i, kind, parameter, what);
  }

  #requirements({ each: [first, ...others], isCut }: Happenings): void {
    for (const requirement of first.unmet) {
      this.#doubt(requirement.kind);
      this.#watcher.required?.(this.#i, requirement);
    }
    if (first.unmet.length > 0) return;
    const requires = this.#scene.tools?.calls.get(this.#i)?.tool.requires.length ?? 0;
    const again = others.flatMap(({ unmet }) => unmet)[0];
    // SOUNDNESS: what was not followed to its end is not shown.
    const text = again?.text ?? (isCut && requires > 0 ? "all of it" : undefined);
    if (text === undefined) return;
    this.#doubt("open");
    this.#watcher.required?.(this.#i, { kind: "open", text, again: true });
  }

  #exactness(call: CallModel, { each: [first] }: Happenings): void {
    const { keys } = this.#scene;
    const book = this.#book();
    const isClear = (key: string): boolean => {
      const known = this.#around.knowledge[keys.find(key) ?? -1] ?? unknownAtStart;
      return known.every(
        (one) => one.kind !== "any" && book.isClear(key, one.kind === "absent" ? undefined : one.value),
      );
    };
    const found = inexactIn(book, call, first, isClear);
    if (found === undefined) return;
    this.#doubt(found.kind);
    this.#watcher.inexact?.(this.#i, found.kind, found.key);
  }

  // ── the kernel ───────────────────────────────────────────────────────────────────────────────────────────

  #keepable(found: Happenings | undefined): void {
    const settings = found === undefined ? settingsOf(this.#action) : changesIn(found);
    const why = refusalOf(this.#action, settings, this.#scene.plan.actions);
    if (why !== undefined) {
      // The kernel is asked last: an action that finds something else unmet is skipped before.
      const mayEnd = this.#action.type !== "tool_call" && !this.#fails;
      this.#isFatal = mayEnd && !this.#open;
      this.#doubt("fails");
      this.#watcher.refused?.(this.#i, why, mayEnd);
    }
    if (this.#action.type === "tool_call" || settings.length === 0) return;
    // SOUNDNESS: a call in doubt holds its keys, and values may be too large together.
    const isHeld = settings.some(({ key }) => isDoubtful(this.#knownOf(key)));
    if (isHeld || this.#isComposed(settings)) this.#watcher.fragile?.(this.#i);
  }

  #knownOf(key: string): AbstractValue {
    return this.#around.knowledge[this.#scene.keys.find(key) ?? -1] ?? unknownAtStart;
  }

  /** Returns true if a write composes outputs, or nests one. */
  #isComposed(settings: readonly Setting[]): boolean {
    if (this.#action.references.length === 0) return false;
    const open = settings.filter(({ value }) => hasReference(value));
    return open.length > 1 || open.some(({ value }) => typeof value !== "string");
  }
}

const isThere: Condition = { key: "", operator: "exists", value: null };

function changesIn({ each: [first] }: Happenings): Setting[] {
  return Array.from(first.cells, ([key, value]) => ({ key, value: value ?? null }));
}

/** Returns a reader for a tool's clauses: one known value, or unknown. */
export function readerOf(keys: Keys, knowledge: readonly AbstractValue[]): ReadKey {
  return (name) => {
    const known = knowledge[keys.find(name) ?? -1];
    const [first] = known ?? [];
    if (known?.length !== 1 || first === undefined || first.kind === "any") return "unknown";
    return { cell: first.kind === "absent" ? undefined : first.value };
  };
}
