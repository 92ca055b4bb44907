/** The coverage of a program or a plan: its guarantees against the policies of its tools. */
import { type ContractInUse, type Coverage, coverageOf, type PolicyInUse } from "../../coverage/index.ts";
import type { Proof, ProveOptions } from "../../prove/index.ts";
import type { LoadedDocument } from "../load/documents.ts";
import type { LoadedProgram } from "../load/typescript.ts";

export interface TargetCoverage {
  readonly domains: readonly DomainCoverage[];
  /** Guarantees that were added, by their number, with the domain that requires them. */
  readonly added: ReadonlyMap<number, string>;
  /** The kind of text that states them: a plan does with an option, a document with a line. */
  readonly statedBy: "program" | "plan" | "document";
}

export interface DomainCoverage {
  readonly coverage: Coverage;
  readonly contracts: readonly ContractInUse[];
}

/** LIMIT: for each question, this part of what a proof may take: undecided only means that a gap is shown. */
const share = 1 / 10;

/** A document that speaks for itself has no tool modules, and so no policies. */
export async function coverageOfTarget(
  document: LoadedDocument | LoadedProgram,
  proof: Proof,
  options: ProveOptions,
): Promise<TargetCoverage> {
  const used: readonly PolicyInUse[] = "used" in document ? document.used : [];
  const limits = { ...options.limits, resources: Math.ceil(options.limits.resources * share) };
  const found = await coverageOf(document.checked.document, proof, used, { ...options, limits });
  const added = new Map<number, string>();
  const domains: DomainCoverage[] = [];
  used.forEach(({ policy, contracts }, i) => {
    const coverage = found[i];
    if (coverage !== undefined) domains.push({ coverage, contracts });
    for (const one of contracts) {
      if (one.added !== undefined && !added.has(one.added)) added.set(one.added, policy.label ?? policy.name);
    }
  });
  return { domains, added, statedBy: statedBy(document) };
}

function statedBy(document: LoadedDocument | LoadedProgram): TargetCoverage["statedBy"] {
  if (!("used" in document) || "own" in document) return "document";
  return document.form === "json" ? "plan" : "program";
}
