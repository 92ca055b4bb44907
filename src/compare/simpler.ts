/** Traces with fewer calls, and with fewer of them failed, for people to read. */
import { type Checked, defaultOf, type RecordedRun, type TraceEntry } from "../ir/index.ts";

/** The simplest that can be come by, one step at a time, of those that still show the same. */
export function simplest(
  checked: Checked,
  run: RecordedRun,
  shows: (run: RecordedRun) => boolean,
): RecordedRun {
  let best = run;
  for (let i = best.trace.length - 1; i >= 0; i--) {
    const without = part(best, (entry) => (entry.position === i ? undefined : entry));
    if (shows(without)) best = without;
  }
  for (let i = 0; i < best.trace.length; i++) {
    const answered = part(best, (entry) => (entry.position === i ? answer(checked, entry) : entry));
    if (best.trace[i]?.outcome.kind === "failed" && shows(answered)) best = answered;
  }
  return best;
}

function answer(checked: Checked, entry: TraceEntry): TraceEntry {
  const result = checked.tools.get(entry.tool)?.result;
  return {
    ...entry,
    outcome: result === undefined ? { kind: "returned" } : { kind: "returned", result: defaultOf(result) },
  };
}

/** The run with some of its calls, in their order. */
function part(run: RecordedRun, of: (entry: TraceEntry) => TraceEntry | undefined): RecordedRun {
  const left = run.trace.flatMap((entry) => of(entry) ?? []);
  const before = left.map(({ position }) => position);
  const trace = left.map((entry, position) => ({ ...entry, position }));
  const { resolution } = run;
  if (resolution === undefined) return { ...run, trace };
  return {
    ...run,
    trace,
    resolution: {
      took: (position) => resolution.took(before[position] ?? -1),
      left: (position, update) => resolution.left(before[position] ?? -1, update),
    },
  };
}
