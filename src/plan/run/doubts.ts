/**
 * Calls of a run that are in doubt. Their keys are held, so nobody sets them, but they can still be read.
 * SOUNDNESS: until somebody says what became of such a call, the run finds its keys marked as if it had failed.
 */
import type { Json } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { hasMarks, type Mark, markOf, unknownKey, unknownMark } from "../../run/index.ts";
import type { Action } from "../plan.ts";
import { writtenText } from "../values.ts";
import type { Effect } from "./call.ts";
import { changesIn, jsonIn } from "./own-marks.ts";
import { cellOf } from "./values.ts";

export interface Doubt {
  readonly action: Pick<Action, "id" | "tool">;
  readonly receipt: string;
  /** What it would set, as it was reserved. */
  readonly effects: readonly Effect[];
}

type Cells = Pick<Kernel, "cell">;

export class Doubts {
  readonly #kernel: Cells & Pick<Kernel, "inDoubt">;
  readonly #all = new Map<string, Doubt>();

  constructor(kernel: Cells & Pick<Kernel, "inDoubt">) {
    this.#kernel = kernel;
  }

  add(doubt: Doubt): void {
    this.#all.set(doubt.action.id, doubt);
  }

  /** The state as an action finds it; its own call does not stand in its way. */
  stateFor({ id }: Pick<Action, "id">): Cells {
    if (this.#all.size === 0) return this.#kernel;
    const pending = new Set(this.#kernel.inDoubt().map(({ receipt }) => receipt));
    const open = [...this.#all.values()].filter(
      ({ action, receipt }) => action.id !== id && pending.has(receipt),
    );
    const marks = new Map<string, Json>();
    for (const { action, effects } of open) {
      const why = markOf("call in doubt", action.tool ?? "");
      for (const [key, mark] of marksFor(why, effects, this.#kernel)) marks.set(key, mark);
    }
    const cell = (key: string): string | undefined => {
      const mark = marks.get(key);
      return mark === undefined ? this.#kernel.cell(key) : writtenText(mark);
    };
    return { cell };
  }
}

/** For what a call may have set, that it is not known any more: besides what stands there, and what was marked before. */
export function marksFor(why: Mark, effects: readonly Effect[], kernel: Cells): ReadonlyMap<string, Json> {
  const marks = new Map<string, Json>();
  for (const effect of effects) {
    if (effect.op === "delete") continue;
    const isMark = hasMarks([effect.key]);
    const mark = isMark ? effect.key : unknownKey(effect.key);
    const before = marks.get(mark) ?? cellOf(kernel, mark);
    marks.set(mark, isMark ? effect.value : unknownMark(why, effect.value, before));
  }
  return marks;
}

/** The effects of an action as a trace keeps them. */
export function effectsIn(kept: Json | undefined): readonly Effect[] {
  return Array.from(changesIn(kept), ([key, text]) =>
    text === undefined ? { key, op: "delete" } : { key, op: "set", value: jsonIn(text) },
  );
}
