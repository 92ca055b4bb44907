/** Recovers a run from the trace: its inputs, and the results of calls that an earlier process made. */
import { type Receipt, readReceipt } from "../../approve/index.ts";
import {
  type Cell,
  type Checked,
  decodeValue,
  isCode,
  isJsonArray,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
  type Outcome,
  quoted,
  type RecordValue,
  recordOf,
  type Tool,
} from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import { type JournalEntry, readJournal } from "../journal.ts";
import type { Origin } from "../origin.ts";
import { callOfKey, endKey, runName } from "./identity.ts";

export interface RecoveredCall {
  readonly last: JournalEntry;
  /** Number of times that a person reported the call as not made. */
  readonly releases: number;
}

export interface RecoveredRun {
  /** The reservation that stands for the run. */
  readonly reservation: string;
  readonly receipt: Receipt;
  readonly inputs: RecordValue;
  readonly initial: readonly Cell[];
  /** By the names of calls. */
  readonly calls: ReadonlyMap<string, RecoveredCall>;
  /** Everything of the run, by the keys of reservations. */
  readonly kept: ReadonlyMap<string, JournalEntry>;
  /** True if the run has stopped and only compensation remains. */
  readonly hasStopped: boolean;
}

export type Recovery =
  | { readonly ok: true; readonly value: RecoveredRun }
  | { readonly ok: false; readonly message: string };

/** From an entry on before which there is nothing of the run. */
export async function recover(checked: Checked, kernel: Kernel, runId: string, from = 1): Promise<Recovery> {
  const name = runName(runId);
  const owns = ({ run, plan }: Origin): boolean => run === runId && plan === undefined;
  const ownedThen = (key: string, { id }: JsonObject): boolean =>
    callOfKey(runId, key) !== undefined || key === endKey(runId) || (isUseThen(key) && id === name);
  const kept = await readJournal(kernel, { mentions: runId, owns, ownedThen }, from);
  const begun = [...kept.values()].filter(({ key, origin }) =>
    origin === undefined ? isUseThen(key) : origin.purpose === "run",
  );
  const [first] = begun;
  const wrong = (message: string): Recovery => ({ ok: false, message });
  if (first === undefined) return wrong(`there is no run ${quoted(runId)} in this ledger`);
  if (begun.length > 1)
    return wrong(`there are ${begun.length} runs with the id ${quoted(runId)} in this ledger`);
  if (first.status === "settled") return wrong(`the run ${quoted(runId)} has ended`);
  if (first.status === "released")
    return wrong(`the run ${quoted(runId)} was abandoned: its reservation was released`);
  const args = first.args !== undefined && isJsonObject(first.args) ? first.args : undefined;
  const receipt = readReceipt(typeof args?.receipt === "string" ? args.receipt : "");
  if (!receipt.ok) return wrong(`the trace has no receipt for the run ${quoted(runId)}`);
  const inputs = decodeValue(args?.inputs ?? null, recordOf(checked.document.program.inputs));
  const initial = cellsIn(checked, args?.initial ?? null);
  if (!inputs.ok || !isRecord(inputs.value) || initial === undefined)
    return wrong(`the run ${quoted(runId)} was begun with other inputs or fluents than this program has`);
  return {
    ok: true,
    value: {
      reservation: first.receipt,
      receipt: receipt.value,
      inputs: inputs.value,
      initial,
      calls: callsIn(kept, runId),
      kept,
      hasStopped: kept.has(endKey(runId)),
    },
  };
}

/** In entries of the first form, the key of the use of a receipt. */
function isUseThen(key: string): boolean {
  return key.startsWith("receipt ");
}

/** Returns the call that a reservation belongs to, if any. */
function callOf({ key, origin }: JournalEntry, runId: string): string | undefined {
  if (origin === undefined) return callOfKey(runId, key);
  return origin.purpose === "call" ? origin.call : undefined;
}

function callsIn(kept: ReadonlyMap<string, JournalEntry>, runId: string): ReadonlyMap<string, RecoveredCall> {
  const calls = new Map<string, RecoveredCall>();
  for (const last of kept.values()) {
    const call = callOf(last, runId);
    if (call === undefined) continue;
    const releases = (calls.get(call)?.releases ?? 0) + (last.status === "released" ? 1 : 0);
    calls.set(call, { last, releases });
  }
  return calls;
}

function cellsIn(checked: Checked, json: Json): readonly Cell[] | undefined {
  if (!isJsonArray(json)) return undefined;
  const cells: Cell[] = [];
  for (const one of json) {
    const fluent =
      isJsonObject(one) && typeof one.fluent === "string" ? checked.fluents.get(one.fluent) : undefined;
    if (fluent === undefined || !isJsonObject(one)) return undefined;
    const [key, value] = [
      decodeValue(one.key ?? null, fluent.key),
      decodeValue(one.value ?? null, fluent.value),
    ];
    if (!key.ok || !value.ok) return undefined;
    cells.push({ fluent: fluent.name, key: key.value, value: value.value });
  }
  return cells;
}

/** Returns whether it was found when it was reached that the call must not be made. */
export function wasUnmet(outcome: Json | undefined): boolean {
  return outcome !== undefined && isJsonObject(outcome) && outcome.unmet === true;
}

/** Returns whether the try ran out of time and another one followed: it may have happened. */
export function wasUnanswered(outcome: Json | undefined): boolean {
  return outcome !== undefined && isJsonObject(outcome) && outcome.unanswered === true;
}

/**
 * Decodes the outcome of a settled call; returns a message if it is not exact. SOUNDNESS: the interpreter checks the
 * decoded result against the tool's type and `ensures` again.
 */
export function outcomeInJournal(json: Json | undefined, tool: Tool): Outcome | string {
  const outcome = json !== undefined && isJsonObject(json) ? json : undefined;
  if (typeof outcome?.failed === "string") {
    const { broken, failed: reason } = outcome;
    return typeof broken === "string" && isCode(broken)
      ? { kind: "broken", code: broken, reason }
      : { kind: "failed", reason };
  }
  if (tool.result === undefined) return { kind: "returned" };
  if (outcome?.result === undefined)
    return outcome?.tooBig === true
      ? "its result was too large to record"
      : "it was settled without a result";
  const result = decodeValue(outcome.result, tool.result);
  return result.ok ? { kind: "returned", result: result.value } : "its recorded result has another type";
}
