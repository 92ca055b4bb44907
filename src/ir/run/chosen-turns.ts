/**
 * Turns that are chosen: as a recorded run says, or as a caller does. Something is chosen whenever no strand runs and no
 * tool has yet to answer, so that the choice decides the run and nothing else does. Part of what must be trusted.
 */
import { type CallEvent, eventsOf, isOrderly, type TraceEntry } from "../eval/trace.ts";
import type { RunOptions } from "./options.ts";
import { FinalStop, type Stop } from "./stop.ts";
import type { StartingCall, Turns, Wait } from "./turns.ts";

interface WaitingStart {
  readonly call: StartingCall;
  readonly go: () => void;
  readonly fail: (stop: Stop) => void;
}

abstract class ChosenTurns implements Turns {
  abstract readonly branches: number;
  /** Calls that are to start, in the order in which they were come to. */
  protected readonly starts = new Map<string, WaitingStart>();
  /** Calls whose tools have answered, by their positions. */
  protected readonly ends = new Map<number, { readonly call: StartingCall; readonly go: () => void }>();
  #running = 1;
  #unanswered = 0;

  abstract start(call: StartingCall): Wait;
  abstract endsAtOnce(call: StartingCall, position: number): boolean;
  /** Lets something happen that can. */
  protected abstract choose(): void;

  drop(): void {}
  close(): void {}

  open(): void {
    this.#unanswered++;
    this.rest();
  }

  end(call: StartingCall, position: number): Wait {
    return new Promise((resolve) => {
      this.ends.set(position, { call, go: () => this.#resume(resolve) });
      this.#unanswered--;
      this.#look();
    });
  }

  wake(): void {
    this.#running++;
  }

  rest(): void {
    this.#running--;
    this.#look();
  }

  protected wait(call: StartingCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => this.#resume(resolve);
      const fail = (stop: Stop) => this.#resume(() => reject(stop));
      this.starts.set(keyOf(call), { call, go, fail });
      this.rest();
    });
  }

  #resume(go: () => void): void {
    this.wake();
    go();
  }

  #look(): void {
    if (this.#running === 0 && this.#unanswered === 0) this.choose();
  }
}

/**
 * As a recorded run says, as long as it says something. A call that it does not know waits until it ends, or until what
 * the tool requires does not hold: such a call was not made then either, and is in no record.
 */
export class RecordedTurns extends ChosenTurns {
  override readonly branches: number;
  readonly #refusal: (call: StartingCall) => Stop | undefined;
  /** Calls that are yet to start. */
  readonly #known: Set<string>;
  /** Those among the waiting calls that the record does not know. */
  readonly #strangers = new Set<string>();
  #events: readonly CallEvent[];
  readonly #isOrderly: boolean;
  #next = 0;

  /**
   * @param concurrency as it was given for the run: with 1, each branch waits for those before it
   * @param refusal why the call would not be made now, if it would not
   */
  constructor(
    trace: readonly TraceEntry[],
    concurrency: number,
    refusal: (call: StartingCall) => Stop | undefined,
  ) {
    super();
    this.#refusal = refusal;
    this.#known = new Set(trace.map(keyOf));
    this.branches = concurrency === 1 ? 1 : Number.POSITIVE_INFINITY;
    this.#events = eventsOf(trace);
    this.#isOrderly = isOrderly(trace);
  }

  get isOver(): boolean {
    return this.#next >= this.#events.length;
  }

  override start(call: StartingCall): Wait {
    const event = this.#events[this.#next];
    if (!this.#isOrderly) throw misfit(event, call, "it says of two things that they were at one moment");
    const key = keyOf(call);
    const isNext = event?.kind === "start" && keyOf(event.entry) === key;
    if (isNext && call.strand.mayCall) {
      this.#advance();
      return undefined;
    }
    if (!this.#known.has(key)) this.#meet(call);
    return this.wait(call);
  }

  /** The branches after that of a call which the record does not know need not wait for it. */
  #meet(call: StartingCall): void {
    call.strand.noteCall();
    this.#strangers.add(keyOf(call));
  }

  #refuseStrangers(): void {
    for (const key of this.#strangers) {
      const start = this.starts.get(key);
      const stop = start && this.#refusal(start.call);
      if (start === undefined || stop === undefined) continue;
      this.#strangers.delete(key);
      this.starts.delete(key);
      start.fail(stop);
    }
  }

