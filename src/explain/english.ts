/**
 * The formula of a guarantee as one sentence, made from the formula alone. People approve what an agent does by reading
 * these, so a sentence says neither more nor less than its formula; what it has no words for it gives in text form.
 */
import { type Checked, type Expr, printExpr } from "../ir/index.ts";
import { clause } from "./clause.ts";
import { codeWords } from "./literal.ts";
import { namesIn, sizeOf } from "./rename.ts";
import type { Binding, Scene, SentenceOptions } from "./scene.ts";
import { finished, mostCharacters, say, type Text } from "./text.ts";

export type { SentenceOptions } from "./scene.ts";

/** LIMIT: of parts of a formula; beyond this nobody reads it, in whatever words. */
export const mostParts = 20_000;

/** `checked` knows the types of the formula: it is one of its guarantees, or what `checkExpr` gave for it. */
export function sentence(formula: Expr, checked: Checked, options: SentenceOptions = {}): string {
  return spoken(formula, checked, options, (scene) => {
    if (formula.kind === "bool")
      return formula.value ? "nothing is guaranteed: this holds for every program" : "this holds for no run";
    return clause(formula, scene).text;
  });
}

/** Returns whether a guarantee is vacuous: it holds for every program, so nothing is guaranteed. */
export function isVacuous(formula: Expr | undefined): boolean {
  return formula?.kind === "bool" && formula.value;
}

/** Renders the expression with `words`, complete and within the limits. */
export function spoken(
  expr: Expr | undefined,
  checked: Checked,
  options: SentenceOptions,
  words: (scene: Scene) => Text,
): string {
  const most = options.full ? Number.POSITIVE_INFINITY : mostCharacters;
  if (expr !== undefined && sizeOf(expr, mostParts) > mostParts) {
    const text = say`this is too long for words, in text form: ${codeWords(printExpr(expr), options)}`;
    return finished(text, new Set(), most);
  }
  const inputs = checked.document.program.inputs.map(({ name }) => name);
  const names = new Map<string, Binding>(inputs.map((name) => [name, { kind: "input" }]));
  const scene: Scene = { checked, options, names, present: new Set(), now: "each", number: "" };
  const taken = new Set([...inputs, ...(expr === undefined ? [] : namesIn(expr))]);
  return finished(words(scene), taken, most);
}
