/**
 * Makes the calls of a run, one after the other, and keeps its trace and its state. A call is made only after
 * everything that can be refused has been looked at, and enters trace and state in one place.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { conforms } from "../convert/conforms.ts";
import { fromJs } from "../convert/from-js.ts";
import { toJs } from "../convert/to-js.ts";
import type { Diagnostic, Trail } from "../diagnostic.ts";
import type { Expr, Tool } from "../document.ts";
import { callEnvironment, costOf, firstBroken, writesOf } from "../eval/clauses.ts";
import type { Environment } from "../eval/evaluate.ts";
import { LimitReached, type Meter } from "../eval/meter.ts";
import { isPartly, Unknown } from "../eval/partly.ts";
import { State } from "../eval/state.ts";
import type { Outcome, TraceEntry } from "../eval/trace.ts";
import { compare, type Num, numText } from "../number.ts";
import { printExpr, printValue } from "../text/printer.ts";
import { recordOf } from "../type.ts";
import { equal, type RecordValue, type Value } from "../value.ts";
import { variablesOf } from "../visit.ts";
import type { PendingCall, RunOptions, ToolHandler } from "./options.ts";
import { reasonOf, Stop } from "./stop.ts";

type Answer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "failed"; readonly reason: string };

export class Calls {
  readonly trace: TraceEntry[] = [];
  readonly state: State;
  readonly #checked: Checked;
  readonly #options: RunOptions;
  readonly #meter: Meter;
  #given: AbortSignal | undefined;

  constructor(checked: Checked, options: RunOptions, meter: Meter) {
    this.#checked = checked;
    this.#options = options;
    this.#meter = meter;
    this.#given = options.signal;
    this.state = State.initial(checked, options.initial);
  }

  /** Handlers are given one in any case; a run from a record has no handlers, and making one is slow. */
  get #signal(): AbortSignal {
    this.#given ??= new AbortController().signal;
    return this.#given;
  }

  /** A failed call is an outcome; what must stop the run is thrown as a `Stop`. What a record knows is there at once. */
  make(
    call: Pick<PendingCall, "id" | "indices" | "tool" | "args">,
    trail: Trail,
  ): Promise<Outcome> | Outcome {
    const { id, indices, tool, args } = call;
    const before = callEnvironment(this.#checked, tool, args, this.state, this.#meter);
    checkRequires(tool, before, trail);
    const position = this.trace.length;
    const pending = {
      id,
      indices,
      tool,
      args,
      position,
      cost: checkedCost(tool, before, trail),
      writes: writesOf(tool, before),
    };
    const recorded = this.#recorded(pending);
    return recorded === undefined ? this.#perform(pending, trail) : this.#replay(pending, recorded, trail);
  }

  #recorded(pending: PendingCall): TraceEntry | undefined {
    const { recorded } = this.#options;
    if (typeof recorded !== "function") return recorded?.[pending.position];
    const { position, id, indices, tool, args } = pending;
    const outcome = recorded(pending);
    return outcome && { position, id, indices, tool: tool.name, args, outcome };
  }

  /** At the end of the program: a record must not know of more calls than were made. */
  finish(trail: Trail): void {
    const { recorded } = this.#options;
    const left = typeof recorded === "object" ? recorded.length - this.trace.length : 0;
    if (left > 0)
      throw new Stop("FC1510", trail, `the recorded run has ${left} more calls than this program makes`);
  }

  // ── for real ───────────────────────────────────────────────────────────────────────────────────────────

  async #perform(pending: PendingCall, trail: Trail): Promise<Outcome> {
    const { tool, args } = pending;
    const handler = this.#options.tools.get(tool.name);
    if (handler === undefined) throw new TypeError("a handler went missing");
    const passed = this.#passable(handler, tool, args, trail);
    this.#checkAborted(trail);
    const refusal = await this.#refusal(pending);
    if (refusal !== undefined) throw new Stop("FC1509", trail, `\`${tool.name}\` was refused: ${refusal}`);
    this.#checkAborted(trail);
    const answer = await this.#answer(handler, passed, pending);
    if (answer.kind === "failed") {
      const outcome = await this.#failed(pending, answer, trail);
      if (!this.#signal.aborted) return outcome;
      throw new Stop("FC1508", trail, `the run was aborted during the call of \`${tool.name}\``);
    }
    return this.#answered(pending, answer.value, trail);
  }

  #passable(handler: ToolHandler, tool: Tool, args: RecordValue, trail: Trail): unknown {
    const integers = handler.integers ?? "number";
    const passed = toJs(args, recordOf(tool.params), { integers, limits: this.#meter.limits });
    if (passed.ok) return passed.value;
    const [problem] = passed.problems;
    const message = `\`${tool.name}\` cannot receive its arguments exactly${place(problem)}: ${problem?.message}`;
    throw new Stop("FC1507", trail, message, problem?.help);
  }

  #checkAborted(trail: Trail): void {
    if (this.#signal.aborted) throw new Stop("FC1508", trail, "the run was aborted before this call");
  }

  async #refusal(pending: PendingCall): Promise<string | undefined> {
    const before = this.#options.hook?.before;
    if (before === undefined) return undefined;
    try {
      const decision = await before(pending);
      if (decision.kind === "proceed") return undefined;
      return decision.kind === "refuse" ? decision.reason : "the hook gave no decision";
    } catch (thrown) {
      return `the hook failed: ${reasonOf(thrown)}`;
    }
  }

  /** What the handler says, unless an abort comes first: a handler that hangs must not hold the run. */
  async #answer(handler: ToolHandler, args: unknown, { id, indices }: PendingCall): Promise<Answer> {
    const signal = this.#signal;
    let leave = () => {};
    const aborted = new Promise<never>((_, reject) => {
      leave = () => reject(new Error("the run was aborted during the call"));
      signal.addEventListener("abort", leave, { once: true });
    });
    try {
      const value = await Promise.race([(async () => handler.run(args, { id, indices, signal }))(), aborted]);
      return { kind: "answered", value };
    } catch (thrown) {
      return { kind: "failed", reason: reasonOf(thrown) };
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The call was made, so whatever becomes of its answer, it enters the trace. */
  async #answered(pending: PendingCall, value: unknown, trail: Trail): Promise<Outcome> {
    const outcome = this.#judged(pending, value);
    await this.#tell(outcome.kind === "returned" ? "after" : "failed", this.#commit(pending, outcome), trail);
    return outcome;
  }

  /**
   * SOUNDNESS: the proof speaks of results that are of their type and meet `ensures`. With any other, or one that
   * is too big to be looked at, the call counts as one that may have had its effect, and the run stops.
   */
  #judged({ tool, args }: PendingCall, value: unknown): Outcome {
    try {
      const result = tool.result && fromJs(value, tool.result, { limits: this.#meter.limits });
      if (result !== undefined && !result.ok) {
        const [problem] = result.problems;
        const reason = `returned a wrong value${place(problem)}: ${problem?.message}`;
        const broken = { kind: "broken", code: "FC1505", reason } as const;
        return problem?.help === undefined ? broken : { ...broken, help: problem.help };
      }
      const broken = this.#brokenPromise(tool, args, result?.value);
      if (broken === undefined)
        return result === undefined ? { kind: "returned" } : { kind: "returned", result: result.value };
      return {
        kind: "broken",
        code: "FC1506",
        reason: `ensures ${broken}, which does not hold for what it returned`,
      };
    } catch (thrown) {
      if (!(thrown instanceof LimitReached)) throw thrown;
      return {
        kind: "broken",
        code: thrown.code,
        reason: `returned what takes too much to look at: ${thrown.message}`,
      };
    }
  }

  async #failed(pending: PendingCall, outcome: Outcome, trail: Trail): Promise<Outcome> {
    await this.#tell("failed", this.#commit(pending, outcome), trail);
    return outcome;
  }

  async #tell(event: "after" | "failed", entry: TraceEntry, trail: Trail): Promise<void> {
    try {
      await this.#options.hook?.[event]?.(entry);
    } catch (thrown) {
      throw new Stop(
        "FC1509",
        trail,
        `the hook failed after the call of \`${entry.tool}\`: ${reasonOf(thrown)}`,
      );
    }
  }

  /** The one place where a call enters the trace and the state. */
  #commit({ position, id, indices, tool, args, writes }: PendingCall, outcome: Outcome): TraceEntry {
    const entry: TraceEntry = Object.freeze({
      position,
      id,
      indices,
      tool: tool.name,
      args,
      outcome: Object.freeze(outcome),
    });
    this.trace.push(entry);
    for (const write of writes) {
      if (outcome.kind === "returned") this.state.write(write);
      else this.state.writeMaybe(write);
    }
    return entry;
  }

  #brokenPromise(tool: Tool, args: RecordValue, result: Value | undefined): string | undefined {
    if (tool.ensures.length === 0) return undefined;
    const after = callEnvironment(this.#checked, tool, args, this.state, this.#meter, result);
    const broken = firstBroken(tool.ensures, after);
    return broken && `\`${printExpr(broken.condition)}\`${valuesIn(broken.condition, after)}`;
  }

  // ── from a record ──────────────────────────────────────────────────────────────────────────────────────

  /** SOUNDNESS: a record is not believed; it must be what this program would have done and could have been told. */
  #replay(pending: PendingCall, recorded: TraceEntry, trail: Trail): Outcome {
    const { position, id, indices, tool, args } = pending;
    const misfit = (what: string) =>
      new Stop("FC1510", trail, `call ${position} of the recorded run does not fit: ${what}`);
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
    if (outcome.kind === "returned") {
      const { result } = outcome;
      const fits =
        tool.result === undefined
          ? result === undefined
          : result !== undefined && conforms(result, tool.result);
      if (!fits) throw misfit("its result is of another type");
      const broken = this.#brokenPromise(tool, args, result);
      if (broken !== undefined) throw misfit(`its result breaks ${broken}`);
    }
    this.#commit(pending, outcome);
    return outcome;
  }
}

