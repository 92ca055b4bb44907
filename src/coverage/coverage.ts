/**
 * Coverage: how far what a program states goes towards what the policies of its tools ask for. `mentioned` is by name,
 * `entailed` what the guarantees that the program states, and that were proved, imply.
 */

import { speaksOf } from "../explain/index.ts";
import {
  type Document,
  type Expr,
  type Field,
  type Fluent,
  printExpr,
  referencesIn,
  type Tool,
} from "../ir/index.ts";
import type { Proof, ProveOptions } from "../prove/index.ts";
import { entails } from "./entails.ts";

/** From the one that needs the least attention to the one that needs the most. */
export const coverageStatuses = ["covered", "recommended_gap", "silent_gap", "required_gap"] as const;
export type CoverageStatus = (typeof coverageStatuses)[number];

export interface Coverage {
  /** The label of the policy, or its name. */
  readonly domain: string;
  readonly status: CoverageStatus;
  /** Contracts that the policy lists, in all these lists as `email.only`, or `bank.maxSpend(500)`. */
  readonly mentioned: readonly string[];
  readonly entailed: readonly string[];
  readonly missingRequired: readonly string[];
  readonly missingRecommended: readonly string[];
  /** Required, not stated, added to the proof, proved, and held wherever a run may stop. */
  readonly enforced: readonly string[];
  /** Required, stated or not, and proved of runs that end: they may not hold where a run stops early. */
  readonly openAtStops: readonly string[];
}

/** A policy that a program uses. The front end makes these. */
export interface PolicyInUse {
  readonly policy: {
    readonly name: string;
    readonly label?: string;
    /** Full names of tools. */
    readonly whenUsed: readonly string[];
  };
  readonly contracts: readonly ContractInUse[];
}

export interface ContractInUse {
  readonly contract: string;
  /** Absent if any arguments will do, or it takes none. */
  readonly args?: readonly Expr[];
  readonly isRequired: boolean;
  /** Index among the guarantees, if the program states it. */
  readonly stated?: number;
  /** Index among the guarantees, if Foreclaim added it. */
  readonly added?: number;
  /** For an omitted contract: its formula with open parameters, and the tools and fluents that it mentions. */
  readonly meaning?: {
    readonly params: readonly Field[];
    readonly formula: Expr;
    readonly tools: readonly Tool[];
    readonly fluents: readonly Fluent[];
  };
}

/**
 * @param document what was proved, with the required contracts that were added
 * @param proof of its guarantees, in their order
 */
export async function coverageOf(
  document: Document,
  proof: Proof,
  used: readonly PolicyInUse[],
  options: ProveOptions,
): Promise<Coverage[]> {
  if (used.length === 0) return [];
  const added = new Set(used.flatMap(({ contracts }) => contracts.flatMap((one) => one.added ?? [])));
  const stated = document.guarantees.flatMap(({ formula }, i) =>
    added.has(i) || formula === undefined
      ? []
      : [{ formula, isProved: proof.guarantees[i]?.verdict.kind === "proved" }],
  );
  const proved = stated.filter(({ isProved }) => isProved).map(({ formula }) => formula);
  const found: Coverage[] = [];
  for (const { policy, contracts } of used) {
    const into = emptyLists();
    for (const one of contracts) {
      const text = textOf(one);
      const held = heldOf(one, proof);
      if (held === "everywhere" && one.added !== undefined) into.enforced.push(text);
      if (held === "runs that end" && one.isRequired) into.openAtStops.push(text);
      if (one.stated !== undefined) into.mentioned.push(text);
      else if (await isEntailed(one, document, proved, options)) into.entailed.push(text);
      else into[one.isRequired ? "missingRequired" : "missingRecommended"].push(text);
    }
    const isAddressed =
      into.mentioned.length > 0 || stated.some(({ formula }) => isAbout(formula, policy.whenUsed, document));
    found.push({ domain: policy.label ?? policy.name, status: statusOf(into, isAddressed), ...into });
  }
  return found;
}

function emptyLists(): Record<Exclude<keyof Coverage, "domain" | "status">, string[]> {
  const [mentioned, entailed]: [string[], string[]] = [[], []];
  const [missingRequired, missingRecommended]: [string[], string[]] = [[], []];
  return { mentioned, entailed, missingRequired, missingRecommended, enforced: [], openAtStops: [] };
}

/** Returns how far a contract among the guarantees is proved; undefined if it is not among them. */
export function heldOf(
  { stated, added }: ContractInUse,
  { guarantees }: Proof,
): "everywhere" | "runs that end" | undefined {
  const found = guarantees[stated ?? added ?? -1];
  if (found?.verdict.kind !== "proved") return undefined;
  return found.interruption?.kind === "safe" ? "everywhere" : "runs that end";
}

/** The loudest first; where there are several of one status, in the order of the policies. */
export function loudestFirst(coverage: readonly Coverage[]): Coverage[] {
  const loud = ({ status }: Coverage) => coverageStatuses.indexOf(status);
  return [...coverage].sort((a, b) => loud(b) - loud(a));
}

function statusOf(
  {
    missingRequired,
    missingRecommended,
    openAtStops,
  }: Pick<Coverage, "missingRequired" | "missingRecommended" | "openAtStops">,
  isAddressed: boolean,
): CoverageStatus {
  if (missingRequired.length + openAtStops.length > 0) return "required_gap";
  if (!isAddressed) return "silent_gap";
  return missingRecommended.length > 0 ? "recommended_gap" : "covered";
}

/** Returns true if the formula mentions one of these tools: its calls, or the fluents that they change. */
function isAbout(formula: Expr, whenUsed: readonly string[], { tools }: Document): boolean {
  const spoken = referencesIn(formula);
  const named = new Set(whenUsed);
  return (
    whenUsed.some((name) => spoken.tools.has(name)) ||
    tools.some((tool) => named.has(tool.name) && speaksOf(spoken, tool))
  );
}

async function isEntailed(
  { meaning }: ContractInUse,
  document: Document,
  proved: readonly Expr[],
  options: ProveOptions,
): Promise<boolean> {
  if (meaning === undefined || proved.length === 0) return false;
  const declared = {
    tools: distinct([...document.tools, ...meaning.tools]),
    fluents: distinct([...document.fluents, ...meaning.fluents]),
  };
  return entails(proved, meaning, declared, options);
}

function distinct<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

function textOf({ contract, args }: ContractInUse): string {
  return args === undefined ? contract : `${contract}(${args.map(printExpr).join(", ")})`;
}
