/**
 * Tools of a random program: a result depends on a seed and on the call (its id and its loop indices), and on nothing
 * else. The same call of the same case always gets the same result.
 */
import { isBuiltin, isReading } from "../../../src/ir/builtin.ts";
import type { Checked } from "../../../src/ir/check/index.ts";
import { fromJs } from "../../../src/ir/convert/from-js.ts";
import { toJs } from "../../../src/ir/convert/to-js.ts";
import type { Tool } from "../../../src/ir/document.ts";
import type { ToolHandler } from "../../../src/ir/run/options.ts";
import { recordOf } from "../../../src/ir/type.ts";
import { isRecord, type RecordValue, type Value } from "../../../src/ir/value.ts";
import { naiveClause } from "../naive-eval.ts";
import { Chance, hashText } from "./chance.ts";
import { someValue } from "./types.ts";

export interface Behaviour {
  readonly seed: number;
  /** Failing calls in a hundred. */
  readonly failing: number;
}

export type Answer =
  /** `js` is the result as a JavaScript function gives it. */
  | { readonly kind: "returned"; readonly result: Value | undefined; readonly js: unknown }
  | { readonly kind: "failed"; readonly reason: string };

/** Attempts to find a result that satisfies `ensures`; the last one is used anyway. */
const attempts = 40;

export function answerOf(
  checked: Checked,
  { seed, failing }: Behaviour,
  tool: Tool,
  call: { readonly id: string; readonly indices: readonly number[] },
  args: RecordValue,
): Answer {
  const chance = Chance.seeded(hashText(`${seed}/${call.id}/${call.indices.join()}`));
  if (chance.odds(failing) && !isBuiltin(tool.name))
    return { kind: "failed", reason: `${tool.name} is out of order` };
  const { result: type } = tool;
  if (type === undefined) return { kind: "returned", result: undefined, js: undefined };
  let result = someValue(chance, type);
  for (let i = 0; i < attempts && !meets(checked, tool, args, result); i++) result = someValue(chance, type);
  const isOpen = isReading(tool.name) && !meets(checked, tool, args, result);
  if (isOpen) result = args.fields.after ?? 0n;
  const passed = toJs(result, type, { integers: "bigint" });
  // A real tool cannot say it either.
  if (!passed.ok) return { kind: "failed", reason: `${tool.name} cannot answer exactly` };
  return { kind: "returned", result, js: passed.value };
}

/** Returns true if the result satisfies the tool's `ensures`. */
export function meets(checked: Checked, tool: Tool, args: RecordValue, result: Value | undefined): boolean {
  return tool.ensures.every((one) => naiveClause(checked, tool, one, args, { result }) === true);
}

export interface SeenCall {
  readonly tool: string;
  readonly id: string;
  readonly indices: readonly number[];
  readonly args: RecordValue;
}

/** The behavior as handlers for `run`. `seen` is told of every call that is really made. */
export function handlersFor(
  checked: Checked,
  behaviour: Behaviour,
  seen: (call: SeenCall) => void = () => {},
): Map<string, ToolHandler> {
  const handler = (tool: Tool, i: number): ToolHandler => {
    const run: ToolHandler["run"] = (given, { id, indices }) => {
      const args = fromJs(given, recordOf(tool.params));
      if (!args.ok || !isRecord(args.value)) throw new TypeError("arguments that cannot be read back");
      seen({ tool: tool.name, id, indices, args: args.value });
      const answer = answerOf(checked, behaviour, tool, { id, indices }, args.value);
      if (answer.kind === "failed") throw new Error(answer.reason);
      return answer.js;
    };
    const integers = i % 2 === 0 ? "number" : "bigint";
    // Readings are made at once.
    return isReading(tool.name) ? { integers, run } : { integers, run: async (...call) => run(...call) };
  };
  return new Map(checked.document.tools.map((tool, i) => [tool.name, handler(tool, i)]));
}
