/** Names the calls of a run by their tools, which people know. */

import type { LoadedProgram } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { commandsIn } from "../../../ir/index.ts";
import type { RunProgress } from "../../../run/index.ts";
import type { LiveRun } from "./live-run.ts";

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
    if (progress.kind === "undoing") live.say(`${"undoing".padEnd(13)}${visibleText(actionId)}`, out);
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