function checkRequires(tool: Tool, environment: Environment, trail: Trail): void {
  const broken = firstBroken(tool.requires, environment);
  if (broken === undefined) return;
  const needs = `\`${tool.name}\` requires \`${printExpr(broken.condition)}\``;
  if (broken.why instanceof Unknown)
    throw new Stop("FC1512", trail, `${needs}, which is not known: ${broken.why.why}`);
  throw new Stop("FC1502", trail, `${needs}, which does not hold${valuesIn(broken.condition, environment)}`);
}

function checkedCost(tool: Tool, environment: Environment, trail: Trail): Num {
  const cost = costOf(tool, environment);
  if (compare(cost, 0n) >= 0) return cost;
  throw new Stop(
    "FC1514",
    trail,
    `\`${tool.name}\` would cost ${numText(cost)}, and a cost cannot be negative`,
  );
}

function place(problem: Diagnostic | undefined): string {
  if (problem === undefined || problem.path.length === 0) return "";
  const steps = problem.path.length > 8 ? [...problem.path.slice(0, 8), "…"] : problem.path;
  return ` at \`${steps.join(".")}\``;
}

/** What the names in a broken condition stand for: `, where \`amount\` is -1`. */
function valuesIn(condition: Expr, { names }: Environment): string {
  const shown = [...variablesOf(condition)].flatMap((name) => {
    const value = names.get(name);
    return value === undefined || isPartly(value) ? [] : [`\`${name}\` is \`${printValue(value, 60)}\``];
  });
  return shown.length === 0 ? "" : ` (${shown.slice(0, 4).join(", ")})`;
}
