/** `certify`: proves a program and writes a certificate of it. */
import type { CheckCode } from "../../certificate/index.ts";
import { hashDocument, type Path } from "../../ir/index.ts";
import { certify, prove, replayerOf } from "../../prove/index.ts";
import { type ExitCode, fine, notSo } from "../exit-code.ts";
import { type Failure, lookOf, plainFailure, reportFailure, writeJsonLine } from "../failure.ts";
import type { LoadedDocument } from "../load.ts";
import { misnamed, type ProgramForm } from "../named-program.ts";
import { Progress } from "../progress.ts";
import { Places } from "../prove/places.ts";
import { type ChosenSolver, chooseSolver, type SolverName, solverResources } from "../prove/solver-choice.ts";
import { loadSubject } from "../prove/subject.ts";
import { verdictOf } from "../prove/verdict.ts";
import { systemWords } from "../source.ts";
import type { Terminal } from "../terminal.ts";
import { paintFor } from "../text/paint.ts";
import { visible } from "../text/width.ts";
import { count } from "../text/words.ts";

export interface CertifyCommandOptions {
  readonly json?: boolean;
  readonly output?: string;
  /** For each question to the solver, in seconds. */
  readonly timeout: number;
  readonly tools?: readonly string[];
  /** How the text of standard input is read. */
  readonly as?: ProgramForm;
  readonly solver: SolverName;
}

export async function certifyProgram(
  terminal: Terminal,
  path: string,
  options: CertifyCommandOptions,
): Promise<ExitCode> {
  const json = options.json === true;
  const misuse = await misnamed(terminal, [path], options);
  if (misuse !== undefined) return reportFailure(terminal, misuse, json);
  const solver = await chooseSolver(options.solver);
  if (!solver.ok) return reportFailure(terminal, solver.failure, json);
  const progress = new Progress(terminal);
  try {
    const { tools, as } = options;
    const given = { ...(tools && { tools }), ...(as && { as }) };
    const subject = await loadSubject(terminal, path, given, progress);
    if (subject.kind === "unreadable") return reportFailure(terminal, subject.failure, json);
    if (subject.kind === "invalid")
      return reportFailure(terminal, subject.failures[0] ?? { problems: [] }, json);
    return await certifyDocument(terminal, subject.document, options, solver.value, progress);
  } finally {
    await progress.clear();
    await solver.value.close();
  }
}

async function certifyDocument(
  terminal: Terminal,
  document: LoadedDocument,
  options: CertifyCommandOptions,
  { get }: ChosenSolver,
  progress: Progress,
): Promise<ExitCode> {
  const { checked, file } = document;
  const refuse = async (failure: Failure): Promise<ExitCode> => {
    await reportFailure(terminal, failure, options.json === true);
    return notSo;
  };
  const limits = { timeoutMs: Math.max(1, Math.round(options.timeout * 1000)), resources: solverResources };
  progress.waiting(`${file}: proving`);
  const proof = await prove(checked, { solver: get, limits, stops: "left out" });
  const verdict = verdictOf(proof);
  if (verdict !== "proved") {
    await progress.clear();
    const message = `\`${visible(file)}\` is ${verdict}, and only what is proved can be certified`;
    return refuse(failureAt(document, [], "FC5301", message, `see \`foreclaim prove ${visible(file)}\``));
  }
  progress.waiting(`${file}: certifying`);
  const found = await certify(checked, async () => replayerOf(await get()));
  await progress.clear();
  if (found.kind === "notYet") {
    const message = `\`${visible(file)}\` is proved, and cannot be certified yet: ${found.why}`;
    return refuse(failureAt(document, found.path, "FC5302", message));
  }
  const { output } = options;
  if (output === undefined) {
    await terminal.stdout.write(found.text);
    return fine;
  }
  const code = await terminal.writeFile(output, [found.text]);
  if (code !== undefined) {
    const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
    const failure = plainFailure("FC9004", `cannot write \`${output}\`: ${why}`);
    return reportFailure(terminal, failure, options.json === true);
  }
  const { guarantees, obligations } = found.certificate;
  const hash = hashDocument(checked.document);
  if (options.json) {
    const counts = { guarantees: guarantees.length, obligations: obligations.length };
    await writeJsonLine(terminal.stdout, { ok: true, file: output, hash, ...counts });
    return fine;
  }
  const { green } = paintFor(lookOf(terminal.stdout));
  const said = `${count(guarantees.length, "guarantee")}, ${count(obligations.length, "obligation")}`;
  await terminal.stdout.write(`${green("certified")}  ${hash}  ${said}\nwritten to ${visible(output)}\n`);
  return fine;
}

/** With its place in the source, where it has one. */
function failureAt(
  document: LoadedDocument,
  path: Path,
  code: CheckCode,
  message: string,
  help?: string,
): Failure {
  const problem = { code, message, path, ...(help !== undefined && { help }) };
  const place = path.length === 0 ? undefined : new Places(document).at(path);
  if (place === undefined) return { problems: [problem] };
  const { file, text, start, end } = place;
  return { file, source: text, problems: [{ ...problem, span: { start, end } }] };
}
