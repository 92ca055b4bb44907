/**
 * The checker of certificates. It does not believe what a certificate says: it derives the obligations from the document
 * again, compares them text by text, and decides each of them again, by evaluation or by asking a solver.
 * What it rests on is in `trusts`. Part of what must be trusted.
 */
import {
  canonicalJson,
  check as checkDocument,
  type Diagnostic,
  type Document,
  documentFromJson,
  documentToJson,
  type Guarantee,
  hashDocument,
  printExpr,
  sha256Hex,
} from "../ir/index.ts";
import { type Stated, togetherScript } from "./batch.ts";
import {
  type Certificate,
  type CertifiedGuarantee,
  type CertifiedLoop,
  type CertifiedObligation,
  certificateText,
  integrityOf,
  readCertificate,
  solverLimits,
} from "./certificate.ts";
import type { CheckCode } from "./codes.ts";
import type { Script, Terms } from "./encode.ts";
import { answerScript, goalScript, type Obligation, translate } from "./obligations.ts";
import type { Invariants } from "./symbolic-executor.ts";

/** Resource limits of one solver query. */
export interface AskLimits {
  readonly resources: number;
  readonly timeoutMs: number;
}

/** LIMIT: for questions that are asked at once. Where that is harder than one by one, little is lost. */
const togetherLimits: AskLimits = { resources: 1_000_000, timeoutMs: 10_000 };

/** A solver, as far as the checker knows one. */
export interface Replayer {
  readonly name: string;
  readonly version: string;
  readonly options: string;
  readonly ask: (smtLib: string, limits: AskLimits) => Promise<"unsat" | "sat" | "unknown">;
}

export interface CheckOptions {
  /** The solver of that name, asked for only where a solver is needed; and others that must agree with it. */
  readonly solvers: (name: string) => Promise<readonly Replayer[]>;
  /** The hash of the document that the certificate must be of. */
  readonly document?: string;
  /** True to accept another version of the same solver. */
  readonly otherVersion?: boolean;
}

export type CheckProblem = Diagnostic<CheckCode, never>;

export type Checking =
  | {
      readonly kind: "valid";
      readonly documentHash: string;
      readonly modules: string | null;
      readonly guarantees: readonly CertifiedGuarantee[];
      readonly byEvaluation: number;
      readonly bySolver: number;
      /** The solvers that were asked. */
      readonly solvers: readonly Pick<Replayer, "name" | "version">[];
    }
  | { readonly kind: "refused" | "unreadable"; readonly problem: CheckProblem };

export async function checkCertificate(text: string, options: CheckOptions): Promise<Checking> {
  const read = readCertificate(text);
  if (!read.ok) return unreadable(`the certificate cannot be read: ${read.message}`);
  const { certificate } = read;
  if (read.integrity !== integrityOf(certificate))
    return refused("FC5304", "the certificate was changed: its content is not what its integrity hash says");
  if (text !== certificateText(certificate))
    return refused("FC5304", "the certificate was changed: it is not in canonical form");
  const { documentHash, modules } = certificate;
  const decoded = documentFromJson(read.json);
  if (!decoded.ok) return unreadable(`the document cannot be read: ${decoded.problems[0]?.message}`);
  const checked = checkDocument(decoded.value.document);
  if (!checked.ok) return unreadable(`the document is not valid: ${checked.problems[0]?.message}`);
  const { document } = checked.value;
  const misfit = headMisfit(certificate, document);
  if (misfit !== undefined) return refused("FC5305", misfit);
  if (options.document !== undefined && options.document !== documentHash)
    return refused("FC5307", `the certificate is of \`${documentHash}\`, not of \`${options.document}\``);
  const plain = translate(checked.value, invariantsOf(certificate.loops));
  if (plain.kind === "notPlain") return refused("FC5305", `the document cannot be certified: ${plain.why}`);
  const paths = certificate.loops.map(({ path }) => [...path]);
  if (canonicalJson(paths) !== canonicalJson(plain.loops.map(({ path }) => [...path])))
    return refused("FC5305", "the loops over lists of any length are not those of the document");
  const questions = obligationsToAsk(certificate, plain.terms, plain.obligations);
  if (typeof questions === "string") return refused("FC5305", questions);
  const { asked } = questions;
  if (asked.length > 0 !== (certificate.solver !== null))
    return refused("FC5305", "the certificate names a solver if and only if one is needed");
  const solvers = certificate.solver === null ? [] : await options.solvers(certificate.solver.name);
  const problem = await replay(certificate, questions, solvers, options.otherVersion === true);
  if (problem !== undefined) return { kind: "refused", problem };
  return {
    kind: "valid",
    documentHash,
    modules,
    guarantees: certificate.guarantees,
    byEvaluation: plain.obligations.length - asked.length,
    bySolver: asked.length,
    solvers: solvers.map(({ name, version }) => ({ name, version })),
  };
}

