/**
 * The one data form of a proof and of a run. The command prints it with `--json`, the library returns it, and the service
 * derives what it sends to its page.
 */
import type { Coverage } from "../coverage/index.ts";
import {
  type Checked,
  type Diagnostic,
  encodeValue,
  hashDocument,
  type Path,
  type PlainJson,
  printExpr,
  type RecordedRun,
  recordOf,
  type Type,
  Unknown,
  type Value,
} from "../ir/index.ts";
import type { FlowStep, Interruption, StoppingPoint, Verdict } from "../prove/index.ts";
import type { CallStatus, ProgramRun, RunProblem } from "../run/index.ts";
import type { Failure } from "./failure.ts";
import { Lines } from "./files/lines.ts";
import { authorsWords, ownStatements } from "./load/effect-ir.ts";
import type { Proved } from "./prove.ts";
import { type Located, SourceMap } from "./report/source-map.ts";
import { type Steps, stepsOf } from "./report/steps.ts";
import { byOf, notFollowedWords, type ProgramVerdict } from "./report/verdict.ts";
import { callText, guaranteeText, obligationText, relativeTo } from "./report/wording.ts";

type JsonObject = { readonly [key: string]: PlainJson };

// Type aliases rather than interfaces, so that a report is JSON for the compiler too.

/** A proof as data: `foreclaim prove --json` prints it, and `prove` of the library returns it. */
export type ProofReport = {
  readonly file: string;
  readonly verdict: ProgramVerdict;
  readonly guarantees: readonly GuaranteeReport[];
  readonly obligations: readonly ObligationReport[];
  /** The problems of an invalid program. */
  readonly errors: readonly ProblemReport[];
  readonly ms: number;
  readonly coverage: readonly CoverageReport[];
  /** Set unless it is invalid. */
  readonly hash?: string;
  readonly relativeTo?: string;
  readonly why?: string;
  readonly shown?: string;
};

export type CoverageReport = {
  readonly domain: string;
  readonly status: string;
  readonly mentioned: readonly string[];
  readonly entailed: readonly string[];
  readonly missingRequired: readonly string[];
  readonly missingRecommended: readonly string[];
  readonly enforced: readonly string[];
  readonly openAtStops: readonly string[];
};

type FindingReport = {
  readonly verdict: "proved" | "refuted" | "unknown";
  readonly by: "ground" | "smt" | "induction" | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly file?: string;
  readonly why?: string;
  /** A whole run that breaks it. */
  readonly counterexample?: JsonObject;
  readonly evidence?: JsonObject;
  readonly candidate?: JsonObject;
  readonly because?: JsonObject;
};

export type GuaranteeReport = FindingReport & {
  readonly name: string;
  readonly text: string;
  readonly args: readonly string[];
  /** Says whether it also holds if a run stops early, and if not, after which calls it is open. */
  readonly interruption: PlainJson;
  /** Set where a policy requires it and the program does not state it. */
  readonly enforced?: true;
  /** Set where it is the agent's own formula, and no contract. */
  readonly own?: true;
  /** The comment of the contract's author. */
  readonly doc?: string;
};

export type ObligationReport = FindingReport & { readonly kind: string; readonly text: string };

export type ProblemReport = {
  readonly code: string;
  readonly message: string;
  readonly span: {
    readonly file: string;
    readonly start: PositionReport;
    readonly end: PositionReport;
  } | null;
  readonly help?: string;
};

/** Counted from 1; columns in UTF-16 code units. */
export type PositionReport = { readonly line: number; readonly column: number };

/** @param shown the further text that was asked for */
export function proofReport(file: string, proved: Proved, ms: number, shown?: string): ProofReport {
  const { document, proof, coverage, verdict: whole } = proved;
  const { checked } = document;
  const places = new SourceMap(document);
  const own = ownStatements(document);
  const unfollowed = notFollowedWords(proof);
  return {
    file,
    verdict: whole,
    guarantees: proof.guarantees.map(({ guarantee, verdict, interruption }, i) => {
      const { stated, sentence } = guaranteeText(checked, guarantee);
      const place = places.at(["guarantees", i]);
      return {
        name: guarantee.name,
        text: sentence ?? stated,
        verdict: verdict.kind,
        by: byOf(verdict),
        interruption: interruptionToJson(interruption, places),
        ...counterexample(checked, verdict, places, place),
        args: guarantee.args.map(printExpr),
        ...(coverage.added.has(i) ? { enforced: true as const } : {}),
        ...(own.has(i) ? { own: true as const } : {}),
        ...docToJson(authorsWords(document, i)),
        ...places.toJson(place),
        ...further(checked, verdict, places, place),
      };
    }),
    obligations: proof.obligations.map(({ obligation, verdict }) => {
      const place = places.at(obligation.path);
      return {
        kind: obligation.kind,
        text: obligationText(checked, obligation),
        verdict: verdict.kind,
        by: byOf(verdict),
        ...places.toJson(place),
        ...counterexample(checked, verdict, places, place),
        ...further(checked, verdict, places, place),
      };
    }),
    errors: [],
    ms: Math.round(ms),
    coverage: coverage.domains.map(({ coverage: one }) => coverageToJson(one)),
    hash: hashDocument(checked.document),
    relativeTo: relativeTo(document),
    ...(unfollowed === undefined ? {} : { why: unfollowed }),
    ...(shown === undefined ? {} : { shown }),
  };
}

