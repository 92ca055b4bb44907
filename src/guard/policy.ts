/**
 * An approval policy that decides about the calls of a session, each as a program that makes this one call: its clauses are
 * judged of that call, made or failed. A call that no rule approves does not pass: nobody is asked.
 */
import { decide, type FoundClause, type Policy } from "../approve/index.ts";
import {
  type Checked,
  type Expr,
  exprsIn,
  judge,
  quoted,
  type RecordValue,
  selectionsOf,
  type Tool,
  type TraceEntry,
} from "../ir/index.ts";

export class CallPolicy {
  readonly #policy: Policy;
  readonly #checked: Checked;
  readonly #clauses: ReadonlyMap<string, Expr>;

  /** @param clauses formulas of the checked document, by the texts of the clauses */
  constructor(policy: Policy, checked: Checked, clauses: ReadonlyMap<string, Expr>) {
    this.#policy = policy;
    this.#checked = checked;
    this.#clauses = clauses;
  }

  /** Why the call does not pass; undefined if a rule approves it. */
  objection(tool: Tool, args: RecordValue): string | undefined {
    const clauses = new Map(
      Array.from(this.#clauses, ([text, formula]) => [text, this.#found(formula, tool, args)]),
    );
    const { decision, rule } = decide(this.#policy, {
      verdict: "proved",
      calls: [tool.name],
      required: [],
      clauses,
    });
    if (decision === "auto_approved") return undefined;
    return decision === "auto_rejected"
      ? `the rule ${quoted(rule?.name ?? "")} of the policy rejects ${quoted(tool.name)}: ${rule?.reason ?? ""}`
      : `no rule of the policy approves ${quoted(tool.name)}, and nobody is asked`;
  }

  /** SOUNDNESS: it counts only if it holds before the call, after it, and where the call failed with or without its effect. */
  #found(formula: Expr, { name }: Tool, args: RecordValue): FoundClause {
    if (looksBeyondArguments(formula)) return { verdict: "unknown", interruption: null };
    const entry = (outcome: TraceEntry["outcome"]): readonly TraceEntry[] => [
      { position: 0, id: "call", indices: [], tool: name, args, outcome },
    ];
    const verdicts = [
      [],
      entry({ kind: "failed", reason: "it may have failed" }),
      entry({ kind: "returned" }),
    ].map((trace) => judge(this.#checked, formula, { inputs: { kind: "record", fields: {} }, trace }).kind);
    const [, , made] = verdicts;
    const verdict = made === "holds" ? "proved" : made === "violated" ? "refuted" : "unknown";
    const safe = verdicts.every((one) => one === "holds");
    return { verdict, interruption: verdict === "proved" ? { safe, text: null } : null };
  }
}

/** SOUNDNESS: the call alone does not show what it will return, what its arguments were made from, or the state. */
function looksBeyondArguments(formula: Expr): boolean {
  return [...exprsIn(formula)].some(
    (one) =>
      ["result", "flows", "influenced", "mayRead", "cell", "always"].includes(one.kind) ||
      selectionsOf(one).some(({ in: relation }) => relation.kind === "rows" || relation.kind === "cells"),
  );
}
