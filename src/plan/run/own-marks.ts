/**
 * What a run itself has marked as not known. A mark that lies over a step keeps the kernel from rolling the step back, so it
 * is rolled back with it, and what it said is marked anew in the same moment.
 */
import { isJsonArray, isJsonObject, type Json, readJson } from "../../ir/index.ts";
import type { Outcome } from "../../kernel/index.ts";
import { type Marking, mergedMarks } from "../../run/index.ts";
import { writtenText } from "../values.ts";
import { kernelName, originOf } from "./identity.ts";
import type { Journal, Marked } from "./journal.ts";

export class OwnMarks {
  readonly #run: { readonly digest: string; readonly runId: string };
  readonly #all: readonly Marked[];
  /** Those that are there, the oldest first. */
  #marked: readonly Marked[];
  /** The versions of the state that the run itself made. */
  readonly #versions: ReadonlySet<number>;

  constructor(
    run: { readonly digest: string; readonly runId: string },
    { kept, marked: all }: Pick<Journal, "kept" | "marked">,
  ) {
    this.#run = run;
    this.#all = all;
    const steps = Array.from(kept.values(), ({ step }) => step?.version ?? -1);
    this.#versions = new Set([...steps, ...all.map(({ version }) => version)]);
    this.#marked = all.filter(({ isRolledBack }) => isRolledBack !== true);
  }

  add({ version, receipt }: Outcome, effects: Marking["effects"]): void {
    if (receipt === undefined) return;
    const one = { version, receipt, step: undefined, effects: effects.map((effect) => ({ ...effect })) };
    this.#marked = [...this.#marked, one];
  }

  remove(marks: readonly Marked[]): void {
    if (marks.length > 0) this.#marked = this.#marked.filter((one) => !marks.includes(one));
  }

  /** Whether an earlier process has marked what a step left that was taken back. */
  isMarkedAfter(stepReceipt: string): boolean {
    return this.#all.some(({ step }) => step === stepReceipt);
  }

  /** The marks since a step on keys that it wrote, newest first. */
  over(effects: Json | undefined, version: number): readonly Marked[] {
    const keys = changesIn(effects);
    return this.#marked
      .filter(
        (one) => one.version > version && [...changesIn(one.effects).keys()].some((key) => keys.has(key)),
      )
      .reverse();
  }

  /**
   * What these marks said, and what was said of a key before the step. SOUNDNESS: where the run did not say that itself, it is
   * not known here, and the key may hold anything.
   */
  anew(actionId: string, ofStep: Json | undefined, version: number, marks: readonly Marked[]): Marking {
    const own = changesIn(ofStep);
    const values = new Map<string, Json>();
    for (const { effects } of marks) {
      for (const [key, text] of changesIn(effects)) {
        if (text === undefined || values.has(key)) continue;
        const now = jsonIn(text);
        const before = own.has(key) ? this.#before(key, version) : undefined;
        values.set(key, own.has(key) ? mergedMarks(before ?? null, now) : now);
      }
    }
    return {
      id: `unknown after ${kernelName(actionId)}`,
      effects: Array.from(values, ([key, value]) => ({ key, op: "set", value })),
      origin: originOf(this.#run, { id: actionId }, "mark"),
    };
  }

  /**
   * What this run had marked there before a version of the state; undefined if it was somebody else, or may have been:
   * others that changed the state since may have marked the key as well.
   */
  #before(key: string, version: number): Json | undefined {
    const before = this.#marked.filter((one) => one.version < version && changesIn(one.effects).has(key));
    const last = before.at(-1);
    const text = changesIn(last?.effects).get(key);
    if (last === undefined || text === undefined) return undefined;
    for (let one = last.version + 1; one < version; one++) if (!this.#versions.has(one)) return undefined;
    return jsonIn(text);
  }
}

/** The keys that an action set, each with its value as JSON, or that it removed. */
export function changesIn(effects: Json | undefined): ReadonlyMap<string, string | undefined> {
  const changes = new Map<string, string | undefined>();
  if (effects === undefined || !isJsonArray(effects)) return changes;
  for (const effect of effects) {
    if (!isJsonObject(effect) || typeof effect.key !== "string") continue;
    changes.set(effect.key, effect.op === "delete" ? undefined : writtenText(effect.value ?? null));
  }
  return changes;
}

export function jsonIn(text: string): Json {
  const read = readJson(text);
  if (!read.ok) throw new TypeError("what was written as JSON is not JSON");
  return read.value.value;
}
