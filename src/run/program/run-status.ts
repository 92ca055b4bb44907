/** The state of a run by its id, as the trace of a kernel has it. */
import { decodeValue, isJsonArray, isJsonObject, type Json, json, type PlainJson } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { readJournal } from "../journal.ts";
import { noteText, plainJson } from "../told.ts";
import { callOfKey, runName } from "./identity.ts";

/** Returns whether the run has begun and has no outcome. The kernel knows without reading its trace. */
export function isUnderWay(kernel: Pick<Kernel, "inDoubt">, runId: string): boolean {
  return kernel.inDoubt().some(({ action, key }) => action === runName(runId) && isUse(key));
}

/** Returns the receipts of calls of the run that were begun and have no outcome. */
export function openCalls(kernel: Pick<Kernel, "inDoubt">, runId: string): readonly string[] {
  return kernel
    .inDoubt()
    .filter(({ key = "" }) => callOfKey(runId, key) !== undefined)
    .map(({ receipt }) => receipt);
}

/** The end of a run. */
export interface RunOutcome {
  /** `abandoned`: a person has released its reservation. */
  readonly kind: "done" | "stopped" | "abandoned";
  readonly result?: PlainJson;
  readonly notes: readonly string[];
}

/** Returns how the run has ended; undefined if it has not, or has not begun. Reads the trace. */
export async function runOutcome(kernel: Kernel, runId: string): Promise<RunOutcome | undefined> {
  const kept = await readJournal(
    kernel,
    {
      mentions: runId,
      owns: ({ run, plan, purpose }) => run === runId && plan === undefined && purpose === "run",
      ownedThen: (key, { id }) => isUse(key) && id === runName(runId),
    },
    1,
  );
  const [last] = [...kept.values()].reverse();
  if (last === undefined || last.status === "pending") return undefined;
  if (last.status === "released") return { kind: "abandoned", notes: [] };
  const outcome = last.step?.outcome;
  const fields = outcome !== undefined && isJsonObject(outcome) ? outcome : undefined;
  const result = fields?.answer === undefined ? undefined : jsonIn(fields.answer);
  const notes = fields?.notes !== undefined && isJsonArray(fields.notes) ? fields.notes : [];
  return {
    kind: fields?.run === "done" ? "done" : "stopped",
    ...(result !== undefined && { result: plainJson(result) }),
    notes: notes.flatMap((note) => {
      const value = jsonIn(note);
      return value === undefined ? [] : [noteText(value)];
    }),
  };
}

function jsonIn(written: Json) {
  const read = decodeValue(written, json);
  return read.ok ? read.value : undefined;
}

/** The key of the use of a receipt. */
function isUse(key: string | undefined): boolean {
  return key?.startsWith("receipt ") === true;
}
