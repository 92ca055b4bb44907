/**
 * The wire format between the service, its page and waiting clients: each schema once, with its inferred type. The
 * service parses bodies with these schemas and generates `/openapi.json` from them. The page imports only the types
 * of this file.
 */
import { serviceLimits as limits } from "./service/limits.ts";
import {
  count,
  flag,
  type Infer,
  list,
  type NamedShape,
  named,
  nullable,
  number,
  object,
  optional,
  text,
  textOf,
  whole,
  words,
} from "./shape.ts";

export type { Wire } from "./shape.ts";

/** `proving` until the proof is there; `invalid` and `not_proved` cannot be approved; `decided` has a decision. */
export const statuses = ["proving", "invalid", "not_proved", "pending", "decided"] as const;
export type RequestStatus = (typeof statuses)[number];

export const decisions = [
  "approved_once",
  "approved_remember",
  "rejected",
  "request_more",
  "expired",
  "auto_approved",
  "auto_rejected",
] as const;
export type DecisionKind = (typeof decisions)[number];

/** A `reader` sees what a reviewer sees, and decides nothing. `admin` may do what a reviewer may, and change the policy. */
const roles = ["agent", "reader", "reviewer", "admin"] as const;
export type Role = (typeof roles)[number];

export const coverages = ["covered", "recommended_gap", "silent_gap", "required_gap"] as const;
export type CoverageStatus = (typeof coverages)[number];

const runStates = ["running", "done", "stopped", "undone", "in_doubt"] as const;
export type RunState = (typeof runStates)[number];

const verdict = words(["proved", "refuted", "unknown"]);
/** Milliseconds, as `Date.now()`. */
const moment = { kind: "number", description: "Milliseconds since 1970." } as const;
const data = { kind: "data", longest: limits.inputsLength } as const;
const texts = list(text);
const textOrNull = nullable(text);
const lineOrNull = nullable(whole);

/** The id of a request. */
export const requestId = /^r[0-9a-f]{24}$/;
const onOneLine = /^[^\p{Cc}\p{Cf}]+$/u;
const amount = /^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$/;

/** A decimal, or null for what the kernel has. */
const amountOrNull = nullable(
  textOf({ bounds: { longest: 60, pattern: amount }, says: "an amount such as `12.50`, or null" }),
);

const program = object({
  /** The name is for people, and nothing is ever loaded by it. */
  file: textOf({
    maxLength: limits.fileLength,
    bounds: { pattern: onOneLine },
    says: "a name on one line",
  }),
  text: textOf({ maxLength: limits.programLength }),
});

// ── filed by an agent ────────────────────────────────────────────────────────────────────────────────────

/** `POST /api/requests`, answered with 201 and a `Filed`. */
export const newRequest = named(
  "NewRequest",
  object({
    /** The text is all that is taken of it. */
    program,
    inputs: data,
    /** The most that its calls may cost, a decimal; null for what the kernel has. */
    budget: optional(amountOrNull),
    /** The kernel that it will run under, by the hash of its first entry. With `run`, that of the service by default. */
    kernel: optional(
      textOf({
        pattern: /^[0-9a-f]{64}$/,
        says: "the hash of the first entry of a kernel",
      }),
    ),
    /** `worker`: a worker of the service runs it once it is approved. By default the agent does. */
    run: optional(words(["worker"])),
    /** The agent's own words about it. */
    words: optional(nullable(textOf({ maxLength: limits.wordsLength }))),
    /** The request that was answered with `request_more`. */
    follows: optional(nullable(textOf({ bounds: { pattern: requestId }, says: "the id of a request" }))),
  }),
);
export type NewRequest = Infer<typeof newRequest>;

const filed = named("Filed", object({ id: text }));
export type Filed = Infer<typeof filed>;

// ── the proof ────────────────────────────────────────────────────────────────────────────────────────────

const stepView = named(
  "StepView",
  object({
    tool: text,
    /** Each as it is written: `"bob@example.com"`, `12.50`. */
    args: list(object({ name: text, value: text })),
    /** As it is written; null for nothing, `failed` says that it failed. */
    result: textOrNull,
    failed: flag,
    line: lineOrNull,
    changes: list(object({ fluent: text, key: text, from: text, to: text })),
  }),
);
export type StepView = Infer<typeof stepView>;

/** A run that breaks a guarantee, complete, call by call. */
const counterexampleView = named(
  "CounterexampleView",
  object({ inputs: data, steps: list(stepView), why: text }),
);
export type CounterexampleView = Infer<typeof counterexampleView>;

