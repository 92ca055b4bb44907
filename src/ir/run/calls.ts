/**
 * Makes the calls of a run and keeps its trace and its state. A call is made only after everything that can be refused has
 * been looked at; it has its position from its start on, and enters trace and state in one place, when it ends.
 * Part of what must be trusted.
 */
import { isBuiltin, isReading, isTold, longestPauseMs, pauseTool } from "../builtin.ts";
import type { Checked } from "../check/index.ts";
import { conforms } from "../convert/conforms.ts";
import { encodeValue } from "../convert/encode.ts";
import { toJs } from "../convert/to-js.ts";
import type { Trail } from "../diagnostic.ts";
import type { Tool } from "../document.ts";
import { LimitReached, Meter } from "../eval/meter.ts";
import { State } from "../eval/state.ts";
import type { Outcome, TraceEntry } from "../eval/trace.ts";
import { recordOf } from "../type.ts";
import { equal, type RecordValue } from "../value.ts";
import { RecordedTurns, ScheduledTurns } from "./chosen-turns.ts";
import { brokenPromise, judgeAnswer, lookBefore, placeIn } from "./look.ts";
import type { PendingCall, RunOptions, ToolHandler } from "./options.ts";
import { FinalStop, reasonOf, Stop } from "./stop.ts";
import { LiveTurns, type StartingCall, type Turns } from "./turns.ts";

/** Calls that are under way at a time, unless the caller says another number. */
const concurrencyByDefault = 32;

/** A call that has started. */
interface Started extends PendingCall {
  readonly call: StartingCall;
  /** The turns by which it started, and by which it ends. */
  readonly turns: Turns;
  /** The number of starts and ends before its start. */
  readonly moment: number;
}

/** Outcome of an answer or a note. */
const said: Outcome = { kind: "returned" };

type Answer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "failed"; readonly reason: string };

export class Calls {
  readonly state: State;
  readonly #checked: Checked;
  readonly #options: RunOptions;
  readonly #meter: Meter;
  readonly #live: LiveTurns;
  readonly #recordedTurns: RecordedTurns | undefined;
  readonly #scheduled: ScheduledTurns | undefined;
  /** By position; of a call that is under way there is none yet. */
  readonly #entries: (TraceEntry | undefined)[] = [];
  /** Starts and ends so far. */
  #moments = 0;
  #over: { readonly thrown: unknown } | undefined;
  /** One function for each call under way, which abandons the wait for its handler. */
  readonly #leaving = new Set<() => void>();
  readonly #leaveAll = (): void => {
    for (const leave of this.#leaving) leave();
  };
  #given: AbortSignal | undefined;

  constructor(checked: Checked, options: RunOptions, meter: Meter) {
    this.#checked = checked;
    this.#options = options;
    this.#meter = meter;
    this.#given = options.signal;
    this.state = State.initial(checked, options.initial);
    const { concurrency = concurrencyByDefault, recorded, schedule } = options;
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError("`concurrency` is an integer from 1");
    this.#live = new LiveTurns(concurrency);
    if (schedule !== undefined) this.#scheduled = new ScheduledTurns(schedule, concurrency);
    else if (typeof recorded === "object")
      this.#recordedTurns = new RecordedTurns(recorded, concurrency, (call) => this.#refusalNow(call));
  }

  /** In the order of their starts. */
  get trace(): TraceEntry[] {
    return this.#entries.filter((entry) => entry !== undefined);
  }

  /** Those of a record, until it ends. */
  get turns(): Turns {
    if (this.#scheduled !== undefined) return this.#scheduled;
    return this.#recordedTurns === undefined || this.#recordedTurns.isOver ? this.#live : this.#recordedTurns;
  }

  /** Handlers are given one in any case; a run from a record has no handlers, and making one is slow. */
  get #signal(): AbortSignal {
    this.#given ??= new AbortController().signal;
    return this.#given;
  }

