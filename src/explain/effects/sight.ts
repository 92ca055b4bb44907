/**
 * The names in sight at a place of a program, and what they stand for in words: where a value comes from, when a call
 * is made. A value that has no short words is said to be worked out from what it depends on.
 */
import {
  append,
  type CallCommand,
  type Checked,
  defaultTurns,
  type Expr,
  type ForCommand,
  isConstant,
  type OpExpr,
  printExpr,
  type RecordValue,
  variablesOf,
  type WhileCommand,
} from "../../ir/index.ts";
import { clause } from "../clause.ts";
import { codeWords, valueWords } from "../literal.ts";
import { learnt } from "../predicate.ts";
import { readingName } from "../reading.ts";
import { sizeOf } from "../rename.ts";
import { type Binding, fieldWord, nameWord, type Scene, typeOf } from "../scene.ts";
import { term } from "../term.ts";
import { atom, finished, joined, say, type Text, type Thing } from "../text.ts";

/** LIMIT: of characters, of parts that a value is worked out from, of conditions, and of parts of one of them. */
const mostWords = 260;
const mostLeaves = 5;
const mostConditions = 12;
const mostParts = 400;
/** LIMIT: of the characters of a known input; a longer one stays a name. */
const mostInput = 60;
/** LIMIT: of requirements that are remembered; to forget one makes no value less. */
const mostRequired = 50;

const places: ReadonlyMap<unknown, string> = new Map([
  [0n, "first"],
  [1n, "second"],
  [2n, "third"],
]);

/** The meaning of a name. */
interface Named {
  readonly words: string;
  /** Its dependencies, in words. */
  readonly leaves: readonly string[];
  /** The value of a `let`. */
  readonly value?: Expr;
  /** The call whose failure `catch` binds. */
  readonly failed?: string;
  /** The words for the element of a loop that is already known. */
  readonly again?: string;
}

interface Part {
  readonly expr: Expr;
  readonly yes: boolean;
}

interface Required {
  readonly parts: readonly Part[];
  /** The conditions under which it was required: all of these. */
  readonly under: ReadonlySet<string>;
}

export class Sight {
  readonly #checked: Checked;
  readonly #names = new Map<string, Named>();
  #required: Required[] = [];
  /** Requirements before each of the loops around this place. */
  readonly #outer: Required[][] = [];
  readonly #empty: Scene;
  /** The arguments and the condition of one call ask for the same. */
  #lastPresent: { readonly when: Expr | undefined; readonly present: ReadonlySet<string> } | undefined;

