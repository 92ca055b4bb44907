/** Values in words: what is compared, added up or looked for. What has no words of its own is given in text form. */

import {
  type AggregateExpr,
  type CellExpr,
  defaultOf,
  type Expr,
  exprsIn,
  isConstant,
  type Moment,
  namesReadBy,
  type OpExpr,
  printExpr,
  type Relation,
} from "../ir/index.ts";
import { constantWords, stringWords, valueWords } from "./literal.ts";
import { numberText } from "./number-text.ts";
import { operatorWords } from "./operator-words.ts";
import { chosen, filtered } from "./predicate.ts";
import {
  about,
  bindRow,
  fieldWord,
  inline,
  nameWord,
  plain,
  plural,
  type Row,
  type Scene,
  typeOf,
} from "./scene.ts";
import { atom, joined, refer, say, type Text, type Thing } from "./text.ts";

export interface Term {
  readonly text: Text;
  /** True if it needs brackets as a part of something else. */
  readonly loose: boolean;
}

/** LIMIT: words in words in words are harder to read than text form. */
const mostNested = 3;

export function term(expr: Expr, scene: Scene, depth = 0): Term {
  switch (expr.kind) {
    case "bool":
      return tight(String(expr.value));
    case "number":
      return tight(atom(numberText(expr.value)));
    case "string":
      return tight(stringWords(expr.value, scene.options));
    case "var":
    case "field":
    case "result":
      return path(expr, scene) ?? code(expr, scene);
    case "cell":
      return tight(cell(expr, scene, depth));
    case "op":
      return (expr.op === "value" ? path(expr, scene) : undefined) ?? operation(expr, scene, depth);
    case "aggregate":
      return depth < mostNested ? aggregate(expr, scene) : code(expr, scene);
    case "list":
    case "record":
    case "none":
      return isConstant(expr) ? tight(constantWords(expr, scene)) : code(expr, scene);
    case "lambda":
    case "let":
    case "quantifier":
    case "perKey":
    case "distinct":
    case "always":
    case "precedes":
    case "flows":
    case "influenced":
    case "mayRead":
    case "automaton":
      return code(expr, scene);
  }
}

/** In brackets where it would run into what stands around it. */
export function operand(expr: Expr, scene: Scene, depth = 0): Text {
  const { text, loose } = term(expr, scene, depth);
  return loose ? say`[${text}]` : text;
}

/** The text form, exactly, with the letters of the rows and values that it speaks of. */
export function code(expr: Expr, { names }: Scene): Term {
  const things = new Map<string, Thing>();
  const note = (name: string): void => {
    const binding = names.get(name);
    if (binding?.kind === "row") things.set(name, binding.row);
    else if (binding?.kind === "thing") things.set(name, binding.thing);
  };
  for (const node of exprsIn(expr)) namesReadBy(node).forEach(note);
  for (const thing of things.values()) thing.lettered = true;
  return tight({ kind: "code", expr, things });
}

function tight(text: Text): Term {
  return { text, loose: false };
}

function loose(text: Text): Term {
  return { text, loose: true };
}

function operation(expr: OpExpr, scene: Scene, depth: number): Term {
  const words = operatorWords[expr.op];
  if (words === undefined || depth >= mostNested) return code(expr, scene);
  const types = expr.args.map((arg) => typeOf(scene, arg));
  const text = words(
    expr.args.map((arg) => operand(arg, scene, depth + 1)),
    types,
    expr.args,
  );
  return text === undefined ? code(expr, scene) : loose(text);
}

// ── what a name or a field stands for ────────────────────────────────────────────────────────────────────

interface Path {
  /** Its start: a name, or the result of the call of that name. */
  readonly name: string;
  readonly ofResult: boolean;
  readonly steps: readonly string[];
  /** True if a part of the path may be absent. */
  readonly maybe: boolean;
}

export function pathOf(expr: Expr, scene: Scene): Path | undefined {
  if (expr.kind === "var") return { name: expr.name, ofResult: false, steps: [], maybe: false };
  if (expr.kind === "result") return { name: expr.call, ofResult: true, steps: [], maybe: false };
  if (expr.kind === "field") {
    const of = pathOf(expr.of, scene);
    return of && { ...of, steps: [...of.steps, expr.name] };
  }
  const [option] = expr.kind === "op" && expr.op === "value" ? expr.args : [];
  const of = option && pathOf(option, scene);
  if (option === undefined || of === undefined) return undefined;
  // An option in an option: present or absent would be said of both in the same words.
  const type = typeOf(scene, expr);
  if (type === undefined || type.kind === "option") return undefined;
  return scene.present.has(printExpr(option)) ? of : { ...of, maybe: true };
}

