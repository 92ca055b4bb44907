/**
 * The semantics of `parallel`, from the decision record alone: strands run until they wait for a call, in written
 * order; all are awaited, and the first problem in that order stops what comes after.
 */

import type { Checked } from "../../../src/ir/check/index.ts";
import { fromJs } from "../../../src/ir/convert/from-js.ts";
import type { Command, Expr, ForCommand } from "../../../src/ir/document.ts";
import {
  type Environment,
  evaluateExactly,
  evaluateRecord,
  valuesOnly,
} from "../../../src/ir/eval/evaluate.ts";
import { Meter } from "../../../src/ir/eval/meter.ts";
import { isPartly } from "../../../src/ir/eval/partly.ts";
import { defaultLimits } from "../../../src/ir/limits.ts";
import { isList, isRecord, none, type RecordValue, some, type Value } from "../../../src/ir/value.ts";

/** End of a strand: the code of its problem, or nothing. */
type End = string | undefined;
type Outcome = { readonly value: Value | undefined } | { readonly failed: true };
type Ask =
  | { readonly kind: "call"; readonly tool: string; readonly args: RecordValue }
  | { readonly kind: "fork"; readonly strands: readonly Strand[] };
type Strand = Generator<Ask, End, Outcome | readonly End[]>;

export class Strands {
  readonly #checked: Checked;
  readonly #call: (tool: string, args: RecordValue) => Promise<unknown>;
  end = "never";

  constructor(checked: Checked, call: (tool: string, args: RecordValue) => Promise<unknown>) {
    this.#checked = checked;
    this.#call = call;
  }

  start(): void {
    const environment = valuesOnly(this.#checked.types, new Meter(defaultLimits));
    this.#resume(this.#body(this.#checked.document.program.body, environment), undefined, (end) => {
      this.end = end ?? "done";
    });
  }

  #resume(strand: Strand, given: Outcome | readonly End[] | undefined, done: (end: End) => void): void {
    const step = given === undefined ? strand.next() : strand.next(given);
    if (step.done) {
      done(step.value);
      return;
    }
    const ask = step.value;
    if (ask.kind === "call") {
      this.#call(ask.tool, ask.args).then(
        (result) => this.#resume(strand, this.#read(ask.tool, result), done),
        () => this.#resume(strand, { failed: true }, done),
      );
      return;
    }
    const ends: End[] = [];
    let left = ask.strands.length;
    if (left === 0) this.#resume(strand, [], done);
    ask.strands.forEach((one, i) => {
      this.#resume(one, undefined, (end) => {
        ends[i] = end;
        left -= 1;
        if (left === 0)
          this.#resume(
            strand,
            Array.from(ask.strands, (_, at) => ends[at]),
            done,
          );
      });
    });
  }

  #read(tool: string, result: unknown): Outcome {
    const type = this.#checked.tools.get(tool)?.result;
    if (type === undefined) return { value: undefined };
    const read = fromJs(result, type, { limits: defaultLimits });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return { value: read.value };
  }

  *#body(commands: readonly Command[], environment: Environment): Strand {
    const value = (expr: Expr): Value => evaluateExactly(expr, environment);
    const { names } = environment;
    for (const command of commands) {
      switch (command.kind) {
        case "let":
          names.set(command.name, value(command.value));
          break;
        case "require":
          if (command.when !== undefined && value(command.when) !== true) break;
          if (value(command.condition) !== true) return "FC1503";
          break;
        case "call": {
          const isMade = command.when === undefined || value(command.when) === true;
          const args = isMade ? evaluateRecord(command.args, environment) : undefined;
          if (args !== undefined && (isPartly(args) || !isRecord(args))) throw new Error("arguments");
          // SAFETY: a call is answered with an outcome.
          const outcome =
            args === undefined ? undefined : ((yield { kind: "call", tool: command.tool, args }) as Outcome);
          const failed = outcome !== undefined && "failed" in outcome;
          if (failed && command.catch === undefined) return "FC1504";
          if (command.catch !== undefined) names.set(command.catch, failed);
          const result = outcome !== undefined && "value" in outcome ? outcome.value : undefined;
          const maybe = command.when !== undefined || command.catch !== undefined;
          if (command.bind !== undefined && maybe)
            names.set(command.bind, result === undefined ? none : some(result));
          else if (command.bind !== undefined && result !== undefined) names.set(command.bind, result);
          break;
        }
        case "parallel": {
          const strands = command.branches.map((branch) => this.#body(branch, environment));
          // SAFETY: a fork is answered with the ends of its strands.
          const ends = (yield { kind: "fork", strands }) as readonly End[];
          const first = ends.find((end) => end !== undefined);
          if (first !== undefined) return first;
          break;
        }
        case "for": {
          const end = yield* this.#loop(command, environment);
          if (end !== undefined) return end;
        }
      }
    }
    return undefined;
  }

  *#loop(command: ForCommand, environment: Environment): Strand {
    const value = (expr: Expr, within: Environment): Value => evaluateExactly(expr, within);
    const items = value(command.list, environment);
    if (!isList(items)) throw new Error("a loop goes over a list");
    let carried = command.carry.map(({ name, init }) => [name, value(init, environment)] as const);
    const next = (within: Environment) => {
      for (const [name, held] of carried) within.names.set(name, held);
      carried = command.carry.map((one) => [one.name, value(one.next, within)] as const);
    };
    const iterations = items.map((item, i) => {
      const own = { ...environment, names: new Map(environment.names) };
      own.names.set(command.var, item);
      if (command.index !== undefined) own.names.set(command.index, BigInt(i));
      return own;
    });
    if (command.parallel) {
      const strands = iterations.map((own) => this.#body(command.body, own));
      // SAFETY: a fork is answered with the ends of its strands.
      const ends = (yield { kind: "fork", strands }) as readonly End[];
      const first = ends.find((end) => end !== undefined);
      if (first !== undefined) return first;
      for (const own of iterations) next(own);
    } else {
      for (const own of iterations) {
        for (const [name, held] of carried) own.names.set(name, held);
        const end = yield* this.#body(command.body, own);
        if (end !== undefined) return end;
        next(own);
      }
    }
    for (const [name, held] of carried) environment.names.set(name, held);
    return undefined;
  }
}
