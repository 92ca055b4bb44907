/** What formulas speak of: tools by name or label, and fluents. */
import type { Document, Expr, Tool } from "../ir/index.ts";

export interface Spoken {
  readonly tools: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly fluents: ReadonlySet<string>;
}

/** Every relation, cell and source of a formula names what it is about in fields of these names. */
export function spokenIn(formula: Expr | undefined): Spoken {
  const [tools, labels, fluents] = [new Set<string>(), new Set<string>(), new Set<string>()];
  visit(formula, (node) => {
    for (const [name, names] of [
      ["tool", tools],
      ["label", labels],
      ["fluent", fluents],
    ] as const) {
      const value: unknown = Reflect.get(node, name);
      if (typeof value === "string") names.add(value);
    }
  });
  return { tools, labels, fluents };
}

/** Whether the formula says something about calls of the tool, or about what they change. */
export function speaksOf({ tools, labels, fluents }: Spoken, tool: Tool): boolean {
  return (
    tools.has(tool.name) ||
    tool.labels.some((label) => labels.has(label)) ||
    tool.sets.some(({ fluent }) => fluents.has(fluent))
  );
}

/** The tools whose calls the formula can tell apart from no call. */
export function toolsIn(formula: Expr, tools: Document["tools"]): Tool[] {
  const spoken = spokenIn(formula);
  return tools.filter((tool) => speaksOf(spoken, tool));
}

/**
 * Whether it speaks of where values come from, which is said of one program.
 * SOUNDNESS: of a program that was made up to stand for all others it would be said of the wrong one.
 */
export function isOfOneProgram(formula: Expr): boolean {
  let found = false;
  visit(formula, (node) => {
    const kind: unknown = Reflect.get(node, "kind");
    found ||= kind === "flows" || kind === "influenced" || kind === "mayRead";
  });
  return found;
}

/** Every node of an expression, the whole before its parts. */
export function visit(expr: Expr | undefined, see: (node: object) => void): void {
  const waiting: unknown[] = [expr];
  for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
    if (typeof node !== "object" || node === null) continue;
    see(node);
    for (const part of Object.values(node)) if (typeof part === "object") waiting.push(part);
  }
}
