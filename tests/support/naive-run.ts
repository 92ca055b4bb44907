/**
 * A second interpreter of random programs: no promises, no meters, block-scoped names, and the tools' results from
 * the case.
 */
import type { Checked } from "../../src/ir/check/index.ts";
import { toJs } from "../../src/ir/convert/to-js.ts";
import type { Code } from "../../src/ir/diagnostic.ts";
import type {
  CallCommand,
  Command,
  Expr,
  ForCommand,
  ParallelCommand,
  WhileCommand,
} from "../../src/ir/document.ts";
import type { Cell } from "../../src/ir/eval/state.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { recordOf } from "../../src/ir/type.ts";
import { isNum, isRecord, none, type RecordValue, some, type Value } from "../../src/ir/value.ts";
import {
  bound,
  finite,
  Inexact,
  type NaiveEnvironment,
  type NaiveValue,
  naive,
  naiveClause,
  namesOf,
  UnknownCell,
} from "./naive-eval.ts";
import { naiveOperators } from "./naive-operators.ts";
import { NaiveState, type NaiveWrite, naiveWrites } from "./naive-state.ts";
import { answerOf, type Behaviour, meets } from "./program/behaviour.ts";

export interface NaiveRun {
  /** Without reasons, which are for people. */
  readonly trace: readonly TraceEntry[];
  /** The code of what stopped it. */
  readonly stopped: Code | undefined;
  readonly state: NaiveState;
  /** The cost and the writes of each call. */
  readonly charges: readonly { readonly cost: Value; readonly writes: readonly NaiveWrite[] }[];
  /** Guards that were false, as `id@indices`. */
  readonly passedOver: ReadonlySet<string>;
}

export interface NaiveCase {
  readonly inputs: RecordValue;
  readonly behaviour: Behaviour;
  readonly initial?: readonly Cell[];
}

class Stopped extends Error {
  readonly code: Code;
  constructor(code: Code) {
    super(code);
    this.code = code;
  }
}

/** Throws `Inexact` where a precondition depends on what is not known. */
export function naiveRun(checked: Checked, given: NaiveCase): NaiveRun {
  const walker = new Walker(checked, given);
  let stopped: Code | undefined;
  try {
    walker.walk();
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
    stopped = thrown.code;
  }
  return {
    trace: walker.trace,
    stopped,
    state: walker.state,
    charges: walker.charges,
    passedOver: walker.passedOver,
  };
}

class Walker {
  readonly trace: TraceEntry[] = [];
  readonly charges: { cost: Value; writes: NaiveWrite[] }[] = [];
  readonly passedOver = new Set<string>();
  readonly state: NaiveState;
  readonly #checked: Checked;
  readonly #given: NaiveCase;

  constructor(checked: Checked, given: NaiveCase) {
    this.#checked = checked;
    this.#given = given;
    this.state = NaiveState.initial(checked, given.initial);
  }

  walk(): void {
    const { inputs, body } = this.#checked.document.program;
    const look = () => {
      throw new Error("a program looks at no state");
    };
    this.#commands(
      body,
      {
        names: new Map<string, NaiveValue>(namesOf(this.#given.inputs, recordOf(inputs))),
        types: this.#checked.types,
        look,
      },
      [],
    );
  }

  /** Gives the environment with what the commands declared. */
  #commands(
    commands: readonly Command[],
    environment: NaiveEnvironment,
    indices: readonly number[],
  ): NaiveEnvironment {
    let current = environment;
    for (const command of commands) {
      const value = (expr: Expr) => finite(naive(expr, current));
      switch (command.kind) {
        case "let":
          current = bound(current, [[command.name, value(command.value)]]);
          break;
        case "require":
          if (command.when !== undefined && value(command.when) === false) break;
          if (value(command.condition) === false) throw new Stopped("FC1503");
          break;
        case "call":
          current = bound(current, this.#call(command, current, indices));
          break;
        case "for":
          current = bound(current, this.#loop(command, current, indices));
          break;
        case "while":
          current = bound(current, this.#turns(command, current, indices));
          break;
        case "parallel":
          current = this.#branches(command, current, indices);
      }
    }
    return current;
  }

  #loop(command: ForCommand, environment: NaiveEnvironment, indices: readonly number[]): [string, Value][] {
    const items = finite(naive(command.list, environment)) as readonly Value[];
    if (command.max !== undefined && items.length > command.max) throw new Stopped("FC1511");
    let carried = command.carry.map(({ name, init }): [string, Value] => [
      name,
      finite(naive(init, environment)),
    ]);
    if (command.parallel) return this.#iterations(command, items, carried, environment, indices);
    items.forEach((item, i) => {
      const inside = bound(environment, [
        ...carried,
        [command.var, item],
        ...(command.index === undefined ? [] : [[command.index, BigInt(i)] as const]),
      ]);
      const after = this.#commands(command.body, inside, [...indices, i]);
      carried = command.carry.map(({ name, next }) => [name, finite(naive(next, after))]);
    });
    return carried;
  }

  #turns(
    command: WhileCommand,
    environment: NaiveEnvironment,
    indices: readonly number[],
  ): [string, Value][] {
    let carried = command.carry.map(({ name, init }): [string, Value] => [
      name,
      finite(naive(init, environment)),
    ]);
    for (let i = 0; naive(command.condition, bound(environment, carried)) === true; i++) {
      if (i >= (command.max ?? 10_000)) throw new Stopped("FC1526");
      const turn = command.index === undefined ? [] : [[command.index, BigInt(i)] as const];
      const after = this.#commands(command.body, bound(environment, [...carried, ...turn]), [...indices, i]);
      carried = command.carry.map(({ name, next }) => [name, finite(naive(next, after))]);
    }
    return carried;
  }

  /** Runs all to their end; the first problem, in written order, then stops the run. */
  #all<T>(bodies: readonly (() => T)[]): readonly T[] {
    let first: Stopped | undefined;
    const values = bodies.flatMap((body) => {
      try {
        return [body()];
      } catch (thrown) {
        // A loop that does not end stops the whole run, and not its branch alone.
        if (!(thrown instanceof Stopped) || thrown.code === "FC1526") throw thrown;
        first ??= thrown;
        return [];
      }
    });
    if (first !== undefined) throw first;
    return values;
  }

