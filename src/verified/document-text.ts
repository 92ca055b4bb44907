/**
 * Documents of the Effect IR in the texts of the model, as far as it covers them; `Beyond` names the first construct that
 * it does not. The state of fluents, orders, keys and automata are written with the few forms that the proofs know: a
 * fluent is what the calls have written, and a call knows its number.
 */
import {
  type AutomatonExpr,
  type CallCommand,
  type Checked,
  type Command,
  defaultOf,
  type Expr,
  exprsIn,
  type Fluent,
  hasNoValue,
  type Moment,
  printExpr,
  type Relation,
  type Selection,
  type Tool,
  type Type,
  type Update,
  variablesOf,
} from "../ir/index.ts";
import { beyond } from "./beyond.ts";
import { atom, items, optional, whole } from "./text.ts";
import { scalarText, sortOf, typeText, valueText } from "./values.ts";

/** Names of the model for parts of a call that are not arguments; no identifier looks like them. */
const NUMBER = "#";
const RESULT = "=";
const TOOK = "!";
const FAILED = "~";
const LEFT = "?";

// ── texts of expressions ─────────────────────────────────────────────────────────────────────────────────

const constant = (value: string) => items(atom("const"), value);
const yes = constant(items(atom("b"), atom(1)));
const no = constant(items(atom("b"), atom(0)));
const none = constant(items(atom("none")));
const integer = (n: number | bigint) => constant(items(atom("n"), whole(n), whole(1)));
const named = (name: string) => items(atom("var"), atom(name));
const field = (of: string, name: string) => items(atom("field"), of, atom(name));
const binary = (op: string, a: string, b: string) => items(atom("bin"), atom(op), a, b);
const unary = (op: string, a: string) => items(atom("un"), atom(op), a);
const choice = (c: string, a: string, b: string) => items(atom("if"), c, a, b);
const equal = (a: string, b: string) => items(atom("eq"), a, b);
const binding = (name: string, value: string, body: string) => items(atom("let"), atom(name), value, body);
/** The text of the plainest value of a type. */
function defaultText(type: Type): string {
  return hasNoValue(type) ? beyond("a value of a type without values") : valueText(defaultOf(type), type);
}

const both = (a: string, b: string) => (a === yes ? b : b === yes ? a : binary("and", a, b));

/** Reads the state: of the calls so far, of those before a call, or of those up to one and including it. */
type Now =
  | { readonly kind: "so far" }
  | { readonly kind: "initial" }
  | { readonly kind: "before" | "up to"; readonly call: string }
  /** In an update: the value that it replaces, at its own key. */
  | {
      readonly kind: "replaced";
      readonly fluent: string;
      readonly key: string;
      readonly value: string;
      readonly call: string;
    };

interface Place {
  readonly now: Now;
  /** Fluents whose updates are being written out: one that reads itself elsewhere has no end. */
  readonly within: readonly string[];
}

interface Numbered {
  readonly number: number;
  readonly tool: Tool;
}

export interface DocumentText {
  readonly text: string;
  /** Inputs that stand for any key of a fluent. */
  readonly anyKeys: readonly { readonly name: string; readonly type: Type }[];
}

const plainKinds: ReadonlySet<string> = new Set([
  "bool",
  "number",
  "string",
  "none",
  "var",
  "op",
  "lambda",
  "list",
  "record",
  "field",
  "let",
]);

/** Returns true for expressions over the trace. */
function isTrace({ kind }: Expr): boolean {
  return !plainKinds.has(kind);
}

/** Throws `Beyond`. */
export function documentText(checked: Checked): DocumentText {
  return new Writer(checked).document();
}

class Writer {
  readonly #checked: Checked;
  readonly #calls: readonly Numbered[];
  readonly #anyKeys: { name: string; type: Type }[] = [];
  #fresh = 0;

  constructor(checked: Checked) {
    this.#checked = checked;
    const commands = checked.document.program.body.filter((command) => command.kind === "call");
    this.#calls = commands.map((command, number) => ({ number, tool: this.#tool(command) }));
  }

