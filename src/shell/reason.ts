/** Reasons for a refusal: a code that callers rely on, and a sentence for people. */

export type ReasonCode =
  | "bad-input"
  | "too-long"
  | "unparsed"
  | "control-character"
  | "unknown-program"
  | "dynamic-program"
  | "unknown-option"
  | "dangerous-option"
  | "runs-code"
  | "inline-code"
  | "interpreter-input"
  | "obfuscated"
  | "environment"
  | "alias"
  | "reads-secret"
  | "reads-system"
  | "writes-system"
  | "unknown-target"
  | "persistence"
  | "privilege"
  | "destructive"
  | "unbounded"
  | "wildcard-injection"
  | "network"
  | "exfiltration"
  | "private-address"
  | "changes-remote"
  | "process-control"
  | "database";

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
}

export function reason(code: ReasonCode, message: string): readonly Reason[] {
  return [{ code, message }];
}
