/**
 * Calls at the same time. Branches are walked in written order, which says nothing of the order in which a run makes their
 * calls: what would depend on that order is refused.
 * SOUNDNESS: no argument of a call depends on how branches interleave, since none reads a name of another. Of the state,
 * a branch touches no fluent that another sets, so each finds in it what it would find alone, and afterward every fluent
 * is as the one that sets it has left it.
 * Part of what must be trusted.
 */
import {
  bodiesOf,
  type Checked,
  type Command,
  clausesOf,
  commandsAt,
  commandsIn,
  type Expr,
  exprsIn,
  isParallel,
  type Path,
  referencesIn,
} from "../ir/index.ts";

/** The construct that prevents a plain translation, and its place. */
export interface Tangled {
  readonly what: string;
  readonly path: Path;
}

/** Undefined where no interleaving makes a difference to any branch. */
export function tangledIn({ document, tools }: Checked): Tangled | undefined {
  for (const [command, path] of commandsAt(document.program.body, ["program", "body"])) {
    if (!isParallel(command)) continue;
    // Any two iterations of a loop have the same commands.
    const branches = command.kind === "for" ? [command.body, command.body] : bodiesOf(command);
    const touched = branches.map((body) => touchedBy(body, tools));
    for (const [i, { sets }] of touched.entries())
      for (const fluent of sets)
        if (touched.some(({ touches }, j) => i !== j && touches.has(fluent)))
          return { what: `\`${fluent}\`, which calls at the same time touch`, path };
  }
  return undefined;
}

function touchedBy(
  body: readonly Command[],
  tools: Checked["tools"],
): { readonly sets: ReadonlySet<string>; readonly touches: ReadonlySet<string> } {
  const [sets, touches] = [new Set<string>(), new Set<string>()];
  for (const command of commandsIn(body)) {
    const tool = command.kind === "call" ? tools.get(command.tool) : undefined;
    if (tool === undefined) continue;
    for (const { fluent } of tool.sets) sets.add(fluent);
    for (const fluent of referencesIn(...clausesOf(tool)).fluents) touches.add(fluent);
  }
  for (const fluent of sets) touches.add(fluent);
  return { sets, touches };
}

/** Returns whether parts of the program run at the same time. */
export function hasParallel({ document }: Checked): boolean {
  return [...commandsIn(document.program.body)].some(isParallel);
}

/** The parts of a formula that depend on the order of calls, or on every state of a run. */
export function orderIn(formula: Expr): Expr["kind"] | undefined {
  for (const { kind } of exprsIn(formula))
    if (kind === "precedes" || kind === "automaton" || kind === "always") return kind;
  return undefined;
}
