/**
 * Whether calls that the document would make at the same time have to be made one after the other. What a call sets is
 * worked out when it starts, and the kernel holds those cells until it has ended: two calls that may set one cell cannot be
 * under way together.
 */
import {
  type CallCommand,
  type Checked,
  type Command,
  commandsIn,
  type Expr,
  type Tool,
} from "../../ir/index.ts";

/** The cells that calls may set: of each fluent by constant keys, or any. */
type Cells = Map<string, Set<string> | "any">;

export function needsOrder({ document, tools }: Checked): boolean {
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
