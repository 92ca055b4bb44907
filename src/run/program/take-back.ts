/**
 * Takes back what a run did that has stopped: newest first, by the `undo` of each tool. What was undone is rolled back in the
 * kernel, with its charge; what was not stays as the call has left it, in the state as in the world.
 * Each undo has a key of its own, so that whoever begins again after a crash does only what is left.
 */

import { encodeValue, quoted, recordOf, toJs } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { tried } from "../attempts.ts";
import { markOf } from "../cells.ts";
import type { Clock } from "../clock.ts";
import type { LoadedTool } from "../load-tools.ts";
import type { Origin } from "../origin.ts";
import type { DoneCall } from "./call-types.ts";
import { marksOf } from "./effects.ts";
import { undoKey } from "./identity.ts";
import { wordsOf } from "./kept.ts";
import type { RunProblem, RunProgress } from "./options.ts";

export interface TakingBack {
  readonly kernel: Kernel;
  readonly runId: string;
  readonly tools: ReadonlyMap<string, LoadedTool>;
  readonly timeoutMs: number | undefined;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly tell: (progress: RunProgress) => void;
}

export interface TakenBack {
  readonly undone: ReadonlySet<string>;
  readonly notUndone: readonly string[];
  readonly problems: readonly RunProblem[];
}

/** INVARIANT: it was kept before that the run has stopped, so that nobody makes a call of it any more. */
export async function takeBack(how: TakingBack, done: readonly DoneCall[]): Promise<TakenBack> {
  const undone = new Set<string>();
  const notUndone: string[] = [];
  const problems: RunProblem[] = [];
  const left = done.filter(({ call }) => call.tool.reads !== true);
  for (const one of [...left].reverse()) {
    const why = one.isBack ? undefined : await undoOne(how, one);
    if (why === undefined) undone.add(one.name);
    else {
      notUndone.push(one.name);
      const message = `${quoted(one.call.tool.name)} (${quoted(one.name)}) was not undone: ${why}`;
      problems.push({ code: "FC4511", message, path: [] });
    }
  }
  return { undone, notUndone, problems };
}

/** Why not, or undefined. */
async function undoOne(how: TakingBack, one: DoneCall): Promise<string | undefined> {
  const { kernel, runId, tools, tell } = how;
  const { call, name, receipt } = one;
  const undo = tools.get(call.tool.name)?.undo;
  if (undo === undefined) return "its tool has no `undo`";
  tell({ kind: "undoing", actionId: name });
  const action = {
    id: `undo of ${name}`,
    tool: call.tool.name,
    args: encodeValue(call.args, recordOf(call.tool.params)),
    effects: [],
    origin: { run: runId, purpose: "undo", call: name, step: receipt } satisfies Origin,
  };
  const performed = await kernel.perform(action, () => called(how, one, undo), { key: undoKey(receipt) });
  switch (performed.kind) {
    case "done":
    case "done before":
      return rolledBack(how, one);
    case "refused":
      return wordsOf(performed.reasons);
    case "released":
      return wordsFor(performed.error);
    case "in doubt":
      // It may have been undone or not, so nobody knows what its cells hold.
      await markUnknown(how, one);
      return `nobody knows whether its \`undo\` happened: ${wordsFor(performed.error)}`;
  }
}

async function called(
  how: TakingBack,
  { call, name, receipt, result }: DoneCall,
  undo: NonNullable<LoadedTool["undo"]>,
): Promise<void> {
  const { tool } = call;
  const args = toJs(call.args, recordOf(tool.params));
  const given = result === undefined || tool.result === undefined ? undefined : toJs(result, tool.result);
  if (!args.ok || given?.ok === false) throw new Error("it cannot receive a number exactly");
  await tried({
    ...how,
    call: (info) => undo(args.value, given?.value, info),
    actionId: name,
    key: undoKey(receipt),
    retries: 0,
    repeatable: false,
    random: () => 0,
    // What makes up for a run that was interrupted is not interrupted itself.
    interrupted: never,
    ended: never,
    tell: () => {},
  });
}

const never = new AbortController().signal;

/** The tool itself has taken the call back, so its charge and its effects go too. */
async function rolledBack(how: TakingBack, one: DoneCall): Promise<string | undefined> {
  const outcome = await how.kernel.rollback(one.receipt);
  if (outcome.verdict === "allowed") return undefined;
  await markUnknown(how, one);
  return `its \`undo\` happened, and the kernel cannot roll it back: ${wordsOf(outcome.reasons)}`;
}

async function markUnknown({ kernel, runId }: TakingBack, { call, name }: DoneCall): Promise<void> {
  const effects = marksOf(call.writes, markOf("undo not clear", call.tool.name));
  const origin: Origin = { run: runId, purpose: "mark", call: name };
  if (effects.length > 0) await kernel.execute({ id: `unknown after undo of ${name}`, effects, origin });
}

function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : "no reason given";
}
