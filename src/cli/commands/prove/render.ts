/**
 * The proof of one program, for people: a verdict for each guarantee, then each counterexample with its place in the
 * source, then a summary line.
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
import { isVacuous, visibleText } from "../../../explain/index.ts";
import { hashDocument, type Path } from "../../../ir/index.ts";
import type { GuaranteeProof, ObligationProof, Proof, Verdict } from "../../../prove/index.ts";
import { renderFrame } from "../../diagnostics.ts";
import { columnsOf, lookOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import type { Paint } from "../../text/paint.ts";
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
/** Stands in place of the verdict on a guarantee that guarantees nothing. */
const warning = "warning";
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
    this.#paint = paintOf(output);
    this.#width = columnsOf(output);
  }

  head(): string[] {
    const { dim, bold, signs } = this.#paint;
    const short = (name: string) => name.replace(/\b((?:eir|fcm)1-[0-9a-f]{16})[0-9a-f]+/g, `$1${signs.cut}`);
    const hash = short(hashDocument(this.#document.checked.document));
    const about = `for every input and every tool result allowed by ${relativeTo(this.#document)}`;
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
      ...(words === undefined ? [] : [`author's note (not verified): ${words.replace(/\s+/g, " ")}`]),
      ...(by === undefined ? [] : [`\`${by}\` requires it; Foreclaim added it`]),
      ...(isOwn ? [ownWords] : []),
    ];
    const notes = [...(sentence === undefined ? [] : [sentence]), ...whose, ...whyOf(verdict), ...stops];
    // A tick beside a guarantee of nothing would reassure for no reason.
    const word = isVacuous(guarantee.formula) ? this.#paint.yellow(warning) : undefined;
    return this.#verdict(verdict, stated, notes, word);
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

  #verdict({ kind }: Verdict, stated: string, notes: readonly string[], instead?: string): string[] {
    const { dim, signs } = this.#paint;
    const indent = 2 + signs.holds.length + widest + 2;
    const room = Math.max(20, this.#width - indent);
    const lines = (text: string) => wrap(cut(visibleText(text), 6 * room, signs.cut), room);
    const [first = "", ...others] = lines(stated);
    return [
      instead === undefined
        ? `  ${verdictWord(kind, this.#paint)}${" ".repeat(widest - kind.length)}  ${first}`
        : `  ${" ".repeat(signs.holds.length)}${instead}  ${first}`,
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
      ...this.#heading(verdict, `${stated} is violated in this run`),
      ...runLines(this.#document, verdict.run, this.#places, this.#width, this.#paint),
      ...flowLines(verdict.flow ?? [], this.#places, this.#width),
      ...this.#frame(place, "violated at the end of this run", labels),
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

  /** Renders the candidate run that the prover tried, which does not violate the guarantee. */
  #tried(verdict: Verdict, stated: string): string[] {
    if (verdict.kind !== "unknown") return [];
    if (verdict.candidate === undefined) return this.#inTheWay(verdict.at, stated, verdict);
    return [
      ...this.#heading(verdict, `${stated} may be violated; this candidate run does not show it`),
      ...runLines(this.#document, verdict.candidate, this.#places, this.#width, this.#paint),
    ];
  }

  /** Renders the loop that a guarantee is not proved for. */
  #inTheWay(path: Path | undefined, stated: string, verdict: Verdict): string[] {
    const place = path && this.#places.at(path);
    if (place === undefined) return [];
    return [
      ...this.#heading(verdict, `${stated} is undecided`),
      ...this.#frame(place, "not proved for this loop", []),
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
    const real = guarantees.filter(({ guarantee }) => !isVacuous(guarantee.formula));
    const vacuous = guarantees.length - real.length;
    const stated = [
      ...(guarantees.length === 0 ? ["the program states no guarantee"] : []),
      ...(real.length === 0 ? [] : [counted(real, "guarantee")]),
      ...(vacuous === 0 ? [] : [`${count(vacuous, "contract")} that guarantees nothing`]),
    ];
    const unfollowed = notFollowedWords(proof);
    const needed =
      unfollowed !== undefined
        ? [unfollowed]
        : obligations.length === 0
          ? []
          : [counted(obligations, "obligation")];
    const indent = this.#paint.signs.holds.length + widest + 2;
    const gaps = gapWords(this.#coverage);
    return wrap([...stated, ...needed, ...gaps].join("; "), Math.max(20, this.#width - indent)).map(
      (line, i) => (i === 0 ? `${word}  ${line}` : " ".repeat(indent) + line),
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
