/** Requests for tests, and what was found out about them. */
import type { Found, RequestRecord } from "../../src/approve/requests/record.ts";
import type { Decision } from "../../src/approve/requests/state.ts";
import type { DecisionKind, ProofView } from "../../src/approve/wire.ts";

let made = 0;

export function aRequest(changed: Partial<RequestRecord> = {}): RequestRecord {
  const n = ++made;
  return {
    id: `r${n.toString(16).padStart(24, "0")}`,
    revision: 1,
    status: "proving",
    agent: "pay-agent",
    filedAt: 1_000,
    expiresAt: 100_000,
    filed: {
      program: { file: "pay.ts", text: "the text" },
      inputs: { amount: 12.5 },
      budget: "20",
      kernel: "a".repeat(64),
      words: null,
      follows: null,
    },
    found: null,
    decided: null,
    receipt: null,
    progress: null,
    ...changed,
  };
}

export function aView(verdict: ProofView["verdict"]): ProofView {
  return {
    verdict,
    hash: `eir1-${"a".repeat(64)}`,
    modules: `fcm1-${"b".repeat(64)}`,
    ms: 1,
    guarantees: [
      {
        name: "bank.maxSpend(150)",
        text: "at most 150",
        doc: null,
        verdict,
        by: verdict === "proved" ? "ground" : null,
        enforced: false,
        interruption: null,
        why: null,
        counterexample: null,
        line: 3,
      },
    ],
    obligations: [],
    coverage: [
      {
        domain: "bank",
        status: "recommended_gap",
        mentioned: [],
        entailed: [],
        missingRequired: [],
        missingRecommended: [],
        enforced: [],
        text: "",
      },
    ],
    mayDo: { calls: [], fluents: [], answers: [] },
  };
}

export function aProof(verdict: ProofView["verdict"]): Found {
  const binding = {
    program: `eir1-${"a".repeat(64)}`,
    modules: `fcm1-${"b".repeat(64)}`,
    inputs: `in1-${"c".repeat(64)}`,
  };
  return { kind: "proof", view: aView(verdict), binding };
}

export function aDecision(decision: DecisionKind, at: number, by = "ann"): Decision {
  const isApproved = /approved/.test(decision);
  return { decision, by, at, text: null, rule: null, proposed: null, receipt: isApproved ? "receipt" : null };
}
