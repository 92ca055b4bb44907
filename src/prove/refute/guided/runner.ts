/** Makes a run of a tape on the interpreter. What the tape does not know is made up on the way, near what the program reads. */
import {
  type Cell,
  type Checked,
  callEnvironment,
  clockTool,
  conforms,
  defaultLimits,
  type Expr,
  exprsIn,
  firstBroken,
  isBuiltin,
  isList,
  isRecord,
  LimitReached,
  Meter,
  type Outcome,
  type PendingCall,
  record,
  recordOf,
  run,
  State,
  type ToolHandler,
  type Value,
} from "../../../ir/index.ts";
import { resultName } from "../../symbolic/symbolic-state.ts";
import type { Replayed } from "../counterexample.ts";
import type { Chance } from "../random/chance.ts";
import { Hints, hintsOf, type ProgramHints } from "../random/hints.ts";
import { type Constants, constantsOf, Values } from "../random/values.ts";
import { candidatesFor } from "./candidates.ts";
import { type Definitions, definitionsOf } from "./definitions.ts";
import { Log } from "./log.ts";
import { placesIn, withValue } from "./places.ts";
import { type Made, resized, type Tape } from "./tape.ts";
import { noDefinitions, Wishes } from "./wishes.ts";

/** LIMIT: of the work of one run, and of one formula. */
const runLimits = { ...defaultLimits, steps: 40_000 };
const longRunLimits = { ...defaultLimits, steps: 400_000 };
/** LIMIT: of changes of a result until it meets `ensures`. */
const mostRepairs = 24;
/** LIMIT: of turns in which a call answers as in the turn before. */
const mostAlike = 3;

/** Cost of a look at a result besides what the evaluation counts. */
const stepsPerLook = 50;

export interface Ran {
  readonly made: Replayed;
  /** Everything that the run met, and nothing else. */
  readonly tape: Tape;
  readonly log: Log;
  /** Steps of the run, and of making up results. */
  readonly steps: number;
}

const nobody: ToolHandler = {
  run: () => {
    throw new Error("every result is given");
  },
};

export class Runner {
  readonly checked: Checked;
  readonly hints: ProgramHints;
  readonly constants: Constants;
  readonly definitions: Definitions;
  /** Expressions that tools promise, which no run breaks. */
  readonly promised: ReadonlySet<Expr>;
  readonly #tools: ReadonlyMap<string, ToolHandler>;

  constructor(checked: Checked) {
    this.checked = checked;
    this.hints = hintsOf(checked);
    this.constants = constantsOf(checked);
    this.definitions = definitionsOf(checked);
    const { tools } = checked.document;
    this.promised = new Set(tools.flatMap(({ ensures }) => [...exprsIn(...ensures)]));
    this.#tools = new Map(tools.map(({ name }) => [name, nobody]));
  }

  /** A tape with inputs and cells, and no result yet. */
  begin(chance: Chance, size: number): Tape {
    const values = new Values(this.constants, chance, size);
    const given = values.value(recordOf(this.checked.document.program.inputs), this.hints.inputs);
    return {
      inputs: isRecord(given) ? given : record([]),
      initial: this.#cells(values),
      outcomes: new Map(),
      calls: new Map(),
    };
  }

  /**
   * @param failing percent of calls that fail among those that the tape does not know
   * @param isLong a run with long lists may take more work
   */
  async run(tape: Tape, chance: Chance, size: number, failing = 0, isLong = false): Promise<Ran> {
    const log = new Log();
    const making = new Making(this, tape, chance, size, failing);
    const { inputs, initial } = tape;
    const made = await run(this.checked, {
      inputs,
      initial,
      tools: this.#tools,
      recorded: (call) => making.outcome(call),
      concurrency: 1,
      limits: isLong ? longRunLimits : runLimits,
      watch: log.watch,
    });
    return {
      made: { run: made, recorded: { inputs, initial, trace: made.trace } },
      tape: { inputs, initial, outcomes: making.outcomes, calls: making.calls },
      log,
      steps: made.steps + making.steps,
    };
  }

  /** Picks initial values for cells without declared ones. */
  #cells(values: Values): readonly Cell[] {
    const { texts } = this.constants;
    return [...this.checked.fluents.values()].flatMap(({ name, key, value, initial }): Cell[] => {
      if (initial !== undefined) return [];
      const keys: readonly Value[] =
        key.kind === "string"
          ? [...new Set([...texts.slice(0, 8), "a", "b"])]
          : [values.value(key, undefined)];
      return keys.map((at) => ({ fluent: name, key: at, value: values.value(value, undefined) }));
    });
  }
}