  /** @param inputs the inputs of this run, where they are known */
  constructor(checked: Checked, inputs?: RecordValue) {
    this.#checked = checked;
    this.#empty = {
      checked,
      options: {},
      names: new Map(),
      present: new Set(),
      now: "each",
      number: undefined,
    };
    for (const { name } of checked.document.program.inputs) {
      const known = inputs?.fields[name];
      const text = known === undefined ? "" : told(valueWords(known, {}));
      const shown = text === "" || text.length > mostInput ? "" : ` (${text})`;
      this.#bind(name, `${told(say`the input ${fieldWord([name])}`)}${shown}`);
    }
  }

  bindValue(name: string, value: Expr): void {
    this.#lastPresent = undefined;
    this.#names.set(name, { words: this.value(value), leaves: this.#leaves(value), value });
  }

  /** @param place `line 7` */
  bindCall({ tool, bind, catch: failed, reason }: CallCommand, place: string): void {
    const call = told(say`${nameWord(tool)} (${place})`);
    const reading = readingName(tool);
    if (bind !== undefined)
      this.#bind(bind, reading === undefined ? `what ${call} returns` : `${reading} (${place})`);
    if (reason !== undefined) this.#bind(reason, `the message of the failure of ${call}`);
    if (failed === undefined) return;
    const words = `whether ${call} failed`;
    this.#names.set(failed, { words, leaves: [words], failed: call });
  }

  /** Gives the loop in words: `each row that …`. */
  enterLoop(command: ForCommand, line: number | undefined): string {
    const each = this.#each(command.list);
    const again = each.startsWith("each row ") ? "that row" : "that element";
    this.#names.set(command.var, { words: each, leaves: [each], again });
    if (command.index !== undefined) this.#bind(command.index, `the position of ${each}`);
    for (const { name } of command.carry)
      this.#bind(name, told(say`${fieldWord([name])} (set in the loop${at(line)})`));
    this.#outer.push([...this.#required]);
    this.#lastPresent = undefined;
    const { max, parallel } = command;
    const bounded = max === undefined ? each : `${each} (at most ${max})`;
    return parallel ? `${bounded}, all at the same time` : bounded;
  }

  /** The same of a loop that goes on until its condition no longer holds. */
  enterTurns({ index, max, carry }: WhileCommand, line: number | undefined): string {
    const loop = told(say`the loop${placed(line)}`);
    if (index !== undefined) this.#bind(index, `the number of the iteration of ${loop}`);
    for (const { name } of carry)
      this.#bind(name, told(say`${fieldWord([name])} (set in the loop${at(line)})`));
    this.#outer.push([...this.#required]);
    this.#lastPresent = undefined;
    return `each iteration of ${loop}, which repeats until it ends (at most ${max ?? defaultTurns} iterations)`;
  }

  /** SOUNDNESS: another loop may give its names to other values, of which nothing was required. */
  leaveLoop(): void {
    this.#required = this.#outer.pop() ?? [];
    this.#lastPresent = undefined;
  }

  /** SOUNDNESS: of a branch that runs beside others only its own commands know what it requires. */
  inBranch(look: () => void): void {
    const before = [...this.#required];
    look();
    this.#required = before;
    this.#lastPresent = undefined;
  }

  /** The run stops where it does not hold. */
  require(condition: Expr, when: Expr | undefined): void {
    const under = new Set(this.#conjuncts(when).map(key));
    this.#required.push({ parts: this.#conjuncts(condition), under });
    if (this.#required.length > mostRequired) this.#required.shift();
    this.#lastPresent = undefined;
  }

  /** Words the value, given that the call happens when `when` holds. */
  value(expr: Expr, when?: Expr): string {
    if (sizeOf(expr, mostParts) > mostParts) return this.#workedOut(expr);
    const scene = this.#scene(expr, when);
    if (isConstant(expr)) return told(codeOrTerm(expr, scene));
    const said = this.#spoken((one) => this.#valueText(expr, one), scene);
    return said ?? this.#workedOut(expr);
  }

  /** In words; null if there is none. @param loops how many loops are around it */
  condition(when: Expr | undefined, loops: number): string | null {
    if (when === undefined || (when.kind === "bool" && when.value)) return null;
    const room: Room = { left: mostConditions, isClear: loops === 1, when };
    const said = this.#condition(when, true, room);
    if (said !== undefined && said.text.length <= 2 * mostWords) return said.text;
    const on = this.#leaves(when);
    return on.length === 0
      ? "under a condition"
      : `depending on ${listed(on.slice(0, mostLeaves), on.length - mostLeaves)}`;
  }

  // ── values ───────────────────────────────────────────────────────────────────────────────────────────────

  #bind(name: string, words: string): void {
    this.#names.set(name, { words, leaves: [words] });
  }

  #valueText(expr: Expr, scene: Scene): Text {
    if (expr.kind === "op" && expr.op === "++")
      return joined(
        expr.args.map((arg) => {
          const text = this.#valueText(arg, scene);
          return arg.kind === "op" && arg.op === "if" ? say`[${text}]` : text;
        }),
        " + ",
      );
    const picked = expr.kind === "op" ? this.#pickedText(expr, scene) : undefined;
    if (picked !== undefined) return picked;
    if (expr.kind === "op" && expr.op === "if") {
      const [condition, yes, no] = expr.args;
      if (yes !== undefined && no !== undefined) return this.#eitherText(condition, yes, no, scene);
    }
    return term(expr, scene).text;
  }

  /** `a?.b` is either that of `a` or none: a reader of its value is told what none is taken as. */
  #eitherText(condition: Expr | undefined, yes: Expr, no: Expr, scene: Scene): Text {
    const known = this.#conjuncts(condition).reduce((now, one) => learnt(now, one.expr, one.yes), scene);
    const [held] = yes.kind === "op" && yes.op === "some" ? yes.args : [];
    if (no.kind === "none" && held !== undefined) return this.#valueText(held, known);
    return say`either ${this.#valueText(yes, known)} or ${this.#valueText(no, scene)}`;
  }

  /** Elements of a list, without what picks them. */
  #pickedText({ op, args }: OpExpr, scene: Scene): Text | undefined {
    const [list, index] = args;
    if (list === undefined || typeOf(scene, list)?.kind !== "list") return undefined;
    if (op === "filter" || op === "slice") return say`some of ${this.#valueText(list, scene)}`;
    if (op === "find") return say`an element of ${this.#valueText(list, scene)}`;
    const place = op === "at" && index?.kind === "number" ? places.get(index.value) : undefined;
    return place && say`the ${place} element of ${this.#valueText(list, scene)}`;
  }

  /** Undefined if it is too long, or has no words but the text form with names that are unknown to readers. */
  #spoken(words: (scene: Scene) => Text, scene: Scene): string | undefined {
    const text = words(scene);
    for (const binding of scene.names.values())
      if (binding.kind === "thing" && binding.thing.lettered) return undefined;
    const said = told(text);
    return said.length <= mostWords ? said : undefined;
  }

  #workedOut(expr: Expr): string {
    const leaves = this.#leaves(expr);
    if (leaves.length === 0) return told(codeWords(printExpr(expr), {}));
    return `a value worked out from ${listed(leaves.slice(0, mostLeaves), leaves.length - mostLeaves)}`;
  }

  #leaves(expr: Expr): string[] {
    const all = Array.from(variablesOf(expr), (name) => this.#names.get(name)?.leaves ?? []).flat();
    return [...new Set(all)].slice(0, 4 * mostLeaves);
  }

  #each(list: Expr): string {
    const type = this.#checked.types.get(list);
    const what = type?.kind === "list" && type.element.kind === "record" ? "row" : "element";
    if (isConstant(list)) return told(say`each of ${codeWords(printExpr(list), {})}`);
    const words = this.value(list);
    const returned = /^what (.+) returns$/.exec(words)?.[1];
    if (list.kind === "var" && returned !== undefined) return `each ${what} that ${returned} returns`;
    return `each ${what} of ${words.replace(/^a value worked out/, "a list worked out")}`;
  }

  /** Names are said as what they stand for. */
  #scene(expr: Expr, when: Expr | undefined, isClear = false): Scene {
    const names = new Map<string, Binding>();
    for (const name of variablesOf(expr)) {
      const named = this.#names.get(name);
      if (named === undefined) continue;
      const { words, again = words } = named;
      const thing: Thing = {
        again: atom(isClear ? again : words),
        alike: false,
        mentioned: false,
        lettered: false,
      };
      names.set(name, { kind: "thing", thing });
    }
    return { ...this.#empty, names, present: this.#present(when) };
  }

  /** Options that are there where `when` holds. */
  #present(when: Expr | undefined): ReadonlySet<string> {
    const last = this.#lastPresent;
    if (last !== undefined && last.when === when) return last.present;
    const known = this.#conjuncts(when);
    const under = new Set(known.map(key));
    const required = this.#required
      .filter((one) => [...one.under].every((part) => under.has(part)))
      .flatMap(({ parts }) => parts);
    const { present } = [...known, ...required].reduce(
      (now, one) => learnt(now, one.expr, one.yes),
      this.#empty,
    );
    this.#lastPresent = { when, present };
    return present;
  }

  // ── conditions ───────────────────────────────────────────────────────────────────────────────────────────

  /** Returns all parts of a conjunction, with the meaning of names in their place. */
  #conjuncts(expr: Expr | undefined): Part[] {
    const found: Part[] = [];
    const waiting = expr === undefined ? [] : [{ expr, yes: true }];
    for (let next = waiting.shift(); next !== undefined && found.length < 50; next = waiting.shift()) {
      const inner = this.#opened(next.expr, next.yes);
      if (inner.kind === "not") waiting.push({ expr: inner.of, yes: !next.yes });
      else if (inner.kind === "let") waiting.push({ expr: inner.of, yes: next.yes });
      else if (inner.kind === "all")
        append(
          waiting,
          inner.parts.map((part) => ({ expr: part, yes: inner.yes })),
        );
      else found.push(next);
    }
    return found;
  }

  #opened(expr: Expr, yes: boolean): Opened {
    if (expr.kind === "var") {
      const value = this.#names.get(expr.name)?.value;
      return value === undefined ? { kind: "leaf" } : { kind: "let", of: value };
    }
    if (expr.kind !== "op") return { kind: "leaf" };
    const [first] = expr.args;
    if (expr.op === "not" && first !== undefined) return { kind: "not", of: first };
    if (expr.op === "and" || expr.op === "or")
      return { kind: (expr.op === "and") === yes ? "all" : "any", parts: expr.args, yes };
    return { kind: "leaf" };
  }

  #condition(expr: Expr, yes: boolean, room: Room): Condition | undefined {
    if (room.left <= 0) return undefined;
    const inner = this.#opened(expr, yes);
    switch (inner.kind) {
      case "not":
        return this.#condition(inner.of, !yes, room);
      case "let":
        return this.#condition(inner.of, yes, room);
      case "all":
      case "any": {
        const parts = inner.parts.map((part) => this.#condition(part, yes, room));
        if (!parts.every((part) => part !== undefined)) return undefined;
        // Duplicates are said once.
        const texts = [
          ...new Set(
            parts.map(({ text, joins }) =>
              joins === undefined || joins === inner.kind ? text : `[${text}]`,
            ),
          ),
        ];
        const between = inner.kind === "all" ? " and " : " or ";
        return texts.length === 1
          ? { text: texts[0] ?? "", joins: parts[0]?.joins }
          : { text: texts.join(between), joins: inner.kind };
      }
      case "leaf":
        room.left--;
        return this.#leaf(expr, yes, room);
    }
  }

  #leaf(expr: Expr, yes: boolean, { isClear, when }: Room): Condition | undefined {
    const failed = expr.kind === "var" ? this.#names.get(expr.name)?.failed : undefined;
    if (failed !== undefined)
      return { text: `${failed} ${yes ? "failed" : "did not fail"}`, joins: undefined };
    const isLong = sizeOf(expr, mostParts) > mostParts;
    const text = isLong
      ? undefined
      : this.#spoken((scene) => clause(expr, scene, yes).text, this.#scene(expr, when, isClear));
    if (text !== undefined) return { text, joins: undefined };
    const on = this.#leaves(expr);
    if (on.length === 0) return undefined;
    return {
      text: `a condition on ${listed(on.slice(0, mostLeaves), on.length - mostLeaves)} holds`,
      joins: undefined,
    };
  }
}