function path(expr: Expr, scene: Scene): Term | undefined {
  const found = pathOf(expr, scene);
  const text = found && pathWords(found, scene);
  if (found === undefined || text === undefined) return undefined;
  if (!found.maybe) return tight(text);
  const type = typeOf(scene, expr);
  if (type === undefined || type.kind === "never") return undefined;
  const instead = valueWords(defaultOf(type), scene.options);
  return tight(say`${text} (taken as ${instead} where there is none)`);
}

function pathWords({ name, ofResult, steps }: Path, { names, subject }: Scene): Text | undefined {
  const binding = names.get(name);
  switch (binding?.kind) {
    case undefined:
      return undefined;
    case "row": {
      const { row } = binding;
      const own = subject?.row === row ? subject.its : undefined;
      if (ofResult) return part(steps, own === undefined ? say`the result of ${refer(row)}` : "its result");
      if (row.relation.kind === "cells") return cellPart(row, steps, own);
      if (own === undefined) return part(steps, refer(row));
      if (steps.length > 0) return say`${own}${fieldWord(steps)}`;
      return say`${own}${row.relation.kind === "rows" ? "value" : "arguments"}`;
    }
    case "param":
      return say`${subject?.its ?? "its "}${fieldWord([name, ...steps])}`;
    case "input":
      return part(steps, say`the input ${nameLabel(name)}`);
    case "local":
      return part(steps, nameLabel(name));
    case "thing":
      return part(steps, refer(binding.thing));
  }
}

function cellPart(row: Row, [which = "", ...steps]: readonly string[], own: string | undefined): Text {
  if (which === "") return own === undefined ? refer(row) : say`${own}key and value`;
  const word = which === "key" ? "key" : "value";
  if (own === undefined) return part(steps, say`the ${word} of ${refer(row)}`);
  return steps.length === 0 ? say`${own}${word}` : say`the ${fieldWord(steps)} of its ${word}`;
}

function part(steps: readonly string[], of: Text): Text {
  return steps.length === 0 ? of : say`the ${fieldWord(steps)} of ${of}`;
}

const nameLabel = (name: string): Text => fieldWord([name]);

// ── state and aggregates ─────────────────────────────────────────────────────────────────────────────────

function cell({ at, fluent, key }: CellExpr, scene: Scene, depth: number): Text {
  const of = operand(key, its(scene), depth + 1);
  const when = scene.now === "before" && at === "now" ? " just before the call" : "";
  return say`${ofMoment[at]}${nameWord(fluent)} of ${of}${when}`;
}

/** Without its moment, which is said before. */
export function bareCell({ fluent, key }: CellExpr, scene: Scene): Text {
  return say`${nameWord(fluent)} of ${operand(key, its(scene), 1)}`;
}

const ofMoment: Readonly<Record<Moment, string>> = {
  initial: "the initial ",
  now: "the ",
  final: "the final ",
};

/** Fields of the subject are its own, wherever they stand. */
export function its(scene: Scene): Scene {
  return scene.subject === undefined ? scene : about(scene, scene.subject.row, "its ");
}

function aggregate(expr: AggregateExpr, scene: Scene): Term {
  const { aggregate: kind, over, value, otherwise } = expr;
  const { row, inner } = bindRow(inline(plain(scene)), over);
  const rows = filtered(nounAt(over.in), row, over, inner);
  if (kind === "count" || value === undefined) return loose(say`the number of ${rows}`);
  const what = operand(value, about(chosen(inner, over), row), 1);
  if (kind === "sum") return loose(say`the sum of ${what} over all ${rows}`);
  const none = otherwise === undefined ? "" : say` (${operand(otherwise, scene, 1)} if there are none)`;
  const which = isField(value, about(inner, row)) ? what : say`value of ${what}`;
  return loose(say`the ${kind === "min" ? "least" : "greatest"} ${which} of all ${rows}${none}`);
}

/** The plural, with the state that it is about. */
function nounAt(relation: Relation): Text {
  if (relation.kind !== "cells" || relation.at === "now") return plural(relation);
  return say`keys of ${ofMoment[relation.at]}${nameWord(relation.fluent)}`;
}

/** Returns whether it is a field of the subject, which a name alone stands for. */
export function isField(expr: Expr, scene: Scene): boolean {
  const found = pathOf(expr, scene);
  const binding = found && scene.names.get(found.name);
  const own = binding?.kind === "row" && binding.row === scene.subject?.row;
  return own && found !== undefined && !found.ofResult && !found.maybe;
}

/** `k`, or a combination of several. */
export function keyWords(key: Expr, scene: Scene): Text {
  const parts = key.kind === "list" ? key.items : key.kind === "record" ? key.fields.map((f) => f.value) : [];
  if (parts.length < 2) {
    const word = operand(key, scene, 1);
    return isField(key, scene) ? word : say`value of ${word}`;
  }
  return say`combination of ${joined(
    parts.map((one) => operand(one, scene, 1)),
    ", ",
    " and ",
  )}`;
}
