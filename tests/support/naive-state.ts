/** A second implementation of fluents: plain lists of keys and values. */
import type { Checked } from "../../src/ir/check/index.ts";
import type { Tool } from "../../src/ir/document.ts";
import type { Cell } from "../../src/ir/eval/state.ts";
import { equal, isNum, type RecordValue, type Value } from "../../src/ir/value.ts";
import { finite, naive, naiveClause, UnknownCell } from "./naive-eval.ts";

/** Undefined stands for what is not known. */
type Held = Value | undefined;

interface Holding {
  /** At every key that is not listed. */
  rest: Held;
  listed: { readonly key: Value; readonly value: Held }[];
}

export interface NaiveWrite {
  /** Index of the tool's update. */
  readonly update: number;
  readonly fluent: string;
  readonly key: Held;
  readonly value: Held;
}

export class NaiveState {
  readonly #holdings: Map<string, Holding>;

  constructor(holdings: Map<string, Holding>) {
    this.#holdings = holdings;
  }

  /** `unknown` says what a fluent holds of which the document says nothing. */
  static initial(
    checked: Checked,
    given: readonly Cell[] = [],
    unknown: (fluent: string) => Held = () => undefined,
  ): NaiveState {
    const holdings = new Map<string, Holding>();
    for (const { name, initial } of checked.fluents.values()) {
      const look = () => {
        throw new Error("a constant looks at nothing");
      };
      const rest = initial && finite(naive(initial, { names: new Map(), types: checked.types, look }));
      holdings.set(name, { rest: rest ?? unknown(name), listed: [] });
    }
    const state = new NaiveState(holdings);
    for (const { fluent, key, value } of given) {
      state.write({ update: 0, fluent, key, value: isKnown(value) ? value : unknown(fluent) });
    }
    return state;
  }

  copy(): NaiveState {
    return new NaiveState(
      new Map([...this.#holdings].map(([name, { rest, listed }]) => [name, { rest, listed: [...listed] }])),
    );
  }

  held(fluent: string, key: Value): Held {
    const { rest, listed } = this.#holding(fluent);
    const found = listed.find((cell) => equal(cell.key, key));
    return found === undefined ? rest : found.value;
  }

  read(fluent: string, key: Value): Value {
    const value = this.held(fluent, key);
    if (value === undefined) throw new UnknownCell(fluent);
    return value;
  }

  keys(fluent: string): Value[] {
    return this.#holding(fluent).listed.map(({ key }) => key);
  }

  allKeys(): Value[] {
    return [...this.#holdings.keys()].flatMap((fluent) => this.keys(fluent));
  }

  write({ fluent, key, value }: NaiveWrite): void {
    const holding = this.#holding(fluent);
    if (key === undefined) {
      // Some key was written, and it could be any.
      holding.rest = undefined;
      holding.listed = [];
      return;
    }
    holding.listed = [...holding.listed.filter((cell) => !equal(cell.key, key)), { key, value }];
  }

  #holding(fluent: string): Holding {
    const holding = this.#holdings.get(fluent);
    if (holding === undefined) throw new Error(`no fluent ${fluent}`);
    return holding;
  }
}

/** Returns the writes of a call, evaluated in the state before it. */
export function naiveWrites(
  checked: Checked,
  tool: Tool,
  args: RecordValue,
  state: NaiveState,
): NaiveWrite[] {
  const read = (fluent: string, key: Value) => state.read(fluent, key);
  const known = (clause: Parameters<typeof naiveClause>[2]): Held => {
    try {
      return naiveClause(checked, tool, clause, args, { read });
    } catch (thrown) {
      if (thrown instanceof UnknownCell) return undefined;
      throw thrown;
    }
  };
  return tool.sets.flatMap(({ fluent, key, value, when }, update) => {
    const happens = when === undefined ? true : known(when);
    if (happens === false) return [];
    return [{ update, fluent, key: known(key), value: happens === true ? known(value) : undefined }];
  });
}

function isKnown(value: Cell["value"]): value is Value {
  return (
    value === null ||
    typeof value !== "object" ||
    Array.isArray(value) ||
    isNum(value as Value) ||
    !("why" in value)
  );
}
