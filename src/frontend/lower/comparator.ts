/**
 * Decides if the comparator of `.sort` is a total preorder. JavaScript leaves the result open for one that is not:
 * two elements that each must come first, or a cycle. The result must depend only on comparisons of keys of the two
 * elements. Then all outcomes of these comparisons are enumerated, and it is an order if one key decides wherever it
 * differs, another where the first is equal, and so on (lexicographic). SOUNDNESS: keys are assumed independent of
 * one another; where they are not, fewer orders are recognized.
 */
import { add, compare, divide, type Expr, multiply, type Num, negate, partsOf } from "../../ir/index.ts";
import { onlyComputes, shapeOf } from "./shape.ts";

type Sign = -1 | 0 | 1;

/** Something that is asked about the elements, and what may be answered. */
interface Key {
  readonly id: string;
  /** `order`: how the two compare. `both`: whether something holds of each. `outside`: the same for all elements. */
  readonly kind: "order" | "both" | "outside";
  readonly answers: readonly Answer[];
}

/** The comparison of the first element with the second, and the facts about each. */
interface Answer {
  readonly sign: Sign;
  readonly first: boolean;
  readonly second: boolean;
}

const answers = {
  order: ([-1, 0, 1] as const).map((sign) => ({ sign, first: false, second: false })),
  both: [true, false].flatMap((first) =>
    [true, false].map((second) => ({ first, second, sign: signOf(Number(first) - Number(second)) })),
  ),
  outside: ([-1, 0, 1] as const).map((sign) => ({ sign, first: sign !== 0, second: sign !== 0 })),
};

/** LIMIT: ways in which the keys can compare. */
const mostWays = 20_000;

type Given = ReadonlyMap<string, Answer>;

/** A key turned up that nothing was said about yet. */
class Missing extends Error {
  readonly key: Key;
  constructor(key: Key) {
    super();
    this.key = key;
  }
}

/** Depends on more than how keys compare. */
class NotKnown extends Error {}

export interface Compared {
  /** The comparator's result for the elements with these names. */
  readonly answer: Expr;
  readonly first: string;
  readonly second: string;
  /** True if equal elements are indistinguishable: numbers, texts and the like. */
  readonly isPlain: boolean;
}

/**
 * Returns whether the function is an order. `ties`: it is one but for elements whose keys are all equal, of which it says that one
 * comes first whichever it is asked about; a sort then goes by which of the two stood later.
 */
export function orderOf(compared: Compared): "order" | "ties" | undefined {
  if (!onlyComputes(compared.answer)) return undefined;
  const keys: Key[] = [];
  for (;;) {
    try {
      const answer = inlined(compared.answer);
      const ways = waysOf(keys).filter(
        (given) => agrees(given) && !(compared.isPlain && given.get(self)?.sign === 0),
      );
      const signs = ways.map((given) => ({ given, sign: new Evaluation(compared, given).sign(answer) }));
      if (groupsOf(signs, keys).every((group) => isLexicographic(group, keys))) return "order";
      // Elements that differ in a key and count as equal would not stay beside those that they tie with.
      if (signs.some(({ given, sign }) => sign === 0 && !isTie(given))) return undefined;
      const untied = signs.map((way) => (isTie(way.given) ? { ...way, sign: 0 as const } : way));
      return groupsOf(untied, keys).every((group) => isLexicographic(group, keys)) ? "ties" : undefined;
    } catch (thrown) {
      if (thrown instanceof NotKnown) return undefined;
      if (!(thrown instanceof Missing)) throw thrown;
      keys.push(thrown.key);
      if (keys.reduce((product, key) => product * key.answers.length, 1) > mostWays) return undefined;
    }
  }
}

/** Returns true if the elements agree in every key. */
function isTie(given: Given): boolean {
  return [...given].every(([id, { sign }]) => id.startsWith("outside ") || sign === 0);
}

/** The element itself as a key. */
const self = "order •";

