/**
 * Records the end of a stopped run, in an entry and in a key of the state. A call is reserved for a version of the
 * state without that key; so once the key is set, no process makes a further call of the run, not even one that has
 * not seen the end.
 */
import { type Checked, quoted } from "../../ir/index.ts";
import { type Kernel, readReceipt } from "../../kernel/index.ts";
import type { JournalEntry } from "../journal.ts";
import type { Origin } from "../origin.ts";
import { endedCell, endKey, runName } from "./identity.ts";
import type { RunProblem } from "./options.ts";
import { recover } from "./recover.ts";

/** `before` is what an earlier process kept of it. A kernel that takes no step for it takes none for a call either. */
export async function keepEnd(
  kernel: Kernel,
  runId: string,
  before: JournalEntry | undefined,
  because: RunProblem["code"],
): Promise<void> {
  if (before?.status === "pending") await kernel.settle(before.receipt);
  if (before !== undefined) return;
  const action = {
    id: `end of ${runName(runId)}`,
    args: { because },
    effects: [{ key: endedCell(runId), op: "set", value: true }],
    origin: originOf(runId),
  };
  await kernel.perform(action, () => null, { key: endKey(runId) });
}

/** Clears the end once compensation is complete, and the run has ended for every process. */
export async function clearEnd(kernel: Kernel, runId: string): Promise<void> {
  const key = endedCell(runId);
  if (kernel.cell(key) === undefined) return;
  await kernel.execute({
    id: `${runName(runId)} has ended`,
    effects: [{ key, op: "delete" }],
    origin: originOf(runId),
  });
}

function originOf(run: string): Origin {
  return { run, purpose: "end" };
}

/**
 * Reports calls of the run by another process; compensation then covers more than this process knows. INVARIANT:
 * called after `keepEnd`, so no further call can follow.
 */
export async function foreignPart(
  checked: Checked,
  kernel: Kernel,
  runId: string,
  reservation: string,
  known: ReadonlySet<string>,
): Promise<string | undefined> {
  const from = readReceipt(reservation)?.number ?? 1;
  const now = await recover(checked, kernel, runId, from);
  if (!now.ok) return now.message;
  const other = [...now.value.calls.keys()].find((call) => !known.has(call));
  return other && `another process has resumed this run: it has made ${quoted(other)}`;
}
