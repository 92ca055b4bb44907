/**
 * Runs a document: the only thing that ever executes an agent's program, and it can do nothing but call the
 * declared tools that it is given. Deterministic: inputs, tool results and the starting state decide everything.
 * Part of what must be trusted.
 */
import type { Checked } from "../check/index.ts";
import { conforms } from "../convert/conforms.ts";
import { fromJs } from "../convert/from-js.ts";
import { type Result, Trail } from "../diagnostic.ts";
import type { CallCommand, Command, Expr, ForCommand, ParallelCommand, RequireCommand } from "../document.ts";
import {
  type Environment,
  evaluateExactly,
  evaluateRecord,
  readField,
  valuesOnly,
} from "../eval/evaluate.ts";
import { LimitReached, Meter } from "../eval/meter.ts";
import { isPartly } from "../eval/partly.ts";
import type { Outcome } from "../eval/trace.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { printExpr } from "../text/printer.ts";
import { recordOf } from "../type.ts";
import { isList, isRecord, none, type RecordValue, some, type Value } from "../value.ts";
import { Calls } from "./calls.ts";
import type { Run, RunOptions } from "./options.ts";
import { Stop } from "./stop.ts";

/** The inputs of a program from plain data, such as a JSON file. */
export function readInputs(
  checked: Checked,
  data: unknown,
  limits: Limits = defaultLimits,
): Result<RecordValue> {
  const read = fromJs(data, recordOf(checked.document.program.inputs), { limits });
  if (!read.ok) return read;
  if (!isRecord(read.value)) throw new TypeError("inputs are a record");
  return { ok: true, value: read.value };
}

/**
 * Whatever goes wrong is in the outcome, and the trace says what was done until then.
 * The promise is rejected only for a fault of ours.
 */
export async function run(checked: Checked, options: RunOptions): Promise<Run> {
  const meter = new Meter(options.limits ?? defaultLimits);
  const calls = new Calls(checked, options, meter);
  const outcome = await new Runner(checked, options, calls, meter).start();
  return { outcome, trace: calls.trace, state: calls.state, steps: meter.steps };
}

class Runner {
  readonly #checked: Checked;
  readonly #options: RunOptions;
  readonly #calls: Calls;
  readonly #meter: Meter;
  readonly #environment: Environment;
  /** The positions of the loops that are under way, outermost first. */
  readonly #indices: number[] = [];
  /** The command that is being executed, to say where a limit was reached. */
  #at = Trail.root.at("program");

  constructor(checked: Checked, options: RunOptions, calls: Calls, meter: Meter) {
    this.#checked = checked;
    this.#options = options;
    this.#calls = calls;
    this.#meter = meter;
    this.#environment = valuesOnly(checked.types, meter);
  }

