/**
 * Decides if calls that the document makes concurrently must run sequentially, in written order:
 * - two calls may set one cell. The effects of a call are computed when it starts, and the kernel reserves those cells
 *   until it has ended, so the two cannot overlap;
 * - a rule of the kernel looks at more than each key by itself. A call is judged when it starts and its effects count when
 *   it ends, so two overlapping calls may pass that would not pass one after the other;
 * - a guarantee speaks of an order, and is not prefix-safe. Prefix-safe guarantees are proved for every interleaving, and
 *   the monitor refuses a call that would break one.
 */
import {
  type CallCommand,
  type Checked,
  type Command,
  commandsIn,
  type Expr,
  exprsIn,
  isParallel,
  selectionsOf,
  type Tool,
} from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";

/** The cells that calls may set: of each fluent by constant keys, or any. */
type Cells = Map<string, Set<string> | "any">;

export interface Watched {
  readonly kernel: Pick<Kernel, "needsOrder">;
  /** Guarantees that hold wherever the run stops, by their positions. */
  readonly everywhere: ReadonlySet<number>;
}

export function needsOrder(checked: Checked, { kernel, everywhere }: Watched): boolean {
  const { document } = checked;
  if (![...commandsIn(document.program.body)].some(isParallel)) return false;
  if (kernel.needsOrder || setsOneCellTwice(checked)) return true;
  return document.guarantees.some(
    ({ formula }, i) => !everywhere.has(i) && (formula === undefined || speaksOfOrder(formula)),
  );
}

/** Returns whether the order of calls, or a state between them, can make a difference to the formula. */
function speaksOfOrder(formula: Expr): boolean {
  for (const expr of exprsIn(formula)) {
    if (expr.kind === "precedes" || expr.kind === "automaton" || expr.kind === "always") return true;
    if (expr.kind === "cell" && expr.at !== "initial") return true;
    if (selectionsOf(expr).some(({ in: of }) => of.kind === "cells" && of.at !== "initial")) return true;
  }
  return false;
}

function setsOneCellTwice({ document, tools }: Checked): boolean {
  for (const command of commandsIn(document.program.body)) {
    if (command.kind === "parallel" && overlap(command.branches.map((branch) => cellsOf(branch, tools))))
      return true;
    // Which cells an iteration sets is not known here, so each may set those of another.
    if (command.kind === "for" && command.parallel === true && cellsOf(command.body, tools).size > 0)
      return true;
  }
  return false;
}

function overlap(branches: readonly Cells[]): boolean {
  const all: Cells = new Map();
  for (const branch of branches) {
    for (const [fluent, keys] of branch) {
      const before = all.get(fluent);
      if (before === undefined) continue;
      if (before === "any" || keys === "any" || [...keys].some((key) => before.has(key))) return true;
    }
    for (const [fluent, keys] of branch) addAll(all, fluent, keys);
  }
  return false;
}

function cellsOf(body: readonly Command[], tools: ReadonlyMap<string, Tool>): Cells {
  const cells: Cells = new Map();
  for (const command of commandsIn(body)) {
    const tool = command.kind === "call" ? tools.get(command.tool) : undefined;
    if (command.kind !== "call" || tool === undefined) continue;
    for (const { fluent, key } of tool.sets) {
      const constant = constantOf(key, command);
      addAll(cells, fluent, constant === undefined ? "any" : new Set([constant]));
    }
  }
  return cells;
}

function addAll(cells: Cells, fluent: string, keys: ReadonlySet<string> | "any"): void {
  const before = cells.get(fluent) ?? new Set<string>();
  if (before === "any") return;
  cells.set(fluent, keys === "any" ? "any" : new Set([...before, ...keys]));
}

/** The text that is the key, or the argument that it names; undefined for any other. */
function constantOf(key: Expr, { args }: CallCommand): string | undefined {
  const named = key.kind === "var" ? args.find(({ name }) => name === key.name)?.value : key;
  return named?.kind === "string" ? named.value : undefined;
}