const guaranteeView = named(
  "GuaranteeView",
  object({
    /** As it is written: `bank.maxSpend(150)`. */
    name: text,
    /** In English, from the document alone. */
    text,
    /** The comment of the author of the contract above it. */
    doc: textOrNull,
    verdict,
    /** `ground` or the solver's name and version. */
    by: textOrNull,
    /** Not stated by the agent, added because a domain requires it. */
    enforced: flag,
    /** Says whether it also holds if the run stops early, and after which calls not. */
    interruption: nullable(object({ safe: flag, text: textOrNull })),
    why: textOrNull,
    counterexample: nullable(counterexampleView),
    line: lineOrNull,
  }),
);
export type GuaranteeView = Infer<typeof guaranteeView>;

const obligationView = named(
  "ObligationView",
  object({
    kind: text,
    text,
    verdict,
    why: textOrNull,
    counterexample: nullable(counterexampleView),
    line: lineOrNull,
  }),
);
export type ObligationView = Infer<typeof obligationView>;

const coverageView = named(
  "CoverageView",
  object({
    domain: text,
    status: words(coverages),
    mentioned: texts,
    entailed: texts,
    missingRequired: texts,
    missingRecommended: texts,
    enforced: texts,
    /** Required, and proved of runs that end only; absent of requests that an earlier version proved. */
    openAtStops: optional(texts),
    /** Advice in English. */
    text,
  }),
);
export type CoverageView = Infer<typeof coverageView>;

const mayCall = named(
  "MayCall",
  object({
    number: count,
    tool: text,
    /** A constant as it is written, or in English what it is. */
    args: list(object({ name: text, value: text, isConstant: flag })),
    /** Condition of the call, in English; null if unconditional. */
    when: textOrNull,
    /** The loop it stands in: once for each of what; null if once. */
    each: textOrNull,
    /** The calls, by number, that branches make at the same time; absent if there are none. */
    beside: optional(list(count)),
    reads: flag,
    line: lineOrNull,
  }),
);
export type MayCall = Infer<typeof mayCall>;

const mayTell = named(
  "MayTell",
  object({
    kind: words(["answer", "note"]),
    /** A constant as it is written, or in English what it is. */
    value: text,
    isConstant: flag,
    /** Condition of the message, in English; null if unconditional. */
    when: textOrNull,
    /** The loop it stands in: once for each of what; null if once. */
    each: textOrNull,
    line: lineOrNull,
  }),
);
export type MayTell = Infer<typeof mayTell>;

/** Possible effects of the program, from the facts of the proof: nothing else can happen. */
const mayDo = named(
  "MayDo",
  object({
    /** In the order of the program. */
    calls: list(mayCall),
    /** `changedBy`: the calls, by number, that may change it. */
    fluents: list(object({ fluent: text, changedBy: list(count), text })),
    /** Questions that the facts answer, such as "who will be emailed?". */
    answers: list(object({ question: text, answer: texts })),
    /** Messages to the person who started the run; absent if there are none. */
    told: optional(list(mayTell)),
  }),
);
export type MayDo = Infer<typeof mayDo>;

export const levels = ["red", "amber", "green"] as const;
/** `red` and `amber` need a look before an approval. */
export type RiskLevel = (typeof levels)[number];

export const riskKinds = [
  "verdict",
  "chosen",
  "looks",
  "private",
  "unsaid",
  "open",
  "unstated",
  "changes",
  "reaches",
  "costs",
  "answers",
] as const;

/** The request on one card, from facts alone: risks first, then effects. */
const riskCard = named(
  "RiskCard",
  object({
    /** The worst level of its facts. */
    level: words(levels),
    headline: text,
    facts: list(object({ kind: words(riskKinds), level: words(levels), title: text, items: texts })),
  }),
);
export type RiskCard = Infer<typeof riskCard>;

const proofView = named(
  "ProofView",
  object({
    verdict,
    /** Hash of the document. */
    hash: text,
    /** Digest of the tool modules. */
    modules: text,
    ms: number,
    guarantees: list(guaranteeView),
    obligations: list(obligationView),
    coverage: list(coverageView),
    mayDo,
    /** Absent for requests that an earlier version proved. */
    card: optional(riskCard),
  }),
);
export type ProofView = Infer<typeof proofView>;

// ── the run, reported by its runner ──────────────────────────────────────────────────────────────────────

const shortText = textOf({ bounds: { longest: limits.progressText } });