function waysOf(keys: readonly Key[]): Given[] {
  return keys.reduce<Given[]>(
    (ways, { id, answers: all }) => ways.flatMap((way) => all.map((one) => new Map([...way, [id, one]]))),
    [new Map()],
  );
}

/** Returns true if the truth values agree with the comparison: false comes before true. */
function agrees(given: Given): boolean {
  return [...given].every(([id, { sign }]) => {
    const same = id.startsWith("both ") ? given.get(`order ${id.slice("both ".length)}`) : undefined;
    return same === undefined || same.sign === sign;
  });
}

interface Way {
  readonly given: Given;
  readonly sign: Sign;
}

/** Ways with the same answers about what is the same for all elements. */
function groupsOf(ways: readonly Way[], keys: readonly Key[]): Way[][] {
  const outside = keys.filter(({ kind }) => kind === "outside");
  return [...grouped(ways, (way) => outside.map(({ id }) => way.given.get(id)?.sign).join()).values()];
}

function grouped(ways: readonly Way[], name: (way: Way) => string): Map<string, Way[]> {
  const groups = new Map<string, Way[]>();
  for (const way of ways) {
    const group = groups.get(name(way));
    if (group === undefined) groups.set(name(way), [way]);
    else group.push(way);
  }
  return groups;
}

/** One key decides wherever it differs; where it is equal, the others do the same. */
function isLexicographic(ways: readonly Way[], keys: readonly Key[]): boolean {
  if (ways.every(({ sign }) => sign === 0)) return true;
  return keys.some((key) => {
    const others = keys.filter((one) => one !== key);
    const answer = ({ given }: Way): Answer | undefined => given.get(key.id);
    const apart = ways.filter((way) => answer(way)?.sign !== 0);
    const [one] = apart;
    if (key.kind === "outside" || one === undefined) return false;
    const direction = one.sign * (answer(one)?.sign ?? 0);
    if (direction === 0) return false;
    if (!apart.every((way) => way.sign === direction * (answer(way)?.sign ?? 0))) return false;
    // What holds of both elements may choose the order among them.
    const equal = ways.filter((way) => answer(way)?.sign === 0);
    return [...grouped(equal, (way) => String(answer(way)?.first)).values()].every((group) =>
      isLexicographic(group, others),
    );
  });
}

// ── what the function gives when the keys compare in a certain way ───────────────────────────────────────

/** A number as far as it is known: itself, or only its sign. */
type Known = { readonly exact: Num } | { readonly sign: Sign };

class Evaluation {
  readonly #of: Compared;
  readonly #given: Given;

  constructor(of: Compared, given: Given) {
    this.#of = of;
    this.#given = given;
  }

  sign(expr: Expr): Sign {
    const known = this.#number(expr);
    return "exact" in known ? compare(known.exact, 0n) : known.sign;
  }

