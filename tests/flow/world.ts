/**
 * Tools that really keep and return what they are given: a result is decided by the tool, its arguments and what is in its
 * stores, and by nothing else. One source can be made to give other data.
 */
import type { Checked } from "../../src/ir/check/index.ts";
import type { Tool } from "../../src/ir/document.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { run } from "../../src/ir/run/interpret.ts";
import type { PendingCall, Run } from "../../src/ir/run/options.ts";
import { recordOf, type Type } from "../../src/ir/type.ts";
import {
  isList,
  isOption,
  isRecord,
  list,
  type RecordValue,
  record,
  some,
  type Value,
  valueKey,
} from "../../src/ir/value.ts";
import { caseLimits } from "../support/case-runs.ts";
import { Chance, hashText } from "../support/program/chance.ts";
import { someValue } from "../support/program/types.ts";

/** The difference of the second run. */
export type Changed =
  | { readonly kind: "tool"; readonly tool: string; readonly field?: string }
  | { readonly kind: "input"; readonly input: string }
  /** The result of one call, or one row of it. */
  | {
      readonly kind: "call";
      readonly id: string;
      readonly indices: readonly number[];
      readonly row?: number;
    };

/** Failing calls in a hundred. */
const failing = 8;

export async function runWorld(checked: Checked, seed: number, changed?: Changed): Promise<Run> {
  const world = new World(seed, changed);
  const inputs = inputsOf(checked, seed, changed);
  const nobody = {
    run: () => {
      throw new Error("every call is answered by the world");
    },
  };
  const tools = new Map(checked.document.tools.map((tool) => [tool.name, nobody]));
  return run(checked, { inputs, tools, limits: caseLimits, recorded: (call) => world.answer(call) });
}

function inputsOf(checked: Checked, seed: number, changed?: Changed): RecordValue {
  const { inputs } = checked.document.program;
  const value = (other: boolean, name: string, type: Type) =>
    someValue(Chance.seeded(hashText(`${seed}/${other}/${name}`)), type);
  const fields = inputs.flatMap(({ name, type, optional }): [string, Value][] => {
    const other = changed?.kind === "input" && changed.input === name;
    const there = !optional || hashText(`${seed}/${other}/${name}?`) % 2 === 0;
    return there ? [[name, value(other, name, type)]] : [];
  });
  return record(fields);
}

class World {
  readonly #seed: number;
  readonly #changed: Changed | undefined;
  readonly #kept = new Map<string, string[]>();
  /** Data written to any store. */
  readonly #anywhere: string[] = [];
  readonly #everything: string[] = [];

  constructor(seed: number, changed: Changed | undefined) {
    this.#seed = seed;
    this.#changed = changed;
  }

  answer(call: PendingCall): TraceEntry["outcome"] {
    const { tool, args } = call;
    const given = valueKey(args);
    // A tool that endorses looks at what it is given, and tells nothing of it.
    const known = `${tool.endorses === undefined ? given : ""}|${this.#read(tool).join("|")}`;
    const other = this.#isChanged(tool);
    const fails = Chance.seeded(this.#hash(tool, known, other, "fails")).odds(failing);
    if (!tool.reads && (!fails || hashText(given) % 2 === 0)) this.#write(tool, `${tool.name}${given}`);
    if (fails) return { kind: "failed", reason: "out of order" };
    return tool.result === undefined
      ? { kind: "returned" }
      : {
          kind: "returned",
          result: this.#changedIn(call, tool.result, this.#result(tool, tool.result, known)),
        };
  }

  #isChanged({ name }: Tool): boolean {
    const changed = this.#changed;
    return changed?.kind === "tool" && changed.tool === name && changed.field === undefined;
  }

  #hash(tool: Tool, known: string, other: boolean, what: string): number {
    return hashText(`${this.#seed}/${other}/${tool.name}/${what}/${known}`);
  }

  #result(tool: Tool, type: Type, known: string): Value {
    const value = someValue(Chance.seeded(this.#hash(tool, known, this.#isChanged(tool), "is")), type);
    const changed = this.#changed;
    if (changed?.kind !== "tool" || changed.tool !== tool.name || changed.field === undefined) return value;
    const chance = Chance.seeded(this.#hash(tool, known, true, changed.field));
    return withField(value, type, changed.field, chance);
  }

  #changedIn({ id, indices }: PendingCall, type: Type, result: Value): Value {
    const changed = this.#changed;
    if (changed?.kind !== "call" || changed.id !== id || changed.indices.join() !== indices.join())
      return result;
    const chance = Chance.seeded(hashText(`${this.#seed}/${id}/${indices.join()}`));
    if (changed.row === undefined || type.kind !== "list" || !isList(result)) return someValue(chance, type);
    return list(result.map((row, i) => (i === changed.row ? someValue(chance, type.element) : row)));
  }

  #read({ stores }: Tool): readonly string[] {
    if (stores === undefined) return this.#everything;
    if (stores.length === 0) return [];
    return [...this.#anywhere, ...stores.flatMap((store) => ["/", ...(this.#kept.get(store) ?? [])])];
  }

  #write({ stores }: Tool, text: string): void {
    if (stores?.length === 0) return;
    this.#everything.push(text);
    if (stores === undefined) this.#anywhere.push(text);
    for (const store of stores ?? []) this.#kept.set(store, [...(this.#kept.get(store) ?? []), text]);
  }
}

/** The same with another value of the field, in it or in its rows. */
function withField(value: Value, type: Type, field: string, chance: Chance): Value {
  if (type.kind === "list" && isList(value))
    return list(value.map((row) => withField(row, type.element, field, chance)));
  if (type.kind === "option" && isOption(value))
    return value.kind === "some" ? some(withField(value.value, type.value, field, chance)) : value;
  if (type.kind !== "record" || !isRecord(value)) return value;
  const only = someValue(chance, recordOf(type.fields.filter(({ name }) => name === field)));
  const others = Object.entries(value.fields).filter(([name]) => name !== field);
  return record([...others, ...(isRecord(only) ? Object.entries(only.fields) : [])]);
}
