/**
 * Compares the state with the world, and records where they differ: the kernel stops, until a person or a rule says which of
 * both counts. Every observation is an entry with the principal of the caller.
 */
import type { Json } from "../../ir/index.ts";
import type { Kernel, Outcome } from "../../kernel/index.ts";
import { unknownKey } from "../cells.ts";
import { type CellName, type CellView, lookAtCells, type WorldModel } from "./look.ts";

export interface ReconcileHow {
  /** The cells to look at; all by default. */
  readonly cells?: readonly CellName[];
  /** Says which counts where they differ. By default the rule of the fluent does: stop, or take. */
  readonly accept?: "world" | "model";
  /** Differences that were recorded before, which are not recorded again; this adds to them. */
  readonly recorded?: Set<string>;
}

export interface Reconciled {
  readonly cells: readonly CellView[];
  /** The version of the state that the cells are of. */
  readonly version: number;
  /** The outcome of each observation. */
  readonly outcomes: readonly Outcome[];
  /** Set if `accept` let a stopped kernel go on. */
  readonly resumed?: Outcome;
  /** Set if other writers changed the state all the time. */
  readonly isUnsettled?: true;
}

/** LIMIT: how often all is compared again because the state moved on, or because values of the world were taken. */
const mostRounds = 10;

export async function reconcile(model: WorldModel, how: ReconcileHow = {}): Promise<Reconciled> {
  const { kernel } = model;
  const outcomes: Outcome[] = [];
  for (let round = 1; ; round++) {
    await kernel.refresh();
    const { version } = kernel;
    const cells = await lookAtCells(model, how.cells);
    const isLast = round === mostRounds;
    const again = kernel.version !== version || (await record(model, how, { cells, version }, outcomes));
    if (again && !isLast) continue;
    const found = { cells, version, outcomes };
    if (again) return { ...found, isUnsettled: true };
    const resumed = await resume(kernel, how, cells);
    return resumed === undefined ? found : { ...found, resumed };
  }
}

/** Asks the kernel about each fluent with differences. True if all must be compared again. */
async function record(
  { kernel, probes }: WorldModel,
  { accept, recorded }: ReconcileHow,
  { cells, version }: Pick<Reconciled, "cells" | "version">,
  outcomes: Outcome[],
): Promise<boolean> {
  for (const fluent of new Set(cells.map((one) => one.fluent))) {
    const own = cells.filter((one) => one.fluent === fluent);
    const open = own.filter(
      ({ state }) => state === "differs" || (accept === "world" && state === "unknown"),
    );
    // A kernel that somebody let go on is stopped again, however often this was recorded.
    const isKnown = kernel.stopped !== undefined && open.every((one) => recorded?.has(nameOf(one)) === true);
    if (open.length === 0 || isKnown) continue;
    const takes = accept === "world" || (accept === undefined && probes.get(fluent)?.takes === true);
    const outcome = await kernel.observeCells(fluent, seenAt(kernel, open, own, version), takes);
    if (outcome.reasons.some(({ code }) => code === "version" || code === "held")) return true;
    outcomes.push(outcome);
    // What was taken made another version, and every other comparison is of the one before.
    if (outcome.verdict === "allowed") return true;
    for (const one of open) recorded?.add(nameOf(one));
  }
  return false;
}

function nameOf({ cell, world = "nothing" }: CellView): string {
  return `${cell} ${world}`;
}

/** The cells with their marks. A mark of all cells goes once each cell that the world tells is known. */
function seenAt(
  kernel: Kernel,
  open: readonly CellView[],
  own: readonly CellView[],
  reads: number,
): {
  readonly keys: readonly string[];
  readonly values: Readonly<Record<string, Json>>;
  readonly reads: number;
} {
  const keys: string[] = [];
  const values: Record<string, Json> = Object.create(null);
  const addMark = (cell: string): void => {
    if (kernel.cell(unknownKey(cell)) !== undefined) keys.push(unknownKey(cell));
  };
  for (const { cell, json } of open) {
    keys.push(cell);
    if (json !== undefined) values[cell] = json;
    addMark(cell);
  }
  const [first] = open;
  const isWhole = own.every(
    ({ state, cell, fluent }) => cell !== fluent && state !== "not observed" && state !== "in doubt",
  );
  if (first !== undefined && isWhole) addMark(first.fluent);
  return { keys, values, reads };
}

/** SOUNDNESS: a kernel that drift has stopped goes on only if every cell was observed and agrees. */
async function resume(
  kernel: Kernel,
  { accept }: ReconcileHow,
  cells: readonly CellView[],
): Promise<Outcome | undefined> {
  if (accept === undefined || kernel.stopped?.reason !== "drift") return undefined;
  if (cells.some(({ state }) => state !== "agrees")) return undefined;
  return kernel.resume(
    accept === "world" ? "the world's values were taken" : "the world agrees with the state again",
  );
}