  /** From now on no call starts; calls that are under way end. */
  endWith(thrown: unknown): void {
    this.#over ??= { thrown };
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  checkOver(): void {
    if (this.#over !== undefined) throw this.#over.thrown;
  }

  /** A failed call is an outcome; what must stop the run is thrown as a `Stop`. What a record knows is there at once. */
  make(call: StartingCall): Promise<Outcome> | Outcome {
    const { turns } = this;
    const turn = turns.start(call);
    if (turn === undefined) return this.#start(call);
    // A record may end in the meantime: then it is the turn of calls that are made.
    return turn.then(() => (turns === this.turns ? this.#start(call) : this.make(call)));
  }

  #start(call: StartingCall): Promise<Outcome> | Outcome {
    const { turns } = this;
    try {
      this.checkOver();
      const pending = this.#pending(call);
      const recorded = this.#recorded(pending);
      if (isTold(call.tool.name)) return this.#say(call, pending, turns, recorded);
      if (recorded === undefined) {
        if (isReading(call.tool.name)) return this.#look(call, pending, turns);
        if (call.tool.name === pauseTool.name) return this.#pause(call, pending, turns);
        return this.#perform(call, pending, turns);
      }
      this.#checkFits(pending, recorded, call.trail);
      return this.#end(this.#begin(call, pending, turns), recorded.outcome);
    } catch (thrown) {
      turns.drop();
      throw thrown;
    }
  }

  /**
   * Enters an answer or a note: nobody handles it, and it cannot fail. As in JavaScript, nothing waits for it.
   * LIMIT: its reader gets it written out, and values share their parts.
   */
  #say(
    call: StartingCall,
    pending: PendingCall,
    turns: Turns,
    recorded: TraceEntry | undefined,
  ): Promise<Outcome> | Outcome {
    const { tool, args } = pending;
    if (recorded !== undefined) this.#checkFits(pending, recorded, call.trail);
    encodeValue(args, recordOf(tool.params), (units) => this.#meter.charge(units));
    const decision = this.#options.hook?.told?.(pending);
    if (decision?.kind === "refuse")
      throw new Stop("FC1509", call.trail, `\`${tool.name}\` was refused: ${decision.reason}`);
    return this.#end(this.#begin(call, pending, turns), said);
  }

  /** Why the call would not be made in this state, if it would not. */
  #refusalNow(call: StartingCall): Stop | undefined {
    try {
      this.#pending(call, new Meter(this.#meter.limits));
      if (isTold(call.tool.name)) return undefined;
      this.#passable(this.#handler(call.tool), call.tool, call.args, call.trail);
      return undefined;
    } catch (thrown) {
      if (thrown instanceof Stop) return thrown;
      if (thrown instanceof LimitReached) return undefined;
      throw thrown;
    }
  }

  #pending({ id, indices, tool, args, trail }: StartingCall, meter = this.#meter): PendingCall {
    const { cost, writes } = lookBefore(this.#checked, tool, args, this.state, meter, trail);
    return { id, indices, tool, args, position: this.#entries.length, cost, writes };
  }

  /** The one place where a call starts. */
  #begin(call: StartingCall, pending: PendingCall, turns: Turns): Started {
    call.strand.noteCall();
    this.#entries.push(undefined);
    return { ...pending, call, turns, moment: this.#moments++ };
  }

  #recorded(pending: PendingCall): TraceEntry | undefined {
    const { recorded } = this.#options;
    if (typeof recorded !== "function") return recorded?.[pending.position];
    const { position, id, indices, tool, args } = pending;
    if (isTold(tool.name)) return undefined;
    const outcome = recorded(pending);
    return outcome && { position, id, indices, tool: tool.name, args, outcome };
  }

  /** Ends a call of which the outcome is known. */
  #end(started: Started, outcome: Outcome): Promise<Outcome> | Outcome {
    const { turns, call, position } = started;
    if (!turns.endsAtOnce(call, position)) {
      turns.open();
      return this.#endLater(started, outcome);
    }
    this.#commit(started, outcome);
    turns.close();
    return outcome;
  }

  async #endLater(started: Started, outcome: Outcome): Promise<Outcome> {
    await started.turns.end(started.call, started.position);
    this.#commit(started, outcome);
    started.turns.close();
    return outcome;
  }

  /** At the end of the program: a record must not know of more calls than were made. */
  finish(trail: Trail): void {
    const { recorded } = this.#options;
    const left = typeof recorded === "object" ? recorded.length - this.#entries.length : 0;
    if (left > 0)
      throw new FinalStop("FC1510", trail, `the recorded run has ${left} more calls than this program makes`);
  }

  // ── readings and pauses ────────────────────────────────────────────────────────────────────────────────

