/** A request as the service keeps it: what an agent filed, what was found out about it, and what was decided. */
import type {
  CoverageStatus,
  DecisionKind,
  DecisionView,
  PolicyStopView,
  ProblemView,
  ProofView,
  RequestDetail,
  RequestStatus,
  RequestSummary,
  RunView,
  StandingTerms,
  Wire,
} from "../wire.ts";

export interface RequestRecord {
  readonly id: string;
  /** Grows by one with each change. */
  readonly revision: number;
  readonly status: RequestStatus;
  /** The name of the credential that filed it. */
  readonly agent: string;
  readonly filedAt: number;
  readonly expiresAt: number;
  readonly filed: FiledRequest;
  readonly found: Found | null;
  readonly decided: DecisionView | null;
  /** The text of the receipt, signed when it was decided. */
  readonly receipt: string | null;
  readonly progress: RunView | null;
  /** Approvals by people, of whom more are needed. */
  readonly votes?: readonly Vote[];
  /** Set where a reviewer gave other inputs or another budget than the agent. */
  readonly edited?: Edited | undefined;
}

/** The approval of one person. */
export interface Vote {
  /** The holder of the credential: one person may have several. */
  readonly person: string;
  readonly credential: string;
  readonly at: number;
  readonly standing: StandingTerms | null;
}

export interface Edited {
  /** As the agent asked. */
  readonly asked: Values;
  /** As it was proved before, until the new inputs are found good. */
  readonly before?: (Values & { readonly found: Found | null }) | undefined;
  readonly by: string;
  readonly at: number;
  /** Why the new inputs were not taken. */
  readonly problem: string | null;
}

export interface Values {
  readonly inputs: FiledRequest["inputs"];
  readonly budget: string | null;
}

export interface FiledRequest {
  readonly program: { readonly file: string; readonly text: string };
  readonly inputs: { readonly [name: string]: Wire };
  readonly budget: string | null;
  readonly kernel: string;
  readonly words: string | null;
  readonly follows: string | null;
  /** Set if a worker runs it once it is approved; otherwise the agent does. */
  readonly run?: "worker" | undefined;
}

/** The result of proving a program. */
export type Found =
  /** It does not compile, or its inputs are not what it takes. */
  | { readonly kind: "invalid"; readonly problems: readonly ProblemView[] }
  /** `binding`: what a receipt is for; null if it was not all worked out, and then nothing is approved. */
  | {
      readonly kind: "proof";
      readonly view: ProofView;
      readonly binding: Binding | null;
      /** Details of the policy; hidden from agents. */
      readonly policyStops?: readonly PolicyStopView[];
    };

export interface Binding {
  readonly program: string;
  readonly modules: string;
  readonly inputs: string;
}

const loudness: readonly CoverageStatus[] = ["covered", "recommended_gap", "silent_gap", "required_gap"];

export function summaryOf(record: RequestRecord): RequestSummary {
  const { id, revision, status, agent, filedAt, expiresAt, filed, decided, progress } = record;
  const view = proofOf(record);
  return {
    id,
    revision,
    status,
    agent,
    file: filed.program.file,
    filedAt,
    expiresAt,
    decision: decided?.decision ?? null,
    worst: view === null ? null : worstOf(view),
    counts: countsOf(view),
    run: progress?.state ?? null,
    ...riskOf(view),
  };
}

/** LIMIT: of changes that a line of the list shows, and of characters of each text there. */
const mostChanges = 2;
const mostText = 200;

function riskOf(view: ProofView | null): Pick<RequestSummary, "risk"> {
  const card = view?.card;
  if (card === undefined) return {};
  const changes = card.facts.find(({ kind }) => kind === "changes")?.items ?? [];
  const shown = changes.slice(0, mostChanges).map(shortened);
  const { level, headline } = card;
  return {
    risk: { level, headline: shortened(headline), changes: shown, more: changes.length - shown.length },
  };
}

/** Never cuts a character in half. */
function shortened(text: string): string {
  if (text.length <= mostText) return text;
  return `${text.slice(0, mostText).replace(/[\ud800-\udbff]$/, "")} …`;
}

/**
 * @param forReviewer an agent reads neither the policy nor what tools were given and returned
 * @param needed the number of people who must approve
 */
export function detailOf(record: RequestRecord, forReviewer: boolean, needed = 1): RequestDetail {
  const { filed, found, decided, progress, votes = [], edited } = record;
  const { program, inputs, budget, words, follows } = filed;
  const stops = forReviewer && found?.kind === "proof" ? found.policyStops : undefined;
  return {
    ...summaryOf(record),
    ...(stops && { policyStops: stops }),
    program,
    inputs,
    budget,
    words,
    follows,
    proof: proofOf(record),
    problems: found?.kind === "invalid" ? found.problems : [],
    decided,
    progress: forReviewer || progress === null ? progress : toldOf(progress),
    ...(forReviewer &&
      (needed > 1 || votes.length > 0) && {
        approvals: {
          needed,
          given: votes.map(({ credential, at, standing }) => ({ by: credential, at, standing })),
        },
      }),
    ...(edited !== undefined && {
      edited: { ...edited.asked, by: edited.by, at: edited.at, problem: edited.problem },
    }),
  };
}

/**
 * The run as an agent reads it. SOUNDNESS: whatever may be told of tool results is in the answer and the notes, which are
 * under the guarantees; arguments, results and the words of failures are not.
 */
function toldOf({ calls, question: _, reply: __, ...progress }: RunView): RunView {
  return {
    ...progress,
    calls: calls.map(({ number, tool, state }) => ({ number, tool, state, args: "", result: null })),
    text: null,
  };
}

export function proofOf({ found }: RequestRecord): ProofView | null {
  return found?.kind === "proof" ? found.view : null;
}

function worstOf({ coverage }: ProofView): CoverageStatus | null {
  const loudest = Math.max(-1, ...coverage.map(({ status }) => loudness.indexOf(status)));
  return loudness[loudest] ?? null;
}

function countsOf(view: ProofView | null): RequestSummary["counts"] {
  const having = (verdict: ProofView["verdict"]) =>
    view?.guarantees.filter((one) => one.verdict === verdict).length ?? 0;
  return { proved: having("proved"), refuted: having("refuted"), unknown: having("unknown") };
}

export function isApproval(decision: DecisionKind): decision is ApprovalKind {
  return decision === "approved_once" || decision === "approved_remember" || decision === "auto_approved";
}

export type ApprovalKind = "approved_once" | "approved_remember" | "auto_approved";
