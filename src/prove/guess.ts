/**
 * Looks for a run that breaks a claim by trying a few likely values: plain ones, and those that the terms themselves
 * compare with, and their neighbours. Mistakes of programs are seldom subtle, and what is found needs no solver.
 * Nothing rests on it: what it finds is tried on the interpreter like a solver's model.
 */
import { LimitReached, Meter } from "../ir/eval/meter.ts";
import { isPartly } from "../ir/eval/partly.ts";
import { add, type Num, ratio, subtract } from "../ir/number.ts";
import { operatorNamed } from "../ir/operators/index.ts";
import { isNum, valueKey } from "../ir/value.ts";
import type { Model } from "./solver/port.ts";
import {
  type ApplyTerm,
  isOfSort,
  type Scalar,
  type Sort,
  type Term,
  typeOfSort,
  unknownPrefix,
} from "./term.ts";

/** LIMIT: of terms that are evaluated, in all rounds together. */
const mostEvaluations = 30_000;
const rounds = 400;
/** LIMIT: of a text that is only as long as it is to be too long. */
const longestText = 5_000n;

/** Values for which the assumptions hold and the goal does not. */
export function guess(assumptions: readonly Term[], goal: Term): Model | undefined {
  const order = inOrder([...assumptions, goal]);
  if (order === undefined) return undefined;
  const affordable = Math.min(rounds, Math.floor(mostEvaluations / order.length));
  // The plainest values are enough more often than not.
  const first = affordable > 0 ? attempt(order, assumptions, goal, plainest) : undefined;
  if (first !== undefined) return first;
  const candidates = candidatesOf(order);
  for (let round = 1; round < affordable; round++) {
    const model = attempt(order, assumptions, goal, (term) => {
      const among = candidates(term);
      return among[mixed(round, term.id) % among.length];
    });
    if (model !== undefined) return model;
  }
  return undefined;
}

/** Parts before wholes. */
function inOrder(wanted: readonly Term[]): readonly Term[] | undefined {
  const order = new Set<Term>();
  const open = [...wanted];
  for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
    const missing =
      next.kind === "apply" && !order.has(next) ? next.args.filter((arg) => !order.has(arg)) : [];
    if (missing.length > 0) open.push(...missing);
    else {
      order.add(next);
      open.pop();
    }
    if (order.size + open.length > mostEvaluations) return undefined;
  }
  return [...order];
}

// ── values to try ────────────────────────────────────────────────────────────────────────────────────────

const plain: Readonly<Record<Sort, readonly Scalar[]>> = {
  Bool: [false, true],
  Int: [0n, 1n, -1n, 2n],
  Real: [0n, 1n, -1n, ratio(1n, 2n), 1000n],
  String: ["", "a", "b", "A b@c"],
};

function plainest({ sort }: Term): Scalar | undefined {
  return plain[sort][0];
}

function candidatesOf(order: readonly Term[]): (term: Term) => readonly Scalar[] {
  const own = new Map<Term, Set<Scalar>>();
  for (const term of order) {
    if (term.kind !== "apply") continue;
    const [left, right] = term.args;
    if (left === undefined || right === undefined) continue;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (other.kind !== "literal") continue;
      const [of, values] = near(side, other.value);
      if (of.kind === "literal") continue;
      const known = own.get(of) ?? new Set();
      for (const value of values) if (isOfSort(value, of.sort)) known.add(value);
      own.set(of, known);
    }
  }
  return (term) => {
    const named = own.get(term);
    return named === undefined
      ? plain[term.sort]
      : [...plain[term.sort].slice(0, 1), ...named, ...plain[term.sort]];
  };
}

/** What to try for a term that meets a literal. */
function near(term: Term, literal: Scalar): readonly [Term, readonly Scalar[]] {
  const [inner] = term.kind === "apply" ? term.args : [];
  if (term.kind === "apply" && inner !== undefined && isNum(literal)) {
    if (term.op === "toReal") return near(inner, literal);
    const [, added, more] = term.args;
    if (term.op === "+" && added?.kind === "literal" && isNum(added.value) && more === undefined)
      return near(inner, subtract(literal, added.value));
    if (term.op === "length" && inner.sort === "String" && typeof literal === "bigint")
      return [
        inner,
        [literal, literal + 1n].filter((n) => n >= 0n && n <= longestText).map((n) => "x".repeat(Number(n))),
      ];
  }
  if (isNum(literal)) {
    const around: readonly Num[] = [literal, add(literal, 1n), subtract(literal, 1n)];
    return [term, around];
  }
  return [term, typeof literal === "string" ? [literal, `${literal}x`] : [literal]];
}

// ── one round ────────────────────────────────────────────────────────────────────────────────────────────

function attempt(
  order: readonly Term[],
  assumptions: readonly Term[],
  goal: Term,
  pick: (term: Term) => Scalar | undefined,
): Model | undefined {
  // By the number of the term.
  const values: (Scalar | undefined)[] = [];
  const model = new Map<string, Scalar>();
  const functions = new Map<string, Scalar>();
  const meter = new Meter();
  const choose = (term: Term): Scalar => {
    const chosen = pick(term);
    if (chosen === undefined) throw new TypeError("there is always a value to try");
    return chosen;
  };
  const held = (term: Term): Scalar => {
    const value = values[term.id];
    if (value === undefined) throw new TypeError("a part comes before the whole");
    return value;
  };
  try {
    for (const term of order) {
      if (term.kind === "literal") values[term.id] = term.value;
      else if (term.kind === "constant") {
        const value = choose(term);
        values[term.id] = value;
        model.set(term.name, value);
      } else if (term.op.startsWith(unknownPrefix)) {
        const key = term.args.map((arg) => valueKey(held(arg))).join();
        const slot = `${term.op} ${key}`;
        const value = functions.get(slot) ?? choose(term);
        functions.set(slot, value);
        values[term.id] = value;
        noteCell(model, term, value, held);
      } else values[term.id] = applied(term, term.args.map(held), meter);
      // It comes before what only the assumptions speak of.
      if (term === goal && held(goal) !== false) return undefined;
    }
  } catch (thrown) {
    if (thrown instanceof LimitReached) return undefined;
    throw thrown;
  }
  return assumptions.every((term) => held(term) === true) ? model : undefined;
}

/** Under the names by which a counterexample finds the state that it starts in. */
function noteCell(
  model: Map<string, Scalar>,
  { id, op, args }: ApplyTerm,
  value: Scalar,
  of: (term: Term) => Scalar,
) {
  const [key] = args;
  if (key === undefined) return;
  model.set(`at@${id}@${op.slice(unknownPrefix.length)}`, value);
  model.set(`key@${id}`, of(key));
}

function applied({ op, sort }: ApplyTerm, args: readonly Scalar[], meter: Meter): Scalar {
  const [first] = args;
  if (op === "toReal" && first !== undefined) return first;
  const evaluate = operatorNamed(op)?.evaluate;
  if (evaluate === undefined) throw new TypeError(`there is no operator \`${op}\``);
  const value =
    evaluate.kind === "lazy"
      ? evaluate.apply(args.map((arg) => () => arg))
      : evaluate.apply(args, { meter, type: typeOfSort[sort] });
  if (isPartly(value) || (typeof value === "object" && !isNum(value)))
    throw new TypeError("a scalar was expected");
  return value;
}

/** Some number that depends on both, the same every time. */
function mixed(round: number, salt: number): number {
  let bits = Math.imul(round + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}
