/** `certify`: proves a program and writes a certificate of it. */

import {
  certify,
  count,
  type Failure,
  failuresIn,
  firstFailure,
  type Loaded,
  type LoadedDocument,
  load,
  misnamed,
  type ProgramForm,
  plainFailure,
  type SolverName,
  SolverPool,
  SourceMap,
  systemWords,
} from "../../../app/index.ts";
import type { CheckCode } from "../../../certificate/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { hashDocument, type Path } from "../../../ir/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { paintFor } from "../../text/paint.ts";

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
  host: Host,
  path: string,
  options: CertifyCommandOptions,
): Promise<ExitCode> {
  const json = options.json === true;
  const misuse = await misnamed(host, [path], options);
  if (misuse !== undefined) return reportFailure(host, misuse, json);
  const progress = new Progress(host);
  const pool = new SolverPool();
  try {
    const solver = await pool.take(options.solver);
    if (!solver.ok) return await reportFailure(host, solver, json);
    const { tools, as } = options;
    const loading = await load({ path, as, tools }, { fs: host, notices: progress });
    if (loading.kind !== "loaded") return await reportFailure(host, firstFailure(failuresIn(loading)), json);
    return await certifyLoaded(host, loading.loaded, options, pool, progress);
  } finally {
    await progress.clear();
    await pool.close();
  }
}

async function certifyLoaded(
  host: Host,
  loaded: Loaded,
  options: CertifyCommandOptions,
  pool: SolverPool,
  progress: Progress,
): Promise<ExitCode> {
  const { document } = loaded;
  const { checked, file } = document;
  const refuse = async (failure: Failure): Promise<ExitCode> => {
    await reportFailure(host, failure, options.json === true);
    return notSo;
  };
  progress.waiting(`${file}: proving`);
  const how = { pool, solver: options.solver, timeoutMs: options.timeout * 1000 };
  const certified = await certify(loaded, how, () => progress.waiting(`${file}: certifying`));
  await progress.clear();
  if (!certified.ok) return reportFailure(host, certified, options.json === true);
  const found = certified.value;
  if (found.kind === "not proved") {
    const message = `\`${visibleText(file)}\` is ${found.verdict}, and only what is proved can be certified`;
    return refuse(failureAt(document, [], "FC5301", message, `see \`foreclaim prove ${visibleText(file)}\``));
  }
  if (found.kind === "notYet") {
    const message = `\`${visibleText(file)}\` is proved, and cannot be certified yet: ${found.why}`;
    return refuse(failureAt(document, found.path, "FC5302", message));
  }
  const { output } = options;
  if (output === undefined) {
    await host.stdout.write(found.text);
    return fine;
  }
  const code = await host.writeFile(output, [found.text]);
  if (code !== undefined) {
    const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
    const failure = plainFailure("FC9004", `cannot write \`${output}\`: ${why}`);
    return reportFailure(host, failure, options.json === true);
  }
  const { guarantees, obligations } = found.certificate;
  const hash = hashDocument(checked.document);
  if (options.json) {
    const counts = { guarantees: guarantees.length, obligations: obligations.length };
    await writeJsonLine(host.stdout, { ok: true, file: output, hash, ...counts });
    return fine;
  }
  const { green } = paintFor(lookOf(host.stdout));
  const said = `${count(guarantees.length, "guarantee")}, ${count(obligations.length, "obligation")}`;
  await host.stdout.write(`${green("certified")}  ${hash}  ${said}\nwritten to ${visibleText(output)}\n`);
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
  const place = path.length === 0 ? undefined : new SourceMap(document).at(path);
  if (place === undefined) return { ok: false, problems: [problem] };
  const { file, text, start, end } = place;
  return { ok: false, file, source: text, problems: [{ ...problem, span: { start, end } }] };
}
