/** Views in the notation of description logic, for people to read. */

import { quotedText, visibleText } from "../explain/index.ts";
import { printExpr, printName } from "../ir/index.ts";
import { closures } from "./closure.ts";
import type { Literal } from "./literal.ts";
import { type Name, wordsOf } from "./names.ts";
import type { Axiom, ClassExpr, DataRange, Facet, Role } from "./owl.ts";
import type { CallFact, Section } from "./program.ts";
import type { NamedGuarantee, View } from "./view.ts";

export function printDl(view: View): string {
  const parts = [
    `# ${view.hash} as description logic: what holds of every run, and what is claimed of it`,
    ...view.sections.map(sectionText),
    ...view.calls.flatMap((call) => whenText(call) ?? []),
    "# guarantees: claims, of which only a proof tells whether they hold",
    ...view.guarantees.map(guaranteeText),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function sectionText({ title, closes, axioms }: Section): string {
  if (axioms.length === 0) return "";
  const head =
    closes === undefined ? `# ${title}` : `# ${title} (closure \`${closes}\`: ${closures[closes]})`;
  return [head, ...axioms.map(axiomDl)].join("\n");
}

function whenText({ name, when }: CallFact): string | undefined {
  return when === undefined ? undefined : `# ${word(name)} is made when ${visibleText(when)}`;
}

function guaranteeText(view: NamedGuarantee): string {
  const { status, axioms, closure, reasons } = view;
  const said = axioms.length > 0 ? axioms.map(axiomDl) : status === "faithful" ? ["Run ⊑ ⊤"] : [];
  return [
    `# ${statedAs(view)}: ${status}`,
    ...(view.sentence === undefined ? [] : [`#   ${view.sentence}`]),
    ...(status === "faithful" && closure.length > 0
      ? [`#   by the closure ${closure.map((one) => `\`${one}\``).join(", ")}`]
      : []),
    ...reasons.map((why) => `#   not said: ${why}`),
    ...said,
  ].join("\n");
}

/** `bank.maxSpend(500)`. */
export function statedAs({ guarantee }: NamedGuarantee): string {
  return visibleText(
    `${printName(guarantee.name)}(${guarantee.args.map((arg) => printExpr(arg)).join(", ")})`,
  );
}

export function axiomDl(axiom: Axiom): string {
  switch (axiom.kind) {
    case "subclass":
      return `${classText(axiom.sub, 0)} ⊑ ${classText(axiom.of, 0)}`;
    case "same":
      return `${classText(axiom.a, 0)} ≡ ${classText(axiom.b, 0)}`;
    case "disjoint":
      return `disjoint(${axiom.classes.map((one) => classText(one, 0)).join(", ")})`;
    case "key":
      return `key(${classText(axiom.of, 0)}: ${axiom.properties.map(word).join(", ")})`;
    case "domain":
      return `∃${word(axiom.role)}.⊤ ⊑ ${classText(axiom.of, 0)}`;
    case "range":
      return `⊤ ⊑ ∀${word(axiom.role)}.${filler(axiom.of)}`;
  }
}

/** @param around 0 where anything may stand, 1 in `⊔`, 2 in `⊓`, 3 after `¬` and the like */
function classText(expr: ClassExpr, around: number): string {
  switch (expr.kind) {
    case "thing":
      return "⊤";
    case "nothing":
      return "⊥";
    case "class":
      return word(expr.name);
    case "one":
      return `{${word(expr.individual)}}`;
    case "not":
      return `¬${classText(expr.of, 3)}`;
    case "and":
      return inParens(around > 2, expr.parts.map((part) => classText(part, 2)).join(" ⊓ "));
    case "or":
      return inParens(around > 1, expr.parts.map((part) => classText(part, 2)).join(" ⊔ "));
    case "some":
    case "only":
      return `${expr.kind === "some" ? "∃" : "∀"}${roleText(expr.role)}.${filler(expr.of)}`;
    case "atLeast":
    case "atMost":
    case "exactly": {
      const sign = { atLeast: "≥", atMost: "≤", exactly: "=" }[expr.kind];
      return `${sign} ${expr.number} ${roleText(expr.role)}.${filler(expr.of)}`;
    }
    case "dataSome":
    case "dataOnly":
      return `${expr.kind === "dataSome" ? "∃" : "∀"}${word(expr.property)}.${rangeText(expr.range)}`;
    case "dataAtMost":
    case "dataExactly":
      return `${expr.kind === "dataAtMost" ? "≤" : "="} ${expr.number} ${word(expr.property)}`;
  }
}

/** Always in parentheses where it is a name, which may have dots of its own. */
function filler(expr: ClassExpr): string {
  return expr.kind === "class" || expr.kind === "and" || expr.kind === "or"
    ? `(${classText(expr, 0)})`
    : classText(expr, 3);
}

function inParens(needed: boolean, text: string): string {
  return needed ? `(${text})` : text;
}

function roleText({ name, inverse }: Role): string {
  return inverse ? `${word(name)}⁻` : word(name);
}

const word = (name: Name): string => visibleText(wordsOf(name));

const facets: Readonly<Record<Facet, string>> = { "<": "<", "<=": "≤", ">": ">", ">=": "≥" };

function rangeText(range: DataRange): string {
  switch (range.kind) {
    case "literal":
      return "⊤";
    case "datatype":
      return range.datatype;
    case "values":
      return `{${range.values.map(literalText).join(", ")}}`;
    case "bound":
      return `[${facets[range.facet]} ${literalText(range.bound)}]`;
    case "other":
      return `¬${rangeText(range.than)}`;
  }
}

function literalText({ datatype, text }: Literal): string {
  return datatype === "xsd:string" ? quotedText(text) : text;
}
