/** The trace of a run: its calls in order, with their arguments and outcomes. Part of what must be trusted. */
import type { Code } from "../diagnostic.ts";
import type { RecordValue, Value } from "../value.ts";

export interface TraceEntry {
  /** From 0, without gaps, in the order in which the calls started. */
  readonly position: number;
  /** With `indices`, which call of the program it was. */
  readonly id: string;
  /** The positions of the enclosing loops, outermost first. */
  readonly indices: readonly number[];
  readonly tool: string;
  readonly args: RecordValue;
  readonly outcome: Outcome;
  /**
   * The number of starts and ends of calls before its end. Absent where its end directly follows its start: always, in
   * a run without calls at the same time.
   */
  readonly ended?: number;
}

export type Outcome =
  /** Without `result` for a tool that returns nothing. */
  | { readonly kind: "returned"; readonly result?: Value }
  /** The call may or may not have had its effect. */
  | { readonly kind: "failed"; readonly reason: string }
  /** The tool answered what it must not: as a failed call, but the run cannot go on, `catch` or not. */
  | { readonly kind: "broken"; readonly code: Code; readonly reason: string; readonly help?: string };

/** A moment of a run: the call at that position of the trace starts, or ends. */
export interface CallEvent {
  readonly kind: "start" | "end";
  readonly entry: TraceEntry;
}

/**
 * Returns the starts and ends of the calls in their order. Of a trace that was cut short, calls that ended after the
 * last start that is left end there, in their order.
 */
export function eventsOf(trace: readonly TraceEntry[]): CallEvent[] {
  const events: CallEvent[] = [];
  const ends = trace.filter(({ ended }) => ended !== undefined).sort((a, b) => endOf(a) - endOf(b));
  let next = 0;
  for (const entry of trace) {
    for (let one = ends[next]; one !== undefined && endOf(one) <= events.length; one = ends[++next])
      events.push({ kind: "end", entry: one });
    events.push({ kind: "start", entry });
    if (entry.ended === undefined) events.push({ kind: "end", entry });
  }
  for (const entry of ends.slice(next)) events.push({ kind: "end", entry });
  return events;
}

/** Returns whether the trace says of every call when it ended, and no two things of one moment. */
export function isOrderly(trace: readonly TraceEntry[]): boolean {
  const started = new Set<TraceEntry>();
  return eventsOf(trace).every(({ kind, entry }, i) => {
    if (kind === "start") started.add(entry);
    return kind === "start" || (started.has(entry) && (entry.ended === undefined || entry.ended === i));
  });
}

/**
 * Returns the trace of the run that was cut off after so many starts and ends. Whether calls that were under way had their effect
 * is unknown.
 */
export function cutOff(trace: readonly TraceEntry[], events: number): TraceEntry[] {
  const past = eventsOf(trace).slice(0, events);
  const ended = new Set(past.flatMap(({ kind, entry }) => (kind === "end" ? [entry] : [])));
  let last = past.length;
  return past.flatMap(({ kind, entry }) => {
    if (kind === "end") return [];
    return [ended.has(entry) ? entry : { ...entry, outcome: lost, ended: last++ }];
  });
}

const lost: Outcome = { kind: "failed", reason: "the run was cut off during the call" };

function endOf({ ended }: TraceEntry): number {
  return ended ?? Number.POSITIVE_INFINITY;
}