/** Answers the calls of one run. */
class Making {
  /** Work of looking at conditions of results. */
  steps = 0;
  readonly outcomes = new Map<string, Outcome>();
  readonly calls = new Map<string, Made>();
  readonly #runner: Runner;
  readonly #tape: Tape;
  readonly #chance: Chance;
  readonly #values: Values;
  readonly #size: number;
  readonly #failing: number;
  /** The last outcome of each call of the program, and how often it was given again. */
  readonly #last = new Map<string, { readonly outcome: Outcome; again: number }>();

  constructor(runner: Runner, tape: Tape, chance: Chance, size: number, failing: number) {
    this.#runner = runner;
    this.#tape = tape;
    this.#chance = chance;
    this.#size = size;
    this.#failing = failing;
    this.#values = new Values(runner.constants, chance, size);
  }

  outcome(call: PendingCall): Outcome {
    const name = resultName(call);
    const outcome = this.#choose(call, this.#tape.outcomes.get(name));
    this.outcomes.set(name, outcome);
    const { id, indices, tool } = call;
    this.calls.set(name, { id, indices, result: tool.result });
    const known = this.#last.get(id);
    this.#last.set(id, { outcome, again: known?.outcome === outcome ? known.again : 0 });
    return outcome;
  }

  #choose(call: PendingCall, known: Outcome | undefined): Outcome {
    if (known !== undefined) return this.#kept(call, known);
    const { tool, id, args } = call;
    const last = this.#last.get(id);
    if (last !== undefined && this.#chance.odds(last.again < mostAlike * this.#size ? 75 : 25)) {
      last.again++;
      return this.#kept(call, last.outcome);
    }
    if (this.#runner.definitions.caught.has(id) && !isBuiltin(tool.name) && this.#chance.odds(this.#failing))
      return { kind: "failed", reason: "the tool is taken to fail here" };
    if (tool.result === undefined) return { kind: "returned" };
    if (tool.name === clockTool.name && args.fields.after !== undefined && this.#chance.odds(50))
      return { kind: "returned", result: args.fields.after };
    return { kind: "returned", result: this.#made(call) };
  }

  /** A known outcome, changed where these arguments forbid it. */
  #kept(call: PendingCall, outcome: Outcome): Outcome {
    if (outcome.kind !== "returned" || outcome.result === undefined) return outcome;
    const { result } = call.tool;
    if (result === undefined || !conforms(outcome.result, result)) return outcome;
    return { kind: "returned", result: this.#repaired(call, outcome.result) };
  }

  #made(call: PendingCall): Value {
    const { result } = call.tool;
    if (result === undefined) throw new TypeError("the tool returns nothing");
    const hints = this.#runner.hints.results.get(call.id) ?? new Hints();
    const first = this.#values.value(result, hints);
    if (call.tool.ensures.length === 0 || !isList(first) || first.length <= 2)
      return this.#repaired(call, first);
    const few = this.#repaired(call, first.slice(0, 2));
    for (const isFresh of [true, false]) {
      const grown = resized(few, result, first.length, isFresh, this.#chance, () => undefined);
      if (grown !== undefined && this.#breaks(call, grown) === undefined) return grown;
    }
    return few;
  }

  /** The result, or one near it that meets `ensures`; the result itself if none is found. */
  #repaired(call: PendingCall, result: Value): Value {
    const type = call.tool.result;
    if (type === undefined || call.tool.ensures.length === 0) return result;
    let best = result;
    for (let i = 0; i < mostRepairs; i++) {
      const log = this.#breaks(call, best);
      if (log === undefined) return best;
      const wishes = new Wishes(placesIn("", type, best), noDefinitions, log, this.#chance);
      const changes = [...log.all()]
        .filter(({ result }) => result === false)
        .flatMap((seen) => wishes.flips(seen));
      const change = this.#chance.pick(changes);
      const values =
        change && candidatesFor(change, this.#values, this.#chance, this.#runner.constants, undefined);
      const value = values
        ?.map((one) => withValue(best, change?.place ?? never(), one))
        .find((one) => one !== undefined);
      best = value ?? this.#values.value(type, this.#runner.hints.results.get(call.id));
    }
    return this.#breaks(call, best) === undefined ? best : result;
  }

  /** The log of conditions that the result does not meet; undefined if it meets all. */
  #breaks({ tool, args }: PendingCall, result: Value): Log | undefined {
    const log = new Log();
    const { checked } = this.#runner;
    const state = State.initial(checked, this.#tape.initial);
    const meter = new Meter(runLimits, log.watch);
    const environment = callEnvironment(checked, tool, args, state, meter, result);
    try {
      return firstBroken(tool.ensures, environment) === undefined ? undefined : log;
    } catch (error) {
      if (error instanceof LimitReached) return log;
      throw error;
    } finally {
      this.steps += meter.steps + stepsPerLook;
    }
  }
}

function never(): never {
  throw new TypeError("a change has a place");
}
