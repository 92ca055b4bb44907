/** Proves a program for an editor. Nothing of it, or of a tool module, is executed. */
import {
  argumentsText,
  callText,
  type Failure,
  failuresIn,
  Lines,
  type Located,
  load,
  type ProblemReport,
  type Proved,
  posix,
  problemReports,
  proofReport,
  prove,
  type SolverPool,
  type SourceFiles,
  SourceMap,
  stepsOf,
  valueText,
} from "../app/index.ts";
import { readingText, visibleText } from "../explain/index.ts";
import type { TraceEntry } from "../ir/index.ts";
import type { Claim, EditorProof, Job, Position, Problem, Range, Spot, Step } from "./proof.ts";

/** LIMIT: of steps that are shown of a run, and of characters of one. */
const mostSteps = 50;
const mostStepText = 500;

export async function proveJob(base: SourceFiles, pool: SolverPool, job: Job): Promise<EditorProof> {
  const seen = new Set<string>([job.file]);
  const fs = withTexts(base, new Map(job.texts), seen);
  const loading = await load({ path: job.file, ...(job.tools && { tools: job.tools }) }, { fs });
  if (loading.kind !== "loaded") return invalid(failuresIn(loading), seen);
  const proved = await prove(loading.loaded, { pool, timeoutMs: job.timeoutMs });
  return proved.ok ? proofOf(job.file, proved.value, seen) : invalid([proved], seen);
}

/** The same files, with texts that an editor has not written, and a list of all that are read. */
function withTexts(base: SourceFiles, texts: ReadonlyMap<string, string>, seen: Set<string>): SourceFiles {
  const given = (path: string, limitBytes: number) => {
    const full = posix(path);
    seen.add(full);
    const text = texts.get(full);
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text, "utf8");
    return bytes.length > limitBytes ? { kind: "tooBig" as const } : { kind: "bytes" as const, bytes };
  };
  return {
    ...base,
    readFile: async (path, limitBytes) => given(path, limitBytes) ?? base.readFile(path, limitBytes),
    readFileNow: (path, limitBytes) => given(path, limitBytes) ?? base.readFileNow(path, limitBytes),
  };
}

function invalid(failures: readonly Failure[], seen: ReadonlySet<string>): EditorProof {
  return {
    verdict: "invalid",
    claims: [],
    problems: problemReports(failures).map(problemOf),
    required: [],
    recommended: [],
    files: [...seen],
  };
}

function problemOf({ code, message, help, span }: ProblemReport): Problem {
  const spot = span && {
    file: posix(span.file),
    range: { start: fromOne(span.start), end: fromOne(span.end) },
  };
  return {
    code,
    message: visibleText(message),
    ...(help !== undefined && { help: visibleText(help) }),
    ...(spot && { spot }),
  };
}

function fromOne({ line, column }: { readonly line: number; readonly column: number }): Position {
  return { line: line - 1, character: column - 1 };
}

function proofOf(file: string, proved: Proved, seen: ReadonlySet<string>): EditorProof {
  const report = proofReport(file, proved, 0);
  const { document, proof } = proved;
  const places = new SourceMap(document);
  const claims = [
    ...report.guarantees.map((one, i) => ({
      kind: "guarantee" as const,
      one,
      found: proof.guarantees[i],
      path: ["guarantees", i],
    })),
    ...report.obligations.map((one, i) => {
      const found = proof.obligations[i];
      return { kind: "obligation" as const, one, found, path: found?.obligation.path ?? [] };
    }),
  ].map(({ kind, one, found, path }): Claim => {
    const place = places.at(path);
    return {
      kind,
      verdict: one.verdict,
      sentence: one.text,
      isAdded: "enforced" in one && one.enforced === true,
      ...(place && { spot: spotOf(place) }),
      ...("doc" in one && one.doc !== undefined && { note: visibleText(one.doc) }),
      ...(one.by !== null && { how: one.by }),
      ...(one.why !== undefined && { why: visibleText(one.why) }),
      steps: found === undefined ? [] : runSteps(proved, found.verdict, places),
    };
  });
  return {
    verdict: report.verdict,
    claims,
    problems: [],
    required: report.coverage.flatMap(({ missingRequired }) => missingRequired),
    recommended: report.coverage.flatMap(({ missingRecommended }) => missingRecommended),
    files: [...seen],
  };
}

let last = new Lines("");

/** Claims one after the other are about the same text, and finding its lines takes longer than placing them. */
function linesOf(text: string): Lines {
  if (last.text !== text) last = new Lines(text);
  return last;
}

function spotOf({ file, text, start, end }: Located): Spot {
  const lines = linesOf(text);
  const range: Range = { start: fromOne(lines.positionOf(start)), end: fromOne(lines.positionOf(end)) };
  return { file: posix(file), range };
}

// ── the run that violates a claim ────────────────────────────────────────────────────────────────────────

type Verdict = Proved["proof"]["guarantees"][number]["verdict"];

function runSteps({ document }: Proved, verdict: Verdict, places: SourceMap): readonly Step[] {
  if (verdict.kind !== "refuted") return [];
  const { run, flow = [] } = verdict;
  const inputs = argumentsText(run.inputs, mostStepText);
  const { steps } = stepsOf(document.checked, run);
  const all = [
    ...(inputs === "" ? [] : [() => stepAt(`inputs: ${inputs}`, undefined)]),
    ...steps.map(
      ({ entry }) =>
        () =>
          stepAt(callWords(entry), places.call(entry.id)),
    ),
    ...flow.map(
      ({ what, path }) =>
        () =>
          stepAt(`data: ${what}`, path && places.at(path)),
    ),
  ];
  const shown = all.slice(0, mostSteps).map((make) => make());
  if (all.length <= mostSteps) return shown;
  return [...shown, { text: `… and ${all.length - mostSteps} more steps` }];
}

function callWords(entry: TraceEntry): string {
  const { id, indices, tool, args, outcome } = entry;
  const reading = readingText(entry);
  if (reading !== undefined) return reading;
  const call = `${callText(id, indices)} ${tool}(${argumentsText(args, mostStepText)})`;
  if (outcome.kind !== "returned") return `${call} fails: ${outcome.reason}`;
  return outcome.result === undefined ? call : `${call} -> ${valueText(outcome.result, mostStepText)}`;
}

function stepAt(text: string, place: Located | undefined): Step {
  const words = visibleText(text);
  const shown = words.length > 2 * mostStepText ? `${words.slice(0, 2 * mostStepText)} …` : words;
  return { text: shown, ...(place && { spot: spotOf(place) }) };
}
