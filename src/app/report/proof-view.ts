/** A proof as the page shows it. */

import type {
  CounterexampleView,
  CoverageView,
  GuaranteeView,
  ObligationView,
  ProofView,
  StepView,
  Wire,
} from "../../approve/index.ts";
import { mayDo, readingText, risksOf, visibleText } from "../../explain/index.ts";
import {
  encodeValue,
  hashDocument,
  type Path,
  type PlainJson,
  type RecordedRun,
  recordOf,
  Unknown,
  type Value,
} from "../../ir/index.ts";
import type { Proof, Verdict } from "../../prove/index.ts";
import { ownStatements, ownWords } from "../load/effect-ir.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import type { TargetCoverage } from "../prove/coverage.ts";
import { interruptionView, notes } from "./notes.ts";
import { riskCard } from "./risk-card.ts";
import { type Located, SourceMap } from "./source-map.ts";
import { type Change, type Step, stepsOf } from "./steps.ts";
import { notFollowedWords, verdictOf } from "./verdict.ts";
import { guaranteeText, obligationText, valueText } from "./wording.ts";

/** LIMIT: of a run that is shown; its middle is omitted, and the step in its place says so. */
const mostSteps = 500;
/** LIMIT: of one value, in characters. */
const longestValue = 2_000;

export interface Viewed {
  readonly document: LoadedProgram;
  readonly proof: Proof;
  readonly coverage: TargetCoverage;
  /** Comments of the contracts' authors, by full name. */
  readonly docs: ReadonlyMap<string, string>;
  readonly ms: number;
}

export function proofView({ document, proof, coverage, docs, ms }: Viewed): ProofView {
  const { checked, modules } = document;
  const verdict = verdictOf(proof);
  const writer = new Writer(document);
  const own = ownStatements(document);
  const guarantees = proof.guarantees.map(({ guarantee, verdict: found, interruption }, i): GuaranteeView => {
    const { stated, sentence } = guaranteeText(checked, guarantee);
    return {
      name: stated,
      text: own.has(i) ? `${sentence ?? stated} (${ownWords})` : (sentence ?? stated),
      doc: docs.get(guarantee.name) ?? null,
      ...writer.verdict(found),
      by: byOf(found),
      enforced: coverage.added.has(i),
      interruption: interruption === undefined ? null : interruptionView(interruption, writer.places),
      line: writer.line(writer.places.at(["guarantees", i])),
    };
  });
  const obligations = proof.obligations.map(
    ({ obligation, verdict: found }): ObligationView => ({
      kind: obligation.kind,
      text: obligationText(checked, obligation),
      ...writer.verdict(found),
      line: writer.line(writer.places.at(obligation.path)),
    }),
  );
  const unfollowed = notFollowedWords(proof);
  const lineOf = (path: Path) => writer.line(writer.places.at(path)) ?? undefined;
  const seen = {
    guarantees,
    obligations: unfollowed === undefined ? obligations : [...obligations, notFollowedView(unfollowed)],
    // Also of what could not be followed: the calls are those that stand in the program.
    mayDo: mayDo(checked, proof, lineOf),
    coverage: coverage.domains.map((one): CoverageView => {
      const text = notes(one, proof, writer.places, coverage.statedBy, "…").join("; ");
      return { ...one.coverage, text };
    }),
  };
  return {
    // A program that compiled is not invalid.
    verdict: verdict === "invalid" ? "unknown" : verdict,
    hash: hashDocument(checked.document),
    modules,
    ms: Math.round(ms),
    ...seen,
    card: riskCard(seen, risksOf(checked, proof, lineOf)),
  };
}

function notFollowedView(why: string): ObligationView {
  const text = "what the program does can be followed";
  return { kind: "walk", text, verdict: "unknown", why, counterexample: null, line: null };
}

function byOf(verdict: Verdict): string | null {
  if (verdict.kind !== "proved") return null;
  const evidence = "evidence" in verdict ? verdict.evidence : undefined;
  const solver = evidence === undefined ? [] : [`${evidence.solver} ${evidence.version}`];
  return verdict.by === "smt" ? (solver[0] ?? verdict.by) : [verdict.by, ...solver].join(", ");
}

class Writer {
  readonly places: SourceMap;
  readonly #document: LoadedProgram;

  constructor(document: LoadedProgram) {
    this.#document = document;
    this.places = new SourceMap(document);
  }

  /** In the program itself: a line of a tool module would be taken for one of it. */
  line(place: Located | undefined): number | null {
    return place !== undefined && this.places.isOwn(place) ? place.from.line : null;
  }

  verdict(verdict: Verdict): {
    readonly verdict: Verdict["kind"];
    readonly why: string | null;
    readonly counterexample: CounterexampleView | null;
  } {
    switch (verdict.kind) {
      case "proved":
        return { verdict: "proved", why: null, counterexample: null };
      case "refuted":
        return { verdict: "refuted", why: verdict.why, counterexample: this.#run(verdict.run, verdict.why) };
      case "unknown":
        return { verdict: "unknown", why: verdict.why, counterexample: null };
    }
  }

  #run(run: RecordedRun, why: string): CounterexampleView {
    const { checked } = this.#document;
    const inputs = encodeValue(run.inputs, recordOf(checked.document.program.inputs));
    const { steps } = stepsOf(checked, run);
    const left = steps.length - mostSteps;
    const shown = left > 0 ? [...steps.slice(0, mostSteps / 2), ...steps.slice(-mostSteps / 2)] : steps;
    const views = shown.map((step) => this.#step(step));
    if (left > 0) views.splice(mostSteps / 2, 0, leftOut(left));
    return { inputs: objectOf(inputs), steps: views, why };
  }

  #step({ entry, took, changes }: Step): StepView {
    const { id, tool, args, outcome } = entry;
    const failed = outcome.kind !== "returned";
    const reading = readingText(entry);
    if (reading !== undefined) {
      const line = this.line(this.places.call(id));
      return { tool: reading, args: [], result: null, failed, line, changes: [] };
    }
    return {
      tool,
      args: Object.entries(args.fields).map(([name, value]) => ({ name, value: textOf(value) })),
      result:
        outcome.kind === "returned"
          ? resultText(outcome.result)
          : failureText(outcome.reason, took, changes.length > 0),
      failed,
      line: this.line(this.places.call(id)),
      changes: changes.map(changeView),
    };
  }
}

function leftOut(many: number): StepView {
  return { tool: `… ${many} calls more …`, args: [], result: null, failed: false, line: null, changes: [] };
}

function resultText(result: Value | undefined): string | null {
  return result === undefined ? null : textOf(result);
}

/** Says what became of a failed call. A call that counts as made may still have left anything behind in fluents. */
function failureText(reason: string, took: boolean | undefined, sets: boolean): string {
  const effect =
    took === undefined
      ? "it may have had its effect"
      : sets
        ? `it ${took ? "counts" : "does not count"} as made, and what it sets may be anything after`
        : took
          ? "it had its effect"
          : "it had no effect";
  return `${visibleText(reason)}; ${effect}`;
}

function changeView({ fluent, key, before, after }: Change): StepView["changes"][number] {
  return {
    fluent,
    key: key === undefined ? "some key" : textOf(key),
    from: textOf(before),
    to: textOf(after),
  };
}

function textOf(value: Value | Unknown): string {
  return value instanceof Unknown ? "unknown" : visibleText(valueText(value, longestValue));
}

function objectOf(json: PlainJson): { readonly [name: string]: Wire } {
  // SAFETY: the inputs of a run are a record, and plain JSON is what goes over the wire.
  return json as { readonly [name: string]: Wire };
}
