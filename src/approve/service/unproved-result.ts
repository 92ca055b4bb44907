/** The result for a program whose proof was aborted. */
import type { Found } from "../requests/record.ts";
import type { ProofView } from "../wire.ts";
import { nobodyDecides, type Proved } from "./ports.ts";

/** Nothing is known of it, and the reason is said. */
export function unprovedResult(why: string, known: Partial<ProofView> = {}): Proved {
  const view: ProofView = {
    hash: "",
    modules: "",
    ms: 0,
    guarantees: [],
    coverage: [],
    mayDo: { calls: [], fluents: [], answers: [] },
    ...known,
    verdict: "unknown",
    obligations: [
      ...(known.obligations ?? []),
      {
        kind: "proof",
        text: "the proof completes",
        verdict: "unknown",
        why,
        counterexample: null,
        line: null,
      },
    ],
  };
  const found: Found = { kind: "proof", view, binding: null };
  return { found, policy: nobodyDecides };
}
