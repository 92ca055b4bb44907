/** `always(…)`, kept from state to state: after a call only what it wrote is looked at. Part of what must be trusted. */
import type { CellExpr, Expr, QuantifierExpr } from "../document.ts";
import { type Environment, evaluate, type Known } from "../eval/evaluate.ts";
import { isPartly, Unknown, unknownFrom } from "../eval/partly.ts";
import { cellRow } from "../eval/rows.ts";
import type { State, Write } from "../eval/state.ts";
import { valueKey } from "../value.ts";
import type { Leaf, StandingCall, Watched } from "./call.ts";
import type { Scope } from "./scope.ts";

/** Conditions on every state: on cells by their keys, and on all cells of a fluent. */
export interface AlwaysParts {
  readonly conditions: readonly Expr[];
  readonly cells: readonly QuantifierExpr[];
}

const lost = new Unknown("a call that sets it has not ended, or failed");
const anywhere = new Unknown("a call may have set any cell");

export class AlwaysLeaf implements Leaf {
  readonly #parts: AlwaysParts;
  readonly #scope: Scope;
  readonly #state: State;
  readonly #underWay = new Set<readonly Write[]>();
  #before: Known;

  /**
   * @param state changed as calls end, before this is told
   * @param first the value in the first state
   */
  constructor(parts: AlwaysParts, scope: Scope, state: State, first: Known) {
    this.#parts = parts;
    this.#scope = scope;
    this.#state = state;
    this.#before = first;
  }

  get value(): Known {
    return this.#valueWith([...this.#underWay].flat());
  }

  look({ writes }: StandingCall): Watched | undefined {
    if (writes.length === 0) return undefined;
    return {
      value: this.#valueWith([...[...this.#underWay].flat(), ...writes]),
      begin: () => {
        this.#underWay.add(writes);
      },
      end: () => {
        this.#underWay.delete(writes);
        this.#before = both(this.#before, () => this.#holdsAt(writes, this.#state));
      },
      cancel: () => {
        this.#underWay.delete(writes);
      },
    };
  }

  /** As if everything had ended that is under way, and its values were unknown. */
  #valueWith(writes: readonly Write[]): Known {
    if (writes.length === 0) return this.#before;
    return both(this.#before, () => this.#holdsAt(writes, new Doubtful(this.#state, writes)));
  }

  #holdsAt(writes: readonly Write[], state: Pick<State, "read">): Known {
    if (writes.some(({ key }) => key instanceof Unknown)) return anywhere;
    const now = (cell: CellExpr, environment: Environment): Known =>
      state.read(cell.fluent, evaluate(cell.key, environment));
    return this.#scope.withState(now, () => {
      let holds: Known = true;
      for (const condition of this.#parts.conditions)
        holds = both(holds, () => this.#scope.evaluate(condition));
      for (const part of this.#parts.cells)
        for (const write of writes) holds = both(holds, () => this.#cellHolds(part, write, state));
      return holds;
    });
  }

  #cellHolds({ over, body }: QuantifierExpr, { fluent, key }: Write, state: Pick<State, "read">): Known {
    if (over.in.kind !== "cells" || over.in.fluent !== fluent || key instanceof Unknown) return true;
    this.#scope.bindRow(over.var, cellRow(key, state.read(fluent, key)).known);
    const chosen = over.where === undefined ? true : this.#scope.evaluate(over.where);
    if (chosen === false) return true;
    const holds = this.#scope.evaluate(body);
    if (holds === true || chosen === true) return holds;
    return isPartly(chosen) ? unknownFrom(chosen) : holds;
  }
}

/** A state in which the written cells hold unknown values. */
class Doubtful implements Pick<State, "read"> {
  readonly #state: State;
  readonly #written: ReadonlySet<string>;

  constructor(state: State, writes: readonly Write[]) {
    this.#state = state;
    this.#written = new Set(
      writes.flatMap(({ fluent, key }) => (key instanceof Unknown ? [] : [`${fluent} ${valueKey(key)}`])),
    );
  }

  read(fluent: string, key: Known): ReturnType<State["read"]> {
    const isLost = !isPartly(key) && this.#written.has(`${fluent} ${valueKey(key)}`);
    return isLost ? lost : this.#state.read(fluent, key);
  }
}

/** False if one is false; unknown if one is not known. */
function both(a: Known, b: () => Known): Known {
  if (a === false) return false;
  const other = b();
  if (other === false) return false;
  return a === true ? other : a;
}
