/** One async function under a kernel: every call is an action, and a call that is refused does not happen. */
import type { FunctionInvariant } from "../core/function.ts";
import type { Problem } from "../problem.ts";
import { Kernel } from "./kernel.ts";
import { MemoryLog } from "./log.ts";
import type { PerformOptions } from "./perform.ts";

export interface GuardOptions<A extends readonly unknown[], T>
  extends Pick<PerformOptions<T>, "whenItFails"> {
  /** The name of its actions. */
  readonly id: string;
  /** Cost of a call, known before it; `actualCost` computes it from the result. */
  readonly cost?: Cost | ((...args: A) => Cost);
  readonly actualCost?: (result: T) => unknown;
  /** Effects of a call on the state. */
  readonly effects?: (...args: A) => unknown;
  readonly key?: (...args: A) => string;
  /** A kernel that others use too. Without one, the rest makes one in memory. */
  readonly kernel?: Kernel;
  readonly budget?: unknown;
  readonly rules?: unknown;
  readonly functions?: readonly FunctionInvariant[];
  readonly maxSteps?: number;
  readonly state?: unknown;
  readonly clock?: () => number;
}

/** An amount of the first budget, or amounts by name. */
export type Cost = string | number | bigint | Readonly<Record<string, string | number | bigint>>;

/** The call did not happen, or it is unknown whether it did. */
export class GuardRefused extends Error {
  override readonly name = "GuardRefused";
  readonly reasons: readonly Problem[];
  constructor(reasons: readonly Problem[]) {
    super(reasons.map(({ message }) => message).join("; ") || "the call is not made again");
    this.reasons = reasons;
  }
}

/** The function, held to a budget and to rules. */
export function guard<A extends readonly unknown[], T>(
  fn: (...args: A) => T | Promise<T>,
  options: GuardOptions<A, T>,
): ((...args: A) => Promise<T>) & { readonly kernel: () => Promise<Kernel> } {
  let opening: Promise<Kernel> | undefined;
  const kernel = () => {
    opening ??= options.kernel === undefined ? openFor(options) : Promise.resolve(options.kernel);
    return opening;
  };
  const guarded = async (...args: A): Promise<T> => {
    const { id, cost, effects, key, actualCost, whenItFails } = options;
    const action = {
      id,
      effects: effects === undefined ? [] : effects(...args),
      ...(cost === undefined ? {} : { cost: typeof cost === "function" ? cost(...args) : cost }),
    };
    const performed = await (await kernel()).perform(action, () => fn(...args), {
      ...(key === undefined ? {} : { key: key(...args) }),
      ...(actualCost === undefined ? {} : { cost: actualCost }),
      ...(whenItFails === undefined ? {} : { whenItFails }),
    });
    switch (performed.kind) {
      case "done":
        return performed.result;
      case "done before":
        throw new GuardRefused([]);
      case "refused":
        throw new GuardRefused(performed.reasons);
      case "released":
        throw performed.error;
      case "in doubt":
        throw performed.error ?? new GuardRefused(performed.reasons);
    }
  };
  return Object.assign(guarded, { kernel });
}

async function openFor(
  options: Pick<
    GuardOptions<never, never>,
    "budget" | "rules" | "functions" | "maxSteps" | "state" | "clock"
  >,
): Promise<Kernel> {
  const { budget, rules, functions, maxSteps, state, clock } = options;
  const opened = await Kernel.open({
    ledger: new MemoryLog(),
    policy: {
      ...(budget === undefined ? {} : { budgets: isAmount(budget) ? { budget } : budget }),
      ...(rules === undefined ? {} : { rules }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
    },
    ...(functions === undefined ? {} : { functions }),
    ...(state === undefined ? {} : { state }),
    // A clock that stands still never ends a window: without one, windows only fill up.
    clock: clock ?? (() => 0),
  });
  if (!opened.ok) throw new TypeError(opened.problem.message);
  return opened.value;
}

function isAmount(budget: unknown): boolean {
  return typeof budget === "string" || typeof budget === "number" || typeof budget === "bigint";
}