const runCall = object({
  number: count,
  tool: textOf({ bounds: { longest: 300 } }),
  args: textOf({ maxLength: limits.progressText }),
  state: words(["running", "done", "failed", "undone"]),
  result: nullable(shortText),
});
export type RunCall = Infer<typeof runCall>;

/** A question of a tool to a person, in the middle of a run. */
const runQuestion = named(
  "RunQuestion",
  object({
    /** SHA-256 in hex of a secret that only the runner has: it is shown to read the reply. */
    id: textOf({ bounds: { longest: 64, pattern: /^[0-9a-f]{64}$/ }, says: "the id of a question" }),
    /** `approve` has one item, the text to approve; `approve_list` some of which are chosen; `ask` none. */
    kind: words(["approve", "approve_list", "ask"]),
    what: textOf({ maxLength: limits.questionLength }),
    items: list(textOf({ maxLength: limits.questionLength }), limits.questionItems),
  }),
);
export type RunQuestion = Infer<typeof runQuestion>;

const reply = {
  /** For `approve`. */
  approved: flag,
  /** For `approve_list`: positions from 0, in rising order. */
  chosen: list(count, limits.questionItems),
  /** For `ask`; null for no answer. */
  words: nullable(textOf({ maxLength: limits.questionLength })),
} as const;

/** `POST /api/requests/:id/answer`, by a reviewer. */
export const questionAnswer = named("QuestionAnswer", object({ question: runQuestion, ...reply }));
export type QuestionAnswer = Infer<typeof questionAnswer>;

/** `GET /api/requests/:id/answer`, by the runner: the question as it was shown, and the reply. */
const questionReply = named(
  "QuestionReply",
  object({ question: runQuestion, ...reply, by: text, at: moment }),
);
export type QuestionReply = Infer<typeof questionReply>;

const progressFields = {
  run: textOf({ bounds: { longest: 100, pattern: /^[A-Za-z0-9._-]+$/ }, says: "the id of a run" }),
  state: words(runStates),
  calls: list(runCall, limits.progressCalls),
  /** End of the run in words; for reviewers. */
  text: nullable(shortText),
  /** The program's answer, if the run is done and has one: `{ "value": … }`. */
  answer: optional(data),
  /** The program's notes. */
  notes: optional(list(shortText, limits.progressNotes)),
  /** The question that the run waits with; for reviewers. */
  question: optional(runQuestion),
} as const;

/**
 * `PUT /api/requests/:id/progress`, by the runner, with the credential that filed it: the whole of what is known so
 * far. Reviewers read it so. The agent reads the answer, the notes, the states, and the names of the tools that were called.
 */
export const progress = named("Progress", object(progressFields));
export type Progress = Infer<typeof progress>;

/** The run as it is read. */
const runView = named(
  "RunView",
  object({
    ...progressFields,
    /** The reply to the question; for reviewers. */
    reply: optional(questionReply),
  }),
);
export type RunView = Infer<typeof runView>;

// ── policies ─────────────────────────────────────────────────────────────────────────────────────────────

const ruleView = named(
  "RuleView",
  object({
    name: text,
    decision: words(["auto_approved", "auto_rejected"]),
    whenProven: optional(texts),
    unlessProven: optional(texts),
    limits: optional(
      list(object({ name: text, clause: text, atMost: number, per: words(["hour", "day", "week"]) })),
    ),
    tools: optional(texts),
    /** True if clauses count that are proved of runs that end, and may not hold where a run stops early. */
    stops: optional(words(["allowed"])),
    reason: text,
  }),
);
export type RuleView = Infer<typeof ruleView>;

/** `GET /api/policy`; and `POST /api/policy/rules` takes one rule as it stands in a policy, and answers with this. */
const policyView = named(
  "PolicyView",
  object({
    rules: list(ruleView),
    /** Why no rule decides at the moment: the policy cannot be read as it is. */
    problem: textOrNull,
    /** True if there is a policy that rules can be added to. */
    isKept: flag,
    /** The number of people who must approve a request that no rule decides. */
    reviewers: optional(count),
  }),
);
export type PolicyView = Infer<typeof policyView>;

/** A clause that a rule asks for and that is proved of runs that end. */
const policyStopView = named(
  "PolicyStopView",
  object({
    rule: text,
    clause: text,
    /** The stopping points at which it may not hold. */
    text,
    /** True if the rule relies on it all the same, since it says so. */
    counts: flag,
  }),
);
export type PolicyStopView = Infer<typeof policyStopView>;

