/** Random inputs and random answers of the tools, through the interpreter and through the meaning of proofs/ir. */
import {
  type Checked,
  defaultOf,
  isBuiltin,
  judge,
  list,
  none,
  type Outcome,
  ratio,
  record,
  run,
  some,
  type Type,
  type Value,
} from "../../src/ir/index.ts";
import { atom, documentText, extracted, items, parseTree, valueText } from "../../src/verified/index.ts";
import type { Chance } from "./random-commands.ts";

export interface Runs {
  completed: number;
  stopped: number;
  violated: number;
  /** Runs that come to an operator that the model leaves open. */
  open: number;
}

export function newRuns(): Runs {
  return { completed: 0, stopped: 0, violated: 0, open: 0 };
}

function anyValue(type: Type, chance: Chance): Value {
  switch (type.kind) {
    case "bool":
      return chance.in100(50);
    case "int":
      return BigInt(chance.below(60) - 10);
    case "real":
      return chance.in100(30)
        ? ratio(BigInt(chance.below(900) - 100), chance.pick([2n, 4n, 5n]))
        : BigInt(chance.below(60) - 10);
    case "string":
      return chance.pick(["", "a", "card", "bob", "alice", "visa"]);
    case "enum":
      return chance.pick(type.values);
    case "option":
      return chance.in100(25) ? none : some(anyValue(type.value, chance));
    case "record":
      return record(
        type.fields
          .filter((field) => !field.optional || chance.in100(60))
          .map((field) => [field.name, anyValue(field.type, chance)] as const),
      );
    case "list":
      return list(Array.from({ length: chance.below(3) }, () => anyValue(type.element, chance)));
    default:
      return defaultOf(type);
  }
}

/** Why a run stopped, as the model names it. */
const stops: Readonly<Record<string, readonly string[]>> = {
  FC1502: ["requires"],
  FC1503: ["require"],
  FC1504: ["failed"],
  FC1510: ["type", "ensures"],
  FC1514: ["cost"],
};

type World =
  | { readonly kind: "returned"; readonly value: Value | undefined }
  | { readonly kind: "failed"; readonly took: boolean; readonly left: readonly Value[] };

/** Runs the document once in both; returns a difference. */
export async function compareRun(checked: Checked, chance: Chance, runs: Runs): Promise<string | undefined> {
  const { program, guarantees, tools } = checked.document;
  const { text, anyKeys } = documentText(checked);
  const inputType: Type = { kind: "record", fields: program.inputs };
  const inputs = anyValue(inputType, chance);
  const calls = program.body.filter((command) => command.kind === "call");
  const worlds = calls.map(({ tool: name }): World => {
    const tool = checked.tools.get(name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    if (!isBuiltin(name) && chance.in100(15)) {
      const left = tool.sets.map(({ fluent }) =>
        anyValue(checked.fluents.get(fluent)?.value ?? { kind: "bool" }, chance),
      );
      return { kind: "failed", took: chance.in100(50), left };
    }
    return { kind: "returned", value: tool.result === undefined ? undefined : anyValue(tool.result, chance) };
  });
  const worldOf = (id: string) => worlds[calls.findIndex((call) => call.id === id)];
  const recorded = ({ id }: { readonly id: string }): Outcome => {
    const world = worldOf(id);
    if (world?.kind !== "returned") return { kind: "failed", reason: "no" };
    return world.value === undefined ? { kind: "returned" } : { kind: "returned", result: world.value };
  };
  if (typeof inputs !== "object" || inputs === null || !("fields" in inputs))
    throw new TypeError("inputs are a record");
  const handlers = new Map(tools.map(({ name }) => [name, { run: () => undefined }] as const));
  const done = await run(checked, { inputs, tools: handlers, recorded });
  const worldTexts = calls.map(({ tool: name }, i) => {
    const [world, tool] = [worlds[i], checked.tools.get(name)];
    if (world === undefined || tool === undefined) throw new TypeError("a call without its world");
    if (world.kind === "failed") {
      const left = world.left.map((value, at) => {
        const type = checked.fluents.get(tool.sets[at]?.fluent ?? "")?.value;
        return items(atom(String(at)), valueText(value, type ?? { kind: "bool" }));
      });
      return items(atom("failed"), atom(world.took ? 1 : 0), items(atom("r"), ...left));
    }
    const value =
      world.value === undefined || tool.result === undefined
        ? undefined
        : valueText(world.value, tool.result);
    return items(atom("returned"), value ?? items(atom("null")));
  });
  const given = program.inputs.map((one) => {
    const value = inputs.fields[one.name];
    const type: Type = one.optional ? { kind: "option", value: one.type } : one.type;
    return items(
      atom(one.name),
      valueText(one.optional ? (value === undefined ? none : some(value)) : (value ?? null), type),
    );
  });
  const keys = anyKeys.map(({ name, type }) => items(atom(name), valueText(anyValue(type, chance), type)));
  let said: ReturnType<typeof parseTree>;
  let isOpen = false;
  const refuse = (): string => {
    isOpen = true;
    throw new Error("an operator that the model leaves open");
  };
  try {
    said = parseTree(extracted().run(refuse, items(text, items(...given, ...keys), items(...worldTexts))));
  } catch (error) {
    if (!isOpen) throw error;
    runs.open++;
    return undefined;
  }
  if (done.outcome.kind === "stopped") {
    runs.stopped++;
    const wanted = stops[done.outcome.problem.code] ?? [done.outcome.problem.code];
    return said[0] === "stopped" && wanted.includes(String(said[1]))
      ? undefined
      : `interpreter stops with ${done.outcome.problem.code}, model ${JSON.stringify(said)}`;
  }
  runs.completed++;
  const failedAt = (position: number) => {
    const world = worldOf(done.trace[position]?.id ?? "");
    return world?.kind === "failed" ? world : undefined;
  };
  const resolution = {
    took: (position: number) => failedAt(position)?.took === true,
    left: (position: number, update: number) => failedAt(position)?.left[update],
  };
  const verdicts = guarantees.map(({ formula }) => {
    if (formula === undefined) throw new TypeError("a guarantee without its formula");
    return judge(checked, formula, { inputs, trace: done.trace, resolution }).kind;
  });
  runs.violated += verdicts.filter((one) => one === "violated").length;
  if (said[0] !== "completed") return `interpreter completes, model ${JSON.stringify(said)}`;
  const model = said[2] as readonly string[];
  // A guarantee of all keys is judged by the model at one of them.
  const differs = verdicts.findIndex(
    (one, i) => one !== "unknown" && one !== model[i] && !(anyKeys.length > 0 && one === "violated"),
  );
  return differs < 0
    ? undefined
    : `guarantee ${differs}: interpreter ${verdicts[differs]}, model ${model[differs]}`;
}
