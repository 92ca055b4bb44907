/**
 * Calls that are in doubt while their run goes on. Their keys are held, so nobody sets them, but they can still be read.
 * SOUNDNESS: until somebody says what became of such a call, the run finds its keys marked as if it had failed.
 */
import type { Kernel } from "../../kernel/index.ts";
import { markOf } from "../cells.ts";
import { type Effect, marksFor, writtenText } from "../effects.ts";
import type { Stored } from "./stored-state.ts";

export interface Doubt {
  readonly tool: string;
  readonly receipt: string;
  /** The effects that were reserved for it. */
  readonly effects: readonly Effect[];
}

export class Doubts {
  readonly #kernel: Pick<Kernel, "cell" | "view" | "inDoubt">;
  readonly #all: Doubt[] = [];

  constructor(kernel: Pick<Kernel, "cell" | "view" | "inDoubt">) {
    this.#kernel = kernel;
  }

  add(doubt: Doubt): void {
    this.#all.push(doubt);
  }

  /** The state as a call finds it. */
  state(): Stored {
    if (this.#all.length === 0) return this.#kernel;
    const pending = new Set(this.#kernel.inDoubt().map(({ receipt }) => receipt));
    const marks = new Map<string, string>();
    const cell = (key: string): string | undefined => marks.get(key) ?? this.#kernel.cell(key);
    for (const { tool, receipt, effects } of this.#all) {
      if (!pending.has(receipt)) continue;
      for (const { key, value } of marksFor(markOf("call in doubt", tool), effects, { cell }))
        marks.set(key, writtenText(value));
    }
    return { cell, view: () => new Set([...this.#kernel.view().keys(), ...marks.keys()]) };
  }
}