interface Room {
  /** The number of conditions that may still be said. */
  left: number;
  /** True inside of one loop, so that the element is unambiguous. */
  readonly isClear: boolean;
  /** The whole: each part is read knowing that all of it holds. */
  readonly when: Expr;
}

interface Condition {
  readonly text: string;
  /** By which word its parts are joined. */
  readonly joins: "all" | "any" | undefined;
}

type Opened =
  | { readonly kind: "leaf" }
  | { readonly kind: "not" | "let"; readonly of: Expr }
  | { readonly kind: "all" | "any"; readonly parts: readonly Expr[]; readonly yes: boolean };

function key({ expr, yes }: Part): string {
  return `${yes ? "" : "not "}${printExpr(expr)}`;
}

function codeOrTerm(expr: Expr, scene: Scene): Text {
  return typeOf(scene, expr) === undefined ? codeWords(printExpr(expr), {}) : term(expr, scene).text;
}

function at(line: number | undefined): string {
  return line === undefined ? "" : ` at line ${line}`;
}

function placed(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}

function listed(parts: readonly string[], more: number): string {
  const all = more > 0 ? [...parts, `${more} more`] : parts;
  return all.length < 2 ? (all[0] ?? "") : `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}`;
}

function told(text: Text): string {
  return finished(text, new Set(), Number.POSITIVE_INFINITY);
}