  /** Reads the clock or chance, at once: as in JavaScript, nothing waits for it. It cannot fail. */
  #look(call: StartingCall, pending: PendingCall, turns: Turns): Promise<Outcome> | Outcome {
    const { tool, args } = pending;
    const { id, indices } = call;
    const handler = this.#handler(tool);
    const passed = this.#passable(handler, tool, args, call.trail);
    let value: unknown;
    try {
      value = handler.run(passed, { id, indices, signal: this.#signal });
    } catch (thrown) {
      throw new FinalStop("FC1505", call.trail, `\`${tool.name}\` gave no reading: ${reasonOf(thrown)}`);
    }
    const ended = this.#end(
      this.#begin(call, pending, turns),
      judgeAnswer(this.#checked, pending, value, this.state, this.#meter),
    );
    if (ended instanceof Promise)
      return ended.then((outcome) => {
        this.#observe(pending.position);
        return outcome;
      });
    this.#observe(pending.position);
    return ended;
  }

  /** A pause that is cut short interrupts the run: it cannot fail either. LIMIT: none is longer than an hour. */
  async #pause(call: StartingCall, pending: PendingCall, turns: Turns): Promise<Outcome> {
    const { tool, args } = pending;
    const { trail } = call;
    const { ms } = args.fields;
    if (typeof ms !== "bigint" || ms > longestPauseMs) {
      turns.drop();
      const help = "make several shorter pauses, or end the program and run it again later";
      throw new FinalStop("FC1527", trail, `a pause of ${String(ms)} ms is longer than an hour`, help);
    }
    const handler = this.#handler(tool);
    const started = this.#begin(call, pending, turns);
    // No longer than an hour, so it can be passed; of less than nothing nobody has to know how much less.
    const passed = handler.args === "exact" ? args : { ms: ms < 0n ? 0 : Number(ms) };
    const waiting = this.#answer(handler, passed, pending);
    turns.open();
    const answer = await waiting;
    const turn = turns.end(call, pending.position);
    if (turn !== undefined) await turn;
    this.#commit(started, said);
    turns.close();
    if (answer.kind === "failed")
      throw new FinalStop("FC1508", trail, `the run was interrupted during a pause: ${answer.reason}`);
    this.#observe(pending.position);
    return said;
  }