  #number(expr: Expr): Known {
    if (expr.kind === "number") return { exact: expr.value };
    if (this.#sides(expr) === "neither") return { sign: this.#ask("outside", expr).sign };
    const key = this.#difference(expr);
    if (key !== undefined) return { sign: key };
    if (expr.kind !== "op") throw new NotKnown();
    const [a, b, c] = expr.args;
    if (expr.op === "if" && a && b && c) return this.#number(this.#holds(a) ? b : c);
    if (expr.op === "negate" && a) return times({ exact: -1n }, this.#number(a));
    if (a === undefined || b === undefined || expr.args.length !== 2) throw new NotKnown();
    if (expr.op === "*") return times(this.#number(a), this.#number(b));
    if (expr.op === "+") return plus(this.#number(a), this.#number(b));
    if (expr.op === "-") return plus(this.#number(a), times({ exact: -1n }, this.#number(b)));
    throw new NotKnown();
  }

  #holds(expr: Expr): boolean {
    if (expr.kind === "bool") return expr.value;
    const args = expr.kind === "op" ? expr.args : [];
    const [a, b, c] = args;
    switch (expr.kind === "op" ? expr.op : "") {
      case "not":
        if (a) return !this.#holds(a);
        break;
      case "and":
        return args.every((arg) => this.#holds(arg));
      case "or":
        return args.some((arg) => this.#holds(arg));
      case "if":
        if (a && b && c) return this.#holds(this.#holds(a) ? b : c);
        break;
      case "<":
      case "<=":
      case ">":
      case ">=":
      case "==":
      case "!=":
        if (a && b && expr.kind === "op" && this.#sides(expr) === "both")
          return fits(expr.op, this.#compared(a, b));
        break;
    }
    const sides = this.#sides(expr);
    if (sides === "both") throw new NotKnown();
    if (sides === "neither") return this.#ask("outside", expr).first;
    return sides === "first" ? this.#ask("both", expr).first : this.#ask("both", expr).second;
  }

  /** Returns the comparison of a value of the first element with one of the second. */
  #compared(a: Expr, b: Expr): Sign {
    const [left, right] = [this.#sides(a), this.#sides(b)];
    if (left === "first" && right === "second" && this.#shape(a) === this.#shape(b))
      return this.#ask("order", a).sign;
    if (left === "second" && right === "first" && this.#shape(a) === this.#shape(b))
      return opposite(this.#ask("order", a).sign);
    return this.sign({ kind: "op", op: "-", args: [a, b] });
  }

  /** The sign of what is a key of the first element less that of the second, or the other way round. */
  #difference(expr: Expr): Sign | undefined {
    const sum = linear(expr);
    if (sum === undefined) return undefined;
    const first = new Map<string, Num>();
    const second = new Map<string, Num>();
    for (const { factor, term } of sum) {
      if (term === undefined) return undefined;
      const sides = this.#sides(term);
      if (sides !== "first" && sides !== "second") return undefined;
      const into = sides === "first" ? first : second;
      const shape = this.#shape(term);
      into.set(shape, add(into.get(shape) ?? 0n, factor));
    }
    const terms = [...first].filter(([, factor]) => compare(factor, 0n) !== 0);
    const others = [...second].filter(([, factor]) => compare(factor, 0n) !== 0);
    const mirrored = terms.every(([shape, factor]) => {
      const other = second.get(shape);
      return other !== undefined && compare(add(factor, other), 0n) === 0;
    });
    if (!mirrored || terms.length !== others.length) return undefined;
    if (terms.length === 0) return 0;
    return this.#combined(terms);
  }

  /** A key that is a sum. One that is another's opposite is the same key the other way round. */
  #combined(terms: readonly (readonly [string, Num])[]): Sign {
    const sorted = terms.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const lead = sorted[0]?.[1] ?? 1n;
    const parts = sorted.map(([shape, factor]) => [shape, divide(factor, lead)] as const);
    const id =
      parts.length === 1
        ? (parts[0]?.[0] ?? "")
        : parts.map(([shape, by]) => `${numId(by)}*${shape}`).join("+");
    const { sign } = this.#answer("order", id);
    return compare(lead, 0n) < 0 ? opposite(sign) : sign;
  }

  #ask(kind: Key["kind"], expr: Expr): Answer {
    return this.#answer(kind, this.#shape(expr));
  }

  #answer(kind: Key["kind"], shape: string): Answer {
    const id = `${kind} ${shape}`;
    const answer = this.#given.get(id);
    if (answer === undefined) throw new Missing({ id, kind, answers: answers[kind] });
    return answer;
  }

  #shape(expr: Expr): string {
    return shapeOf(expr, [this.#of.first, this.#of.second]);
  }

  #sides(expr: Expr): "first" | "second" | "both" | "neither" {
    const [first, second] = [mentions(expr, this.#of.first), mentions(expr, this.#of.second)];
    return first && second ? "both" : first ? "first" : second ? "second" : "neither";
  }
}

interface Addend {
  readonly factor: Num;
  /** Absent for a constant. */
  readonly term?: Expr;
}

/** The expression as a sum of terms with factors. */
function linear(expr: Expr, factor: Num = 1n): Addend[] | undefined {
  if (expr.kind === "number") {
    const value = multiply(factor, expr.value);
    return compare(value, 0n) === 0 ? [] : [{ factor: value }];
  }
  if (expr.kind !== "op") return [{ factor, term: expr }];
  const [a, b] = expr.args;
  const parts = (...all: readonly (Addend[] | undefined)[]): Addend[] | undefined =>
    all.every((one) => one !== undefined) ? all.flatMap((one) => one ?? []) : undefined;
  if (expr.op === "+") return parts(...expr.args.map((arg) => linear(arg, factor)));
  if (expr.op === "-" && a && b) return parts(linear(a, factor), linear(b, negate(factor)));
  if (expr.op === "negate" && a) return linear(a, negate(factor));
  if (expr.op === "*" && a && b && expr.args.length === 2) {
    if (a.kind === "number") return linear(b, multiply(factor, a.value));
    if (b.kind === "number") return linear(a, multiply(factor, b.value));
  }
  if (expr.op === "/" && a && b?.kind === "number" && compare(b.value, 0n) !== 0)
    return linear(a, divide(factor, b.value));
  return [{ factor, term: expr }];
}

function times(a: Known, b: Known): Known {
  if ("exact" in a && "exact" in b) return { exact: multiply(a.exact, b.exact) };
  return { sign: signOf(known(a) * known(b)) };
}

function plus(a: Known, b: Known): Known {
  if ("exact" in a && "exact" in b) return { exact: add(a.exact, b.exact) };
  const [x, y] = [known(a), known(b)];
  if (x * y < 0) throw new NotKnown();
  return { sign: signOf(x + y) };
}

function known(value: Known): Sign {
  return "exact" in value ? compare(value.exact, 0n) : value.sign;
}

function signOf(value: number): Sign {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

function opposite(sign: Sign): Sign {
  return sign === 0 ? 0 : sign === 1 ? -1 : 1;
}

function fits(operator: string, sign: Sign): boolean {
  switch (operator) {
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    case ">=":
      return sign >= 0;
    case "==":
      return sign === 0;
    default:
      return sign !== 0;
  }
}

function numId(value: Num): string {
  return typeof value === "bigint" ? String(value) : `${value.num}/${value.den}`;
}

function mentions(expr: Expr, name: string): boolean {
  return (expr.kind === "var" && expr.name === name) || partsOf(expr).some((part) => mentions(part, name));
}

/** LIMIT: names that are written out, after which the rest is left as it stands. */
const mostInlined = 2_000;

/** With what names stand for in their place. Names of the lowering are bound once, so that none hides another. */
function inlined(
  expr: Expr,
  meanings: ReadonlyMap<string, Expr> = new Map(),
  fuel = { left: mostInlined },
): Expr {
  if (fuel.left-- <= 0) throw new NotKnown();
  switch (expr.kind) {
    case "let":
      return inlined(
        expr.body,
        new Map([...meanings, [expr.name, inlined(expr.value, meanings, fuel)]]),
        fuel,
      );
    case "var":
      return meanings.get(expr.name) ?? expr;
    case "op":
      return { ...expr, args: expr.args.map((arg) => inlined(arg, meanings, fuel)) };
    case "field":
      return { ...expr, of: inlined(expr.of, meanings, fuel) };
    case "lambda":
      return { ...expr, body: inlined(expr.body, meanings, fuel) };
    case "list":
      return { ...expr, items: expr.items.map((item) => inlined(item, meanings, fuel)) };
    case "record":
      return {
        ...expr,
        fields: expr.fields.map((one) => ({ ...one, value: inlined(one.value, meanings, fuel) })),
      };
    default:
      return expr;
  }
}
