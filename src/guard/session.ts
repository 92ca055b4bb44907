/**
 * A session: calls that no program announced, each held to the conditions of its tool, to standing guarantees, to a policy
 * and to the kernel. A call that is refused is not made, and it is not part of the session.
 * Part of what must be trusted, for sessions.
 */
import { guaranteeAbout, guaranteeText } from "../app/index.ts";
import {
  type Checked,
  decimalText,
  encodeValue,
  fromJs,
  type Guarantee,
  judgeAnswer,
  LimitReached,
  type LookedAt,
  lookBefore,
  Meter,
  type Num,
  type Outcome,
  type PlainJson,
  placeIn,
  quoted,
  type RecordValue,
  reasonOf,
  recordOf,
  Standing,
  Stop,
  type Tool,
  Trail,
  toJs,
} from "../ir/index.ts";
import { type Kernel, NotDone } from "../kernel/index.ts";
import type { SessionCode } from "./codes.ts";
import type { CallPolicy } from "./policy.ts";

/** Why a call is not made, or would not be. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The standing guarantee that the call would break, as it was stated. */
  readonly guarantee?: string;
  /** Its meaning, as a sentence. */
  readonly sentence?: string;
}

/** Result of a call. */
export type Called =
  | { readonly kind: "returned"; readonly value: unknown; readonly observed: readonly Refusal[] }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  /** It was made, and threw or answered what it must not: it may or may not have had its effect. */
  | { readonly kind: "failed"; readonly error: unknown; readonly observed: readonly Refusal[] }
  /** The function said that nothing was done. */
  | { readonly kind: "not done"; readonly error: unknown };

export interface SessionOptions {
  readonly checked: Checked;
  /** The name of the session in the trace. */
  readonly id: string;
  /** Without one, nothing is kept and nothing is charged. */
  readonly kernel?: Kernel;
  readonly policy?: CallPolicy;
  /** Refuses nothing, and tells what would have been refused. */
  readonly observe?: boolean;
  /** Told of every call that is refused, or would have been. */
  readonly onRefusal?: (tool: string, refusals: readonly Refusal[]) => void;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #standing: Standing;
  readonly #charges: boolean;
  #calls = 0;