  document(): DocumentText {
    const { program, guarantees } = this.#checked.document;
    const formulas = guarantees.map(({ formula }) =>
      formula === undefined ? beyond("a guarantee without its formula") : this.#guarantee(formula),
    );
    const body = program.body.map((command) => this.#command(command));
    const inputs = program.inputs.map(({ name, type, optional: isOptional }) =>
      items(atom(name), isOptional ? items(atom("option"), typeText(type)) : typeText(type)),
    );
    const keys = this.#anyKeys.map(({ name, type }) => items(atom(name), typeText(type)));
    return {
      text: items(items(...inputs, ...keys), items(...body), items(...formulas)),
      anyKeys: this.#anyKeys,
    };
  }

  #name(what: string): string {
    this.#fresh++;
    return `%${what}${this.#fresh}`;
  }

  #tool({ tool: name }: CallCommand): Tool {
    return this.#checked.tools.get(name) ?? beyond(`the tool ${name}`);
  }

  #type(expr: Expr): Type {
    return this.#checked.types.get(expr) ?? beyond(`a type of ${expr.kind}`);
  }

  // ── commands ───────────────────────────────────────────────────────────────────────────────────────────

  #command(command: Command): string {
    const place: Place = { now: { kind: "so far" }, within: [] };
    const say = (expr: Expr) => this.#expr(expr, place);
    switch (command.kind) {
      case "let":
        return items(atom("let"), atom(command.name), say(command.value));
      case "require":
        return items(
          atom("require"),
          command.when === undefined ? yes : say(command.when),
          say(command.condition),
        );
      case "call": {
        if (command.reason !== undefined) return beyond("the text of a failure");
        const tool = this.#tool(command);
        const args = tool.params.map((param) => {
          const given = command.args.find(({ name }) => name === param.name);
          const text = given === undefined ? none : say(given.value);
          if (given === undefined && !param.optional) return beyond("an omitted argument");
          const wrapped = param.optional && given !== undefined && !given.optional;
          return items(atom(param.name), wrapped ? items(atom("some"), text) : text);
        });
        return items(
          atom("call"),
          this.#toolText(tool),
          items(...args),
          optional(command.bind, atom),
          optional(command.when, say),
          optional(command.catch, atom),
        );
      }
      case "for":
        return beyond("a loop over a list");
      case "while":
        return beyond("a loop with an unknown number of iterations");
      case "parallel":
        return beyond("calls at the same time");
    }
  }

  #toolText(tool: Tool): string {
    const place: Place = { now: { kind: "so far" }, within: [] };
    const say = (expr: Expr) => this.#expr(expr, place);
    return items(
      atom(tool.name),
      items(...tool.params.map(({ name }) => atom(name))),
      optional(tool.result, typeText),
      items(...tool.requires.map(say)),
      items(...tool.ensures.map(say)),
      optional(tool.cost, say),
      typeText(this.#leftType(tool)),
    );
  }

  /** The values that a failed call may leave, by the number of its update. */
  #leftType({ sets }: Tool): Type & { readonly kind: "record" } {
    return {
      kind: "record",
      fields: sets.map(({ fluent }, i) => ({ name: String(i), type: this.#fluent(fluent).value })),
    };
  }

  #fluent(name: string): Fluent {
    return this.#checked.fluents.get(name) ?? beyond(`the fluent ${name}`);
  }

  // ── expressions ────────────────────────────────────────────────────────────────────────────────────────

  /** A guarantee of all cells of a fluent is one of any key, which becomes an input. */
  #guarantee(formula: Expr): string {
    const place: Place = { now: { kind: "initial" }, within: [] };
    if (formula.kind === "op" && formula.op === "and") {
      return formula.args.map((part) => this.#guarantee(part)).reduce(both);
    }
    if (
      formula.kind === "quantifier" &&
      formula.quantifier === "forall" &&
      formula.over.in.kind === "cells"
    ) {
      const { at, fluent } = formula.over.in;
      const { key, value } = this.#fluent(fluent);
      const name = this.#name("key");
      this.#anyKeys.push({ name, type: key });
      const held = this.#cell(at, fluent, named(name), { ...place, now: { kind: "initial" } });
      if (sortOf(key) === undefined || typeText(value) === "") return beyond("a fluent with such keys");
      const row = items(atom("record"), items(atom("key"), named(name)), items(atom("value"), held));
      const { var: variable, where } = formula.over;
      const chosen = where === undefined ? yes : this.#expr(where, place);
      return binding(variable, row, binary("implies", chosen, this.#expr(formula.body, place)));
    }
    if (formula.kind === "always") return this.#always(formula.body, place);
    return this.#expr(formula, place);
  }

  #expr(expr: Expr, place: Place): string {
    const say = (inner: Expr) => this.#expr(inner, place);
    switch (expr.kind) {
      case "bool":
      case "number":
      case "string":
        return constant(scalarText(expr.value));
      case "none":
        return none;
      case "var":
        return named(expr.name);
      case "field":
        return field(say(expr.of), expr.name);
      case "let":
        return binding(expr.name, say(expr.value), say(expr.body));
      case "record":
        return this.#record(expr, place);
      case "op":
        return this.#operator(expr, place);
      case "list":
        return this.#opaque("list", this.#type(expr), expr.items, expr.items.map(say));
      case "lambda":
        return beyond("a function");
      case "cell":
        return this.#cell(expr.at, expr.fluent, say(expr.key), place, expr.key);
      case "quantifier":
        return items(atom(expr.quantifier), ...this.#selection(expr.over, place), say(expr.body));
      case "aggregate":
        return this.#aggregate(expr.aggregate, expr.over, expr.value, expr.otherwise, place);
      case "perKey":
        return this.#perKey(expr, place);
      case "distinct":
        return this.#distinct(expr, place);
      case "always":
        return this.#always(expr.body, place);
      case "precedes":
        return binary("<", field(named(expr.first), NUMBER), field(named(expr.second), NUMBER));
      case "result":
        return field(named(expr.call), RESULT);
      case "automaton":
        return this.#automaton(expr, place);
      case "flows":
      case "influenced":
      case "mayRead":
        return beyond("provenance");
    }
  }

  #record(expr: Expr & { readonly kind: "record" }, place: Place): string {
    const type = this.#type(expr);
    if (type.kind !== "record") return beyond("a record of another type");
    return items(
      atom("record"),
      ...type.fields.map((one) => {
        const given = expr.fields.find(({ name }) => name === one.name);
        if (given === undefined)
          return items(atom(one.name), one.optional ? none : beyond("a missing field"));
        const text = this.#expr(given.value, place);
        return items(atom(one.name), one.optional && !given.optional ? items(atom("some"), text) : text);
      }),
    );
  }

  #operator(expr: Expr & { readonly kind: "op" }, place: Place): string {
    const say = (inner: Expr) => this.#expr(inner, place);
    const { args, op } = expr;
    const [a, b, c] = args;
    if (a === undefined) return beyond(`the operator ${op}`);
    const chain = (word: string) =>
      args.slice(1).reduce((left, right) => binary(word, left, say(right)), say(a));
    const kinds = args.map((one) => (one.kind === "lambda" ? "lambda" : this.#type(one).kind));
    const areNumbers = kinds.every((kind) => kind === "int" || kind === "real");
    const areTexts = kinds.every((kind) => kind === "string" || kind === "enum");
    switch (op) {
      case "and":
      case "or":
        return chain(op);
      case "implies":
        return b === undefined ? beyond(op) : binary(op, say(a), say(b));
      case "not":
        return unary("not", say(a));
      case "negate":
        return unary("neg", say(a));
      case "+":
      case "*":
        return chain(op);
      case "-":
        return args.length === 1 ? unary("neg", say(a)) : chain(op);
      case "<":
      case "<=":
      case ">":
      case ">=":
        if (!areNumbers) break;
        return b === undefined ? beyond(op) : binary(op, say(a), say(b));
      case "++":
        if (!areTexts) break;
        return chain("++");
      case "==":
      case "!=": {
        if (b === undefined) return beyond(op);
        const same = equal(say(a), say(b));
        return op === "==" ? same : unary("not", same);
      }
      case "if":
        return b === undefined || c === undefined ? beyond(op) : choice(say(a), say(b), say(c));
      case "min":
      case "max": {
        if (b === undefined || args.length !== 2 || !areNumbers) break;
        const [x, y] = [this.#name("x"), this.#name("y")];
        const less = binary("<=", named(x), named(y));
        const [first, second] = op === "min" ? [x, y] : [y, x];
        return binding(x, say(a), binding(y, say(b), choice(less, named(first), named(second))));
      }
      case "abs": {
        const x = this.#name("x");
        const isPositive = binary("<=", integer(0), named(x));
        return binding(x, say(a), choice(isPositive, named(x), unary("neg", named(x))));
      }
      case "some":
        return items(atom("some"), say(a));
      case "isSome":
        return items(atom("isSome"), say(a));
      case "value": {
        const type = this.#type(expr);
        return items(atom("value"), defaultText(type), say(a));
      }
      case "orElse":
        return b === undefined ? beyond(op) : items(atom("orElse"), say(a), say(b));
      case "contains":
        if (a.kind === "list" && b !== undefined) {
          const x = this.#name("x");
          const each = a.items.map((item) => equal(named(x), say(item)));
          return binding(
            x,
            say(b),
            each.length === 0 ? no : each.reduce((left, right) => binary("or", left, right)),
          );
        }
        break;
    }
    return this.#opaque(
      op,
      this.#type(expr),
      args,
      args.map((one) => (one.kind === "lambda" ? "" : say(one))),
    );
  }

  /**
   * An operator of which nothing is known but that equal operands give equal results. A function among the operands is part
   * of the operator's name, and the names that it reads are operands.
   */
  #opaque(op: string, type: Type, args: readonly Expr[], texts: readonly string[]): string {
    let name = op;
    const operands: string[] = [];
    const sorts: string[] = [];
    const add = (of: Type, text: string): void => {
      if (of.kind === "option") {
        operands.push(items(atom("isSome"), text));
        sorts.push("bool");
        add(of.value, items(atom("value"), defaultText(of.value), text));
      } else if (of.kind === "record") {
        for (const one of of.fields)
          add(one.optional ? { kind: "option", value: one.type } : one.type, field(text, one.name));
      } else {
        operands.push(text);
        sorts.push(sortOf(of) ?? beyond("an operand of such a type"));
      }
    };
    args.forEach((one, i) => {
      if (one.kind !== "lambda") {
        name += ` ${JSON.stringify(this.#type(one))}`;
        return add(this.#type(one), texts[i] ?? "");
      }
      name += ` ${printExpr(one)}`;
      // SOUNDNESS: with no name and no state that it reads, the text of a function is its meaning.
      for (const free of variablesOf(one)) {
        if (!one.params.some((param) => param.name === free))
          return beyond("a function that reads other names");
      }
      for (const inner of exprsIn(one.body)) {
        if (inner.kind === "cell" || isTrace(inner)) return beyond("a function that reads the state");
      }
    });
    name += ` ${JSON.stringify(type)}`;
    if (operands.length === 0) {
      operands.push(yes);
      sorts.push("bool");
    }
    return this.#unknown(type, `${name}|${sorts.join(",")}`, operands);
  }

  /** A value of the type in its parts, each an unknown function of the operands. */
  #unknown(type: Type, name: string, operands: readonly string[]): string {
    switch (type.kind) {
      case "option":
        return choice(
          this.#unknown({ kind: "bool" }, `${name}?`, operands),
          items(atom("some"), this.#unknown(type.value, `${name}!`, operands)),
          none,
        );
      case "record":
        return items(
          atom("record"),
          ...type.fields.map((one) =>
            items(
              atom(one.name),
              this.#unknown(
                one.optional ? { kind: "option", value: one.type } : one.type,
                `${name}.${one.name}`,
                operands,
              ),
            ),
          ),
        );
      default: {
        const sort = sortOf(type) ?? beyond("a result of such a type");
        const [last = yes, ...others] = [...operands].reverse();
        return unary(
          `${name}>${sort}`,
          others.reduce((rest, one) => binary(",", one, rest), last),
        );
      }
    }
  }

  // ── relations ──────────────────────────────────────────────────────────────────────────────────────────

  #toolsOf(relation: Relation): readonly Tool[] {
    switch (relation.kind) {
      case "calls":
        return [this.#checked.tools.get(relation.tool) ?? beyond(`the tool ${relation.tool}`)];
      case "label":
        return this.#checked.labels.get(relation.label) ?? [];
      case "rows":
        return beyond("the rows of a result");
      case "cells":
        return beyond("the cells of a fluent within a formula");
    }
  }

  #toolNames(relation: Relation): string {
    return items(...this.#toolsOf(relation).map(({ name }) => atom(name)));
  }

  /** Tools, variable and condition; a call counts if it had its effect. */
  #selection({ in: relation, var: name, where }: Selection, place: Place): [string, string, string] {
    const took = field(named(name), TOOK);
    return [
      this.#toolNames(relation),
      atom(name),
      where === undefined ? took : both(took, this.#expr(where, place)),
    ];
  }

  #aggregate(
    aggregate: "count" | "sum" | "min" | "max",
    over: Selection,
    value: Expr | undefined,
    otherwise: Expr | undefined,
    place: Place,
    more = yes,
  ): string {
    const [tools, name, where] = this.#selection(over, place);
    const chosen = both(where, more);
    if (aggregate === "count") return items(atom("sum"), tools, name, chosen, integer(1));
    if (value === undefined) return beyond("an aggregate without its value");
    const each = this.#expr(value, place);
    if (aggregate === "sum") return items(atom("sum"), tools, name, chosen, each);
    const [best, one] = [this.#name("best"), this.#name("one")];
    const isBetter = binary(
      aggregate === "min" ? "<" : ">",
      named(one),
      items(atom("value"), scalarText(0n), named(best)),
    );
    const keep = choice(
      binary("or", unary("not", items(atom("isSome"), named(best))), isBetter),
      items(atom("some"), named(one)),
      named(best),
    );
    const step = choice(chosen, binding(one, each, keep), named(best));
    const found = items(atom("fold"), tools, name, atom(best), none, step);
    return otherwise === undefined
      ? items(atom("value"), scalarText(0n), found)
      : items(atom("orElse"), found, this.#expr(otherwise, place));
  }

  /** For the aggregate of the rows of each key: for each row, that of the rows with its key. */
  #perKey(expr: Expr & { readonly kind: "perKey" }, place: Place): string {
    const { over } = expr;
    const [row, key] = [this.#name("row"), this.#name("key")];
    const [tools, , where] = this.#selection(over, place);
    const asRow = (text: string) => binding(over.var, named(row), text);
    const sameKey = equal(this.#expr(expr.key, place), named(key));
    const total = this.#aggregate(expr.aggregate, over, expr.value, undefined, place, sameKey);
    const body = binding(
      key,
      asRow(this.#expr(expr.key, place)),
      binding(expr.name, total, this.#expr(expr.body, place)),
    );
    return items(atom(expr.quantifier), tools, atom(row), asRow(where), body);
  }

  #distinct(expr: Expr & { readonly kind: "distinct" }, place: Place): string {
    const { over } = expr;
    const [first, second] = [this.#name("first"), this.#name("second")];
    const [tools, , where] = this.#selection(over, place);
    const as = (row: string, text: string) => binding(over.var, named(row), text);
    const key = this.#expr(expr.key, place);
    const later = binary("<", field(named(first), NUMBER), field(named(second), NUMBER));
    const differ = unary("not", equal(as(first, key), as(second, key)));
    const inner = items(atom("forall"), tools, atom(second), both(later, as(second, where)), differ);
    return items(atom("forall"), tools, atom(first), as(first, where), inner);
  }

  #automaton({ states, start, on, error }: AutomatonExpr, place: Place): string {
    const [call, at] = [this.#name("call"), this.#name("state")];
    const failed = states.length;
    const numberOf = (state: string) => (error.includes(state) ? failed : states.indexOf(state));
    const steps = on.reduceRight((otherwise, { from, over, to }) => {
      const takes = this.#calls
        .filter(({ tool }) => this.#toolsOf(over.in).includes(tool))
        .map(({ number }) => equal(field(named(call), NUMBER), integer(number)));
      if (takes.length === 0) return otherwise;
      const where =
        over.where === undefined ? yes : binding(over.var, named(call), this.#expr(over.where, place));
      const isTaken = both(
        takes.reduce((a, b) => binary("or", a, b)),
        both(equal(named(at), integer(states.indexOf(from))), where),
      );
      return choice(isTaken, integer(numberOf(to)), otherwise);
    }, named(at));
    const step = choice(field(named(call), TOOK), steps, named(at));
    const all = items(...this.#checked.document.tools.map(({ name }) => atom(name)));
    const end = items(atom("fold"), all, atom(call), atom(at), integer(numberOf(start)), step);
    return unary("not", equal(end, integer(failed)));
  }

  // ── fluents ────────────────────────────────────────────────────────────────────────────────────────────

  /** In the first state, and in the state after each call. */
  #always(body: Expr, place: Place): string {
    const call = this.#name("call");
    const all = items(...this.#checked.document.tools.map(({ name }) => atom(name)));
    const first = this.#expr(body, { ...place, now: { kind: "initial" } });
    const later = this.#expr(body, { ...place, now: { kind: "up to", call } });
    return binary("and", first, items(atom("forall"), all, atom(call), yes, later));
  }

  /** The value at a key: the initial one, and over it what each call has written there. */
  #cell(at: Moment, name: string, key: string, place: Place, given?: Expr): string {
    const fluent = this.#fluent(name);
    if (sortOf(fluent.key) === undefined) return beyond("a fluent with such keys");
    const now: Now = at === "now" ? place.now : at === "initial" ? { kind: "initial" } : { kind: "so far" };
    if (
      now.kind === "replaced" &&
      now.fluent === name &&
      given !== undefined &&
      printExpr(given) === now.key
    ) {
      return named(now.value);
    }
    const initial = this.#initial(fluent, key);
    if (now.kind === "initial") return initial;
    if (place.within.includes(name)) return beyond("a fluent that is set from itself");
    const writers = this.#calls.filter(({ tool }) => tool.sets.some((set) => set.fluent === name));
    if (writers.length === 0) return initial;
    const [call, held, asked] = [this.#name("call"), this.#name("held"), this.#name("asked")];
    const tools = items(...new Set(writers.map(({ tool }) => atom(tool.name))));
    const step = [...writers].reverse().reduce((otherwise, { number, tool }) => {
      const isThis = equal(field(named(call), NUMBER), integer(number));
      return choice(isThis, this.#written(tool, name, call, held, asked, place), otherwise);
    }, named(held));
    const bound =
      now.kind === "so far"
        ? yes
        : binary(
            now.kind === "up to" ? "<=" : "<",
            field(named(call), NUMBER),
            field(named(now.call), NUMBER),
          );
    const within = bound === yes ? step : choice(bound, step, named(held));
    return binding(
      asked,
      key,
      items(atom("fold"), tools, atom(call), atom(held), this.#initial(fluent, named(asked)), within),
    );
  }

  #initial({ name, value, initial }: Fluent, key: string): string {
    if (initial !== undefined) return this.#expr(initial, { now: { kind: "initial" }, within: [] });
    const { key: type } = this.#fluent(name);
    return this.#unknown(value, `initial ${name}|${sortOf(type)}`, [key]);
  }

  /** The value at the asked key after one call. */
  #written(tool: Tool, name: string, call: string, held: string, asked: string, place: Place): string {
    const own = tool.sets.filter((set) => set.fluent === name);
    const left = this.#leftType(tool);
    const inside: Place = { now: { kind: "before", call }, within: [...place.within, name] };
    return tool.sets.reduce((before, set, i) => {
      if (set.fluent !== name) return before;
      const replaced: Now = {
        kind: "replaced",
        fluent: name,
        key: own.length === 1 ? printExpr(set.key) : "",
        value: held,
        call,
      };
      return this.#update(tool, set, i, { ...inside, now: replaced }, left, call, asked, before);
    }, named(held));
  }

  #update(
    tool: Tool,
    { key, value, when }: Update,
    i: number,
    place: Place,
    left: Type & { readonly kind: "record" },
    call: string,
    asked: string,
    before: string,
  ): string {
    // Parameters are bound around each expression by itself: the values so far must not be hidden by them.
    const params = (text: string) =>
      tool.params.reduceRight((inner, { name }) => binding(name, field(named(call), name), inner), text);
    const isHere = equal(params(this.#expr(key, place)), named(asked));
    const happens = when === undefined ? isHere : both(isHere, params(this.#expr(when, place)));
    const leftover = field(items(atom("value"), defaultText(left), field(named(call), LEFT)), String(i));
    return choice(
      happens,
      choice(field(named(call), FAILED), leftover, params(this.#expr(value, place))),
      before,
    );
  }
}
