/** Errors that a `catch` looks at: those that the program throws, and those of tools that failed. */
import type { CatchClause, Node } from "oxc-parser";
import type { Expr } from "../../ir/index.ts";
import { boolean, text } from "../build.ts";
import { bool, string } from "../ty.ts";
import { type DataVal, data, type ErrorVal, type Val } from "../value.ts";
import type { Lowering, State } from "./core.ts";
import { isBuiltinError } from "./error-class.ts";
import { childNodes } from "./iterate.ts";

/** A `catch` that looks at what was thrown. */
export interface Catching {
  /** Holds the name and the message of what a loop of the `try` was left with: loops carry state, and no errors. */
  readonly name: number;
  readonly message: number;
  readonly loops: number;
  readonly tasks: number;
  /** True if a loop or several calls at the same time may be left with something that is not kept there. */
  isLost: boolean;
}

/** Returns undefined if the handler does not look at the error, so that nothing has to be kept for it. */
export function catchingFor(low: Lowering, { param, body }: CatchClause): Catching | undefined {
  if (param === null || param === undefined || low.mode.kind !== "program") return undefined;
  if (param.type === "Identifier" && !mentions(body, param.name)) return undefined;
  return keptErrors(low);
}

/** Keeps what is thrown from here on. */
export function keptErrors(low: Lowering): Catching {
  return {
    name: low.newSlot(data(text("Error"), string)),
    message: low.newSlot(data(text(""), string)),
    ...low.tasks.around,
    isLost: false,
  };
}

function mentions(node: Node, name: string): boolean {
  if (node.type === "Identifier" && node.name === name) return true;
  return childNodes(node).some((child) => mentions(child, name));
}

/** Returns the value thrown by a failed tool: an `Error`, whatever the tool threw. */
export function errorOf(message: Expr): ErrorVal {
  return { kind: "error", name: "Error", message: data(message, string) };
}

export function nameOf({ name }: ErrorVal): Expr {
  return typeof name === "string" ? text(name) : name;
}

/** Returns whether it is one of this class of errors; all are of `Error`, and no other class has subclasses. */
export function isErrorOf(error: ErrorVal, wanted: string): DataVal {
  if (wanted === "Error") return data(boolean(true), bool);
  return isBuiltinError(error, wanted);
}

/** Leaves with an error, or with something that is not known. */
export function throwing(
  low: Lowering,
  value: Val | undefined,
  node: { readonly start: number; readonly end: number },
): void {
  const { catching } = low;
  const { loops, tasks } = low.tasks.around;
  if (catching !== undefined && low.isReached && loops > catching.loops) {
    const isKept =
      value?.kind === "error" &&
      value.of === undefined &&
      value.message.kind === "data" &&
      tasks === catching.tasks;
    if (!isKept || value.message.kind !== "data" || value.message.type.kind !== "string") lose(catching);
    else {
      low.write(catching.name, data(nameOf(value), string), node);
      low.write(catching.message, value.message, node);
    }
  }
  low.leave("throw", value);
}

/** From now on what was thrown is not known, unless it is thrown where no loop is. */
export function lose(catching: Catching | undefined): void {
  if (catching !== undefined) catching.isLost = true;
}

/** The error that a loop was left with, where it was kept. */
export function caughtIn(catching: Catching | undefined, state: State): ErrorVal | undefined {
  const name = catching && state.get(catching.name);
  const message = catching && state.get(catching.message);
  if (catching?.isLost !== false || name?.kind !== "data" || message?.kind !== "data") return undefined;
  return { kind: "error", name: name.expr, message };
}
