/**
 * Writes certificates of proved documents. Every obligation of the checker's own plain translation is decided anew: the
 * prover's verdict is not used for it, and the two must not contradict each other.
 * Not trusted: what it writes is checked.
 */

import {
  type Certificate,
  type CertifiedObligation,
  certificateText,
  certifiedGuarantee,
  certifiedScript,
  type Invariants,
  type Obligation,
  type Replayer,
  solverLimits,
  type Terms,
  translate,
} from "../../certificate/index.ts";
import { type Checked, documentToJson, hashDocument, type Path, sha256Hex } from "../../ir/index.ts";
import { fewerUses } from "./fewer-uses.ts";
import { findInvariants, type PlainForm } from "./find-invariants.ts";
import type { Finder } from "./replayer.ts";

export type Certified =
  | { readonly kind: "certified"; readonly certificate: Certificate; readonly text: string }
  /** With the command or the guarantee that is in the way. */
  | { readonly kind: "notYet"; readonly why: string; readonly path: Path };

/** A fault of Foreclaim: of what the prover calls proved, the plain translation has a run that breaks it. */
export class Disagreement extends Error {
  override readonly name = "Disagreement";
}

/** @param checked a document that the prover calls proved, with all its obligations */
export async function certify(
  checked: Checked,
  solver: () => Promise<Replayer | Finder>,
): Promise<Certified> {
  const alone = translate(checked);
  if (alone.kind === "notPlain") return { kind: "notYet", why: alone.why, path: alone.path };
  const invariants =
    alone.loops.length === 0 ? new Map() : await invariantsOf(checked, alone, await solver());
  const plain = translate(checked, invariants);
  if (plain.kind === "notPlain") return { kind: "notYet", why: plain.why, path: plain.path };
  const obligations: CertifiedObligation[] = [];
  for (const obligation of plain.obligations) {
    const decided = await decide(plain.terms, obligation, solver);
    if (typeof decided === "string") return { kind: "notYet", why: decided, path: obligation.path };
    obligations.push(decided);
  }
  const { document } = checked;
  const isAsked = obligations.some(({ by }) => by === "solver");
  const certificate: Certificate = {
    certificate: 1,
    document: documentToJson(document),
    documentHash: hashDocument(document),
    modules: document.modules ?? null,
    guarantees: document.guarantees.map(certifiedGuarantee),
    loops: plain.loops.map(({ path }) => ({ path, invariants: invariants.get(path.join(".")) ?? [] })),
    obligations,
    solver: isAsked ? await solverOf(solver) : null,
  };
  return { kind: "certified", certificate, text: certificateText(certificate) };
}

async function invariantsOf(
  checked: Checked,
  plain: PlainForm,
  solver: Replayer | Finder,
): Promise<Invariants> {
  return "falseIn" in solver ? findInvariants(checked, plain, solver) : new Map();
}

async function solverOf(solver: () => Promise<Replayer>): Promise<Certificate["solver"]> {
  const { name, version, options } = await solver();
  return { name, version, options, ...solverLimits };
}

/** Decides an obligation for the certificate, or returns why it cannot. */
async function decide(
  terms: Terms,
  obligation: Obligation,
  solver: () => Promise<Replayer>,
): Promise<CertifiedObligation | string> {
  const write = (verdict: "unsat" | "sat", by: "evaluation" | "solver", uses: readonly number[]) => {
    const script = certifiedScript(terms, obligation, { verdict, uses });
    if (script === undefined) throw new TypeError("a certificate cannot say this");
    const { kind, path } = obligation;
    return { kind, path, verdict, by, uses, smtLib: script.text, hash: sha256Hex(script.text) };
  };
  if (obligation.goal.value === true) return write("unsat", "evaluation", []);
  const { ask } = await solver();
  if (obligation.answered !== undefined) {
    const answered = write("sat", "solver", []);
    if ((await ask(answered.smtLib, solverLimits)) === "sat") return answered;
  }
  const all = [...obligation.assumptions.keys()];
  const isEnough = async (uses: readonly number[]) =>
    (await ask(write("unsat", "solver", uses).smtLib, solverLimits)) === "unsat";
  const full = write("unsat", "solver", all);
  const answer = await ask(full.smtLib, solverLimits);
  if (answer === "unsat") return write("unsat", "solver", await fewerUses(all, isEnough));
  if (obligation.answered !== undefined) return "no answer is known that meets what the tool ensures";
  if (answer === "unknown") return "the solver does not decide its plain form within its limits";
  const { doubts = [] } = certifiedScript(terms, obligation, { verdict: "unsat", uses: all }) ?? {};
  if (doubts.length > 0) return `its plain form says too little of ${doubts.join(", ")}`;
  throw new Disagreement(
    `the ${obligation.kind} at \`${obligation.path.join(".")}\` is proved, and its plain form is not:\n${full.smtLib}`,
  );
}
