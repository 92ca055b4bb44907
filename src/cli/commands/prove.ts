/** `prove`: what programs and documents guarantee, shown for every run, or a run that breaks it. */
import type { Question } from "../../prove/index.ts";
import { badInput, type ExitCode, fine, notSo } from "../exit-code.ts";
import { type Failure, failureText, lookOf, plainFailure, reportFailure, writeJsonLine } from "../failure.ts";
import { guaranteeText } from "../guarantee-text.ts";
import type { LoadedDocument } from "../load.ts";
import { misnamed, optionsFor, type ProgramForm } from "../named-program.ts";
import { Progress } from "../progress.ts";
import { coverageOfSubject } from "../prove/coverage.ts";
import { obligationText } from "../prove/obligation-text.ts";
import { invalidToJson, proofToJson } from "../prove/proof-json.ts";
import { proofText, verdictWord } from "../prove/proof-text.ts";
import { proveLoaded } from "../prove/prove-loaded.ts";
import { type Showable, shownText } from "../prove/show.ts";
import { type ChosenSolver, chooseSolver, type SolverName, solverResources } from "../prove/solver-choice.ts";
import { loadSubject, type Subject } from "../prove/subject.ts";
import { type ProgramVerdict, verdictOf } from "../prove/verdict.ts";
import { isClause } from "../relate/clause.ts";
import type { Output, Terminal } from "../terminal.ts";
import { paintFor } from "../text/paint.ts";
import { visible } from "../text/width.ts";
import { count } from "../text/words.ts";

export interface ProveCommandOptions {
  readonly json?: boolean;
  /** For each question to the solver, in seconds. */
  readonly timeout: number;
  /** Folders of trusted tool modules, for TypeScript programs. */
  readonly tools?: readonly string[];
  /** Contracts with their arguments, for plans. */
  readonly guarantee?: readonly string[];
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  readonly solver: SolverName;
  readonly show?: Showable;
}

export async function provePrograms(
  terminal: Terminal,
  words: readonly string[],
  given: ProveCommandOptions,
): Promise<ExitCode> {
  const { paths, options } = withClauses(words, given);
  const json = options.json === true;
  const misuse = paths.length === 0 ? noProgram : await misnamed(terminal, paths, options);
  if (misuse !== undefined) return reportFailure(terminal, misuse, json);
  const solver = await chooseSolver(options.solver);
  if (!solver.ok) return reportFailure(terminal, solver.failure, json);
  const found: Found[] = [];
  try {
    const apart = new Apart(terminal);
    for (const path of paths)
      found.push(await proveOne(apart, path, optionsFor(path, paths, options), solver.value));
  } finally {
    await solver.value.close();
  }
  if (paths.length > 1 && !json) await terminal.stdout.write(`\n${totalText(found, terminal)}\n`);
  if (found.includes("unreadable")) return badInput;
  return found.every((one) => one === "proved") ? fine : notSo;
}

const noProgram = plainFailure("FC9001", "no program is given", "see `foreclaim prove --help`");

/** Reads `--guarantee 'a.b(1)' 'a.c(2)'` as two guarantees: no program has the name of a contract with its arguments. */
function withClauses(
  words: readonly string[],
  options: ProveCommandOptions,
): { readonly paths: readonly string[]; readonly options: ProveCommandOptions } {
  const { guarantee } = options;
  if (guarantee === undefined) return { paths: words, options };
  const paths = words.filter((word) => !isClause(word));
  return { paths, options: { ...options, guarantee: [...guarantee, ...words.filter(isClause)] } };
}

type Found = ProgramVerdict | "unreadable";

/** Sets what is said about a program apart from what was said about the one before. */
class Apart {
  readonly terminal: Terminal;
  readonly #used = new Set<Output>();

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  async write(output: Output, text: string): Promise<void> {
    // A person who looks at a terminal sees both outputs as one.
    const isFirst = output.isTTY ? this.#used.size === 0 : !this.#used.has(output);
    this.#used.add(output);
    await output.write(isFirst ? text : `\n${text}`);
  }
}

