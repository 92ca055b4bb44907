/** `guard`: ordinary functions as the tools of one session. */
import type { Failure } from "../app/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { openSession, type SessionSetup } from "./open-session.ts";
import type { Refusal, Session } from "./session.ts";

/** Functions of one argument by their full names, or by module and name. */
export type Functions = { readonly [name: string]: Callable | { readonly [name: string]: Callable } };

/** A function of one argument, whatever it is: the guarded one keeps its type. */
type Callable = (args: never) => unknown;

/** The same functions: each call is looked at first, and answers later. */
export type Guarded<T> = {
  readonly [Name in keyof T]: T[Name] extends (args: infer Args) => infer Answer
    ? (args: Args) => Promise<Awaited<Answer>>
    : Guarded<T[Name]>;
};

export interface GuardOptions extends Omit<SessionSetup, "tools" | "fs"> {}

export interface GuardedSession<T> {
  readonly tools: Guarded<T>;
  readonly session: Session;
  /** The kernel that keeps the trace, if there is one. */
  readonly kernel?: Kernel;
  readonly close: () => Promise<void>;
}

/** A call was not made. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(refusals.map(({ message }) => message).join("; "));
    this.refusals = refusals;
  }
}

/** The session was not opened. */
export class NotOpened extends Error {
  override readonly name = "NotOpened";
  readonly problems: Failure["problems"];
  constructor({ problems }: Failure) {
    super(problems.map(({ code, message }) => `${code}: ${message}`).join("; "));
    this.problems = problems;
  }
}

/**
 * Wraps functions that tool modules declare. All calls together are one session: standing guarantees, the budget and the
 * rules hold call by call, and a call that would break one is not made.
 *
 * @example const { tools } = await guard({ mail: { send } }, { guarantees: ["mail.only(['bob@x.org'])"] });
 */
export async function guard<T extends Functions>(
  functions: T,
  options: GuardOptions,
): Promise<GuardedSession<T>> {
  const named = functionsIn(functions);
  const opened = await openSession({ ...options, tools: [...named.keys()] });
  if (!opened.ok) throw new NotOpened(opened);
  const { session, kernel, close } = opened.value;
  const guarded = new Map(Array.from(named, ([name, run]) => [name, guardedBy(session, name, run)]));
  // SAFETY: the same names, each with a function that takes the same argument and answers the same.
  const tools = shapedAs(functions, guarded) as Guarded<T>;
  return { tools, session, close, ...(kernel && { kernel }) };
}

function guardedBy(session: Session, name: string, run: Callable): (args: unknown) => Promise<unknown> {
  return async (args) => {
    // SAFETY: the session has looked at the arguments, and the guarded function has the type of the given one.
    const called = await session.call(name, args, (passed) => run(passed as never));
    switch (called.kind) {
      case "returned":
        return called.value;
      case "refused":
        throw new CallRefused(called.refusals);
      case "failed":
      case "not done":
        throw called.error;
    }
  };
}

function functionsIn(functions: Functions): ReadonlyMap<string, Callable> {
  const found = new Map<string, Callable>();
  for (const [name, one] of Object.entries(functions)) {
    if (typeof one === "function") found.set(name, one);
    else for (const [inner, run] of Object.entries(one)) found.set(`${name}.${inner}`, run);
  }
  return found;
}

function shapedAs(functions: Functions, guarded: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(functions).map(([name, one]) => [
      name,
      typeof one === "function"
        ? guarded.get(name)
        : Object.fromEntries(Object.keys(one).map((inner) => [inner, guarded.get(`${name}.${inner}`)])),
    ]),
  );
}
