/** What a run needs of a program and its proof. */
import { commandsIn, placeOf } from "../../ir/index.ts";
import type { Proof } from "../../prove/index.ts";
import type { RunProgress, ToolPlace } from "../../run/index.ts";
import type { LoadedProgram } from "../load-program.ts";
import type { LiveRun } from "../plan/live-run.ts";
import { visible } from "../text/width.ts";

/** Guarantees that hold wherever a run stops. */
export function everywhereOf({ guarantees }: Proof): ReadonlySet<number> {
  return new Set(
    guarantees.flatMap(({ verdict, interruption }, i) =>
      verdict.kind === "proved" && interruption?.kind === "safe" ? [i] : [],
    ),
  );
}

/** Where each tool is declared: the very file that was compiled. */
export function placesOf({ checked, sourceMap, plan }: LoadedProgram): readonly ToolPlace[] {
  if (plan !== undefined) return plan.places;
  return checked.document.tools.map(({ name }, i) => {
    const file = sourceMap && placeOf(sourceMap, ["tools", i])?.name;
    if (file === undefined) throw new TypeError(`nobody knows where \`${name}\` is declared`);
    return { name, file };
  });
}

/** Calls by their tools: a person knows those. */
export function heardBy(
  live: LiveRun,
  document: LoadedProgram,
  facts: number,
  out: "stdout" | "stderr",
): (progress: RunProgress) => void {
  const { toolOf } = callsIn(document);
  let ended = 0;
  return (progress) => {
    if (progress.kind === "calling") return;
    const actionId = `${toolOf(progress.actionId)} (${progress.actionId})`;
    if (progress.kind === "undoing") live.say(`${"undoing".padEnd(13)}${visible(actionId)}`, out);
    else if (progress.kind !== "ended") live.hear({ ...progress, actionId });
    else {
      const status =
        progress.status === "done" || progress.status === "in doubt" ? progress.status : "failed";
      live.hear({
        ...progress,
        actionId,
        status,
        ended: ++ended,
        all: Math.max(facts, ended),
      });
    }
  };
}

function callsIn({ checked }: LoadedProgram): { readonly toolOf: (call: string) => string } {
  const tools = new Map<string, string>();
  for (const command of commandsIn(checked.document.program.body))
    if (command.kind === "call") tools.set(command.id, command.tool);
  return { toolOf: (call) => tools.get(call.replace(/\[[0-9,]*\]$/, "")) ?? call };
}