// ── what everybody reads ─────────────────────────────────────────────────────────────────────────────────

const problemView = named(
  "ProblemView",
  object({ code: text, message: text, help: textOrNull, line: lineOrNull, column: lineOrNull }),
);
export type ProblemView = Infer<typeof problemView>;

const decisionView = named(
  "DecisionView",
  object({
    decision: words(decisions),
    /** The person or rule that decided, in words. */
    by: text,
    at: moment,
    /** The reviewer's words for the agent. */
    text: textOrNull,
    /** The rule of the policy that decided. */
    rule: textOrNull,
    /** The standing approval that approved it, or that this decision made. */
    standing: optional(text),
    /** With `approved_remember`: the rule that would have approved it, for a person to edit and to add. */
    proposed: nullable(ruleView),
  }),
);
export type DecisionView = Infer<typeof decisionView>;

const summary = {
  id: text,
  /** Grows by one with each change; an old answer is known by it. */
  revision: count,
  status: words(statuses),
  agent: text,
  file: text,
  filedAt: moment,
  expiresAt: moment,
  decision: nullable(words(decisions)),
  /** The loudest of its coverage; null if no domain is used, or before it is proved. */
  worst: nullable(words(coverages)),
  /** Number of guarantees per verdict. */
  counts: object({ proved: count, refuted: count, unknown: count }),
  run: nullable(words(runStates)),
  /** The headline of its card, and the changes that it makes; absent before it is proved. */
  risk: optional(object({ level: words(levels), headline: text, changes: texts, more: count })),
} as const;

/** A line of the list, `GET /api/requests`, the newest first or the worst risk first. */
const requestSummary = named("RequestSummary", object(summary));
export type RequestSummary = Infer<typeof requestSummary>;

/** `waiting`: pending; `open`: those that cannot be approved as they are. */
export const requestGroups = ["waiting", "open", "decided"] as const;
export type RequestGroup = (typeof requestGroups)[number];

const requestList = named(
  "RequestList",
  object({
    requests: list(requestSummary),
    /** Cursor of the next page: `?before=`. */
    next: textOrNull,
    /** The number of requests in each group that fit the other filters; absent with `before`. */
    totals: optional(object({ waiting: count, open: count, decided: count })),
  }),
);
export type RequestList = Infer<typeof requestList>;

/** The terms of a standing approval, as the reviewers give them. */
const standingTerms = object({
  /** For this many later requests. */
  uses: count,
  /** For this time. */
  seconds: count,
  /** The most that their budgets may sum up to; null for no such limit. */
  cap: amountOrNull,
});
export type StandingTerms = Infer<typeof standingTerms>;

/** `GET /api/requests/:id`, and `GET /api/requests/:id/wait?revision=&seconds=`, and the answer to a decision. */
const requestDetail = named(
  "RequestDetail",
  object({
    ...summary,
    program,
    inputs: data,
    budget: textOrNull,
    words: textOrNull,
    follows: textOrNull,
    proof: nullable(proofView),
    /** Why it is `invalid`: what the compiler says, with its place. */
    problems: list(problemView),
    /** Clauses of the policy that may not hold if the run stops early; for reviewers, where a policy was asked. */
    policyStops: optional(list(policyStopView)),
    decided: nullable(decisionView),
    progress: nullable(runView),
    /** Approvals by people, where more than one is needed; for reviewers. */
    approvals: optional(
      object({
        needed: count,
        given: list(object({ by: text, at: moment, standing: nullable(standingTerms) })),
      }),
    ),
    /** The values that the agent asked for, where a reviewer gave others. */
    edited: optional(
      object({
        inputs: data,
        budget: textOrNull,
        by: text,
        at: moment,
        /** Why the reviewer's inputs were not taken. */
        problem: textOrNull,
      }),
    ),
  }),
);
export type RequestDetail = Infer<typeof requestDetail>;

// ── decided by a person ──────────────────────────────────────────────────────────────────────────────────

/** `POST /api/requests/:id/decision`. A decision about an older revision is refused: something else was read. */
export const decide = named(
  "Decide",
  object({
    decision: words(["approved_once", "approved_remember", "rejected", "request_more"]),
    text: optional(nullable(textOf({ maxLength: limits.textLength }))),
    revision: count,
    /** With `approved_once`: later requests for the same pass without a question, on these terms. */
    standing: optional(nullable(standingTerms)),
  }),
);
export type Decide = Infer<typeof decide>;

