/** A recorded run, step by step: what each call was given, what it gave back, and what it changed. */
import {
  type Checked,
  callEnvironment,
  LimitReached,
  Meter,
  type RecordedRun,
  State,
  type TraceEntry,
  Unknown,
  type Value,
  writesOf,
} from "../../ir/index.ts";

export interface Step {
  readonly entry: TraceEntry;
  /** Set for a failed call: whether it is taken to have had its effect. Undefined if nobody says. */
  readonly took: boolean | undefined;
  readonly changes: readonly Change[];
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
  const steps: Step[] = [];
  let isKnown = true;
  for (const entry of run.trace) {
    const changes: Change[] | undefined = isKnown ? advance(checked, run, state, entry, meter) : undefined;
    isKnown = changes !== undefined;
    const took = entry.outcome.kind === "returned" ? undefined : run.resolution?.took(entry.position);
    steps.push({ entry, took, changes: changes ?? [] });
  }
  return { steps, state: isKnown ? state : undefined };
}

function advance(
  checked: Checked,
  { resolution }: RecordedRun,
  state: State,
  { tool: name, args, outcome, position }: TraceEntry,
  meter: Meter,
): Change[] | undefined {
  const tool = checked.tools.get(name);
  if (tool === undefined || tool.sets.length === 0) return [];
  try {
    const writes = writesOf(tool, callEnvironment(checked, tool, args, state, meter));
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
  } catch (thrown) {
    if (thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
}
