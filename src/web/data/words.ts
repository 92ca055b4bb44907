/** Display names for the service's fixed words. */
import type {
  CoverageStatus,
  DecisionKind,
  RequestStatus,
  RequestSummary,
  RiskLevel,
  RunCall,
  RunState,
} from "../../approve/wire.ts";

export type Verdict = "proved" | "refuted" | "unknown";

export const signs: Readonly<Record<Verdict, string>> = { proved: "✓", refuted: "✗", unknown: "?" };

export const riskSigns: Readonly<Record<RiskLevel, string>> = { red: "✗", amber: "!", green: "✓" };

export const riskWords: Readonly<Record<RiskLevel, string>> = {
  red: "danger",
  amber: "look closely",
  green: "no risk found",
};

/** The quietest first. */
export const coverageOrder: readonly CoverageStatus[] = [
  "covered",
  "recommended_gap",
  "silent_gap",
  "required_gap",
];

export const coverageWords: Readonly<Record<CoverageStatus, string>> = {
  covered: "covered",
  recommended_gap: "recommended gap",
  silent_gap: "silent gap",
  required_gap: "required gap",
};

export const coverageMeaning: Readonly<Record<CoverageStatus, string>> = {
  covered: "every required or recommended contract is stated, or follows from the proved ones",
  recommended_gap: "a recommended contract is neither stated nor implied",
  silent_gap: "it is used, and no guarantee mentions it",
  required_gap: "a required contract is missing, or may not hold if the run stops early",
};

export const statusWords: Readonly<Record<RequestStatus, string>> = {
  proving: "being proved",
  invalid: "does not compile",
  not_proved: "not proved",
  pending: "waiting for you",
  decided: "decided",
};

export const decisionWords: Readonly<Record<DecisionKind, string>> = {
  approved_once: "approved once",
  approved_remember: "approved and remembered",
  rejected: "rejected",
  request_more: "asked for more",
  expired: "expired",
  auto_approved: "approved by the policy",
  auto_rejected: "rejected by the policy",
};

export const runWords: Readonly<Record<RunState, string>> = {
  running: "running",
  done: "finished",
  stopped: "stopped",
  undone: "compensated",
  in_doubt: "in doubt",
};

export const callWords: Readonly<Record<RunCall["state"], string>> = {
  running: "under way",
  done: "done",
  failed: "failed",
  undone: "compensated",
};

/** The state of a request in one or two words. */
export function stateWords({ status, decision, run }: RequestSummary): string {
  if (run !== null) return runWords[run];
  return decision === null ? statusWords[status] : decisionWords[decision];
}

/** `by` of the wire in words that say what it means. */
/** @param isOpen whether it may not hold where a run stops early */
export function howShown(verdict: Verdict, by: string | null, isOpen: boolean): string {
  const every = isOpen ? "for every completed run" : "for every run";
  if (verdict === "refuted") return "a counterexample was found and replayed";
  if (verdict === "unknown") return "neither proved nor refuted";
  if (by === null) return every;
  if (by === "ground") return `${every}, by simplification alone`;
  if (by.startsWith("induction")) return `${every} and lists of any length, by ${by}`;
  return `${every}, by ${by}`;
}

// ── time ─────────────────────────────────────────────────────────────────────────────────────────────────

const units: readonly (readonly [name: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** `3 min`, or `1 h 20 min`. */
export function duration(ms: number): string {
  const rest = Math.max(0, ms);
  const at = units.findIndex(([, unit]) => rest >= unit);
  const [name, unit] = units[at] ?? ["s", 1_000];
  const whole = Math.floor(rest / unit);
  const next = units[at + 1];
  if (at < 0 || next === undefined || name === "min" || whole >= 10) return `${whole} ${name}`;
  const smaller = Math.floor((rest - whole * unit) / next[1]);
  return smaller === 0 ? `${whole} ${name}` : `${whole} ${name} ${smaller} ${next[0]}`;
}

export function age(at: number, now: number): string {
  return now - at < 1_000 ? "just now" : `${duration(now - at)} ago`;
}

export function timeLeft(at: number, now: number): string {
  return at <= now ? "expired" : `${duration(at - now)} left`;
}

export function count(n: number, one: string, several = `${one}s`): string {
  return `${n} ${n === 1 ? one : several}`;
}

/** The statements that a semicolon parts, but for one in quotation marks: that is somebody else's. */
export function statements(text: string): string[] {
  const parts = [""];
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|; |[^";]+|[";]/gs) ?? [];
  for (const token of tokens) {
    if (token === "; ") parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}