/** `POST /api/requests/:id/edit`: other inputs, or a smaller budget. The request is proved again where that matters. */
export const edit = named("Edit", object({ inputs: data, budget: amountOrNull, revision: count }));
export type Edit = Infer<typeof edit>;

// ── approvals that stand ─────────────────────────────────────────────────────────────────────────────────

export const standingStates = ["active", "used_up", "expired", "revoked"] as const;

/** An approval that later requests for the same program, tools, inputs and kernel use. */
const standingView = named(
  "StandingView",
  object({
    id: text,
    /** The request that was approved so. */
    request: text,
    agent: text,
    file: text,
    /** Hash of the document, with its guarantees. */
    program: text,
    inputs: data,
    /** The most that one run may cost. */
    budget: textOrNull,
    uses: count,
    used: count,
    cap: textOrNull,
    /** The sum of the budgets of its uses. */
    charged: text,
    by: texts,
    madeAt: moment,
    until: moment,
    state: words(standingStates),
    revoked: nullable(object({ by: text, at: moment })),
    /** The newest requests that used it. */
    requests: texts,
  }),
);
export type StandingView = Infer<typeof standingView>;

/** `GET /api/standing`, the newest first. */
const standingList = named("StandingList", object({ standing: list(standingView) }));
export type StandingList = Infer<typeof standingList>;

// ── against the last time ────────────────────────────────────────────────────────────────────────────────

const difference = words(["added", "removed", "changed"]);

/** `GET /api/requests/:id/comparison`: what is new since the last approved request of the agent with this file name. */
const comparison = named(
  "Comparison",
  object({
    /** The earlier request; null if there is none. */
    against: nullable(object({ id: text, at: moment, by: text, decision: words(decisions) })),
    /** True if the document is the same, with all its guarantees. */
    isSameProgram: flag,
    guarantees: list(object({ change: difference, name: text, text, before: textOrNull })),
    calls: list(object({ change: difference, text })),
    /** Inputs, budget and tool modules. */
    values: list(object({ name: text, before: textOrNull, after: textOrNull })),
    /** Lines of the source with those around them; `skipped` stands for lines that are not shown. */
    source: list(object({ kind: words(["same", "added", "removed", "skipped"]), line: lineOrNull, text })),
  }),
);
export type Comparison = Infer<typeof comparison>;

/**
 * `POST /api/session`, answered with a `Session` and a cookie. Takes the credential of a reviewer, or an invitation that
 * is good once, with which the service is opened the first time: `/#sign-in=<invitation>`.
 */
export const signIn = named("SignIn", object({ credential: textOf({ bounds: { longest: 200 } }) }));
export type SignIn = Infer<typeof signIn>;

/** `GET /api/session`: who asks. */
const session = named(
  "Session",
  object({
    name: text,
    role: words(roles),
    /**
     * Goes into the header `x-foreclaim-csrf` of whatever is asked by cookie, but for events. Told when a browser signs in,
     * to be kept for this origin alone: a cookie goes to every port of a host.
     */
    csrf: textOrNull,
  }),
);
export type Session = Infer<typeof session>;

/** An event of `GET /api/events`, named `request`: read it again. */
const requestEvent = named("RequestEvent", object({ id: text, revision: count, status: words(statuses) }));
export type RequestEvent = Infer<typeof requestEvent>;

/** Every refusal. */
const errorBody = named(
  "ErrorBody",
  object({
    error: object({ code: text, message: text, help: optional(text) }),
    /** With 409, where a request is not what it was taken for: what it is now. */
    decided: optional(nullable(decisionView)),
    revision: optional(count),
    status: optional(words(statuses)),
  }),
);
export type ErrorBody = Infer<typeof errorBody>;

const health = named("Health", object({ ok: flag }));

/** Every shape that has a name, in the order of the description. */
export const shapes: readonly NamedShape[] = [
  newRequest,
  filed,
  requestSummary,
  requestList,
  requestDetail,
  policyStopView,
  problemView,
  decisionView,
  ruleView,
  policyView,
  riskCard,
  proofView,
  guaranteeView,
  obligationView,
  counterexampleView,
  stepView,
  coverageView,
  mayDo,
  mayCall,
  mayTell,
  runView,
  progress,
  runQuestion,
  questionAnswer,
  questionReply,
  decide,
  edit,
  standingView,
  standingList,
  comparison,
  signIn,
  session,
  requestEvent,
  errorBody,
  health,
];