function docToJson(doc: string | undefined): { readonly doc?: string } {
  return doc === undefined ? {} : { doc };
}

/** Reports a program that does not compile, or of which nothing could be read. */
export function invalidReport(file: string, failures: readonly Failure[], ms: number): ProofReport {
  const nothing = { guarantees: [], obligations: [] };
  return {
    file,
    verdict: "invalid",
    ...nothing,
    errors: problemReports(failures),
    ms: Math.round(ms),
    coverage: [],
  };
}

export function problemReports(failures: readonly Failure[]): readonly ProblemReport[] {
  return failures.flatMap((failure) => failure.problems.map((problem) => problemReport(failure, problem)));
}

function coverageToJson({ domain, status, ...lists }: Coverage): CoverageReport {
  const { mentioned, entailed, missingRequired, missingRecommended, enforced, openAtStops } = lists;
  return { domain, status, mentioned, entailed, missingRequired, missingRecommended, enforced, openAtStops };
}

function problemReport(
  { file, source }: Failure,
  { code, message, span, help }: Diagnostic<string>,
): ProblemReport {
  const lines = source === undefined ? undefined : new Lines(source);
  const place =
    file === undefined || lines === undefined || span === undefined
      ? null
      : {
          file,
          start: positionToJson(lines, span.start),
          end: positionToJson(lines, Math.max(span.start, span.end)),
        };
  return { code, message, span: place, ...(help === undefined ? {} : { help }) };
}

function positionToJson(lines: Lines, offset: number): PositionReport {
  const { line, column } = lines.positionOf(offset);
  return { line, column };
}

// ── verdicts ─────────────────────────────────────────────────────────────────────────────────────────────

function counterexample(
  checked: Checked,
  verdict: Verdict,
  places: SourceMap,
  at: Located | undefined,
): { readonly counterexample?: JsonObject } {
  if (verdict.kind !== "refuted") return {};
  const run = runToJson(checked, verdict.run, places);
  const flow = verdict.flow === undefined ? {} : { flow: flowToJson(verdict.flow, places) };
  return { counterexample: { ...run, why: verdict.why, at: places.toJson(at), ...flow } };
}

/** The path of data to a forbidden place. */
function flowToJson(flow: readonly FlowStep[], places: SourceMap): PlainJson {
  return flow.map(({ what, path }) => {
    const place = path && places.at(path);
    return { what, span: place === undefined ? null : places.toJson(place) };
  });
}

function further(
  checked: Checked,
  verdict: Verdict,
  places: SourceMap,
  at: Located | undefined,
): Pick<FindingReport, "why" | "evidence" | "because" | "candidate"> {
  switch (verdict.kind) {
    case "proved":
      return "evidence" in verdict && verdict.evidence !== undefined
        ? { evidence: evidenceToJson(verdict.evidence) }
        : {};
    case "refuted":
      return { why: verdict.why };
    case "unknown": {
      const { candidate, why } = verdict;
      const place = verdict.at === undefined ? undefined : places.at(verdict.at);
      const loop = place === undefined ? {} : { because: places.toJson(place) };
      if (candidate === undefined) return { why, ...loop };
      return {
        why,
        ...loop,
        candidate: { ...runToJson(checked, candidate, places), why, at: places.toJson(at) },
      };
    }
  }
}

function evidenceToJson({ solver, version, limits, script }: Evidence): JsonObject {
  const { timeoutMs, resources, memoryMb } = limits;
  const memory = memoryMb === undefined ? {} : { memoryMb };
  return { solver, version, limits: { timeoutMs, resources, ...memory }, script };
}

type Evidence = Extract<Verdict, { readonly by: "smt" }>["evidence"];

