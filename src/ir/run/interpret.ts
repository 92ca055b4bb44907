/**
 * Runs a document: the only thing that ever executes an agent's program, and it can do nothing but call the
 * declared tools that it is given. Deterministic: inputs, tool results, the starting state and, of calls at the same
 * time, the order in which they end decide everything.
 * Part of what must be trusted.
 */
import { isTold } from "../builtin.ts";
import type { Checked } from "../check/index.ts";
import { conforms } from "../convert/conforms.ts";
import { fromJs } from "../convert/from-js.ts";
import { type Result, Trail } from "../diagnostic.ts";
import { readField, valuesOnly } from "../eval/evaluate.ts";
import { Meter } from "../eval/meter.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { recordOf } from "../type.ts";
import { isRecord, type RecordValue } from "../value.ts";
import { Calls } from "./calls.ts";
import type { Run, RunOptions } from "./options.ts";
import { Stop } from "./stop.ts";
import { Strand } from "./strand.ts";

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
 * Runs a checked document. Every failure is in the outcome, and the trace holds the calls so far. The promise rejects
 * only for a fault of ours.
 */
export async function run(checked: Checked, options: RunOptions): Promise<Run> {
  const meter = new Meter(options.limits ?? defaultLimits, options.watch);
  const calls = new Calls(checked, options, meter);
  const at = Trail.root.at("program");
  const environment = valuesOnly(checked.types, meter);
  const strand = new Strand({ checked, calls, meter }, { environment, indices: [], at });
  let outcome: Run["outcome"] = { kind: "completed" };
  try {
    prepare(checked, options, at);
    const inputs = recordOf(checked.document.program.inputs);
    for (const { name } of inputs.fields) strand.set(name, readField(options.inputs, name, inputs));
    const waiting = strand.body(checked.document.program.body, at.at("body"));
    if (waiting !== undefined) await waiting;
    calls.finish(at);
  } catch (thrown) {
    const stop = strand.stopFrom(thrown);
    if (stop === undefined) throw thrown;
    outcome = { kind: "stopped", problem: stop.problem };
  }
  return { outcome, trace: calls.trace, state: calls.state, steps: meter.steps };
}

/** Everything that can be refused before the first call. */
function prepare(checked: Checked, { tools, inputs }: RunOptions, at: Trail): void {
  const { document } = checked;
  for (const { name } of document.tools) {
    if (!tools.has(name) && !isTold(name))
      throw new Stop("FC1501", at, `there is no handler for the tool \`${name}\``);
  }
  if (!conforms(inputs, recordOf(document.program.inputs))) {
    throw new Stop("FC1513", at.at("inputs"), "the inputs do not have the types that the program declares");
  }
}
