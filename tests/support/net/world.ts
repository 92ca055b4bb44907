/**
 * Random inputs and answers of tools for any document. Lists are also long, up to 15 elements, and values are mostly those
 * that the document itself names, so that equalities hold now and then.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import type { Tool } from "../../../src/ir/document.ts";
import { callEnvironment, firstBroken } from "../../../src/ir/eval/clauses.ts";
import { Meter } from "../../../src/ir/eval/meter.ts";
import { type Cell, State } from "../../../src/ir/eval/state.ts";
import type { Outcome } from "../../../src/ir/eval/trace.ts";
import { defaultLimits } from "../../../src/ir/limits.ts";
import { mapOfPairs } from "../../../src/ir/map-value.ts";
import type { Num } from "../../../src/ir/number.ts";
import type { PendingCall } from "../../../src/ir/run/options.ts";
import { recordOf, type Type } from "../../../src/ir/type.ts";
import {
  isNum,
  isRecord,
  jsonObject,
  list,
  none,
  type RecordValue,
  record,
  some,
  type Value,
} from "../../../src/ir/value.ts";
import type { Chance } from "../program/chance.ts";

/** Constants of a document. */
export interface Vocabulary {
  readonly numbers: readonly Num[];
  readonly texts: readonly string[];
}

export function vocabularyOf({ document }: Checked): Vocabulary {
  const numbers = new Map<string, Num>([["1", 1n]]);
  const texts = new Set(["a", "b", "c"]);
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const [kind, value] = [Reflect.get(node, "kind"), Reflect.get(node, "value")];
    if (kind === "number" && isNumber(value)) numbers.set(String(value), value);
    else if (kind === "string" && typeof value === "string") texts.add(value);
    else for (const child of Object.values(node)) visit(child);
  };
  visit([document.fluents, document.tools, document.program.body, document.guarantees]);
  return { numbers: [...numbers.values()], texts: [...texts] };
}

function isNumber(value: unknown): value is Num {
  // SAFETY: `isNum` looks at what it is given, whatever that is.
  return isNum(value as Value);
}

/** Texts that are read as something else, or whose length and case surprise. */
const oddTexts = [
  "",
  "7",
  " 7 ",
  "-1",
  "1e3",
  "x",
  "A",
  "ß",
  "😀",
  "a,b",
  "2024-02-29",
  "[1]",
  '{"a":1,"b":["c"]}',
  "null",
  '"a"',
];

/** LIMIT: of answers that are tried until one is as the tool ensures. */
const mostAnswers = 12;

/** LIMIT: of elements. */
const longestList = 15;

/** Inputs and results of one run. */
export class World {
  readonly inputs: RecordValue;
  readonly initial: readonly Cell[];
  readonly #checked: Checked;
  readonly #chance: Chance;
  readonly #words: Vocabulary;
  readonly #failing: number;
  /** Maximum length of lists. */
  readonly #longest: number;

  constructor(checked: Checked, chance: Chance, words: Vocabulary) {
    this.#checked = checked;
    this.#chance = chance;
    this.#words = words;
    this.#failing = chance.pick([0, 0, 0, 15]);
    this.#longest = chance.pick([1, 2, 3, 5, 8, 12, longestList]);
    const { inputs } = checked.document.program;
    const given = this.value(recordOf(inputs));
    if (!isRecord(given)) throw new TypeError("inputs are a record");
    this.inputs = given;
    this.initial = this.#cells();
  }

  /** Cells of fluents that are initially unknown. */
  #cells(): readonly Cell[] {
    return [...this.#checked.fluents.values()].flatMap(({ name, key, value, initial }): Cell[] => {
      if (initial !== undefined) return [];
      const keys = key.kind === "string" ? this.#words.texts.slice(0, 6) : [this.value(key), this.value(key)];
      const cells = keys.map((at): Cell => ({ fluent: name, key: at, value: this.value(value) }));
      return key.kind === "string" ? cells : cells.slice(0, 1);
    });
  }

  /** @param long whether lists are as long as they get */
  value(type: Type, depth = 0, long = false): Value {
    const chance = this.#chance;
    const { numbers, texts } = this.#words;
    switch (type.kind) {
      case "bool":
        return chance.odds(50);
      case "int":
        return this.#integer(chance.pick(numbers));
      case "real":
        return chance.odds(80) ? chance.pick(numbers) : this.#integer(chance.pick(numbers));
      case "string":
        if (chance.odds(70)) return chance.pick(["a", "b", "c"]);
        return chance.odds(70) ? chance.pick(texts) : chance.pick(oddTexts);
      case "enum":
        return chance.pick(type.values);
      case "option":
        return chance.odds(40) ? none : some(this.value(type.value, depth));
      case "record":
        return record(
          type.fields.flatMap(({ name, type: of, optional }) =>
            optional && chance.odds(40) ? [] : [[name, this.value(of, depth)] as const],
          ),
        );
      case "list":
        return this.#list(type.element, depth, long);
      case "map":
        return mapOfPairs(
          chance.times(0, 3, () => [chance.pick(["a", "b", "c", "7"]), this.value(type.value, depth)]),
        );
      case "json":
        return this.#json(depth);
      case "never":
        throw new TypeError("nothing has this type");
    }
  }

  /** Any JSON value, with fields and texts that the document names. */
  #json(depth: number): Value {
    const chance = this.#chance;
    const { numbers, texts } = this.#words;
    const kind = chance.int(0, depth > 2 ? 3 : 5);
    if (kind === 0) return null;
    if (kind === 1) return chance.odds(50);
    if (kind === 2) return chance.pick(numbers);
    if (kind === 3) return chance.odds(60) ? chance.pick(texts) : chance.pick(oddTexts);
    if (kind === 4) return list(chance.times(0, 3, () => this.#json(depth + 1)));
    const names = [...new Set(chance.times(0, 3, () => chance.pick([...texts, "a", "b", "7", "length"])))];
    return jsonObject(names.map((name) => [name, this.#json(depth + 1)]));
  }

  #integer(number: Num): bigint {
    const whole = typeof number === "bigint" ? number : 2n;
    return this.#chance.odds(80) ? whole : whole + BigInt(this.#chance.int(-1, 1));
  }

  /** Some lists are of few values, so that what is said of each of them holds now and then. */
  #list(element: Type, depth: number, long: boolean): Value {
    const chance = this.#chance;
    const most = long ? longestList : depth === 0 ? this.#longest : Math.min(4, this.#longest);
    const length = chance.odds(30) ? most : chance.int(long ? 5 : 0, most);
    const few = chance.odds(60) ? chance.times(1, 2, () => this.value(element, depth + 1)) : undefined;
    return list(Array.from({ length }, () => (few ? chance.pick(few) : this.value(element, depth + 1))));
  }

  /** Returns the result of a call: one that satisfies `ensures`, as far as some attempts find it. */
  answer({ tool, args }: PendingCall): Outcome {
    if (this.#chance.odds(this.#failing)) return { kind: "failed", reason: "no" };
    if (tool.result === undefined) return { kind: "returned" };
    for (let i = 0; ; i++) {
      const result = this.value(tool.result, 0, i % 2 === 1);
      if (i === mostAnswers || this.#isEnsured(tool, args, result)) return { kind: "returned", result };
    }
  }

  #isEnsured(tool: Tool, args: RecordValue, result: Value): boolean {
    if (tool.ensures.length === 0) return true;
    const state = State.initial(this.#checked, this.initial);
    const meter = new Meter(defaultLimits);
    const environment = callEnvironment(this.#checked, tool, args, state, meter, result);
    return firstBroken(tool.ensures, environment) === undefined;
  }
}
