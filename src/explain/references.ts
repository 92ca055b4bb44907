/** References of formulas: the tools, labels and fluents that they name. */
import { type Document, type Expr, exprsIn, type References, referencesIn, type Tool } from "../ir/index.ts";

/** Returns whether the references name the tool, or something that its calls change. */
export function speaksOf({ tools, labels, fluents }: References, tool: Tool): boolean {
  return (
    tools.has(tool.name) ||
    tool.labels.some((label) => labels.has(label)) ||
    tool.sets.some(({ fluent }) => fluents.has(fluent))
  );
}

/** Returns the tools whose calls the formula can tell apart from no call. */
export function toolsIn(formula: Expr, tools: Document["tools"]): Tool[] {
  const references = referencesIn(formula);
  return tools.filter((tool) => speaksOf(references, tool));
}

/**
 * Returns whether the formula speaks of where values come from, which is a matter of one program.
 * SOUNDNESS: a program that was made up to stand for all others would be the wrong one.
 */
export function isOfOneProgram(formula: Expr): boolean {
  for (const { kind } of exprsIn(formula))
    if (kind === "flows" || kind === "influenced" || kind === "mayRead") return true;
  return false;
}
