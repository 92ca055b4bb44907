/**
 * Terms made ready to be evaluated many times, with other values for their unknowns each time. Nothing rests on it.
 */
import {
  compare,
  equal,
  isNum,
  isPartly,
  LimitReached,
  Meter,
  operatorNamed,
  valueKey,
} from "../../ir/index.ts";
import type { Model } from "../decide/solver/port.ts";
import { type Definition, definitionOf } from "../terms/definitions.ts";
import { type ApplyTerm, type Scalar, type Term, typeOfSort, unknownPrefix } from "../terms/term.ts";

/** Values to choose from for what is not known; never none. */
export type Candidates = (term: Term) => readonly Scalar[];

/** Evaluates a term from the values of its parts. */
type Step = (values: readonly Scalar[]) => Scalar;

export class Trial {
  /** Number of evaluated terms. */
  evaluations = 0;
  readonly #order: readonly Term[];
  readonly #ends: readonly number[];
  readonly #steps: readonly Step[];
  readonly #values: Scalar[];
  readonly #places: ReadonlyMap<Term, number>;
  /** Values of uninterpreted functions, by operands. */
  readonly #functions = new Map<string, Scalar>();
  #meter = new Meter();
  #round = 0;
  /** Number of terms with a value of this round. */
  #reached = 0;

  /**
   * @param plainest the values of the first round, which are enough more often than not
   * @param candidates of the later rounds, made from all terms
   */
  constructor(
    { order, ends, places }: Ordered,
    plainest: (term: Term) => Scalar,
    candidates: (order: readonly Term[]) => Candidates,
  ) {
    this.#order = order;
    this.#ends = ends;
    let among: Candidates | undefined;
    const find = (term: Term) => {
      among ??= candidates(order);
      return among(term);
    };
    this.#places = places;
    this.#steps = order.map((term) => this.#stepOf(term, plainest, find));
    this.#values = order.map((term) => (term.kind === "literal" ? term.value : false));
  }

