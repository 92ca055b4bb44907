/** Runs of an example with inputs and tool results by chance, mixed with what the program itself speaks of. */

import type { Outcome } from "../../src/ir/eval/trace.ts";
import {
  type Checked,
  programExprs,
  type RecordValue,
  type Run,
  run,
  type Type,
  type Value,
} from "../../src/ir/index.ts";
import { add } from "../../src/ir/number.ts";
import type { PendingCall } from "../../src/ir/run/options.ts";
import { recordOf } from "../../src/ir/type.ts";
import { isRecord, list, none, record, some } from "../../src/ir/value.ts";
import { Generator } from "../../src/run/mock/generate.ts";
import { type Hints, hintsFrom } from "../../src/run/mock/hints.ts";
import { meets } from "../support/program/behaviour.ts";
import { Chance, hashText } from "../support/program/chance.ts";
import { someValue } from "../support/program/types.ts";

export interface RandomRun extends Run {
  readonly inputs: RecordValue;
}

/** Attempts to find a result that satisfies `ensures`, before the mock generator is asked. */
const attempts = 30;

/** `failing`: of a hundred calls, how many fail. */
export async function randomRun(checked: Checked, seed: number, failing: number): Promise<RandomRun> {
  const { document } = checked;
  const stated = document.guarantees.flatMap(({ args, formula }) => (formula ? [...args, formula] : args));
  const hints = hintsFrom([...programExprs(document), ...stated], record([]));
  const inputs = valueNear(
    Chance.seeded(hashText(`inputs ${seed}`)),
    recordOf(document.program.inputs),
    hints,
  );
  if (!isRecord(inputs)) throw new TypeError("inputs are a record");
  const generator = new Generator(checked);
  const nobody = {
    run: () => {
      throw new Error("every call has its answer");
    },
  };
  const tools = new Map(document.tools.map(({ name }) => [name, nobody]));
  const answer = (call: PendingCall): Outcome => {
    const chance = Chance.seeded(hashText(`${seed} ${call.id} ${call.indices.join()}`));
    if (chance.odds(failing)) return { kind: "failed", reason: "out of order" };
    const { result: type } = call.tool;
    if (type === undefined) return { kind: "returned" };
    for (let i = 0; i < attempts; i++) {
      const result = valueNear(chance, type, hints);
      if (meets(checked, call.tool, call.args, result)) return { kind: "returned", result };
    }
    const result = generator.resultFor(call, {
      below: (n) => chance.int(0, n - 1),
      pick: (items) => items[chance.int(0, Math.max(0, items.length - 1))],
    });
    return result === undefined
      ? { kind: "failed", reason: "no result was found" }
      : { kind: "returned", result };
  };
  return { ...(await run(checked, { inputs, tools, recorded: answer })), inputs };
}

/** Half of the time something that the program speaks of, or a neighbor of it. */
function valueNear(chance: Chance, type: Type, hints: Hints): Value {
  const near = chance.odds(50);
  switch (type.kind) {
    case "string":
      return near && hints.strings.length > 0 ? chance.pick(hints.strings) : someValue(chance, type);
    case "int": {
      const whole = hints.numbers.filter((one) => typeof one === "bigint");
      return near && whole.length > 0
        ? chance.pick(whole) + BigInt(chance.int(-1, 1))
        : someValue(chance, type);
    }
    case "real":
      return near && hints.numbers.length > 0
        ? add(chance.pick(hints.numbers), BigInt(chance.int(-1, 1)))
        : someValue(chance, type);
    case "list":
      return list(chance.times(0, 3, () => valueNear(chance, type.element, hints)));
    case "option":
      return chance.odds(30) ? none : some(valueNear(chance, type.value, hints));
    case "record":
      return record(
        type.fields
          .filter((field) => !field.optional || chance.odds(60))
          .map((field) => [field.name, valueNear(chance, field.type, hints)] as const),
      );
    default:
      return someValue(chance, type);
  }
}
