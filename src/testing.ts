/** `foreclaim/testing`: for people who write rules and want to see them hold, with any test runner. */
export { expectAllowed, expectBudget, expectRefused } from "./kernel/index.ts";
