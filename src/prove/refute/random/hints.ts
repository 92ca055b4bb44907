/**
 * Hints about the values that a program meets: constants they are compared with, patterns they are matched with, JSON
 * that is read from them. A hint belongs to a place: an input, the result of a call, or a part of one. The analysis is
 * flow-insensitive and approximate, because nothing rests on it: it makes random runs go further.
 */
import {
  bodiesOf,
  type Checked,
  type Command,
  type Expr,
  type ForCommand,
  type Num,
  noOtherKind,
  type OpExpr,
  partsOf,
  selectionsOf,
  type WhileCommand,
} from "../../../ir/index.ts";

/** Hints about one place. */
export class Hints {
  readonly fields = new Map<string, Hints>();
  readonly texts = new Set<string>();
  readonly numbers: Num[] = [];
  /** Kinds that a JSON value is compared with. */
  readonly kinds = new Set<string>();
  /** Regular expressions, as `/…/flags` or as a bare source. */
  readonly patterns = new Set<string>();
  readonly separators = new Set<string>();
  /** The text is read as a number. */
  isNumeric = false;
  /** The text is read as a point in time. */
  isTime = false;
  #element: Hints | undefined;
  #length: Hints | undefined;
  #json: Hints | undefined;

  /** A list of which only the elements are known. */
  static ofElements(element: Hints): Hints {
    const list = new Hints();
    list.#element = element;
    return list;
  }

  field(name: string): Hints {
    const known = this.fields.get(name) ?? new Hints();
    this.fields.set(name, known);
    return known;
  }

  get element(): Hints {
    this.#element ??= new Hints();
    return this.#element;
  }

  get hasElements(): boolean {
    return this.#element !== undefined;
  }

  /** The number of elements, or of code units of a text. */
  get length(): Hints {
    this.#length ??= new Hints();
    return this.#length;
  }

  get lengths(): readonly Num[] {
    return this.#length?.numbers ?? [];
  }

  /** The value that the text holds as JSON. */
  get json(): Hints {
    this.#json ??= new Hints();
    return this.#json;
  }

  get parsed(): Hints | undefined {
    return this.#json;
  }
}

export interface ProgramHints {
  /** Hints for inputs, by name. */
  readonly inputs: Hints;
  /** Hints for results of calls, by the id of the call. */
  readonly results: ReadonlyMap<string, Hints>;
}

/** Collects the hints of a whole document, its guarantees included. */
export function hintsOf({ document }: Checked): ProgramHints {
  const inference = new Inference(document.program.inputs.map(({ name }) => name));
  // The second pass knows what loops hand on.
  for (let pass = 0; pass < 2; pass++) {
    inference.commands(document.program.body);
    for (const { formula } of document.guarantees) if (formula !== undefined) inference.visit(formula);
  }
  return { inputs: inference.inputs, results: inference.results };
}

/** Operators whose result is, for hints, the value of their first operand. */
const transparent: ReadonlySet<string> = new Set([
  "value",
  "some",
  "orElse",
  "oneOf",
  "slice",
  "reverse",
  "unique",
  "trim",
  "trimStart",
  "trimEnd",
  "toLowerCase",
  "toUpperCase",
  "replaceFirst",
  "replaceAll",
  "timeOf",
  "round",
  "floor",
  "ceil",
  "truncate",
  "abs",
  "negate",
  "remainder",
  "+",
  "-",
  "*",
  "/",
  "min",
  "max",
]);
const jsonReaders: ReadonlyMap<string, string> = new Map([
  ["jsonString", "string"],
  ["jsonNumber", "number"],
  ["jsonBool", "bool"],
  ["jsonItems", "list"],
]);
const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
const textTests: ReadonlySet<string> = new Set(["contains", "indexOf", "startsWith", "endsWith"]);
const matchers: ReadonlySet<string> = new Set([
  "matches",
  "hasMatch",
  "firstMatch",
  "allMatches",
  "replaceMatch",
  "replaceMatches",
  "splitByMatch",
]);
const overElements: ReadonlySet<string> = new Set([
  "map",
  "flatMap",
  "filter",
  "every",
  "any",
  "find",
  "findIndex",
  "fold",
]);

class Inference {
  readonly inputs = new Hints();
  readonly results = new Map<string, Hints>();
  readonly #names = new Map<string, Hints>();
  /** Hints of arguments, by tool. */
  readonly #arguments = new Map<string, Hints>();

  constructor(inputs: readonly string[]) {
    for (const name of inputs) this.#names.set(name, this.inputs.field(name));
  }

  commands(body: readonly Command[]): void {
    for (const command of body) this.#command(command);
  }

