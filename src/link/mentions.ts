/** The tools and fluents that a document speaks of: what it calls, and what its own statements are about. */
import { commandsAt, type Document, type Expr, type Path } from "../ir/index.ts";

export interface Mention {
  readonly name: string;
  readonly path: Path;
}

export interface Mentions {
  readonly tools: readonly Mention[];
  readonly fluents: readonly Mention[];
}

/** Of the commands, each once. Programs read no fluents, and where they do all the same the checker says so. */
export function callsIn({ program }: Document): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [command, path] of commandsAt(program.body, ["program", "body"])) {
    if (command.kind === "call" && !found.has(command.tool))
      found.set(command.tool, { name: command.tool, path: [...path, "tool"] });
  }
  return [...found.values()];
}

/** Of a formula, each once. Every form that names a tool or a fluent has it in one of these fields. */
export function mentionsIn(formula: Expr, at: Path): Mentions {
  const tools = new Map<string, Mention>();
  const fluents = new Map<string, Mention>();
  const path: (string | number)[] = [...at];
  const note = (found: Map<string, Mention>, field: string, name: unknown): void => {
    if (typeof name === "string" && !found.has(name)) found.set(name, { name, path: [...path, field] });
  };
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    note(tools, "tool", Reflect.get(node, "tool"));
    note(fluents, "fluent", Reflect.get(node, "fluent"));
    for (const [name, part] of Object.entries(node)) {
      path.push(Array.isArray(node) ? Number(name) : name);
      visit(part);
      path.pop();
    }
  };
  visit(formula);
  return { tools: [...tools.values()], fluents: [...fluents.values()] };
}
