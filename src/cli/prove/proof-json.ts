/** What was found out about one program, as one JSON object. */
import type { Coverage } from "../../coverage/index.ts";
import {
  type Checked,
  encodeValue,
  hashDocument,
  type PlainJson,
  printExpr,
  type RecordedRun,
  recordOf,
  Unknown,
} from "../../ir/index.ts";
import type { FlowStep, Interruption, Proof, StoppingPoint, Verdict } from "../../prove/index.ts";
import type { Failure, FailureProblem } from "../failure.ts";
import { guaranteeText } from "../guarantee-text.ts";
import type { LoadedDocument } from "../load.ts";
import { authorsWords, ownStatements } from "../load-written.ts";
import { Lines } from "../text/lines.ts";
import { callText } from "../trace-table.ts";
import type { SubjectCoverage } from "./coverage.ts";
import { obligationText } from "./obligation-text.ts";
import { type Located, Places } from "./places.ts";
import { relativeTo } from "./relative-to.ts";
import { type Steps, stepsOf } from "./steps.ts";
import { byOf, notFollowedWords, verdictOf } from "./verdict.ts";

type JsonObject = { readonly [key: string]: PlainJson };

/** `more`: what was asked for on top. */
export function proofToJson(
  file: string,
  document: LoadedDocument,
  proof: Proof,
  { domains, added }: SubjectCoverage,
  ms: number,
  more: JsonObject = {},
): JsonObject {
  const { checked } = document;
  const places = new Places(document);
  const own = ownStatements(document);
  const unfollowed = notFollowedWords(proof);
  return {
    file,
    verdict: verdictOf(proof),
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
        ...(added.has(i) ? { enforced: true } : {}),
        ...(own.has(i) ? { own: true } : {}),
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
    coverage: domains.map(({ coverage }) => coverageToJson(coverage)),
    hash: hashDocument(checked.document),
    relativeTo: relativeTo(document),
    ...(unfollowed === undefined ? {} : { why: unfollowed }),
    ...more,
  };
}

function docToJson(doc: string | undefined): JsonObject {
  return doc === undefined ? {} : { doc };
}

/** Of a program that does not compile, or of which nothing could be read. */
export function invalidToJson(file: string, failures: readonly Failure[], ms: number): JsonObject {
  const errors = failures.flatMap((failure) =>
    failure.problems.map((problem) => errorToJson(failure, problem)),
  );
  const nothing = { guarantees: [], obligations: [] };
  return { file, verdict: "invalid", ...nothing, errors, ms: Math.round(ms), coverage: [] };
}

function coverageToJson({ domain, status, ...lists }: Coverage): JsonObject {
  const { mentioned, entailed, missingRequired, missingRecommended, enforced, openAtStops } = lists;
  return { domain, status, mentioned, entailed, missingRequired, missingRecommended, enforced, openAtStops };
}

function errorToJson({ file, source }: Failure, { code, message, span, help }: FailureProblem): JsonObject {
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

function positionToJson(lines: Lines, offset: number): JsonObject {
  const { line, column } = lines.positionOf(offset);
  return { line, column };
}

// ── verdicts ─────────────────────────────────────────────────────────────────────────────────────────────

function counterexample(
  checked: Checked,
  verdict: Verdict,
  places: Places,
  at: Located | undefined,
): JsonObject {
  if (verdict.kind !== "refuted") return {};
  const run = runToJson(checked, verdict.run, places);
  const flow = verdict.flow === undefined ? {} : { flow: flowToJson(verdict.flow, places) };
  return { counterexample: { ...run, why: verdict.why, at: places.toJson(at), ...flow } };
}

/** How data gets to where it must not. */
function flowToJson(flow: readonly FlowStep[], places: Places): PlainJson {
  return flow.map(({ what, path }) => {
    const place = path && places.at(path);
    return { what, span: place === undefined ? null : places.toJson(place) };
  });
}

function further(checked: Checked, verdict: Verdict, places: Places, at: Located | undefined): JsonObject {
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

function interruptionToJson(interruption: Interruption | undefined, places: Places): PlainJson {
  if (interruption === undefined) return null;
  if (interruption.kind === "safe") return { safe: true };
  return { safe: false, openAfter: interruption.at.map((point) => stopToJson(point, places)) };
}

function stopToJson({ after, certain }: StoppingPoint, places: Places): PlainJson {
  if (after === undefined) return { call: null, tool: null, line: null, column: null, certain };
  const call = callText(after.id, after.indices);
  return { call, tool: after.tool.name, ...places.toJson(places.at(after.path)), certain };
}

// ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────

function runToJson(checked: Checked, run: RecordedRun, places: Places): JsonObject {
  const steps = stepsOf(checked, run);
  return {
    inputs: encodeValue(run.inputs, recordOf(checked.document.program.inputs)),
    calls: steps.steps.map(({ entry: { id, indices, tool: name, args, outcome }, took }) => {
      const tool = checked.tools.get(name);
      if (tool === undefined) throw new TypeError(`there is no tool \`${name}\``);
      return {
        call: callText(id, indices),
        tool: name,
        args: encodeValue(args, recordOf(tool.params)),
        ...(outcome.kind === "returned"
          ? {
              result:
                outcome.result === undefined || tool.result === undefined
                  ? null
                  : encodeValue(outcome.result, tool.result),
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
      key: encodeValue(key, fluent.key),
      ...(value instanceof Unknown ? { unknown: value.why } : { value: encodeValue(value, fluent.value) }),
    })),
  );
}
