/** The tools and fluents that a document names: in its calls, and in its own formulas. */
import { commandsAt, type Document, type Expr, exprsAt, type Path, selectionsOf } from "../ir/index.ts";

export interface Mention {
  readonly name: string;
  readonly path: Path;
}

export interface Mentions {
  readonly tools: readonly Mention[];
  readonly fluents: readonly Mention[];
}

/** Returns the called tools, each once. Programs read no fluents, and the checker reports those that do. */
export function callsIn({ program }: Document): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const [command, path] of commandsAt(program.body, ["program", "body"])) {
    if (command.kind === "call" && !found.has(command.tool))
      found.set(command.tool, { name: command.tool, path: [...path, "tool"] });
  }
  return [...found.values()];
}

/** Returns the tools and fluents in a formula, each once, where it stands first. */
export function mentionsIn(formula: Expr, at: Path): Mentions {
  const tools = new Map<string, Mention>();
  const fluents = new Map<string, Mention>();
  const note = (named: object, path: Path): void => {
    for (const [field, found] of [
      ["tool", tools],
      ["fluent", fluents],
    ] as const) {
      const name: unknown = Reflect.get(named, field);
      if (typeof name === "string" && !found.has(name)) found.set(name, { name, path: [...path, field] });
    }
  };
  for (const [expr, path] of exprsAt(formula, at)) {
    const over = (i: number): Path => (expr.kind === "automaton" ? ["on", i, "over", "in"] : ["over", "in"]);
    for (const [i, { in: relation }] of selectionsOf(expr).entries()) note(relation, [...path, ...over(i)]);
    if (expr.kind === "flows" || expr.kind === "influenced") note(expr.from, [...path, "from"]);
    if (expr.kind === "cell") note(expr, path);
  }
  return { tools: [...tools.values()], fluents: [...fluents.values()] };
}