  /** One after the other, as a run that makes one call at a time does. */
  #branches(
    { branches }: ParallelCommand,
    environment: NaiveEnvironment,
    indices: readonly number[],
  ): NaiveEnvironment {
    const after = this.#all(branches.map((branch) => () => this.#commands(branch, environment, indices)));
    return after.reduce((all, { names }) => bound(all, [...names]), environment);
  }

  #iterations(
    { var: element, index, body, carry }: ForCommand,
    items: readonly Value[],
    first: [string, Value][],
    environment: NaiveEnvironment,
    indices: readonly number[],
  ): [string, Value][] {
    const after = this.#all(
      items.map((item, i) => () => {
        const position = index === undefined ? [] : [[index, BigInt(i)] as const];
        return this.#commands(body, bound(environment, [[element, item], ...position]), [...indices, i]);
      }),
    );
    return after.reduce<[string, Value][]>(
      (carried, names) => carry.map(({ name, next }) => [name, finite(naive(next, bound(names, carried)))]),
      first,
    );
  }

  #call(command: CallCommand, environment: NaiveEnvironment, indices: readonly number[]): [string, Value][] {
    const made = command.when === undefined || naive(command.when, environment) === true;
    if (!made) this.passedOver.add(`${command.id}@${indices.join()}`);
    const outcome = made ? this.#make(command, environment, indices) : undefined;
    if (outcome?.kind === "failed" && command.catch === undefined) throw new Stopped("FC1504");
    const names: [string, Value][] = [];
    if (command.catch !== undefined) names.push([command.catch, outcome?.kind === "failed"]);
    if (command.reason !== undefined)
      names.push([command.reason, outcome?.kind === "failed" ? outcome.reason : ""]);
    if (command.bind === undefined) return names;
    const result = outcome?.kind === "returned" ? outcome.result : undefined;
    const isCertain = command.when === undefined && command.catch === undefined;
    names.push([command.bind, isCertain ? result! : result === undefined ? none : some(result)]);
    return names;
  }

  #make(
    command: CallCommand,
    environment: NaiveEnvironment,
    indices: readonly number[],
  ): TraceEntry["outcome"] {
    const checked = this.#checked;
    const tool = checked.tools.get(command.tool)!;
    const args = finite(naive({ kind: "record", fields: command.args }, environment));
    if (!isRecord(args)) throw new Error("arguments are a record");
    for (const clause of tool.requires) {
      if (
        !this.#isMet(() =>
          naiveClause(checked, tool, clause, args, { read: (f, k) => this.state.read(f, k) }),
        )
      )
        throw new Stopped("FC1502");
    }
    const cost = tool.cost === undefined ? 0n : naiveClause(checked, tool, tool.cost, args, {});
    if (!isNum(cost) || naiveOperators["<"]!(cost, 0n) === true) throw new Stopped("FC1514");
    const writes = naiveWrites(checked, tool, args, this.state);
    const integers = checked.document.tools.indexOf(tool) % 2 === 0 ? "number" : "bigint";
    if (!toJs(args, recordOf(tool.params), { integers }).ok) throw new Stopped("FC1507");
    this.charges.push({ cost, writes });
    const answer = answerOf(checked, this.#given.behaviour, tool, { id: command.id, indices }, args);
    const broken = answer.kind === "returned" && !meets(checked, tool, args, answer.result);
    const failed = answer.kind === "failed" || broken;
    const outcome: TraceEntry["outcome"] = broken
      ? { kind: "broken", code: "FC1506", reason: "" }
      : answer.kind === "failed"
        ? { kind: "failed", reason: answer.reason }
        : answer.result === undefined
          ? { kind: "returned" }
          : { kind: "returned", result: answer.result };
    this.trace.push({ position: this.trace.length, id: command.id, indices, tool: tool.name, args, outcome });
    for (const write of writes) this.state.write(failed ? { ...write, value: undefined } : write);
    if (broken) throw new Stopped("FC1506");
    return outcome;
  }

  #isMet(condition: () => Value): boolean {
    try {
      return condition() === true;
    } catch (thrown) {
      if (thrown instanceof UnknownCell) throw new Inexact("a precondition is not known");
      throw thrown;
    }
  }
}
