/** A recorded run, step by step: what each call was given, what it gave back, and what it changed. */
import {
  type CallEvent,
  type Checked,
  callEnvironment,
  eventsOf,
  LimitReached,
  Meter,
  type RecordedRun,
  State,
  type TraceEntry,
  Unknown,
  type Value,
  type Write,
  writesOf,
} from "../../ir/index.ts";

export interface Step {
  readonly entry: TraceEntry;
  /** Set for a failed call: whether it is taken to have had its effect. Undefined if nobody says. */
  readonly took: boolean | undefined;
  readonly changes: readonly Change[];
  /** The last start or end of a later call while this one was under way, if there is one. */
  readonly beside: CallEvent | undefined;
}

export interface Change {
  readonly fluent: string;
  /** Undefined where it is not known which key was written. */
  readonly key: Value | undefined;
  readonly before: Value | Unknown;
  readonly after: Value | Unknown;
}

export interface Steps {
  readonly steps: readonly Step[];
  /** After the last call; undefined if it takes too long to work out. */
  readonly state: State | undefined;
}

export function stepsOf(checked: Checked, run: RecordedRun): Steps {
  const state = State.initial(checked, run.initial);
  const meter = new Meter();
  const changes = new Map<TraceEntry, readonly Change[]>();
  let isKnown = true;
  try {
    /** The writes of calls: computed when a call starts, applied when it ends. */
    const writes = new Map<TraceEntry, readonly Write[]>();
    for (const { kind, entry } of eventsOf(run.trace)) {
      if (kind === "start") writes.set(entry, writesOn(checked, state, entry, meter));
      else changes.set(entry, advance(run, state, entry, writes.get(entry) ?? []));
    }
  } catch (thrown) {
    if (!(thrown instanceof LimitReached)) throw thrown;
    isKnown = false;
  }
  const beside = besideIn(run.trace);
  const steps = run.trace.map((entry) => {
    const took = entry.outcome.kind === "returned" ? undefined : run.resolution?.took(entry.position);
    return { entry, took, changes: changes.get(entry) ?? [], beside: beside.get(entry) };
  });
  return { steps, state: isKnown ? state : undefined };
}

/** Maps each call that overlaps a later one to the last start or end before its own end. */
function besideIn(trace: readonly TraceEntry[]): ReadonlyMap<TraceEntry, CallEvent> {
  const found = new Map<TraceEntry, CallEvent>();
  const underWay = new Set<TraceEntry>();
  for (const event of eventsOf(trace)) {
    const { kind, entry } = event;
    if (kind === "end") underWay.delete(entry);
    for (const earlier of underWay) if (earlier.position < entry.position) found.set(earlier, event);
    if (kind === "start") underWay.add(entry);
  }
  return found;
}

function writesOn(
  checked: Checked,
  state: State,
  { tool: name, args }: TraceEntry,
  meter: Meter,
): readonly Write[] {
  const tool = checked.tools.get(name);
  if (tool === undefined || tool.sets.length === 0) return [];
  return writesOf(tool, callEnvironment(checked, tool, args, state, meter));
}

function advance(
  { resolution }: RecordedRun,
  state: State,
  { outcome, position }: TraceEntry,
  writes: readonly Write[],
): Change[] {
  const before = writes.map(({ fluent, key }) => state.read(fluent, key));
  for (const write of writes) {
    if (outcome.kind === "returned") state.write(write);
    else state.writeMaybe(write, resolution?.left(position, write.update));
  }
  return writes.map(({ fluent, key }, i) => ({
    fluent,
    key: key instanceof Unknown ? undefined : key,
    before: before[i] ?? state.rest(fluent),
    after: state.read(fluent, key),
  }));
}
