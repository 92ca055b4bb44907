/** One question to the prover. */

import { isOfOneProgram } from "../explain/index.ts";
import { check, type Document, type Expr, type Fluent, type Program, type Tool } from "../ir/index.ts";
import { type ProveOptions, prove, type Verdict } from "../prove/index.ts";

/** Decides one formula, as the guarantee of a program that is built for it. */
export async function decided(
  tools: readonly Tool[],
  fluents: readonly Fluent[],
  program: Program,
  formula: Expr,
  options: ProveOptions,
): Promise<Verdict> {
  if (isOfOneProgram(formula))
    return { kind: "unknown", why: "where a value came from is said of one program" };
  const guarantees = [{ name: "relation", args: [], formula }];
  const document: Document = { effectIr: 1, fluents, tools, program, guarantees };
  const checked = check(document);
  if (!checked.ok) return { kind: "unknown", why: "the formulas could not be put side by side" };
  const proof = await prove(checked.value, { ...options, stops: "omitted", search: "short" });
  return proof.guarantees[0]?.verdict ?? { kind: "unknown", why: "nothing was found" };
}
