/** Automata in words: where they start, what leads where, and what is never reached. */
import { type AutomatonExpr, printExpr, type Transition } from "../ir/index.ts";
import { filtered } from "./predicate.ts";
import { article, bindRow, inline, plain, type Scene, singular } from "./scene.ts";
import { atom, joined, say, type Text } from "./text.ts";
import { quotedText } from "./visible.ts";

export function steps({ start, on, error }: AutomatonExpr, scene: Scene, yes: boolean): Text {
  const bad = joined(error.map(stateWord), ", ", " or ");
  const lead = yes ? "never lead" : "at some point lead";
  // One that it starts in is entered.
  const there = error.includes(start)
    ? ` (it starts there, so ${yes ? "this never holds" : "this holds"})`
    : "";
  const head = say`starting in the state ${stateWord(start)}, the calls in their order ${lead} to ${bad}${there}`;
  const rules = grouped(on).map((group) => rule(group, scene));
  if (rules.length === 0) return say`${head} [no call changes anything]`;
  const last = `${rules.length > 1 ? "the first match counts, and " : ""}any other call changes nothing`;
  return say`${head} [${joined([...rules, last], "; ")}]`;
}

function stateWord(state: string): Text {
  return atom(quotedText(state));
}

/** Those that stand together and differ in the state alone that they lead from. */
function grouped(on: readonly Transition[]): (readonly Transition[])[] {
  const groups: Transition[][] = [];
  let before: string | undefined;
  for (const one of on) {
    const text = printExpr({
      kind: "automaton",
      states: [],
      start: "",
      on: [{ ...one, from: "" }],
      error: [],
    });
    if (text === before) groups.at(-1)?.push(one);
    else groups.push([one]);
    before = text;
  }
  return groups;
}

function rule(group: readonly Transition[], scene: Scene): Text {
  const [first] = group;
  if (first === undefined) return "";
  const { over, to } = first;
  const { row, inner } = bindRow(inline(plain(scene)), over);
  const from = joined(
    group.map((one) => stateWord(one.from)),
    ", ",
    " or ",
  );
  return say`in ${from}, ${article(over.in)} ${filtered(singular(over.in), row, over, inner)} leads to ${stateWord(to)}`;
}
