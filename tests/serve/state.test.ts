/** States of a request, against a simpler model. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestRecord } from "../../src/approve/requests/record.ts";
import { decideStep, foundStep, progressStep, type Step } from "../../src/approve/requests/state.ts";
import type { DecisionKind, RunState } from "../../src/approve/wire.ts";
import { atLeast, runs } from "../support/runs.ts";
import { aDecision, aProof, aRequest } from "./records.ts";

const decisions: readonly DecisionKind[] = [
  "approved_once",
  "approved_remember",
  "rejected",
  "request_more",
  "expired",
  "auto_approved",
  "auto_rejected",
];
const states: readonly RunState[] = ["running", "done", "stopped", "undone", "in_doubt"];

type Move =
  | { readonly kind: "found"; readonly verdict: "proved" | "refuted" | "unknown" | "invalid" | "unbound" }
  | { readonly kind: "decide"; readonly decision: DecisionKind; readonly behind: number; readonly at: number }
  | { readonly kind: "progress"; readonly run: string; readonly state: RunState };

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    kind: fc.constant("found" as const),
    verdict: fc.constantFrom("proved", "proved", "proved", "refuted", "unknown", "invalid", "unbound"),
  }),
  fc.record({
    kind: fc.constant("decide" as const),
    decision: fc.constantFrom(...decisions),
    behind: fc.constantFrom(0, 0, 0, 1, -1),
    at: fc.constantFrom(1_000, 50_000, 99_999, 100_000, 200_000),
  }),
  fc.record({
    kind: fc.constant("progress" as const),
    run: fc.constantFrom("x", "y"),
    state: fc.constantFrom(...states),
  }),
);

function step(record: RequestRecord, one: Move): Step {
  switch (one.kind) {
    case "found": {
      if (one.verdict === "invalid") return foundStep(record, { kind: "invalid", problems: [] });
      if (one.verdict !== "unbound") return foundStep(record, aProof(one.verdict));
      const found = aProof("proved");
      return foundStep(record, found.kind === "proof" ? { ...found, binding: null } : found);
    }
    case "decide":
      return decideStep(record, record.revision - one.behind, aDecision(one.decision, one.at));
    case "progress":
      return progressStep(record, { run: one.run, state: one.state, calls: [], text: null });
  }
}

test("a receipt is there only for what was proved, in time, once, by who saw the newest", () => {
  const seen = { approved: 0, refused: 0, expired: 0, ran: 0 };
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
      let record = aRequest();
      // The model: what was last found, and what was decided, in which order.
      let found: string | undefined;
      let decided: Extract<Move, { kind: "decide" }> | undefined;
      for (const one of moves) {
        const stepped = step(record, one);
        if (!stepped.ok) {
          seen.refused++;
          continue;
        }
        expect(stepped.record.revision).toBe(record.revision + 1);
        expect(stepped.record.filed).toBe(record.filed);
        if (one.kind === "found") {
          expect(found ?? decided).toBeUndefined();
          found = one.verdict;
        }
        if (one.kind === "decide") {
          expect(decided).toBeUndefined();
          expect(one.behind).toBe(0);
          decided = one;
        }
        record = stepped.record;
      }
      const isApproved = record.receipt !== null;
      if (isApproved) {
        seen.approved++;
        expect(found).toBe("proved");
        expect(decided?.decision).toMatch(/approved/);
        expect(decided?.at).toBeLessThan(100_000);
      }
      if (decided?.decision === "expired") {
        seen.expired++;
        expect(decided.at).toBeGreaterThanOrEqual(100_000);
      }
      if (record.progress !== null) {
        seen.ran++;
        expect(isApproved).toBe(true);
      }
      expect(record.status === "decided").toBe(decided !== undefined);
      if (decided === undefined)
        expect(record.status).toBe(
          found === undefined
            ? "proving"
            : {
                proved: "pending",
                refuted: "not_proved",
                unknown: "not_proved",
                unbound: "not_proved",
                invalid: "invalid",
              }[found],
        );
    }),
    { numRuns: runs(2_000) },
  );
  for (const many of Object.values(seen)) expect(many).toBeGreaterThan(atLeast(30));
});

describe("a decision", () => {
  const pending = () => {
    const stepped = foundStep(aRequest(), aProof("proved"));
    if (!stepped.ok) throw new Error(stepped.why);
    return stepped.record;
  };

  test("needs a receipt to approve, and has none otherwise", () => {
    const bare = { ...aDecision("approved_once", 2_000), receipt: null };
    expect(() => decideStep(pending(), 2, bare)).toThrow("receipt");
    const forged = { ...aDecision("rejected", 2_000), receipt: "receipt" };
    expect(() => decideStep(pending(), 2, forged)).toThrow("receipt");
  });

  test.each([
    ["approved_once", "status"],
    ["auto_approved", "status"],
    ["auto_rejected", "status"],
    ["expired", "status"],
    ["rejected", undefined],
    ["request_more", undefined],
  ] as const)("%s about what is not proved: %s", (decision, why) => {
    const stepped = foundStep(aRequest(), aProof("refuted"));
    if (!stepped.ok) throw new Error(stepped.why);
    const made = decideStep(stepped.record, 2, aDecision(decision, 200_000));
    expect(made.ok ? undefined : made.why).toBe(why);
  });
});

describe("a run", () => {
  const stepped = (made: Step): RequestRecord => {
    if (!made.ok) throw new Error(made.why);
    return made.record;
  };
  const approved = () =>
    stepped(
      decideStep(stepped(foundStep(aRequest(), aProof("proved"))), 2, aDecision("approved_once", 2_000)),
    );
  const told = (record: RequestRecord, run: string, state: RunState) =>
    progressStep(record, { run, state, calls: [], text: null });

  test("that was cut off goes on, and one that is done does not", () => {
    const again = stepped(told(stepped(told(approved(), "x", "stopped")), "x", "running"));
    const done = stepped(told(again, "x", "done"));
    expect(told(done, "x", "running")).toEqual({ ok: false, why: "run" });
  });

  test("is one: a receipt is for a single one", () => {
    const first = stepped(told(approved(), "x", "running"));
    expect(told(first, "y", "running")).toEqual({ ok: false, why: "run" });
  });
});
