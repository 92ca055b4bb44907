/** `prove`: proves the guarantees of programs for every run, or finds a counterexample. */

import {
  count,
  type Failure,
  failuresIn,
  firstFailure,
  guaranteeText,
  invalidReport,
  isClause,
  type LoadedDocument,
  load,
  misnamed,
  obligationText,
  optionsFor,
  type ProgramForm,
  type ProgramVerdict,
  type ProveHow,
  plainFailure,
  proofReport,
  prove,
  type Showable,
  SolverPool,
  shownText,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Question } from "../../../prove/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, type ExitCode, fine, notSo } from "../../exit-code.ts";
import { failureText, paintOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { proofText, verdictWord } from "./render.ts";
import { watched } from "./watch.ts";

export interface ProveCommandOptions extends JsonOption, SolverChoice {
  /** Folders of trusted tool modules, for TypeScript programs. */
  readonly tools?: readonly string[];
  /** Contracts with their arguments, for plans. */
  readonly guarantee?: readonly string[];
  readonly as?: ProgramForm;
  readonly show?: Showable;
  readonly watch?: boolean;
}

export async function provePrograms(
  host: Host,
  words: readonly string[],
  given: ProveCommandOptions,
): Promise<Ended> {
  const { paths, options } = withClauses(words, given);
  const misuse = paths.length === 0 ? noProgram : await misnamed(host, paths, options);
  if (misuse !== undefined) return misuse;
  const pool = new SolverPool();
  try {
    // Nothing is loaded for a missing solver.
    const solver = await pool.take(options.solver);
    if (!solver.ok) return solver;
    if (!options.watch) return await proveAll(host, paths, options, pool);
    if (paths.includes("-"))
      return plainFailure("FC9001", "`--watch` cannot watch standard input", "give the programs as files");
    return await watched(host, (seen) => proveAll(seen, paths, options, pool));
  } finally {
    await pool.close();
  }
}

async function proveAll(
  host: Host,
  paths: readonly string[],
  options: ProveCommandOptions,
  pool: SolverPool,
): Promise<ExitCode> {
  const apart = new Apart(host);
  const found: Found[] = [];
  for (const path of paths) found.push(await proveOne(apart, path, optionsFor(path, paths, options), pool));
  if (paths.length > 1 && options.json !== true) await host.stdout.write(`\n${totalText(found, host)}\n`);
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
  readonly host: Host;
  readonly #used = new Set<Output>();

  constructor(host: Host) {
    this.host = host;
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
  pool: SolverPool,
): Promise<Found> {
  const { host } = apart;
  const elapsedMs = sinceNow(host);
  const progress = new Progress(host);
  const { as, tools, guarantee, timeout, solver, show, json } = options;
  const loading = await load({ path, as, tools, guarantee }, { fs: host, notices: progress });
  const file = path === "-" ? "<stdin>" : path;
  if (loading.kind !== "loaded") {
    const failures = failuresIn(loading);
    if (json) await writeJsonLine(host.stdout, invalidReport(file, failures, elapsedMs()));
    else await apart.write(host.stderr, failuresText(host.stderr, file, loading.kind, failures));
    return loading.kind;
  }
  const { document } = loading.loaded;
  const questions: Question[] = [];
  const asking: ProveHow["asking"] = (about, question) => {
    if (about === "proof" && show === "smt") questions.push(question);
    progress.waiting(`${file}: ${about === "proof" ? aboutText(document, question) : about}`);
  };
  const proved = await prove(loading.loaded, { pool, solver, timeoutMs: timeout * 1000, asking });
  await progress.clear();
  if (!proved.ok) {
    await reportFailure(host, proved, json === true);
    return "unreadable";
  }
  const shown = show === undefined ? undefined : shownText(show, document, proved.value.proof, questions);
  if (json) await writeJsonLine(host.stdout, proofReport(file, proved.value, elapsedMs(), shown));
  else {
    const said = proofText(document, proved.value.proof, proved.value.coverage, host.stdout);
    await apart.write(host.stdout, shown === undefined ? said : `${shown}\n${said}`);
  }
  return proved.value.verdict;
}

function sinceNow(host: Host): () => number {
  const startMs = host.nowMs();
  return () => host.nowMs() - startMs;
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
  const first = firstFailure(failures);
  const others = failures.slice(1);
  const text = failureText(first, output);
  if (kind === "unreadable") return text;
  const word = verdictWord("invalid", paintOf(output));
  const more = others.reduce((sum, { problems }) => sum + problems.length, 0);
  const elsewhere = more === 0 ? "" : `, ${more} of them in other files; --json has them all`;
  const problems = count(first.problems.length + more, "problem");
  return `${text}\n${word}  ${visibleText(file)} does not compile: ${problems}${elsewhere}\n`;
}

function totalText(found: readonly Found[], { stdout }: Host): string {
  const paint = paintOf(stdout);
  const kinds = ["proved", "refuted", "unknown", "invalid", "unreadable"] as const;
  const counts = kinds
    .map((kind) => [kind, found.filter((one) => one === kind).length] as const)
    .filter(([, n]) => n > 0)
    .map(
      ([kind, n]) => `${n} ${kind === "unreadable" ? kind : verdictWord(kind, paint).replace(/[✓✗?] /u, "")}`,
    );
  return `${count(found.length, "program")}: ${counts.join(", ")}`;
}
