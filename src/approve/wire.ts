/**
 * What goes over HTTP between the service, its page and the programs that wait for a decision. Types alone, and all of
 * it plain JSON: the page imports this file and nothing else of ours.
 */

/** `proving` until the proof is there; `invalid` and `not_proved` cannot be approved; `decided` has a decision. */
export type RequestStatus = "proving" | "invalid" | "not_proved" | "pending" | "decided";

export type DecisionKind =
  | "approved_once"
  | "approved_remember"
  | "rejected"
  | "request_more"
  | "expired"
  | "auto_approved"
  | "auto_rejected";

/** `admin` may do what a reviewer may, and change the policy. */
export type Role = "agent" | "reviewer" | "admin";

export type CoverageStatus = "covered" | "recommended_gap" | "silent_gap" | "required_gap";

/** Any JSON value. */
export type Wire = null | boolean | number | string | readonly Wire[] | { readonly [key: string]: Wire };

// ── filed by an agent ────────────────────────────────────────────────────────────────────────────────────

/** `POST /api/requests`, answered with 201 and a `Filed`. */
export interface NewRequest {
  /** The text is all that is taken of it; the name is for people, and nothing is ever loaded by it. */
  readonly program: { readonly file: string; readonly text: string };
  readonly inputs: { readonly [name: string]: Wire };
  /** The most that its calls may cost, a decimal; null for what the kernel has. */
  readonly budget: string | null;
  /** The kernel that it will run under, by the hash of its first entry. */
  readonly kernel: string;
  /** What the agent says of it. */
  readonly words?: string;
  /** The request that was answered with `request_more`. */
  readonly follows?: string;
}

export interface Filed {
  readonly id: string;
}

// ── what everybody reads ─────────────────────────────────────────────────────────────────────────────────

/** A line of the list, `GET /api/requests?status=&decision=&worst=&agent=&q=&limit=&before=`, the newest first. */
export interface RequestSummary {
  readonly id: string;
  /** Grows by one with each change; an old answer is known by it. */
  readonly revision: number;
  readonly status: RequestStatus;
  readonly agent: string;
  readonly file: string;
  /** Milliseconds, as `Date.now()`. */
  readonly filedAt: number;
  readonly expiresAt: number;
  readonly decision: DecisionKind | null;
  /** The loudest of its coverage; null if no domain is used, or before it is proved. */
  readonly worst: CoverageStatus | null;
  /** How many guarantees have which verdict. */
  readonly counts: { readonly proved: number; readonly refuted: number; readonly unknown: number };
  readonly run: RunState | null;
}

export interface RequestList {
  readonly requests: readonly RequestSummary[];
  /** Where the next page begins: `?before=`. */
  readonly next: string | null;
}

/** `GET /api/requests/:id`, and `GET /api/requests/:id/wait?revision=&seconds=`, and the answer to a decision. */
export interface RequestDetail extends RequestSummary {
  readonly program: { readonly file: string; readonly text: string };
  readonly inputs: { readonly [name: string]: Wire };
  readonly budget: string | null;
  readonly words: string | null;
  readonly follows: string | null;
  readonly proof: ProofView | null;
  /** Why it is `invalid`: what the compiler says, with its place. */
  readonly problems: readonly ProblemView[];
  /** Clauses of the policy that may not hold if the run stops early; for reviewers, where a policy was asked. */
  readonly policyStops?: readonly PolicyStopView[];
  readonly decided: DecisionView | null;
  readonly progress: RunView | null;
}

/** A clause that a rule asks for and that is proved of runs that end. */
export interface PolicyStopView {
  readonly rule: string;
  readonly clause: string;
  /** Where it may not hold. */
  readonly text: string;
  /** Whether the rule relies on it all the same, since it says so. */
  readonly counts: boolean;
}