async function proveOne(
  apart: Apart,
  path: string,
  options: ProveCommandOptions,
  solver: ChosenSolver,
): Promise<Found> {
  const { terminal } = apart;
  const elapsedMs = sinceNow(terminal);
  const progress = new Progress(terminal);
  const subject = await loadSubject(terminal, path, options, progress);
  const file = path === "-" ? "<stdin>" : path;
  if (subject.kind !== "loaded") {
    const failures = subject.kind === "invalid" ? subject.failures : [subject.failure];
    if (options.json) await writeJsonLine(terminal.stdout, invalidToJson(file, failures, elapsedMs()));
    else await apart.write(terminal.stderr, failuresText(terminal.stderr, file, subject.kind, failures));
    return subject.kind;
  }
  const { json, text, verdict } = await provedJson(terminal, file, subject, options, solver, elapsedMs);
  if (options.json) await writeJsonLine(terminal.stdout, json());
  else await apart.write(terminal.stdout, text());
  return verdict;
}

/** Everything that is found out about one program, as it is shown. */
export async function provedJson(
  terminal: Terminal,
  file: string,
  subject: Extract<Subject, { readonly kind: "loaded" }>,
  options: Pick<ProveCommandOptions, "timeout" | "show">,
  solver: ChosenSolver,
  elapsedMs: () => number = sinceNow(terminal),
): Promise<{
  readonly json: () => ReturnType<typeof proofToJson>;
  readonly text: () => string;
  readonly verdict: ProgramVerdict;
}> {
  const progress = new Progress(terminal);
  const { document } = subject;
  const questions: Question[] = [];
  const limits = { timeoutMs: Math.max(1, Math.round(options.timeout * 1000)), resources: solverResources };
  const given = { solver: solver.get, limits };
  const proof = await proveLoaded(document, {
    ...given,
    asking: (question) => {
      if (options.show === "smt") questions.push(question);
      progress.waiting(`${file}: ${aboutText(document, question)}`);
    },
  });
  const coverage = await coverageOfSubject(document, proof, {
    ...given,
    asking: () => progress.waiting(`${file}: coverage`),
  });
  await progress.clear();
  const { show } = options;
  const shown = show === undefined ? undefined : shownText(show, document, proof, questions);
  const more = shown === undefined ? {} : { shown };
  const text = () => {
    const said = proofText(document, proof, coverage, terminal.stdout);
    return shown === undefined ? said : `${shown}\n${said}`;
  };
  const json = () => proofToJson(file, document, proof, coverage, elapsedMs(), more);
  return { json, text, verdict: verdictOf(proof) };
}

function sinceNow(terminal: Terminal): () => number {
  const startMs = terminal.nowMs();
  return () => terminal.nowMs() - startMs;
}

function aboutText({ checked }: LoadedDocument, { about }: Question): string {
  return "goal" in about ? obligationText(checked, about) : guaranteeText(checked, about).stated;
}

/** The problems of the first file, and how many others there are: those often follow from them. */
function failuresText(
  output: Output,
  file: string,
  kind: "invalid" | "unreadable",
  failures: readonly Failure[],
): string {
  const [first = { problems: [] }, ...others] = failures;
  const text = failureText(first, output);
  if (kind === "unreadable") return text;
  const word = verdictWord("invalid", paintFor(lookOf(output)));
  const more = others.reduce((sum, { problems }) => sum + problems.length, 0);
  const elsewhere = more === 0 ? "" : `, ${more} of them in other files; --json has them all`;
  const problems = count(first.problems.length + more, "problem");
  return `${text}\n${word}  ${visible(file)} does not compile: ${problems}${elsewhere}\n`;
}

function totalText(found: readonly Found[], { stdout }: Terminal): string {
  const paint = paintFor(lookOf(stdout));
  const kinds = ["proved", "refuted", "unknown", "invalid", "unreadable"] as const;
  const counts = kinds
    .map((kind) => [kind, found.filter((one) => one === kind).length] as const)
    .filter(([, n]) => n > 0)
    .map(
      ([kind, n]) => `${n} ${kind === "unreadable" ? kind : verdictWord(kind, paint).replace(/[✓✗?] /u, "")}`,
    );
  return `${count(found.length, "program")}: ${counts.join(", ")}`;
}