/** Lists the trusted base of a valid certificate, in words. */
export function trusts({ modules, solvers }: Extract<Checking, { kind: "valid" }>): readonly string[] {
  return [
    "the Effect IR: reading, checking and hashing of documents, the meaning of its operators, also in SMT-LIB, and its data flow",
    "this checker: its translation of documents to SMT-LIB, and its comparison",
    ...solvers.map(({ name, version }) => `${name} ${version}: that \`unsat\` and \`sat\` are right`),
    modules === null
      ? "the declarations of tools in the document, which come from no tool modules"
      : `the declarations of tools in the document, which are those of the modules \`${modules}\``,
    "that tools satisfy their `ensures`, which every run checks",
  ];
}

/** Returns the certificate form of a guarantee. */
export function certifiedGuarantee({ name, args, formula }: Guarantee): CertifiedGuarantee {
  return { name, args: args.map(printExpr), formula: formula === undefined ? "" : printExpr(formula) };
}

/** The script of what the certificate says of an obligation, or undefined where it cannot say that. */
export function certifiedScript(
  terms: Terms,
  obligation: Obligation,
  { verdict, uses }: Pick<CertifiedObligation, "verdict" | "uses">,
): Script | undefined {
  const { answered, assumptions, goal } = obligation;
  if (verdict === "sat")
    return answered === undefined || uses.length > 0 ? undefined : answerScript(terms, answered);
  const isInOrder = uses.every(
    (use, i) => use < assumptions.length && (i === 0 || use > (uses[i - 1] ?? use)),
  );
  const isTooMuch = goal.value === true && uses.length > 0;
  return isInOrder && !isTooMuch ? goalScript(terms, obligation, uses) : undefined;
}

/** By the paths of their loops. */
export function invariantsOf(loops: readonly CertifiedLoop[]): Invariants {
  return new Map(loops.map(({ path, invariants }) => [path.join("."), invariants]));
}

function headMisfit(
  { documentHash, modules, guarantees, ...rest }: Certificate,
  document: Document,
): string | undefined {
  if (canonicalJson(rest.document) !== canonicalJson(documentToJson(document)))
    return "the document is not in canonical form";
  if (documentHash !== hashDocument(document)) return "the hash is not that of the document";
  if (modules !== (document.modules ?? null)) return "the tool modules are not those of the document";
  const stated = document.guarantees.map(certifiedGuarantee);
  if (guarantees.length !== stated.length)
    return `the certificate has ${guarantees.length} guarantees, and the document ${stated.length}`;
  const other = stated.findIndex(
    (one, i) => canonicalJson({ ...one }) !== canonicalJson({ ...guarantees[i] }),
  );
  return other < 0 ? undefined : `guarantee ${other + 1} is not what the document says`;
}

/** Solver queries: one by one, and batched per verdict. */
interface Questions {
  readonly asked: readonly CertifiedObligation[];
  readonly together: Readonly<Record<"unsat" | "sat", string | undefined>>;
}

