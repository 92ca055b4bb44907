/** The texts of `--show`: the compiled document, the calls it may make, or the questions to the solver. */
import { asciiText } from "../../explain/index.ts";
import { printDocument, printName } from "../../ir/index.ts";
import { type Fact, type Proof, printSymbolic, printTerm, type Question } from "../../prove/index.ts";
import type { LoadedDocument } from "../load/documents.ts";
import { SourceMap } from "./source-map.ts";
import { callText, guaranteeText, obligationText } from "./wording.ts";

export const showable = ["ir", "facts", "smt"] as const;
export type Showable = (typeof showable)[number];

export function shownText(
  what: Showable,
  document: LoadedDocument,
  proof: Proof,
  questions: readonly Question[],
): string {
  switch (what) {
    case "ir":
      return printDocument(document.checked.document);
    case "facts":
      return factsText(document, proof);
    case "smt":
      return questionsText(document, questions);
  }
}

function factsText(document: LoadedDocument, { walk }: Proof): string {
  if (walk === undefined) return "the program could not be followed, so there are no facts\n";
  if (walk.facts.length === 0) return "the program makes no calls\n";
  const places = new SourceMap(document);
  return walk.facts.map((fact) => factText(fact, places)).join("");
}

function factText({ id, indices, tool, args, guard, failed, path }: Fact, places: SourceMap): string {
  const given = Array.from(args.fields, ([name, { present, value }]) => {
    const there = present.kind === "literal" ? "" : ` (when ${printTerm(present)})`;
    return `${printName(name)}: ${printSymbolic(value)}${there}`;
  });
  const place = places.at(path);
  const lines = [
    `${callText(id, indices)}  ${printName(tool.name)}(${given.join(", ")})`,
    ...(guard.kind === "literal" && guard.value === true ? [] : [`  when ${printTerm(guard)}`]),
    ...(failed.kind === "literal" && failed.value === false ? [] : [`  fails when ${printTerm(failed)}`]),
    ...(place === undefined ? [] : [`  at ${place.file}:${place.from.line}:${place.from.column}`]),
  ];
  return `${lines.join("\n")}\n`;
}

function questionsText({ checked }: LoadedDocument, questions: readonly Question[]): string {
  if (questions.length === 0) return "; the solver was not asked: everything was decided without it\n";
  return questions
    .map(({ about, purpose, script }, i) => {
      const subject = "goal" in about ? obligationText(checked, about) : guaranteeText(checked, about).stated;
      const comment = `question ${i + 1} of ${questions.length}: ${purposeWords(purpose)} ${subject}`;
      return `${commentLines(comment)}${script.trimEnd()}\n(check-sat)\n`;
    })
    .join("\n");
}

function purposeWords(purpose: Question["purpose"]): string {
  switch (purpose) {
    case "goal":
      return "unsat proves that";
    case "shorter":
      return "sat shows a run with fewer calls that breaks that";
    case "consistency":
      return "sat shows that what is assumed does not contradict itself, for";
    case "interruption":
      return "unsat proves that it also holds if the run stops early:";
  }
}

/** Writes a comment on one line: a name may hold line ends, and a comment must not end early. */
function commentLines(text: string): string {
  return `; ${asciiText(text)}\n`;
}
