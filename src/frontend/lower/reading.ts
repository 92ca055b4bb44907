/** Readings of the clock and of chance, and pauses: calls of Foreclaim's own tools, which a trace has and a replay repeats. */
import type { Node } from "oxc-parser";
import { type Command, clockTool, type Expr, firstReadingMs, pauseTool, randomTool } from "../../ir/index.ts";
import { num, op, variable } from "../build.ts";
import { int, real } from "../ty.ts";
import { type DataVal, data, promiseOf, undefinedVal, type Val } from "../value.ts";
import { Impure, type Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { overNumbers } from "./not-a-number.ts";
import { emitOwn } from "./own-tools.ts";
import { settled } from "./settled.ts";

type At = { readonly start: number; readonly end: number };

/** Thrown where a function inside an operator reads the clock: the reading is then made before the operator. */
export class NeedsClock extends Error {
  readonly node: At;
  constructor(node: At) {
    super();
    this.node = node;
  }
}

/** Internal name of `setTimeout` from `node:timers/promises`. */
export const timersPause = "timers.setTimeout";

/** The position of a reading of the clock. */
export interface Reading {
  readonly buffer: readonly Command[];
  readonly position: number;
  readonly command: Command;
  readonly value: Expr;
}

/**
 * The time in milliseconds. Inside an operator the clock stands still, as it may in JavaScript while nothing is waited for.
 */
export function clockReading(low: Lowering, node: At): DataVal {
  inProgram(low, node, `\`${low.sourceOf(node)}\` reads the clock`);
  if (low.mode.kind === "lambda") {
    if (low.standing === undefined) throw new NeedsClock(node);
    return data(low.standing, int);
  }
  if (!low.isReached) return data(num(firstReadingMs), int);
  const bind = low.names.fresh("clock");
  emitOwn(low, clockTool.name, [{ name: "after", value: lastReading(low) }], low.path, node, bind);
  const { buffer } = low;
  const position = buffer.length - 1;
  const command = buffer[position];
  const isSure = low.path.kind === "bool";
  if (command !== undefined) {
    const value = isSure ? variable(bind) : op("orElse", variable(bind), num(firstReadingMs));
    low.readings.push({ buffer, position, command, value });
  }
  return data(isSure ? variable(bind) : op("value", variable(bind)), int);
}

/** A reading that was made before this one on every path on which it was made at all; the first possible one if none is known. */
function lastReading(low: Lowering): Expr {
  const isBefore = ({ buffer, position, command }: Reading): boolean =>
    (buffer === low.buffer || low.around.includes(buffer)) && buffer[position] === command;
  return low.readings.findLast(isBefore)?.value ?? num(firstReadingMs);
}

/** A number from 0 on and below 1. */
export function randomReading(low: Lowering, node: At): DataVal {
  inProgram(low, node, "`Math.random` reads chance");
  if (low.mode.kind === "lambda") throw new Impure();
  if (!low.isReached) return data(num(0n), real);
  const bind = low.names.fresh("chance");
  emitOwn(low, randomTool.name, [], low.path, node, bind);
  return data(low.path.kind === "bool" ? variable(bind) : op("value", variable(bind)), real);
}

/** A promise that is kept after so many milliseconds. */
export function pausing(low: Lowering, ms: Val, node: Node): Val {
  inProgram(low, node, "this waits");
  const made = () => promiseOf(pause(low, ms, node));
  if (!low.atOnce.has(node))
    return low.tasks.start(low, node, (isSettled) => (isSettled ? settled(low, node, made) : made()));
  const { path } = low;
  const promise = made();
  low.tasks.waited(low, path);
  return promise;
}

/** Lets so many milliseconds pass, without a fraction; `NaN` and less than none are none. */
function pause(low: Lowering, given: Val, node: At): Val {
  const time = overNumbers(low, [given], node, ([ms]) =>
    data(ms.type.kind === "int" ? ms.expr : op("truncate", ms.expr), int),
  );
  const { expr, type } = reify(low, time, node);
  const ms = type.kind === "option" ? op("orElse", expr, num(0n)) : expr;
  if (!low.isReached) return undefinedVal;
  low.tasks.called(low);
  emitOwn(low, pauseTool.name, [{ name: "ms", value: ms }], low.path, node);
  return undefinedVal;
}

/** Drops the reading that was made last: nobody has used it. */
export function forgetReading(low: Lowering): void {
  const last = low.readings.pop();
  if (last === undefined || last.buffer !== low.buffer || low.buffer.at(-1) !== last.command) return;
  low.buffer.pop();
  low.spots.delete(last.command);
}

function inProgram(low: Lowering, node: At, does: string): void {
  if (low.mode.kind === "formula")
    low.refuse(
      node,
      "FC2316",
      `${does}, which only a running program can do`,
      "do it inside `run`, or take the value as an input of `run`",
    );
}