  #observe(position: number): void {
    const entry = this.#entries[position];
    if (entry !== undefined) this.#options.hook?.observed?.(entry);
  }

  // ── for real ───────────────────────────────────────────────────────────────────────────────────────────

  async #perform(call: StartingCall, pending: PendingCall, turns: Turns): Promise<Outcome> {
    const { tool, args } = pending;
    const { trail } = call;
    const handler = this.#handler(tool);
    let passed: unknown;
    try {
      passed = this.#passable(handler, tool, args, trail);
      this.#checkAborted(trail);
      const refusal = await this.#refusal(pending, trail);
      if (refusal !== undefined) throw refusal;
      this.#checkAborted(trail);
    } catch (thrown) {
      turns.drop();
      throw thrown;
    }
    const started = this.#begin(call, pending, turns);
    const answering = this.#answer(handler, passed, pending);
    turns.open();
    const answer = await answering;
    const outcome =
      answer.kind === "failed"
        ? answer
        : judgeAnswer(this.#checked, pending, answer.value, this.state, this.#meter);
    const turn = turns.end(call, pending.position);
    if (turn !== undefined) await turn;
    try {
      // The call was made, so whatever becomes of its answer, it enters the trace.
      const entry = this.#commit(started, outcome);
      await this.#tell(outcome.kind === "returned" ? "after" : "failed", entry, trail);
    } finally {
      turns.close();
    }
    if (answer.kind !== "failed" || !this.#signal.aborted) return outcome;
    throw new FinalStop("FC1508", trail, `the run was aborted during the call of \`${tool.name}\``);
  }

  #handler({ name }: Tool): ToolHandler {
    const handler = this.#options.tools.get(name);
    if (handler === undefined) throw new TypeError("a handler went missing");
    return handler;
  }

  #passable(handler: ToolHandler, tool: Tool, args: RecordValue, trail: Trail): unknown {
    if (handler.args === "exact") return args;
    const integers = handler.integers ?? "number";
    const passed = toJs(args, recordOf(tool.params), { integers, limits: this.#meter.limits });
    if (passed.ok) return passed.value;
    const [problem] = passed.problems;
    const message = `\`${tool.name}\` cannot receive its arguments exactly${placeIn(problem)}: ${problem?.message}`;
    throw new Stop("FC1507", trail, message, problem?.help);
  }

  #checkAborted(trail: Trail): void {
    if (this.#signal.aborted) throw new FinalStop("FC1508", trail, "the run was aborted before this call");
  }

  /** A refusal stops the branch; a hook that fails cannot speak for the others either. */
  async #refusal(pending: PendingCall, trail: Trail): Promise<Stop | undefined> {
    const before = this.#options.hook?.before;
    if (before === undefined) return undefined;
    const refused = `\`${pending.tool.name}\` was refused`;
    try {
      const decision = await before(pending);
      if (decision.kind === "proceed") return undefined;
      if (decision.kind === "refuse") return new Stop("FC1509", trail, `${refused}: ${decision.reason}`);
      return new FinalStop("FC1509", trail, `${refused}: the hook gave no decision`);
    } catch (thrown) {
      return new FinalStop("FC1509", trail, `${refused}: the hook failed: ${reasonOf(thrown)}`);
    }
  }

  /** Awaits the handler, unless an abort comes first: a hanging handler must not block the run. */
  async #answer(handler: ToolHandler, args: unknown, { id, indices }: PendingCall): Promise<Answer> {
    const signal = this.#signal;
    let leave = () => {};
    const aborted = new Promise<never>((_, reject) => {
      leave = () => reject(new Error("the run was aborted during the call"));
      this.#underWay(leave);
    });
    try {
      const value = await Promise.race([(async () => handler.run(args, { id, indices, signal }))(), aborted]);
      return { kind: "answered", value };
    } catch (thrown) {
      return { kind: "failed", reason: reasonOf(thrown) };
    } finally {
      this.#ended(leave);
    }
  }

  /** One listener for all calls: signals warn of many. */
  #underWay(leave: () => void): void {
    if (this.#leaving.size === 0) this.#signal.addEventListener("abort", this.#leaveAll, { once: true });
    this.#leaving.add(leave);
  }

  #ended(leave: () => void): void {
    this.#leaving.delete(leave);
    if (this.#leaving.size === 0) this.#signal.removeEventListener("abort", this.#leaveAll);
  }

  async #tell(event: "after" | "failed", entry: TraceEntry, trail: Trail): Promise<void> {
    try {
      await this.#options.hook?.[event]?.(entry);
    } catch (thrown) {
      throw new FinalStop(
        "FC1509",
        trail,
        `the hook failed after the call of \`${entry.tool}\`: ${reasonOf(thrown)}`,
      );
    }
  }

  /** The one place where a call enters the trace and the state. */
  #commit({ position, id, indices, tool, args, writes, moment }: Started, outcome: Outcome): TraceEntry {
    const ended = this.#moments++;
    const entry: TraceEntry = Object.freeze({
      position,
      id,
      indices,
      tool: tool.name,
      args,
      outcome: Object.freeze(outcome),
      ...(ended > moment + 1 && { ended }),
    });
    this.#entries[position] = entry;
    for (const write of writes) {
      if (outcome.kind === "returned") this.state.write(write);
      else this.state.writeMaybe(write);
    }
    return entry;
  }

  // ── from a record ──────────────────────────────────────────────────────────────────────────────────────

  /** SOUNDNESS: a record is not believed; it must be what this program would have done and could have been told. */
  #checkFits(pending: PendingCall, recorded: TraceEntry, trail: Trail): void {
    const { position, id, indices, tool, args } = pending;
    const misfit = (what: string) =>
      new FinalStop("FC1510", trail, `call ${position} of the recorded run does not fit: ${what}`);
    if (recorded.position !== position) throw misfit("its position is another");
    if (recorded.id !== id || recorded.tool !== tool.name) {
      throw misfit(
        `it is \`${recorded.id}\` of \`${recorded.tool}\`, and \`${id}\` of \`${tool.name}\` comes next`,
      );
    }
    if (recorded.indices.join() !== indices.join()) throw misfit("it was made in another iteration");
    if (!equal(recorded.args, args, (units) => this.#meter.charge(units)))
      throw misfit("its arguments are others");
    const { outcome } = recorded;
    if (isBuiltin(tool.name) && outcome.kind !== "returned") throw misfit("it cannot fail");
    if (outcome.kind !== "returned") return;
    const { result } = outcome;
    const fits =
      tool.result === undefined
        ? result === undefined
        : result !== undefined && conforms(result, tool.result);
    if (!fits) throw misfit("its result is of another type");
    const broken = brokenPromise(this.#checked, pending, result, this.state, this.#meter);
    if (broken !== undefined) throw misfit(`its result breaks ${broken}`);
  }
}
