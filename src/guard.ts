/** `foreclaim/guard`: ordinary functions under standing guarantees, a budget, rules and a policy. */
export {
  type Called,
  CallRefused,
  type Functions,
  type Guarded,
  type GuardedSession,
  type GuardOptions,
  guard,
  NotOpened,
  type Refusal,
  type Session,
  type SessionCode,
  sessionCodes,
} from "./guard/index.ts";
