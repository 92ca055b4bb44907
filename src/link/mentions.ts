/** The tools and fluents that a document speaks of: what it calls, and what its own statements are about. */
import type { Command, Document, Expr, Path } from "../ir/index.ts";

export interface Mention {
  readonly name: string;
  readonly path: Path;
}

export interface Mentions {
  readonly tools: readonly Mention[];
  readonly fluents: readonly Mention[];
}

/** Of the commands. Programs read no fluents, and where they do all the same the checker says so. */
export function callsIn({ program }: Document): readonly Mention[] {
  const found: Mention[] = [];
  const enter = (commands: readonly Command[], path: Path): void => {
    for (const [i, command] of commands.entries()) {
      if (command.kind === "call") found.push({ name: command.tool, path: [...path, i, "tool"] });
      else if (command.kind === "for") enter(command.body, [...path, i, "body"]);
    }
  };
  enter(program.body, ["program", "body"]);
  return found;
}

/** Of a formula. Every form that names a tool or a fluent has it in one of these fields. */
export function mentionsIn(formula: Expr, at: Path): Mentions {
  const tools: Mention[] = [];
  const fluents: Mention[] = [];
  const visit = (node: unknown, path: Path): void => {
    if (typeof node !== "object" || node === null) return;
    const [tool, fluent]: readonly unknown[] = [Reflect.get(node, "tool"), Reflect.get(node, "fluent")];
    if (typeof tool === "string") tools.push({ name: tool, path: [...path, "tool"] });
    if (typeof fluent === "string") fluents.push({ name: fluent, path: [...path, "fluent"] });
    for (const [name, part] of Object.entries(node))
      visit(part, [...path, Array.isArray(node) ? Number(name) : name]);
  };
  visit(formula, at);
  return { tools, fluents };
}