  /**
   * Evaluates what is wanted one after the other, with the values of this round.
   * @param goesOn told of each, by its place among what is wanted; false ends the round
   */
  run(round: number, goesOn: (wanted: number, value: Scalar) => boolean): void {
    this.#round = round;
    if (this.#functions.size > 0) this.#functions.clear();
    this.#meter = new Meter();
    this.#reached = 0;
    try {
      for (const [wanted, end] of this.#ends.entries()) {
        this.evaluations += Math.max(0, end + 1 - this.#reached);
        for (; this.#reached <= end; this.#reached++) {
          const step = this.#steps[this.#reached];
          if (step !== undefined) this.#values[this.#reached] = step(this.#values);
        }
        const value = this.#values[end];
        if (value === undefined || !goesOn(wanted, value)) return;
      }
    } catch (thrown) {
      if (!(thrown instanceof LimitReached)) throw thrown;
    }
  }

  /** The values of this round, by name, as far as it came; also under the names by which a counterexample finds where it starts. */
  model(): Model {
    const model = new Map<string, Scalar>();
    for (const [i, term] of this.#order.slice(0, this.#reached).entries()) {
      const value = this.#values[i];
      if (value === undefined) continue;
      if (term.kind === "constant") model.set(term.name, value);
      if (term.kind !== "apply" || !term.op.startsWith(unknownPrefix)) continue;
      const [key] = term.args;
      const held = key && this.#values[this.#placeOf(key)];
      if (held === undefined) continue;
      model.set(`at@${term.id}@${term.op.slice(unknownPrefix.length)}`, value);
      model.set(`key@${term.id}`, held);
    }
    return model;
  }

  #placeOf(term: Term): number {
    const place = this.#places.get(term);
    if (place === undefined) throw new TypeError("a part comes before the whole");
    return place;
  }

  #stepOf(term: Term, plainest: (term: Term) => Scalar, candidates: Candidates): Step {
    if (term.kind === "literal") return () => term.value;
    const definition = definitionOf(term);
    if (definition !== undefined) return this.#computed(definition, plainest(term));
    if (term.kind === "constant") return this.#chosen(term, plainest(term), candidates);
    const places = term.args.map((arg) => this.#placeOf(arg));
    if (term.op.startsWith(unknownPrefix)) {
      const choose = this.#chosen(term, plainest(term), candidates);
      return (values) => {
        const slot = `${term.op} ${places.map((place) => keyAt(values, place)).join()}`;
        const known = this.#functions.get(slot);
        if (known !== undefined) return known;
        const value = choose(values);
        this.#functions.set(slot, value);
        return value;
      };
    }
    return plainStep(term.op, places) ?? this.#applied(term, places);
  }

  /**
   * In two of three rounds the elements of a list are alike: what breaks a bound is often that all of them count. In one of
   * these the texts among them are told apart by their places. In both, lists are long.
   */
  #chosen(term: Term, plainest: Scalar, candidates: Candidates): Step {
    let among: readonly Scalar[] | undefined;
    let long: readonly Scalar[] | undefined;
    const isLength = term.kind === "constant" && term.name.startsWith("length@");
    const places = term.kind === "constant" ? (term.name.match(/\d+/g) ?? []).join("-") : "";
    const alike = term.kind === "constant" ? saltOf(term.name.replaceAll(/\d+/g, "")) : term.id;
    return () => {
      if (this.#round === 0) return plainest;
      const way = this.#round % 3;
      among ??= candidates(term);
      if (way > 0 && isLength) long ??= longest(among);
      const from = way > 0 && long !== undefined ? long : among;
      const value = from[mixed(this.#round, way === 0 ? term.id : alike) % from.length] ?? plainest;
      return way === 2 && typeof value === "string" && value.length <= 1 ? `${value}${places}` : value;
    };
  }

  /** A part of what an operator gives. */
  #computed({ op, args, type, part }: Definition, plainest: Scalar): Step {
    const evaluate = operatorNamed(op)?.evaluate;
    const places = args.map((arg) => this.#placeOf(arg));
    return (values) => {
      const given = places.map((place) => at(values, place));
      const value =
        evaluate?.kind === "strict" ? evaluate.apply(given, { meter: this.#meter, type }) : undefined;
      return (value === undefined || isPartly(value) ? undefined : part(value)) ?? plainest;
    };
  }

  #applied({ op, sort }: ApplyTerm, places: readonly number[]): Step {
    const evaluate = operatorNamed(op)?.evaluate;
    if (evaluate === undefined) throw new TypeError(`there is no operator \`${op}\``);
    return (values) => {
      const args: Scalar[] = [];
      for (const place of places) args.push(at(values, place));
      const value =
        evaluate.kind === "lazy"
          ? evaluate.apply(args.map((arg) => () => arg))
          : evaluate.apply(args, { meter: this.#meter, type: typeOfSort[sort] });
      if (isPartly(value) || (typeof value === "object" && !isNum(value)))
        throw new TypeError("a scalar was expected");
      return value;
    };
  }
}

/** The operators that most terms are made of; the same as their evaluators, without the detours. */
function plainStep(op: string, places: readonly number[]): Step | undefined {
  const [a, b, c] = places;
  if (a === undefined) return undefined;
  switch (op) {
    case "toReal":
      return (values) => at(values, a);
    case "not":
      return (values) => values[a] !== true;
    case "and":
      return (values) => places.every((place) => values[place] === true);
    case "or":
      return (values) => places.some((place) => values[place] === true);
    case "if":
      return b === undefined || c === undefined
        ? undefined
        : (values) => at(values, values[a] === true ? b : c);
    case "==":
      return b === undefined ? undefined : (values) => equal(at(values, a), at(values, b));
    case "<":
      return b === undefined ? undefined : (values) => order(at(values, a), at(values, b)) < 0;
    case "<=":
      return b === undefined ? undefined : (values) => order(at(values, a), at(values, b)) <= 0;
    default:
      return undefined;
  }
}

/** Numbers by size, strings by their code units. */
function order(a: Scalar, b: Scalar): number {
  if (isNum(a) && isNum(b)) return compare(a, b);
  if (typeof a !== "string" || typeof b !== "string")
    throw new TypeError("only numbers and texts have an order");
  return a < b ? -1 : a > b ? 1 : 0;
}

function at(values: readonly Scalar[], place: number): Scalar {
  const value = values[place];
  if (value === undefined) throw new TypeError("a part comes before the whole");
  return value;
}

function keyAt(values: readonly Scalar[], place: number): string {
  return valueKey(at(values, place));
}

/** LIMIT: of lengths that are tried where lists are to be long. */
const mostLengths = 3;

function longest(lengths: readonly Scalar[]): readonly Scalar[] {
  const numbers = [...new Set(lengths)].filter((one) => typeof one === "bigint");
  return numbers.sort((a, b) => Number(b - a)).slice(0, mostLengths);
}

/** Some number that depends on the text, the same every time. */
function saltOf(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits = Math.imul(bits ^ text.charCodeAt(i), 0x01000193);
  return bits >>> 1;
}

/** Some number that depends on both, the same every time. */
function mixed(round: number, salt: number): number {
  let bits = Math.imul(round + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  return (bits ^ (bits >>> 13)) >>> 0;
}

/** Terms, parts before wholes, and the places of those that are wanted. */
export interface Ordered {
  readonly order: readonly Term[];
  readonly ends: readonly number[];
  /** Position of each term in the order. */
  readonly places: ReadonlyMap<Term, number>;
}

/** Undefined for more than so many. */
export function inOrder(wanted: readonly Term[], most: number): Ordered | undefined {
  const places = new Map<Term, number>();
  const order: Term[] = [];
  const ends: number[] = [];
  for (const whole of wanted) {
    const open = [whole];
    for (let next = open.at(-1); next !== undefined; next = open.at(-1)) {
      const isNew = !places.has(next);
      const before = open.length;
      const needed = next.kind === "apply" ? next.args : (definitionOf(next)?.args ?? []);
      if (isNew) for (const arg of needed) if (!places.has(arg)) open.push(arg);
      if (open.length === before) {
        if (isNew) places.set(next, order.push(next) - 1);
        open.pop();
      }
      if (order.length + open.length > most) return undefined;
    }
    ends.push(places.get(whole) ?? 0);
  }
  return { order, ends, places };
}