  /** @param options of guarantees that all stand: see `openSession` */
  constructor(options: SessionOptions) {
    const { checked, kernel } = options;
    this.#options = options;
    this.#standing = new Standing(
      checked,
      checked.document.guarantees.flatMap(({ formula }) => formula ?? []),
      { inputs: noInputs },
    );
    this.#charges = kernel !== undefined && Object.keys(kernel.status().budgets).length > 0;
  }

  get id(): string {
    return this.#options.id;
  }

  /** Why a guarantee does not stand; undefined if it does. */
  whyNot({ formula }: Guarantee): string | undefined {
    return formula === undefined ? "it has no formula" : this.#standing.whyNot(formula);
  }

  /** Makes a call, unless something forbids it. `make` gets the arguments as they were looked at. */
  async call(name: string, given: unknown, make: (args: unknown) => unknown): Promise<Called> {
    const seen = this.#look(name, given);
    const { observe = false } = this.#options;
    if (seen.refusals.length > 0) {
      this.#tell(name, seen.refusals);
      if (!observe) {
        await this.#options.kernel?.refuse(refusalText(name, seen.refusals));
        return { kind: "refused", refusals: seen.refusals };
      }
    }
    if (seen.kind === "unreadable" || seen.refusals.length > 0)
      return this.#observed(name, given, make, seen);
    return this.#made(seen, make);
  }

  // ── before ─────────────────────────────────────────────────────────────────────────────────────────────

  #look(name: string, given: unknown): Seen {
    const { checked, policy } = this.#options;
    const tool = checked.tools.get(name);
    if (tool === undefined) return unreadable("FC4602", `no tool module declares ${quoted(name)}`);
    const read = fromJs(given === undefined ? {} : given, recordOf(tool.params));
    if (!read.ok) {
      const [problem] = read.problems;
      return unreadable(
        "FC4602",
        `${quoted(name)} does not take these arguments${placeIn(problem)}: ${problem?.message}`,
      );
    }
    // SAFETY: what is read as a value of a record type is a record.
    const args = read.value as RecordValue;
    const passed = toJs(args, recordOf(tool.params), { integers: "number" });
    if (!passed.ok) return unreadable("FC4602", `${quoted(name)} cannot receive its arguments exactly`);
    const refusals: Refusal[] = [];
    const cost = this.#conditions(tool, args, refusals);
    const looked = this.#standing.look({ tool: name, args });
    for (const guarantee of checked.document.guarantees) this.#guarantee(name, guarantee, looked, refusals);
    const objection = policy?.objection(tool, args);
    if (objection !== undefined) refusals.push({ code: "FC4604" satisfies SessionCode, message: objection });
    return { kind: "read", tool, args, passed: passed.value, cost, looked, refusals };
  }

  #conditions(tool: Tool, args: RecordValue, refusals: Refusal[]): Num {
    try {
      const { state } = this.#standing;
      return lookBefore(this.#options.checked, tool, args, state, new Meter(), Trail.root).cost;
    } catch (thrown) {
      if (thrown instanceof Stop) refusals.push(thrown.problem);
      else if (thrown instanceof LimitReached)
        refusals.push({
          code: thrown.code,
          message: `${quoted(tool.name)} takes too much to look at: ${thrown.message}`,
        });
      else throw thrown;
      return 0n;
    }
  }

  #guarantee(name: string, guarantee: Guarantee, looked: LookedAt, refusals: Refusal[]): void {
    const { formula } = guarantee;
    if (formula !== undefined && looked.verdict(formula).kind === "holds") return;
    const { checked } = this.#options;
    const { stated, sentence } = guaranteeText(checked, guarantee);
    refusals.push({
      code: "FC4603" satisfies SessionCode,
      message: `${quoted(name)} would break the standing guarantee ${guaranteeAbout(checked, guarantee, name)}`,
      guarantee: stated,
      ...(sentence !== undefined && { sentence }),
    });
  }

  #tell(tool: string, refusals: readonly Refusal[]): void {
    try {
      this.#options.onRefusal?.(tool, refusals);
    } catch {
      // A listener cannot change the session by failing.
    }
  }

  // ── the call ───────────────────────────────────────────────────────────────────────────────────────────

  async #made(seen: Read, make: (args: unknown) => unknown): Promise<Called> {
    const { tool, args, passed, looked } = seen;
    // Before anything is waited for, so that no other call counts on this one not being made.
    const position = this.#standing.begin(looked);
    const kept = await this.#reserve(seen, position);
    if ("refusals" in kept) {
      this.#standing.cancel(position);
      this.#tell(tool.name, kept.refusals);
      if (this.#options.observe !== true) return { kind: "refused", refusals: kept.refusals };
      return this.#observed(tool.name, passed, make, { ...seen, refusals: kept.refusals });
    }
    const ended = await answered(make, passed);
    if (ended.kind === "not done") {
      this.#standing.cancel(position);
      if (kept.receipt !== undefined) await this.#options.kernel?.release(kept.receipt, "handler failed");
      return ended;
    }
    const outcome = this.#judged(ended, { tool, args });
    this.#standing.end(position, outcome);
    await this.#settle(kept.receipt, outcome);
    if (ended.kind === "failed") return { ...ended, observed: [] };
    if (outcome.kind === "returned") return { kind: "returned", value: ended.value, observed: [] };
    return { kind: "failed", error: new Error(`${quoted(tool.name)} ${outcome.reason}`), observed: [] };
  }

  #judged(ended: Ended, call: { readonly tool: Tool; readonly args: RecordValue }): Outcome {
    if (ended.kind === "failed") return { kind: "failed", reason: reasonOf(ended.error) };
    return judgeAnswer(this.#options.checked, call, ended.value, this.#standing.state, new Meter());
  }

  async #reserve(
    { tool, args, cost }: Read,
    position: number,
  ): Promise<{ readonly receipt: string | undefined } | { readonly refusals: readonly Refusal[] }> {
    const { kernel, id } = this.#options;
    if (kernel === undefined) return { receipt: undefined };
    const charge = tool.cost !== undefined && this.#charges ? decimalText(cost) : null;
    if (charge === undefined)
      return {
        refusals: [
          {
            code: "FC4505",
            message: `what ${quoted(tool.name)} costs is a number that the kernel cannot hold exactly`,
          },
        ],
      };
    const { verdict, reasons, receipt } = await kernel.reserve({
      id: `${tool.name}#${position + 1}`,
      tool: tool.name,
      args: encodeValue(args, recordOf(tool.params)),
      effects: [],
      ...(charge !== null && { cost: charge }),
      origin: { session: id, purpose: "call" },
    });
    if (verdict === "allowed" && receipt !== undefined) return { receipt };
    const words = reasons.map(({ message }) => message).join("; ");
    return { refusals: [{ code: "FC4505", message: `the kernel refused ${quoted(tool.name)}: ${words}` }] };
  }

  async #settle(receipt: string | undefined, outcome: Outcome): Promise<void> {
    if (receipt === undefined) return;
    const kept: PlainJson = outcome.kind === "returned" ? { returned: true } : { failed: true };
    await this.#options.kernel?.settle(receipt, { outcome: kept });
  }

  /** Makes a call that would have been refused: it is kept, and no guarantee counts it. */
  async #observed(
    name: string,
    given: unknown,
    make: (args: unknown) => unknown,
    { refusals }: Pick<Seen, "refusals">,
  ): Promise<Called> {
    const { kernel, id } = this.#options;
    const origin = {
      session: id,
      purpose: "observed",
      refused: refusals.map(({ message }) => message.slice(0, 500)).slice(0, 20),
    };
    const about = { id: `${name}#observed ${++this.#calls}`, tool: name, effects: [], origin };
    if (kernel !== undefined) {
      const whole = await kernel.execute({ ...about, args: given ?? null });
      if (whole.verdict === "refused") await kernel.execute(about);
    }
    const ended = await answered(make, given);
    if (ended.kind === "not done") return ended;
    return { ...ended, observed: refusals };
  }
}

const noInputs: RecordValue = Object.freeze({ kind: "record", fields: Object.freeze({}) });

interface Read {
  readonly kind: "read";
  readonly tool: Tool;
  readonly args: RecordValue;
  /** The arguments as JavaScript gets them. */
  readonly passed: unknown;
  readonly cost: Num;
  readonly looked: LookedAt;
  readonly refusals: readonly Refusal[];
}

type Seen = Read | { readonly kind: "unreadable"; readonly refusals: readonly Refusal[] };

function unreadable(code: SessionCode, message: string): Seen {
  return { kind: "unreadable", refusals: [{ code, message }] };
}

function refusalText(name: string, refusals: readonly Refusal[]): string {
  return (
    refusals
      .map(({ message }) => message)
      .join("; ")
      .slice(0, 2_000) || `${quoted(name)} was refused`
  );
}

type Ended =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

async function answered(
  make: (args: unknown) => unknown,
  args: unknown,
): Promise<Ended | { readonly kind: "not done"; readonly error: unknown }> {
  try {
    return { kind: "returned", value: await make(args) };
  } catch (error) {
    return { kind: error instanceof NotDone ? "not done" : "failed", error };
  }
}
