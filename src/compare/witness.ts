/**
 * A trace that keeps some guarantees and breaks another, looked at before it is shown: every call may be made where it is
 * made and is answered as its tool may answer, and the judge finds the guarantees kept and broken.
 */

import { isOfOneProgram } from "../explain/index.ts";
import {
  type Checked,
  callEnvironment,
  check,
  compare,
  costOf,
  defaultLimits,
  type Expr,
  type Field,
  firstBroken,
  judge,
  LimitReached,
  Meter,
  type RecordedRun,
  type RecordValue,
  record,
  State,
  writesOf,
} from "../ir/index.ts";
import type { Layer } from "./layer.ts";
import { simplest } from "./simpler.ts";

export interface Witness {
  /** Tools and fluents, with the parameters that were left open as inputs. */
  readonly checked: Checked;
  /** The values of open parameters, the calls, and the assumed effects of failed calls. */
  readonly run: RecordedRun;
}

/** The property that a witness must show. */
export class Shown {
  readonly #checked: Checked | undefined;
  readonly #isOfOneProgram: boolean;

  constructor({ tools, fluents }: Layer, params: readonly Field[], kept: readonly Expr[], broken: Expr) {
    const formulas = [...kept, broken];
    const guarantees = formulas.map((formula) => ({ name: "relation", args: [], formula }));
    const program = { inputs: params, body: [] };
    const checked = check({ effectIr: 1, fluents, tools, program, guarantees });
    this.#checked = checked.ok ? checked.value : undefined;
    this.#isOfOneProgram = formulas.some(isOfOneProgram);
  }

  /** False if a parameter has a name that is in the way. */
  get isClear(): boolean {
    return this.#checked !== undefined;
  }

  /** The trace of the run, if it shows it. */
  by(run: RecordedRun): Witness | undefined {
    const checked = this.#checked;
    if (checked === undefined || this.#isOfOneProgram) return undefined;
    // Made-up states are not reported here.
    const initial = (run.initial ?? []).filter(({ fluent }) => checked.fluents.has(fluent));
    const own = { ...run, initial, inputs: inputsOf(checked, run.inputs) };
    const shows = (one: RecordedRun) => isAllowed(checked, one) && isShown(checked, one);
    return shows(own) ? { checked, run: simplest(checked, own, shows) } : undefined;
  }
}

/** All but the last are kept, and the last is not. */
function isShown(checked: Checked, run: RecordedRun): boolean {
  const { guarantees } = checked.document;
  return guarantees.every(({ formula }, i) => {
    const asked = i === guarantees.length - 1 ? "violated" : "holds";
    return formula !== undefined && judge(checked, formula, run).kind === asked;
  });
}

function inputsOf(checked: Checked, given: RecordValue): RecordValue {
  const names = new Set(checked.document.program.inputs.map(({ name }) => name));
  return record(Object.entries(given.fields).filter(([name]) => names.has(name)));
}

function isAllowed(checked: Checked, { trace, initial }: RecordedRun): boolean {
  const meter = new Meter(defaultLimits);
  const state = State.initial(checked, initial);
  try {
    for (const { tool: name, args, outcome } of trace) {
      const tool = checked.tools.get(name);
      if (tool === undefined || outcome.kind === "broken") return false;
      const before = callEnvironment(checked, tool, args, state, meter);
      if (firstBroken(tool.requires, before) !== undefined || compare(costOf(tool, before), 0n) < 0)
        return false;
      if (outcome.kind === "returned") {
        const after = callEnvironment(checked, tool, args, state, meter, outcome.result);
        if (firstBroken(tool.ensures, after) !== undefined) return false;
      }
      for (const write of writesOf(tool, before)) {
        if (outcome.kind === "returned") state.write(write);
        // A run does not know the effects of a failed call, and an unknown requirement is not met.
        else state.writeMaybe(write);
      }
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof LimitReached) return false;
    throw thrown;
  }
}