  /** Beside others only once they all wait: calls that were not made then are not in the record, and come first. */
  override endsAtOnce({ strand }: StartingCall, position: number): boolean {
    if (strand.isBeside) return false;
    const event = this.#events[this.#next];
    if (event?.kind !== "end" || event.entry.position !== position) return false;
    this.#advance();
    return true;
  }

  /** The call that has just started is not made: it does not end either. */
  override drop(): void {
    const dropped = this.#events[this.#next - 1]?.entry;
    this.#events = this.#events.filter(({ kind, entry }) => kind === "start" || entry !== dropped);
    if (this.isOver) this.#letAllStart();
  }

  protected override choose(): void {
    const waiting = this.starts.size;
    this.#refuseStrangers();
    if (this.starts.size < waiting) return;
    const event = this.#events[this.#next];
    if (event?.kind === "end") this.#end(event);
    else if (event !== undefined) this.#start(event);
  }

  #start(event: CallEvent): void {
    const key = keyOf(event.entry);
    const start = this.starts.get(key);
    if (start?.call.strand.mayCall !== true) {
      this.#fail(event, start);
      return;
    }
    this.starts.delete(key);
    this.#advance(start.go);
  }

  #end({ entry: { position } }: CallEvent): void {
    const end = this.ends.get(position);
    if (end === undefined) throw new TypeError("a call of the recorded run was lost");
    this.ends.delete(position);
    this.#advance(end.go);
  }

  /** INVARIANT: called before the state changes, so that each state is looked at. */
  #advance(go?: () => void): void {
    this.#refuseStrangers();
    const event = this.#events[this.#next++];
    if (event?.kind === "start") this.#known.delete(keyOf(event.entry));
    go?.();
  }

  override close(): void {
    if (this.isOver) this.#letAllStart();
  }

  /** The record ends here: what waits for it no longer does. */
  #letAllStart(): void {
    const waiting = [...this.starts.values()];
    this.starts.clear();
    this.#strangers.clear();
    for (const { go } of waiting) go();
  }

  #fail(event: CallEvent, found: WaitingStart | undefined): void {
    const waiting = [...this.starts.values()];
    this.starts.clear();
    const [first] = waiting;
    // Calls that are under way, of which the record says that others start before they end, end.
    for (const { go } of this.ends.values()) go();
    this.ends.clear();
    this.#next = this.#events.length;
    if (first === undefined) return;
    const { entry } = event;
    const { call } = first;
    const isOther = entry.id !== call.id || entry.tool !== call.tool.name;
    const what =
      found !== undefined
        ? "it starts before the first call of a branch before its own"
        : isOther
          ? `it is \`${entry.id}\` of \`${entry.tool}\`, and \`${call.id}\` of \`${call.tool.name}\` comes next`
          : "it was made in another iteration";
    const stop = misfit(event, call, what);
    for (const { fail } of waiting) fail(stop);
  }
}

/** As the caller chooses. */
export class ScheduledTurns extends ChosenTurns {
  override readonly branches: number;
  readonly #schedule: NonNullable<RunOptions["schedule"]>;

  constructor(schedule: NonNullable<RunOptions["schedule"]>, concurrency: number) {
    super();
    this.branches = concurrency;
    this.#schedule = schedule;
  }

  override start(call: StartingCall): Wait {
    return this.wait(call);
  }

  override endsAtOnce(): boolean {
    return false;
  }

  protected override choose(): void {
    const isFull = this.ends.size >= this.branches;
    const starts = isFull ? [] : [...this.starts].filter(([, { call }]) => call.strand.mayCall);
    const ends = [...this.ends];
    if (starts.length + ends.length === 0) return;
    const choices = [
      ...starts.map(([, { call }]) => ({ kind: "start" as const, id: call.id, indices: call.indices })),
      ...ends.map(([, { call }]) => ({ kind: "end" as const, id: call.id, indices: call.indices })),
    ];
    const chosen = this.#schedule(choices);
    const [start, end] = [starts[chosen], ends[chosen - starts.length]];
    if (start !== undefined) this.starts.delete(start[0]);
    if (end !== undefined) this.ends.delete(end[0]);
    const go = (start ?? end)?.[1].go;
    if (go === undefined) throw new RangeError(`the schedule chose ${chosen} of ${choices.length}`);
    go();
  }
}

export function misfit(event: CallEvent | undefined, { trail }: StartingCall, what: string): FinalStop {
  const position = event?.entry.position ?? 0;
  return new FinalStop("FC1510", trail, `call ${position} of the recorded run does not fit: ${what}`);
}

function keyOf({ id, indices }: { readonly id: string; readonly indices: readonly number[] }): string {
  return `${indices.join()} ${id}`;
}
