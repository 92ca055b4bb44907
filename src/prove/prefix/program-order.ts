/** Finds tools whose last call precedes the first call of others. Part of what must be trusted. */
import { type Checked, type Command, commandsIn, type Relation } from "../../ir/index.ts";

/**
 * Returns true if, in every run, every call of the tool comes before all calls of the relation. SOUNDNESS: it
 * compares outermost commands only, so that a loop or a parallel command with both is one place.
 */
export function comesFirst({ document }: Checked, tool: string, relation: Relation): boolean {
  if (relation.kind !== "calls" && relation.kind !== "label") return false;
  const later = document.tools.filter(({ name, labels }) =>
    relation.kind === "calls" ? name === relation.tool : labels.includes(relation.label),
  );
  const isLater = (name: string) => later.some((one) => one.name === name);
  const { body } = document.program;
  const last = body.findLastIndex((command) => calls(command, (name) => name === tool));
  const first = body.findIndex((command) => calls(command, isLater));
  return first < 0 || last < first;
}

function calls(command: Command, isIt: (tool: string) => boolean): boolean {
  return [...commandsIn([command])].some((inner) => inner.kind === "call" && isIt(inner.tool));
}
