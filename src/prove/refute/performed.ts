/**
 * A run that was read off a model, made again as it would really be made: with inputs as plain data, and with tools
 * that return JavaScript values. No number of JavaScript is one third, so a solver's run may be one that nobody can make.
 */
import {
  type Checked,
  readInputs,
  recordOf,
  run,
  type ToolHandler,
  type TraceEntry,
  toJs,
} from "../../ir/index.ts";
import { resultName } from "../symbolic/symbolic-state.ts";
import type { Replayed } from "./counterexample.ts";
import type { Schedule } from "./schedules.ts";

/** Representation of integers: numbers, or, where tools accept them, any `bigint`. */
export type Integers = "number" | "bigint";

export type Performed =
  | { readonly kind: "made"; readonly made: Replayed }
  /** With what is wrong with a value. */
  | { readonly kind: "impossible"; readonly why: string };

export async function performed(
  checked: Checked,
  supposed: Replayed,
  integers: Integers,
  schedule?: Schedule,
): Promise<Performed> {
  const { recorded } = supposed;
  const { inputs: declared } = checked.document.program;
  const given = toJs(recorded.inputs, recordOf(declared), { integers });
  const inputs = given.ok ? readInputs(checked, given.value) : given;
  if (!inputs.ok) return impossible(inputs.problems[0]?.message);
  const answers = new Answers(checked, supposed.run.trace, integers);
  const tools = new Map(checked.document.tools.map(({ name }) => [name, answers.handler]));
  const { initial } = recorded;
  const order = schedule === undefined ? { concurrency: 1 } : { schedule };
  const made = await run(checked, { inputs: inputs.value, tools, ...order, ...(initial && { initial }) });
  const { outcome } = made;
  if (answers.wrong !== undefined) return impossible(answers.wrong);
  const isStopped = outcome.kind === "stopped" && unpassable.has(outcome.problem.code);
  if (isStopped) return impossible(outcome.problem.message);
  return {
    kind: "made",
    made: { run: made, recorded: { ...recorded, inputs: inputs.value, trace: made.trace } },
  };
}

/** An argument that cannot be passed, or a result that was none. */
const unpassable: ReadonlySet<string> = new Set(["FC1505", "FC1507"]);

function impossible(why = "a value cannot be passed"): Performed {
  return { kind: "impossible", why };
}

/** The tool results of the assumed run. */
class Answers {
  /** The first result that no tool can return. */
  wrong: string | undefined;
  readonly handler: ToolHandler;
  readonly #checked: Checked;
  readonly #trace: ReadonlyMap<string, TraceEntry>;
  readonly #integers: Integers;

  constructor(checked: Checked, trace: readonly TraceEntry[], integers: Integers) {
    this.#checked = checked;
    this.#trace = new Map(trace.map((entry) => [resultName(entry), entry]));
    this.#integers = integers;
    this.handler = { run: (_, call) => this.#answer(call), integers };
  }

  #answer(call: Pick<TraceEntry, "id" | "indices">): unknown {
    const entry = this.#trace.get(resultName(call));
    if (entry?.outcome.kind === "failed") throw new Error(entry.outcome.reason);
    if (entry?.outcome.kind !== "returned") throw new Error("the tool is taken to fail here");
    const { result } = entry.outcome;
    const type = this.#checked.tools.get(entry.tool)?.result;
    if (result === undefined || type === undefined) return undefined;
    const given = toJs(result, type, { integers: this.#integers });
    if (given.ok) return given.value;
    this.wrong ??= given.problems[0]?.message ?? "a value cannot be returned";
    throw new Error(this.wrong);
  }
}
