/**
 * Calls that others ask for: "there was an earlier call with the same value here". They are found by that value, so that
 * asking costs the same however many there were. Part of what must be trusted.
 */
import type { Expr, QuantifierExpr } from "../document.ts";
import { type Environment, evaluate, type Known } from "../eval/evaluate.ts";
import { LimitReached } from "../eval/meter.ts";
import { isPartly, Unknown } from "../eval/partly.ts";
import type { Outcome } from "../eval/trace.ts";
import { isList, none, some, valueKey } from "../value.ts";
import type { Asked, StandingCall, Watched } from "./call.ts";
import { mostKeys } from "./leaves.ts";
import { isRowOf, type Scope } from "./scope.ts";

/** A nested quantifier, as conditions on the call it looks for and on the one that asks. */
export interface Question {
  readonly expr: QuantifierExpr;
  /** On the call that is looked for alone. */
  readonly own: readonly Expr[];
  /** On the call that asks alone. */
  readonly asking: readonly Expr[];
  /** Values that must be the same: of the call that is looked for, and of the one that asks. */
  readonly same: readonly (readonly [theirs: Expr, asking: Expr])[];
  /** Only calls before the one that asks count. */
  readonly isEarlier: boolean;
  /** `own` or `same` read the result of the call that is looked for. */
  readonly readsResult: boolean;
}

const mayBe = new Unknown("a call that it asks for may have been made, or may be made later");

/** The lookup of a call: by a key, anywhere, or nowhere. */
type Found = { readonly key: string; readonly certain: boolean } | "anywhere" | "nowhere";

export class EarlierCalls implements Asked {
  readonly question: Question;
  readonly #scope: Scope;
  readonly #certain = new Set<string>();
  readonly #possible = new Set<string>();
  readonly #underWay = new Map<StandingCall, Found>();
  #mayBeAnywhere = false;

  constructor(question: Question, scope: Scope) {
    this.question = question;
    this.#scope = scope;
  }

  /**
   * Answers for the call that is bound in the environment. `true` and `false` stay so, whatever comes later: where
   * later calls count too, there is no `false` of a search, but only unknown.
   */
  answer(environment: Environment): Known {
    const exists = this.#exists(environment);
    if (this.question.expr.quantifier === "exists" || isPartly(exists)) return exists;
    return !exists;
  }

  #exists(environment: Environment): Known {
    const { asking, same, isEarlier } = this.question;
    for (const condition of asking) {
      const holds = evaluate(condition, environment);
      if (holds === false) return false;
      if (holds !== true) return mayBe;
    }
    const key = keyOf(same.map(([, mine]) => evaluate(mine, environment)));
    if (key === undefined) return mayBe;
    if (this.#certain.has(key)) return true;
    if (!isEarlier || this.#mayBeAnywhere || this.#possible.has(key)) return mayBe;
    for (const found of this.#underWay.values())
      if (found === "anywhere" || (found !== "nowhere" && found.key === key)) return mayBe;
    return false;
  }

  look(call: StandingCall): Pick<Watched, "begin" | "end" | "cancel"> | undefined {
    const { over } = this.question.expr;
    if (!isRowOf(this.#scope.checked, over.in, call.tool)) return undefined;
    const isOfRows = over.in.kind === "rows";
    const seen: Found = isOfRows || this.question.readsResult ? "anywhere" : this.#findCall(call);
    return {
      begin: () => {
        this.#underWay.set(call, seen);
      },
      end: (outcome) => {
        this.#underWay.delete(call);
        if (isOfRows) this.#keepRows(outcome);
        else this.#keep(this.#findCall(call, outcome), outcome.kind === "returned");
      },
      cancel: () => {
        this.#underWay.delete(call);
      },
    };
  }

  #findCall(call: StandingCall, outcome?: Outcome): Found {
    const { over } = this.question.expr;
    if (!this.#scope.bind(over, call)) return "nowhere";
    const result = outcome?.kind === "returned" && outcome.result !== undefined ? some(outcome.result) : none;
    return this.#scope.withResult(over.var, result, () => this.#find());
  }

  /** Looks up the bound row. */
  #find(): Found {
    const { own, same } = this.question;
    let certain = true;
    for (const condition of own) {
      const holds = this.#scope.evaluate(condition);
      if (holds === false) return "nowhere";
      if (holds !== true) certain = false;
    }
    const key = keyOf(same.map(([theirs]) => this.#scope.evaluate(theirs)));
    return key === undefined ? "anywhere" : { key, certain };
  }

  #keepRows(outcome: Outcome): void {
    const { over } = this.question.expr;
    const rows = outcome.kind === "returned" ? outcome.result : undefined;
    if (rows === undefined || !isList(rows)) return;
    for (const row of rows) {
      this.#scope.bindRow(over.var, row);
      this.#keep(this.#find(), true);
    }
  }

  #keep(found: Found, isReturned: boolean): void {
    if (found === "nowhere") return;
    if (found === "anywhere") {
      this.#mayBeAnywhere = true;
      return;
    }
    if (this.#certain.size + this.#possible.size >= mostKeys)
      throw new LimitReached("FC1407", `a standing guarantee keeps more than ${mostKeys} keys`);
    if (found.certain && isReturned) this.#certain.add(found.key);
    else this.#possible.add(found.key);
  }
}

/** Undefined if one of the values is not known. */
function keyOf(values: readonly Known[]): string | undefined {
  const parts: string[] = [];
  for (const value of values) {
    if (isPartly(value)) return undefined;
    parts.push(valueKey(value));
  }
  return JSON.stringify(parts);
}
