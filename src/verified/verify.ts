/**
 * A third opinion beside prover and certificate checker: obligations by a program that was extracted from a proof that they
 * are enough (proofs/ir, `IR_obligations_sound`). It covers documents without loops and says so of the others.
 */
import type { Checked } from "../ir/index.ts";
import { Beyond } from "./beyond.ts";
import { documentText } from "./document-text.ts";
import { extracted } from "./model.ts";
import { scriptOf, type Terms, type VerifiedObligation } from "./smt.ts";
import { parseTree, type Tree } from "./text.ts";

export interface VerifiedObligations {
  readonly kind: "obligations";
  readonly terms: Terms;
  /** Requirements of calls and program. */
  readonly claims: readonly VerifiedObligation[];
  /** One for each guarantee of the document, in its order. */
  readonly guarantees: readonly VerifiedObligation[];
}

export interface NotCovered {
  readonly kind: "beyond";
  readonly why: string;
}

/** LIMIT: characters of a document's text for the extracted program, and of its answer. */
const mostText = 4_000_000;

export function verifiedObligations(checked: Checked): VerifiedObligations | NotCovered {
  try {
    const { text } = documentText(checked);
    if (text.length > mostText) return { kind: "beyond", why: "a document of this size" };
    const said = parseTree(extracted().obligations(text));
    if (said.length === 0) return { kind: "beyond", why: "values that cannot be taken apart" };
    const [nodes, claims, guarantees] = listOf(said);
    return {
      kind: "obligations",
      terms: { nodes: listOf(nodes) },
      claims: listOf(claims).map(obligation),
      guarantees: listOf(guarantees).map(obligation),
    };
  } catch (thrown) {
    if (thrown instanceof Beyond) return { kind: "beyond", why: thrown.message };
    throw thrown;
  }
}

function listOf(tree: Tree | undefined): readonly Tree[] {
  if (tree === undefined || typeof tree === "string")
    throw new TypeError("the extracted program answers with lists");
  return tree;
}

function obligation(tree: Tree): VerifiedObligation {
  const [assumptions, goal] = listOf(tree);
  return { assumptions: listOf(assumptions).map(Number), goal: Number(goal) };
}

export type Opinion = "valid" | "not shown";

export type Verified =
  | {
      readonly kind: "covered";
      /** For each guarantee of the document. */
      readonly guarantees: readonly Opinion[];
      /** For all that calls and program require, together. */
      readonly requirements: Opinion;
    }
  | NotCovered;

/** Asks a solver about each obligation. */
export async function verifyDocument(
  checked: Checked,
  ask: (smtLib: string) => Promise<"unsat" | "sat" | "unknown">,
): Promise<Verified> {
  const made = verifiedObligations(checked);
  if (made.kind === "beyond") return made;
  try {
    const opinion = async (one: VerifiedObligation): Promise<Opinion> =>
      (await ask(scriptOf(made.terms, one))) === "unsat" ? "valid" : "not shown";
    const guarantees: Opinion[] = [];
    for (const one of made.guarantees) guarantees.push(await opinion(one));
    let requirements: Opinion = "valid";
    for (const one of made.claims) {
      if (requirements === "valid") requirements = await opinion(one);
    }
    return { kind: "covered", guarantees, requirements };
  } catch (thrown) {
    if (thrown instanceof Beyond) return { kind: "beyond", why: thrown.message };
    throw thrown;
  }
}