/**
 * Returns the obligations that evaluation does not decide, or the reason why the certificate does not match the
 * document.
 */
function obligationsToAsk(
  { obligations }: Certificate,
  terms: Terms,
  derived: readonly Obligation[],
): Questions | string {
  if (obligations.length !== derived.length)
    return `the certificate has ${obligations.length} obligations, and ${derived.length} follow from the document`;
  const asked: CertifiedObligation[] = [];
  const stated: Stated[] = [];
  for (const [i, obligation] of derived.entries()) {
    const said = obligations[i];
    const wrong = (what: string) => `obligation ${i + 1} is not what follows from the document: ${what}`;
    if (said === undefined || said.kind !== obligation.kind) return wrong("its kind");
    if (canonicalJson(said.path) !== canonicalJson(obligation.path)) return wrong("its place");
    const isGround = said.verdict === "unsat" && obligation.goal.value === true;
    if ((said.by === "evaluation") !== isGround) return wrong("how it is decided");
    const script = certifiedScript(terms, obligation, said);
    if (script === undefined || said.smtLib !== script.text) return wrong("its SMT-LIB text");
    if (said.hash !== sha256Hex(script.text)) return wrong("the hash of its SMT-LIB text");
    if (isGround) continue;
    asked.push(said);
    stated.push({ obligation, verdict: said.verdict, uses: said.uses });
  }
  // INVARIANT: only now, since it may add lines, and every text above was compared.
  const together = {
    unsat: togetherScript(terms, stated, "unsat"),
    sat: togetherScript(terms, stated, "sat"),
  };
  return { asked, together };
}

async function replay(
  { solver }: Certificate,
  questions: Questions,
  solvers: readonly Replayer[],
  otherVersion: boolean,
): Promise<CheckProblem | undefined> {
  if (solver === null) return undefined;
  const problem = (message: string, help?: string): CheckProblem =>
    help === undefined ? { code: "FC5306", message } : { code: "FC5306", message, help };
  const { resources, timeoutMs } = solver;
  if (resources !== solverLimits.resources || timeoutMs !== solverLimits.timeoutMs)
    return problem("the solver's limits are not those of a certificate");
  const [first] = solvers;
  if (first === undefined || first.name !== solver.name || first.options !== solver.options)
    return problem(`\`${solver.name}\` with these options is not a solver that can be asked here`);
  if (first.version !== solver.version && !otherVersion)
    return problem(
      `version ${solver.version} of \`${solver.name}\` answered, and the solver here has version ${first.version}`,
      "accept its verdict with `--other-version`",
    );
  for (const one of solvers) {
    const { asked } = questions;
    const answers = await answersOf(questions, one);
    const wrong = asked.findIndex(({ verdict }, i) => answers[i] !== verdict);
    const { kind, path, verdict } = asked[wrong] ?? {};
    if (path === undefined) continue;
    const said = `\`${one.name}\` says ${answers[wrong]}, not ${verdict}`;
    return problem(`${said}, of the ${kind} at \`${path.join(".")}\``);
  }
  return undefined;
}

/** Returns the solver's verdict for each query. */
async function answersOf({ asked, together }: Questions, solver: Replayer): Promise<readonly string[]> {
  const isAnswered = async (verdict: "unsat" | "sat") => {
    const text = together[verdict];
    return text !== undefined && (await solver.ask(text, togetherLimits)) === verdict;
  };
  const [unsat, sat] = await Promise.all([isAnswered("unsat"), isAnswered("sat")]);
  const known = { unsat, sat };
  // Those that are left all at once: a solver that can answer several at a time does.
  return Promise.all(
    asked.map(({ smtLib, verdict }) => (known[verdict] ? verdict : solver.ask(smtLib, solverLimits))),
  );
}

function unreadable(message: string): Checking {
  return { kind: "unreadable", problem: { code: "FC5303", message } };
}

function refused(code: CheckCode, message: string): Checking {
  return { kind: "refused", problem: { code, message } };
}
