/** The shapes of `wire.ts` as JSON Schema. Every field is named and no other is there: a test holds real answers to it. */

import { serviceLimits as limits } from "./limits.ts";
import { coverages, decisions, statuses } from "./list-query.ts";

export type Schema = { readonly [key: string]: unknown };

const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const whole: Schema = { type: "integer", minimum: 0 };
const moment: Schema = { type: "number", description: "Milliseconds since 1970." };
const textOrNull: Schema = { type: ["string", "null"] };
const lineOrNull: Schema = { type: ["integer", "null"] };
const texts: Schema = { type: "array", items: text };
const json: Schema = { type: "object", additionalProperties: true };

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
const list = (items: Schema): Schema => ({ type: "array", items });
const words = (...all: readonly string[]): Schema => ({ type: "string", enum: all });

/** All fields are required but those that are named. */
function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

const verdict = words("proved", "refuted", "unknown");
const runState = words("running", "done", "stopped", "undone", "in_doubt");
const program = object({
  file: { type: "string", maxLength: limits.fileLength },
  text: { type: "string", maxLength: limits.programLength },
});

const summary: Readonly<Record<string, Schema>> = {
  id: text,
  revision: whole,
  status: words(...statuses),
  agent: text,
  file: text,
  filedAt: moment,
  expiresAt: moment,
  decision: orNull(words(...decisions)),
  worst: orNull(words(...coverages)),
  counts: object({ proved: whole, refuted: whole, unknown: whole }),
  run: orNull(runState),
};

export const schemas: Readonly<Record<string, Schema>> = {
  NewRequest: object(
    {
      program,
      inputs: json,
      budget: textOrNull,
      kernel: { type: "string", pattern: "^[0-9a-f]{64}$" },
      words: { type: ["string", "null"], maxLength: limits.wordsLength },
      follows: textOrNull,
    },
    ["budget", "words", "follows"],
  ),
  Filed: object({ id: text }),
  RequestSummary: object(summary),
  RequestList: object({ requests: list(ref("RequestSummary")), next: textOrNull }),
  RequestDetail: object(
    {
      ...summary,
      program,
      inputs: json,
      budget: textOrNull,
      words: textOrNull,
      follows: textOrNull,
      proof: orNull(ref("ProofView")),
      problems: list(ref("ProblemView")),
      policyStops: list(ref("PolicyStopView")),
      decided: orNull(ref("DecisionView")),
      progress: orNull(ref("RunView")),
    },
    ["policyStops"],
  ),
  PolicyStopView: object({ rule: text, clause: text, text, counts: flag }),
  ProblemView: object({ code: text, message: text, help: textOrNull, line: lineOrNull, column: lineOrNull }),
  DecisionView: object({
    decision: words(...decisions),
    by: text,
    at: moment,
    text: textOrNull,
    rule: textOrNull,
    proposed: orNull(ref("RuleView")),
  }),
  RuleView: object(
    {
      name: text,
      decision: words("auto_approved", "auto_rejected"),
      whenProven: texts,
      unlessProven: texts,
      limits: list(
        object({ name: text, clause: text, atMost: { type: "number" }, per: words("hour", "day", "week") }),
      ),
      tools: texts,
      stops: words("allowed"),
      reason: text,
    },
    ["whenProven", "unlessProven", "limits", "tools", "stops"],
  ),
  PolicyView: object({ rules: list(ref("RuleView")), problem: textOrNull, isKept: flag }),
  ProofView: object({
    verdict,
    hash: text,
    modules: text,
    ms: { type: "number" },
    guarantees: list(ref("GuaranteeView")),
    obligations: list(ref("ObligationView")),
    coverage: list(ref("CoverageView")),
    mayDo: ref("MayDo"),
  }),
  GuaranteeView: object({
    name: text,
    text,
    doc: textOrNull,
    verdict,
    by: textOrNull,
    enforced: flag,
    interruption: orNull(object({ safe: flag, text: textOrNull })),
    why: textOrNull,
    counterexample: orNull(ref("CounterexampleView")),
    line: lineOrNull,
  }),
  ObligationView: object({
    kind: text,
    text,
    verdict,
    why: textOrNull,
    counterexample: orNull(ref("CounterexampleView")),
    line: lineOrNull,
  }),
  CounterexampleView: object({ inputs: json, steps: list(ref("StepView")), why: text }),
  StepView: object({
    tool: text,
    args: list(object({ name: text, value: text })),
    result: textOrNull,
    failed: flag,
    line: lineOrNull,
    changes: list(object({ fluent: text, key: text, from: text, to: text })),
  }),
  CoverageView: object(
    {
      domain: text,
      status: words(...coverages),
      mentioned: texts,
      entailed: texts,
      missingRequired: texts,
      missingRecommended: texts,
      enforced: texts,
      openAtStops: texts,
      text,
    },
    ["openAtStops"],
  ),
  MayDo: object({
    calls: list(ref("MayCall")),
    fluents: list(object({ fluent: text, changedBy: list(whole), text })),
    answers: list(object({ question: text, answer: texts })),
  }),
  MayCall: object(
    {
      number: whole,
      tool: text,
      args: list(object({ name: text, value: text, isConstant: flag })),
      when: textOrNull,
      each: textOrNull,
      beside: list(whole),
      reads: flag,
      line: lineOrNull,
    },
    ["beside"],
  ),
  RunView: object({
    run: text,
    state: runState,
    calls: {
      type: "array",
      maxItems: limits.progressCalls,
      items: object({
        number: whole,
        tool: text,
        args: { type: "string", maxLength: limits.progressText },
        state: words("running", "done", "failed", "undone"),
        result: textOrNull,
      }),
    },
    text: textOrNull,
  }),
  Decide: object(
    {
      decision: words("approved_once", "approved_remember", "rejected", "request_more"),
      text: { type: ["string", "null"], maxLength: limits.textLength },
      revision: whole,
    },
    ["text"],
  ),
  SignIn: object({ credential: text }),
  Session: object({ name: text, role: words("agent", "reviewer", "admin"), csrf: textOrNull }),
  RequestEvent: object({ id: text, revision: whole, status: words(...statuses) }),
  ErrorBody: object(
    {
      error: object({ code: text, message: text, help: text }, ["help"]),
      decided: orNull(ref("DecisionView")),
      revision: whole,
      status: words(...statuses),
    },
    ["decided", "revision", "status"],
  ),
  Health: object({ ok: flag }),
};