  async start(): Promise<Run["outcome"]> {
    const at = Trail.root.at("program");
    try {
      this.#prepare(at);
      await this.#body(this.#checked.document.program.body, at.at("body"));
      this.#calls.finish(at);
      return { kind: "completed" };
    } catch (thrown) {
      if (thrown instanceof Stop) return { kind: "stopped", problem: thrown.problem };
      if (thrown instanceof LimitReached) {
        return {
          kind: "stopped",
          problem: { code: thrown.code, message: thrown.message, path: this.#at.path() },
        };
      }
      throw thrown;
    }
  }

  /** Everything that can be refused before the first call. */
  #prepare(at: Trail): void {
    const { document } = this.#checked;
    for (const tool of document.tools) {
      if (this.#options.tools.has(tool.name)) continue;
      throw new Stop("FC1501", at, `there is no handler for the tool \`${tool.name}\``);
    }
    const inputs = recordOf(document.program.inputs);
    if (!conforms(this.#options.inputs, inputs)) {
      throw new Stop("FC1513", at.at("inputs"), "the inputs do not have the types that the program declares");
    }
    for (const { name } of inputs.fields) {
      this.#environment.names.set(name, readField(this.#options.inputs, name, inputs));
    }
  }

  async #body(commands: readonly Command[], trail: Trail): Promise<void> {
    for (const [i, command] of commands.entries()) {
      this.#at = trail.at(i);
      this.#meter.charge(1);
      if (command.kind === "let") this.#environment.names.set(command.name, this.#value(command.value));
      else if (command.kind === "require") this.#require(command, this.#at);
      else if (command.kind === "for") await this.#loop(command, this.#at);
      else if (command.kind === "parallel") await this.#parallel(command, this.#at);
      else {
        // A run from a record has nothing to wait for.
        const made = this.#call(command, this.#at);
        if (made !== undefined) await made;
      }
    }
  }

  #value(expr: Expr): Value {
    return evaluateExactly(expr, this.#environment);
  }

  #require(command: RequireCommand, trail: Trail): void {
    if (command.when !== undefined && this.#value(command.when) !== true) return;
    if (this.#value(command.condition) === true) return;
    throw new Stop(
      "FC1503",
      trail,
      `the program requires \`${printExpr(command.condition)}\`: ${command.why}`,
    );
  }

  async #loop(command: ForCommand, trail: Trail): Promise<void> {
    const items = this.#value(command.list);
    if (!isList(items)) throw new TypeError("a loop goes over a list");
    if (command.max !== undefined && items.length > command.max) {
      throw new Stop(
        "FC1511",
        trail,
        `the list has ${items.length} elements and the loop takes at most ${command.max}`,
      );
    }
    this.#assign(command.carry.map(({ name, init }) => [name, init]));
    const { names } = this.#environment;
    for (const [position, item] of items.entries()) {
      this.#meter.charge(1);
      names.set(command.var, item);
      if (command.index !== undefined) names.set(command.index, BigInt(position));
      this.#indices.push(position);
      await this.#body(command.body, trail.at("body"));
      this.#indices.pop();
      this.#at = trail;
      this.#assign(command.carry.map(({ name, next }) => [name, next]));
    }
  }

  /** Runs every branch to its end, one after the other; the first that did not complete then stops the run. */
  async #parallel({ branches }: ParallelCommand, trail: Trail): Promise<void> {
    let first: Stop | undefined;
    for (const [i, branch] of branches.entries()) {
      const { length } = this.#indices;
      try {
        await this.#body(branch, trail.at("branches", i));
      } catch (thrown) {
        if (!(thrown instanceof Stop)) throw thrown;
        first ??= thrown;
        this.#indices.length = length;
      }
    }
    if (first !== undefined) throw first;
  }

  /** All at once: each expression sees the values from before. */
  #assign(assignments: readonly (readonly [string, Expr])[]): void {
    const values = assignments.map(([name, expr]) => [name, this.#value(expr)] as const);
    for (const [name, value] of values) this.#environment.names.set(name, value);
  }

  #call(command: CallCommand, trail: Trail): Promise<void> | undefined {
    const reached = command.when === undefined || this.#value(command.when) === true;
    const outcome = reached ? this.#make(command, trail) : undefined;
    if (outcome instanceof Promise) return outcome.then((known) => this.#bind(command, known, trail));
    this.#bind(command, outcome, trail);
    return undefined;
  }

  #bind(command: CallCommand, outcome: Outcome | undefined, trail: Trail): void {
    if (outcome?.kind === "failed" && command.catch === undefined) {
      throw new Stop("FC1504", trail, `\`${command.tool}\` failed: ${outcome.reason}`);
    }
    if (outcome?.kind === "broken") {
      throw new Stop(outcome.code, trail, `\`${command.tool}\` ${outcome.reason}`, outcome.help);
    }
    const { names } = this.#environment;
    if (command.catch !== undefined) names.set(command.catch, outcome?.kind === "failed");
    if (command.bind === undefined) return;
    const result = outcome?.kind === "returned" ? outcome.result : undefined;
    const maybe = command.when !== undefined || command.catch !== undefined;
    if (maybe) names.set(command.bind, result === undefined ? none : some(result));
    else if (result !== undefined) names.set(command.bind, result);
  }

  #make(command: CallCommand, trail: Trail): Promise<Outcome> | Outcome {
    const tool = this.#checked.tools.get(command.tool);
    const args = evaluateRecord(command.args, this.#environment);
    if (tool === undefined || isPartly(args) || !isRecord(args))
      throw new TypeError("a call was not checked");
    return this.#calls.make(
      { id: command.id, indices: Object.freeze([...this.#indices]), tool, args },
      trail,
    );
  }
}
