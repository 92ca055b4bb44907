/**
 * What was found out about one program, for people: a verdict for each guarantee, then each run that breaks one with
 * its place in the source, then a line that sums it up.
 */

import {
  authorsWords,
  count,
  guaranteeText,
  interruptionWords,
  involvedIn,
  type LoadedDocument,
  type Located,
  listed,
  notFollowedWords,
  obligationText,
  ownStatements,
  ownWords,
  type ProgramVerdict,
  relativeTo,
  SourceMap,
  type TargetCoverage,
  verdictOf,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { hashDocument, type Path } from "../../../ir/index.ts";
import type { GuaranteeProof, ObligationProof, Proof, Verdict } from "../../../prove/index.ts";
import { renderFrame } from "../../diagnostics.ts";
import { columnsOf, lookOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import { type Paint, paintFor } from "../../text/paint.ts";
import { cut, wrap } from "../../text/width.ts";
import { coverageLines, gapWords } from "./coverage-text.ts";
import { flowLines } from "./flow-text.ts";
import { runLines } from "./run-text.ts";

export function proofText(
  document: LoadedDocument,
  proof: Proof,
  coverage: TargetCoverage,
  output: Output,
): string {
  const report = new Report(document, coverage, output);
  const open = proof.obligations.filter(({ verdict }) => verdict.kind !== "proved");
  const parts = [
    report.head(),
    [
      ...proof.guarantees.flatMap((one, i) => report.guarantee(one, i)),
      ...open.flatMap((one) => report.obligation(one)),
    ],
    report.coverage(proof),
    ...proof.guarantees.map((one, i) => report.guaranteeRun(one, i)),
    ...open.map((one) => report.obligationRun(one)),
    report.summary(proof),
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

export function verdictWord(verdict: ProgramVerdict, paint: Paint): string {
  const { signs } = paint;
  switch (verdict) {
    case "proved":
      return paint.green(`${signs.holds}proved`);
    case "refuted":
      return paint.red(`${signs.violated}refuted`);
    case "invalid":
      return paint.red(`${signs.violated}invalid`);
    case "unknown":
      return paint.yellow(`${signs.unknown}unknown`);
  }
}

const widest = "refuted".length;
/** LIMIT: of labels in a frame; more of them hide the source. */
const mostLabels = 6;

class Report {
  readonly #document: LoadedDocument;
  readonly #coverage: TargetCoverage;
  readonly #places: SourceMap;
  readonly #output: Output;
  readonly #paint: Paint;
  readonly #width: number;

  constructor(document: LoadedDocument, coverage: TargetCoverage, output: Output) {
    this.#document = document;
    this.#coverage = coverage;
    this.#places = new SourceMap(document);
    this.#output = output;
    this.#paint = paintFor(lookOf(output));
    this.#width = columnsOf(output);
  }

  head(): string[] {
    const { dim, bold, signs } = this.#paint;
    const short = (name: string) => name.replace(/\b((?:eir|fcm)1-[0-9a-f]{16})[0-9a-f]+/g, `$1${signs.cut}`);
    const hash = short(hashDocument(this.#document.checked.document));
    const about = `for all inputs and all answers of the tools, as declared in ${relativeTo(this.#document)}`;
    return [
      `${bold(visibleText(this.#document.file))}  ${dim(hash)}`,
      ...wrap(short(about), this.#width).map(dim),
    ];
  }

  // ── one line for each ────────────────────────────────────────────────────────────────────────────────────

  guarantee({ guarantee, verdict, interruption }: GuaranteeProof, index: number): string[] {
    const { stated, sentence } = guaranteeText(this.#document.checked, guarantee);
    const stops = interruption === undefined ? [] : interruptionWords(interruption, this.#places);
    const by = this.#coverage.added.get(index);
    const isOwn = ownStatements(this.#document).has(index);
    const words = authorsWords(this.#document, index);
    const whose = [
      ...(words === undefined ? [] : [`in the words of its author: ${words.replace(/\s+/g, " ")}`]),
      ...(by === undefined ? [] : [`not stated, added because \`${by}\` requires it`]),
      ...(isOwn ? [ownWords] : []),
    ];
    const notes = [...(sentence === undefined ? [] : [sentence]), ...whose, ...whyOf(verdict), ...stops];
    return this.#verdict(verdict, stated, notes);
  }

  coverage(proof: Proof): string[] {
    return coverageLines(this.#coverage, proof, this.#places, this.#width, this.#paint);
  }

  obligation({ obligation, verdict }: ObligationProof): string[] {
    const place = this.#places.at(obligation.path);
    const where = place === undefined ? "" : `, ${this.#places.words(place)}`;
    return this.#verdict(
      verdict,
      `${obligationText(this.#document.checked, obligation)}${where}`,
      whyOf(verdict),
    );
  }

  #verdict({ kind }: Verdict, stated: string, notes: readonly string[]): string[] {
    const { dim, signs } = this.#paint;
    const indent = 2 + signs.holds.length + widest + 2;
    const room = Math.max(20, this.#width - indent);
    const lines = (text: string) => wrap(cut(visibleText(text), 6 * room, signs.cut), room);
    const [first = "", ...others] = lines(stated);
    return [
      `  ${verdictWord(kind, this.#paint)}${" ".repeat(widest - kind.length)}  ${first}`,
      ...others.map((line) => " ".repeat(indent) + line),
      ...notes.flatMap(lines).map((line) => " ".repeat(indent) + dim(line)),
    ];
  }

  // ── a run and its place ──────────────────────────────────────────────────────────────────────────────────

  guaranteeRun({ guarantee, verdict }: GuaranteeProof, index: number): string[] {
    const { stated } = guaranteeText(this.#document.checked, guarantee);
    const place = this.#places.at(["guarantees", index]);
    if (verdict.kind !== "refuted") return this.#tried(verdict, stated);
    const labels = this.#labels(guarantee.formula, verdict, place);
    return [
      ...this.#heading(verdict, `${stated} does not hold in this run`),
      ...runLines(this.#document, verdict.run, this.#places, this.#width, this.#paint),
      ...flowLines(verdict.flow ?? [], this.#places, this.#width),
      ...this.#frame(place, "does not hold at the end of the run", labels),
    ];
  }

  obligationRun({ obligation, verdict }: ObligationProof): string[] {
    if (verdict.kind !== "refuted")
      return this.#tried(verdict, obligationText(this.#document.checked, obligation));
    return [
      ...this.#heading(verdict, verdict.why),
      ...runLines(this.#document, verdict.run, this.#places, this.#width, this.#paint),
      ...this.#frame(this.#places.at(obligation.path), "the run stops here", []),
    ];
  }

  /** A run that should break it and does not, shown as what it is. */
  #tried(verdict: Verdict, stated: string): string[] {
    if (verdict.kind !== "unknown") return [];
    if (verdict.candidate === undefined) return this.#inTheWay(verdict.at, stated, verdict);
    return [
      ...this.#heading(verdict, `${stated} may not hold; this run was tried, and does not show it`),
      ...runLines(this.#document, verdict.candidate, this.#places, this.#width, this.#paint),
    ];
  }

  /** The loop that a promise could not be shown for. */
  #inTheWay(path: Path | undefined, stated: string, verdict: Verdict): string[] {
    const place = path && this.#places.at(path);
    if (place === undefined) return [];
    return [
      ...this.#heading(verdict, `${stated} is not decided`),
      ...this.#frame(place, "not shown for this loop", []),
    ];
  }

  #heading({ kind }: Verdict, text: string): string[] {
    const { bold } = this.#paint;
    const word = verdictWord(kind, this.#paint);
    return wrap(cut(visibleText(text), 6 * this.#width, this.#paint.signs.cut), this.#width - widest - 4).map(
      (line, i) => (i === 0 ? `${bold(word)}: ${bold(line)}` : bold(line)),
    );
  }

  #frame(
    place: Located | undefined,
    mark: string,
    labels: readonly { readonly span: Located; readonly text: string }[],
  ): string[] {
    if (place === undefined) return [];
    const options = { ...lookOf(this.#output), columns: this.#width };
    return ["", ...renderFrame(place.text, place.file, { span: place, mark, labels }, options)];
  }

  /** The calls that the guarantee is about, by their places; those of loops share one. */
  #labels(
    formula: GuaranteeProof["guarantee"]["formula"],
    { run }: Extract<Verdict, { readonly kind: "refuted" }>,
    place: Located | undefined,
  ) {
    const byPlace = new Map<number, { readonly span: Located; readonly steps: number[] }>();
    for (const { id, position } of involvedIn(this.#document.checked, formula, run.trace)) {
      const span = this.#places.call(id);
      if (span === undefined || span.file !== place?.file) continue;
      const known = byPlace.get(span.start);
      if (known === undefined) byPlace.set(span.start, { span, steps: [position + 1] });
      else known.steps.push(position + 1);
    }
    return [...byPlace.values()].slice(0, mostLabels).map(({ span, steps }) => ({
      span,
      text:
        steps.length === 1
          ? `call ${steps[0]}`
          : `calls ${listed(steps.slice(0, 8).map(String))}${steps.length > 8 ? " and more" : ""}`,
    }));
  }

  // ── all in all ───────────────────────────────────────────────────────────────────────────────────────────

  summary(proof: Proof): string[] {
    const { guarantees, obligations } = proof;
    const word = verdictWord(verdictOf(proof), this.#paint);
    const stated = guarantees.length === 0 ? "no guarantee is stated" : counted(guarantees, "guarantee");
    const unfollowed = notFollowedWords(proof);
    const needed =
      unfollowed !== undefined
        ? [unfollowed]
        : obligations.length === 0
          ? []
          : [counted(obligations, "obligation")];
    const indent = this.#paint.signs.holds.length + widest + 2;
    const gaps = gapWords(this.#coverage);
    return wrap([stated, ...needed, ...gaps].join("; "), Math.max(20, this.#width - indent)).map((line, i) =>
      i === 0 ? `${word}  ${line}` : " ".repeat(indent) + line,
    );
  }
}

/** `2 guarantees proved`, or `2 guarantees: 1 proved, 1 refuted`. */
function counted(proofs: readonly { readonly verdict: Verdict }[], noun: string): string {
  const kinds = ["proved", "refuted", "unknown"] as const;
  const counts = kinds
    .map((kind) => [kind, proofs.filter(({ verdict }) => verdict.kind === kind).length] as const)
    .filter(([, n]) => n > 0);
  const all = count(proofs.length, noun);
  const [only] = counts;
  if (counts.length === 1 && only !== undefined) return `${all} ${only[0]}`;
  return `${all}: ${counts.map(([kind, n]) => `${n} ${kind}`).join(", ")}`;
}

function whyOf(verdict: Verdict): string[] {
  return verdict.kind === "unknown" ? [verdict.why] : [];
}