  #command(command: Command): void {
    switch (command.kind) {
      case "let":
        this.#bind(command.name, this.visit(command.value));
        break;
      case "call": {
        const known = this.#arguments.get(command.tool) ?? new Hints();
        this.#arguments.set(command.tool, known);
        for (const { name, value } of command.args) {
          const hints = this.visit(value);
          if (hints !== undefined && !known.fields.has(name)) known.fields.set(name, hints);
        }
        if (command.when !== undefined) this.visit(command.when);
        const result = this.results.get(command.id) ?? new Hints();
        this.results.set(command.id, result);
        if (command.bind !== undefined) this.#bind(command.bind, result);
        break;
      }
      case "for":
        this.#bind(command.var, this.visit(command.list)?.element);
        this.#loop(command);
        break;
      case "while":
        this.#loop(command);
        this.visit(command.condition);
        break;
      case "parallel":
        for (const branch of bodiesOf(command)) this.commands(branch);
        break;
      case "require":
        this.visit(command.condition);
        if (command.when !== undefined) this.visit(command.when);
        break;
      default:
        noOtherKind(command);
    }
  }

  #loop({ carry, body }: ForCommand | WhileCommand): void {
    for (const { name, init } of carry) this.#bind(name, this.visit(init));
    this.commands(body);
    for (const { name, next } of carry) {
      const hints = this.visit(next);
      if (this.#names.get(name) === undefined) this.#bind(name, hints);
    }
  }

  #bind(name: string, hints: Hints | undefined): void {
    if (hints !== undefined) this.#names.set(name, hints);
  }

  /** Collects the hints of an expression, and returns those of the place that its value comes from. */
  visit(expr: Expr): Hints | undefined {
    switch (expr.kind) {
      case "var":
        return this.#names.get(expr.name);
      case "field":
        return this.visit(expr.of)?.field(expr.name);
      case "let":
        this.#bind(expr.name, this.visit(expr.value));
        return this.visit(expr.body);
      case "record": {
        const made = new Hints();
        for (const { name, value } of expr.fields) {
          const hints = this.visit(value);
          if (hints !== undefined) made.fields.set(name, hints);
        }
        return made;
      }
      case "op":
        return this.#operator(expr);
      default:
    }
    this.#bindRows(expr);
    for (const part of partsOf(expr)) this.visit(part);
    return undefined;
  }

  /** In a formula the variable of a call reads the arguments. */
  #bindRows(expr: Expr): void {
    for (const { var: name, in: relation } of selectionsOf(expr))
      if (relation.kind === "calls") this.#bind(name, this.#arguments.get(relation.tool));
  }

  #operator({ op, args }: OpExpr): Hints | undefined {
    const [first, second] = args;
    if (first === undefined) return undefined;
    if (overElements.has(op)) return this.#overElements(op, args);
    if (comparisons.has(op) && second !== undefined) return this.#compared(first, second);
    const hints = this.visit(first);
    for (const other of args.slice(1)) this.visit(other);
    const kind = jsonReaders.get(op);
    if (kind !== undefined) {
      hints?.kinds.add(kind);
      return hints;
    }
    if (op === "jsonField" && second?.kind === "string") return hints?.field(second.value);
    if (op === "parseJson") return hints?.json;
    if (op === "numberOf" || op === "floatOf" || op === "integerOf") return marked(hints, "isNumeric");
    if (op === "timeOfText") return marked(hints, "isTime");
    if (op === "length" || op === "mapSize") return hints?.length;
    if (op === "at" || op === "mapGet" || op === "joinText") return hints?.element;
    if (op === "split" && second?.kind === "string") {
      hints?.separators.add(second.value);
      return hints && Hints.ofElements(hints.element);
    }
    if (matchers.has(op) && second?.kind === "string") hints?.patterns.add(second.value);
    if (textTests.has(op) && second !== undefined) this.#tested(first, hints, second);
    if (op === "if") return this.visit(args[1] ?? first) ?? this.visit(args[2] ?? first);
    if (!transparent.has(op)) return undefined;
    return hints ?? (second === undefined ? undefined : this.visit(second));
  }

  /** `contains([…], x)`, `contains(text, "…")`, `contains(list, "…")`. */
  #tested(first: Expr, hints: Hints | undefined, second: Expr): void {
    if (first.kind === "list") for (const item of first.items) addConstant(this.visit(second), item);
    addConstant(hints, second);
    if (hints?.hasElements) addConstant(hints.element, second);
  }

  #compared(left: Expr, right: Expr): undefined {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const isKind = one.kind === "op" && one.op === "jsonKind" && one.args[0] !== undefined;
      const hints = isKind && one.args[0] !== undefined ? this.visit(one.args[0]) : this.visit(one);
      const constant = other.kind === "op" && other.op === "some" ? other.args[0] : other;
      if (constant === undefined) continue;
      if (isKind && constant.kind === "string") hints?.kinds.add(constant.value);
      else addConstant(hints, constant);
    }
  }

  #overElements(op: string, args: readonly Expr[]): Hints | undefined {
    const list = args[0] && this.visit(args[0]);
    const lambda = args.find((one) => one.kind === "lambda");
    for (const other of args.slice(1)) if (other.kind !== "lambda") this.visit(other);
    if (lambda === undefined) return undefined;
    const [first, second] = lambda.params;
    const element = op === "fold" ? second : first;
    if (element !== undefined) this.#bind(element.name, list?.element);
    const body = this.visit(lambda.body);
    if (op === "filter") return list;
    if (op === "find") return list?.element;
    if (op === "flatMap") return body;
    return op === "map" && body !== undefined ? Hints.ofElements(body) : undefined;
  }
}

function marked(hints: Hints | undefined, mark: "isNumeric" | "isTime"): Hints | undefined {
  if (hints !== undefined) hints[mark] = true;
  return hints;
}

function addConstant(hints: Hints | undefined, constant: Expr): void {
  if (hints === undefined) return;
  if (constant.kind === "string") hints.texts.add(constant.value);
  else if (constant.kind === "number" && !hints.numbers.includes(constant.value))
    hints.numbers.push(constant.value);
}