export interface ProblemView {
  readonly code: string;
  readonly message: string;
  readonly help: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

export interface DecisionView {
  readonly decision: DecisionKind;
  /** Who, in words. */
  readonly by: string;
  readonly at: number;
  /** What the reviewer wrote, for the agent. */
  readonly text: string | null;
  /** The rule of the policy that decided. */
  readonly rule: string | null;
  /** With `approved_remember`: the rule that would have approved it, for a person to edit and to add. */
  readonly proposed: RuleView | null;
}

export interface RuleView {
  readonly name: string;
  readonly decision: "auto_approved" | "auto_rejected";
  readonly whenProven?: readonly string[];
  readonly unlessProven?: readonly string[];
  readonly limits?: readonly {
    readonly name: string;
    readonly clause: string;
    readonly atMost: number;
    readonly per: "hour" | "day" | "week";
  }[];
  readonly tools?: readonly string[];
  /** Whether clauses count that are proved of runs that end, and may not hold where a run stops early. */
  readonly stops?: "allowed";
  readonly reason: string;
}

/** `GET /api/policy`; and `POST /api/policy/rules` takes one rule as it stands in a policy, and answers with this. */
export interface PolicyView {
  readonly rules: readonly RuleView[];
  /** Why no rule decides at the moment: the policy cannot be read as it is. */
  readonly problem: string | null;
  /** Whether there is a policy that rules can be added to. */
  readonly isKept: boolean;
}

// ── the proof ────────────────────────────────────────────────────────────────────────────────────────────

export interface ProofView {
  readonly verdict: "proved" | "refuted" | "unknown";
  /** Of the document. */
  readonly hash: string;
  /** Of the tool modules. */
  readonly modules: string;
  readonly ms: number;
  readonly guarantees: readonly GuaranteeView[];
  readonly obligations: readonly ObligationView[];
  readonly coverage: readonly CoverageView[];
  readonly mayDo: MayDo;
}

export interface GuaranteeView {
  /** As it is written: `bank.maxSpend(150)`. */
  readonly name: string;
  /** In English, from the document alone. */
  readonly text: string;
  /** What the author of the contract wrote above it. */
  readonly doc: string | null;
  readonly verdict: "proved" | "refuted" | "unknown";
  /** `ground` or the solver's name and version. */
  readonly by: string | null;
  /** Not stated by the agent, added because a domain requires it. */
  readonly enforced: boolean;
  /** Whether it also holds wherever the run is cut off, and if not after which calls it is open. */
  readonly interruption: { readonly safe: boolean; readonly text: string | null } | null;
  readonly why: string | null;
  readonly counterexample: CounterexampleView | null;
  readonly line: number | null;
}

export interface ObligationView {
  readonly kind: string;
  readonly text: string;
  readonly verdict: "proved" | "refuted" | "unknown";
  readonly why: string | null;
  readonly counterexample: CounterexampleView | null;
  readonly line: number | null;
}

/** A run that breaks a guarantee, complete, call by call. */
export interface CounterexampleView {
  readonly inputs: { readonly [name: string]: Wire };
  readonly steps: readonly StepView[];
  readonly why: string;
}

export interface StepView {
  readonly tool: string;
  /** Each as it is written: `"bob@example.com"`, `12.50`. */
  readonly args: readonly { readonly name: string; readonly value: string }[];
  /** As it is written; null for nothing, `failed` says that it failed. */
  readonly result: string | null;
  readonly failed: boolean;
  readonly line: number | null;
  readonly changes: readonly {
    readonly fluent: string;
    readonly key: string;
    readonly from: string;
    readonly to: string;
  }[];
}

export interface CoverageView {
  readonly domain: string;
  readonly status: CoverageStatus;
  readonly mentioned: readonly string[];
  readonly entailed: readonly string[];
  readonly missingRequired: readonly string[];
  readonly missingRecommended: readonly string[];
  readonly enforced: readonly string[];
  /** Required, and proved of runs that end only; absent of requests that an earlier version proved. */
  readonly openAtStops?: readonly string[];
  /** What to make of it, in English. */
  readonly text: string;
}

/** What the program may do, from the facts of the proof: nothing else can happen. */
export interface MayDo {
  /** In the order of the program. */
  readonly calls: readonly MayCall[];
  readonly fluents: readonly {
    readonly fluent: string;
    /** The calls, by number, that may change it. */
    readonly changedBy: readonly number[];
    readonly text: string;
  }[];
  /** What the facts answer without asking anybody: "who will be emailed?". */
  readonly answers: readonly { readonly question: string; readonly answer: readonly string[] }[];
}

export interface MayCall {
  readonly number: number;
  readonly tool: string;
  /** A constant as it is written, or in English what it is. */
  readonly args: readonly { readonly name: string; readonly value: string; readonly isConstant: boolean }[];
  /** When it is made, in English; null if always. */
  readonly when: string | null;
  /** The loop it stands in: once for each of what; null if once. */
  readonly each: string | null;
  /** The calls, by number, that branches make at the same time; absent if there are none. */
  readonly beside?: readonly number[];
  readonly reads: boolean;
  readonly line: number | null;
}

// ── the run, told by whoever runs it ─────────────────────────────────────────────────────────────────────

export type RunState = "running" | "done" | "stopped" | "undone" | "in_doubt";

export interface RunView {
  readonly run: string;
  readonly state: RunState;
  readonly calls: readonly RunCall[];
  /** How it ended, in words. */
  readonly text: string | null;
}

export interface RunCall {
  readonly number: number;
  readonly tool: string;
  readonly args: string;
  readonly state: "running" | "done" | "failed" | "undone";
  readonly result: string | null;
}

/** `PUT /api/requests/:id/progress`, by the agent that filed it: the whole of what is known so far. */
export type Progress = RunView;

// ── decided by a person ──────────────────────────────────────────────────────────────────────────────────

/** `POST /api/requests/:id/decision`. A decision about an older revision is refused: something else was read. */
export interface Decide {
  readonly decision: "approved_once" | "approved_remember" | "rejected" | "request_more";
  readonly text?: string;
  readonly revision: number;
}

/**
 * `POST /api/session`, answered with a `Session` and a cookie. Takes the credential of a reviewer, or an invitation that
 * is good once, with which the service is opened the first time: `/#sign-in=<invitation>`.
 */
export interface SignIn {
  readonly credential: string;
}

/** `GET /api/session`: who asks. */
export interface Session {
  readonly name: string;
  readonly role: Role;
  /**
   * Goes into the header `x-foreclaim-csrf` of whatever is asked by cookie, but for events. Told when a browser signs in,
   * to be kept for this origin alone: a cookie goes to every port of a host.
   */
  readonly csrf: string | null;
}

/** An event of `GET /api/events`, named `request`: read it again. */
export interface RequestEvent {
  readonly id: string;
  readonly revision: number;
  readonly status: RequestStatus;
}

/** Every refusal. */
export interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string; readonly help?: string };
  /** With 409, where a request is not what it was taken for: what it is now. */
  readonly decided?: DecisionView | null;
  readonly revision?: number;
  readonly status?: RequestStatus;
}
