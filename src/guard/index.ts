/** Sessions: calls without a program, under standing guarantees, a budget, rules and a policy. */
export { type SessionCode, sessionCodes } from "./codes.ts";
export {
  CallRefused,
  type Functions,
  type Guarded,
  type GuardedSession,
  type GuardOptions,
  guard,
  NotOpened,
} from "./guard.ts";
export { type PastCall, sessionCalls } from "./history.ts";
export { type OpenSession, openSession, type SessionSetup } from "./open-session.ts";
export { type Called, type Refusal, Session, type SessionOptions } from "./session.ts";
export { type Suggestion, type Suggestions, type SuggestOptions, suggest } from "./suggest.ts";
