/**
 * Facts about results of operators that the solver has no theory for: each holds of every value that the operator
 * can take, so it may be assumed wherever the operator is applied. Part of what must be trusted.
 */
import { choose, lengthOf } from "../loops/unbounded-list.ts";
import { noteAbsent } from "../terms/absent-units.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { partsFacts, timeOfParts, timeOfText, timeWithin } from "./date-facts.ts";
import { keyOf } from "./shape.ts";
import { type OpaqueSymbolic, type Symbolic, scalar } from "./symbolic-value.ts";

/** Returns what the operator gives where that is known exactly, up to unknowns of its own. */
export function knownResult(op: string, operands: readonly Symbolic[], scene: Scene): Symbolic | undefined {
  if (op === "joinText") return joined(operands, scene);
  const args = operands.flatMap((one) => (one.kind === "scalar" ? [one.term] : []));
  if (args.length < operands.length) return undefined;
  const [first] = args;
  switch (op) {
    case "dateTime":
      return first && timeWithin(scene.terms, scene.terms.apply("truncate", scene.terms.toReal(first)));
    case "timeOf":
      return timeOfParts(scene.terms, args);
    case "timeOfText":
      return first && timeOfText(scene, first);
    case "range":
      return first && rangeOf(first, scene);
    default:
      return undefined;
  }
}

/** The integers from 0 below a number. */
function rangeOf(count: Term, { terms, length, constrain }: Scene): Symbolic | undefined {
  if (count.sort !== "Int") return undefined;
  if (length !== undefined) {
    // To find a run, it is as long as other lists may be.
    const most = typeof length === "number" ? length : length.upTo;
    constrain(terms.apply("<=", count, terms.int(most)));
    const items = Array.from({ length: most }, (_, i) => ({
      present: terms.apply("<", terms.int(i), count),
      value: scalar(terms.int(i)),
    }));
    return { kind: "list", items };
  }
  const type = { kind: "list", element: { kind: "int" } } as const;
  const key = terms.brief(`range(t${count.id})`);
  return { kind: "opaque", key, type, source: { kind: "range", count }, distinct: "" };
}

/** Assumes what is true of the result of an operator, whatever its operands are. */
export function assumeFacts(op: string, operands: readonly Symbolic[], made: Symbolic, scene: Scene): void {
  const { terms, constrain } = scene;
  const [first, second] = operands;
  switch (op) {
    case "timeParts":
      if (first?.kind === "scalar") for (const fact of partsFacts(terms, first.term, made)) constrain(fact);
      return;
    case "split":
      if (made.kind === "opaque" && first?.kind === "scalar" && second?.kind === "scalar")
        splitFacts(made, first.term, second.term, scene);
      return;
    default:
      return;
  }
}

/** A text has one part at least, and no part has the separator in it, or is longer than the text. */
function splitFacts(parts: OpaqueSymbolic, text: Term, separator: Term, scene: Scene): void {
  const { terms, constrain, lists } = scene;
  const isText = terms.not(terms.equal(separator, terms.literal("", "String")));
  constrain(terms.implies(isText, terms.apply("<=", terms.int(1), lengthOf(parts, scene))));
  const unit =
    separator.kind === "literal" && typeof separator.value === "string" && separator.value.length === 1
      ? separator.value
      : undefined;
  lists.addRule(parts, (value, made) => {
    if (value.kind !== "scalar") return terms.true;
    // SOUNDNESS: only of an unknown that stands for nothing but an element of this list, whichever walk names it. One that
    // was not chosen may be taken for a text without the separator.
    if (value.term.kind === "constant" && value.term.name.startsWith(`${parts.key}#`))
      noteAbsent(terms, value.term, { none: unit === undefined ? [] : [unit], within: [text] });
    return terms.implies(
      made,
      terms.apply("<=", terms.apply("length", value.term), terms.apply("length", text)),
    );
  });
}

/**
 * Parts of a text put together: what is in no part and not in the separator is not in it.
 * SOUNDNESS: it has a name of its own. Names of lists are given anew in each walk, and what is noted of a term stays.
 */
function joined([parts, separator]: readonly Symbolic[], scene: Scene): Symbolic | undefined {
  if (parts === undefined || separator?.kind !== "scalar") return undefined;
  const { terms, lists } = scene;
  return lists.onceValue(`joinText(${keyOf(parts)};${keyOf(separator)})`, () => {
    const text = terms.constant(`joinText@${terms.unique()}`, "String");
    const within = () => [separator.term, ...partsIn(parts, scene)];
    noteAbsent(terms, text, { none: [], within });
    return scalar(text);
  });
}

/** Terms that stand for all texts of a list. */
function partsIn(parts: Symbolic, scene: Scene): readonly (Term | undefined)[] {
  const termIn = (value: Symbolic) => (value.kind === "scalar" ? value.term : undefined);
  if (parts.kind === "list") return parts.items.map(({ value }) => termIn(value));
  if (parts.kind !== "opaque") return [undefined];
  const number = scene.count();
  const made = scene.terms.constant(`part@${number}?`, "Bool");
  return [termIn(choose(parts, { name: `part ${number}`, made }, scene))];
}
