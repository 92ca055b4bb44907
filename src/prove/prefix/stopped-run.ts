/**
 * Checks if a concrete run breaks a guarantee when it stops early: after one of its calls, or with that call failed,
 * since any call may fail. Part of what must be trusted.
 */
import {
  type Checked,
  defaultOf,
  type Expr,
  judge,
  type Outcome,
  type RecordedRun,
  type Tool,
  type Value,
} from "../../ir/index.ts";
import type { Fact } from "../symbolic/call-events.ts";

const failure: Outcome = { kind: "failed", reason: "the tool is taken to fail here" };

/** @param after the last call; undefined before the first */
export function breaksWhenStopped(
  checked: Checked,
  formula: Expr,
  recorded: RecordedRun,
  after: Fact | undefined,
): boolean {
  const length = after === undefined ? 0 : recorded.trace.findIndex((entry) => isOf(after, entry)) + 1;
  if (after !== undefined && length === 0) return false;
  const trace = recorded.trace.slice(0, length);
  const breaks = (run: RecordedRun) => judge(checked, formula, run).kind === "violated";
  if (breaks({ ...recorded, trace })) return true;
  const last = trace.pop();
  if (after === undefined || last?.outcome.kind !== "returned") return false;
  trace.push({ ...last, outcome: failure });
  // A call that failed had its effect or not, and left anything at the keys that it sets.
  return leftovers(checked, after.tool).some((left) =>
    [false, true].some((took) => {
      const { resolution } = recorded;
      const { position } = last;
      return breaks({
        ...recorded,
        trace,
        resolution: {
          took: (at) => (at === position ? took : resolution?.took(at) === true),
          left: (at, update) => (at === position ? left[update] : resolution?.left(at, update)),
        },
      });
    }),
  );
}

function isOf({ id, indices }: Fact, entry: Pick<Fact, "id" | "indices">): boolean {
  return entry.id === id && indices.length === entry.indices.length && isSame(indices, entry.indices);
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.every((step, i) => step === b[i]);
}

/** Returns values that its updates may leave: the plainest ones, and both booleans. */
function leftovers({ fluents }: Checked, { sets }: Tool): readonly (readonly Value[])[] {
  const types = sets.flatMap(({ fluent }) => fluents.get(fluent)?.value ?? []);
  const plainest = types.map(defaultOf);
  if (!types.some(({ kind }) => kind === "bool")) return [plainest];
  return [plainest, types.map((type, i) => (type.kind === "bool" ? true : (plainest[i] ?? false)))];
}