function interruptionToJson(interruption: Interruption | undefined, places: SourceMap): PlainJson {
  if (interruption === undefined) return null;
  if (interruption.kind === "safe") return { safe: true };
  return { safe: false, openAfter: interruption.at.map((point) => stopToJson(point, places)) };
}

function stopToJson({ after, certain }: StoppingPoint, places: SourceMap): PlainJson {
  if (after === undefined) return { call: null, tool: null, line: null, column: null, certain };
  const call = callText(after.id, after.indices);
  return { call, tool: after.tool.name, ...places.toJson(places.at(after.path)), certain };
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

function runToJson(checked: Checked, run: RecordedRun, places: SourceMap): JsonObject {
  const steps = stepsOf(checked, run);
  return {
    inputs: plainValue(run.inputs, recordOf(checked.document.program.inputs)),
    calls: steps.steps.map(({ entry: { id, indices, tool: name, args, outcome }, took }) => {
      const tool = checked.tools.get(name);
      if (tool === undefined) throw new TypeError(`there is no tool \`${name}\``);
      return {
        call: callText(id, indices),
        tool: name,
        args: plainValue(args, recordOf(tool.params)),
        ...(outcome.kind === "returned"
          ? {
              result:
                outcome.result === undefined || tool.result === undefined
                  ? null
                  : plainValue(outcome.result, tool.result),
            }
          : { failed: outcome.reason, ...(took === undefined ? {} : { tookEffect: took }) }),
        ...places.toJson(places.call(id)),
      };
    }),
    fluents: fluentsToJson(checked, steps),
  };
}

function fluentsToJson(checked: Checked, { state }: Steps): PlainJson[] {
  if (state === undefined) return [];
  return [...checked.fluents.values()].flatMap((fluent) =>
    Array.from(state.cells(fluent.name), ({ key, value }) => ({
      fluent: fluent.name,
      key: plainValue(key, fluent.key),
      ...(value instanceof Unknown ? { unknown: value.why } : { value: plainValue(value, fluent.value) }),
    })),
  );
}

/** Encodes a value as ordinary objects, as they come out of a JSON text. */
function plainValue(value: Value, type: Type): PlainJson {
  return ordinary(encodeValue(value, type));
}

function ordinary(json: PlainJson): PlainJson {
  if (typeof json !== "object" || json === null) return json;
  if (isList(json)) return json.map(ordinary);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, ordinary(value)]));
}

function isList(json: object): json is readonly PlainJson[] {
  return Array.isArray(json);
}

// ── runs of approved programs ────────────────────────────────────────────────────────────────────────────

/** A run as data, without what the caller adds about its approval. */
export type RunReport = {
  readonly outcome: ProgramRun["kind"];
  readonly run: string;
  /** The answer of the program: what its `run` returned. Set if it has one, and the run is done. */
  readonly result?: PlainJson;
  readonly notes: readonly string[];
  readonly calls: readonly CallReport[];
  readonly in_doubt: readonly { readonly call: string; readonly receipt: string }[];
  readonly not_undone: readonly string[];
  readonly problems: readonly RunProblemReport[];
  readonly guarantees_at_end: readonly string[];
};

export type CallReport = {
  readonly call: string;
  readonly tool: string;
  readonly status: CallStatus;
  /** Set where an earlier process made it. */
  readonly before: boolean;
  readonly reason?: string;
  readonly receipt?: string;
};

export type RunProblemReport = {
  readonly code: string;
  readonly message: string;
  readonly path: Path;
  readonly help?: string;
};

export function runReport(run: ProgramRun): RunReport {
  const { kind, runId, result, notes, calls, notUndone, problems, guarantees } = run;
  return {
    outcome: kind,
    run: runId,
    ...(result !== undefined && { result }),
    notes,
    calls: calls.map(({ call, tool, status, before, reason, receipt }) => ({
      call,
      tool,
      status,
      before,
      ...(reason !== undefined && { reason }),
      ...(receipt !== undefined && { receipt }),
    })),
    in_doubt: calls
      .filter(({ status }) => status === "in doubt")
      .map(({ call, receipt = "" }) => ({ call, receipt })),
    not_undone: notUndone,
    problems: runProblemReports(problems),
    guarantees_at_end: guarantees.map(({ verdict }) => verdict.kind),
  };
}

export function runProblemReports(problems: readonly RunProblem[]): readonly RunProblemReport[] {
  return problems.map(({ code, message, path, help }) => ({
    code,
    message,
    path,
    ...(help !== undefined && { help }),
  }));
}
