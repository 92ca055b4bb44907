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
  SolverPool,
  SourceMap,
  writeText,
} from "../../../app/index.ts";
import type { CheckCode } from "../../../certificate/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { hashDocument, type Path } from "../../../ir/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption, SolverChoice } from "../../options.ts";
import { Progress } from "../../progress.ts";

export interface CertifyCommandOptions extends JsonOption, SolverChoice {
  readonly output?: string;
  readonly tools?: readonly string[];
  readonly as?: ProgramForm;
}

export async function certifyProgram(
  host: Host,
  path: string,
  options: CertifyCommandOptions,
): Promise<Ended> {
  const misuse = await misnamed(host, [path], options);
  if (misuse !== undefined) return misuse;
  const progress = new Progress(host);
  const pool = new SolverPool();
  try {
    const solver = await pool.take(options.solver);
    if (!solver.ok) return solver;
    const { tools, as } = options;
    const loading = await load({ path, as, tools }, { fs: host, notices: progress });
    if (loading.kind !== "loaded") return firstFailure(failuresIn(loading));
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
): Promise<Ended> {
  const { document } = loaded;
  const { checked } = document;
  const file = visibleText(document.file);
  const refuse = async (failure: Failure): Promise<Ended> => {
    await reportFailure(host, failure, options.json === true);
    return notSo;
  };
  progress.waiting(`${file}: proving`);
  const how = { pool, solver: options.solver, timeoutMs: options.timeout * 1000 };
  const certified = await certify(loaded, how, () => progress.waiting(`${file}: certifying`));
  await progress.clear();
  if (!certified.ok) return certified;
  const found = certified.value;
  if (found.kind === "not proved") {
    const message = `\`${file}\` is ${found.verdict}, and only a proved program can be certified`;
    return refuse(failureAt(document, [], "FC5301", message, `see \`foreclaim prove ${file}\``));
  }
  if (found.kind === "notYet") {
    const message = `\`${file}\` is proved, but no certificate can express the proof: ${found.why}`;
    return refuse(failureAt(document, found.path, "FC5302", message));
  }
  const { output } = options;
  if (output === undefined) {
    await host.stdout.write(found.text);
    return fine;
  }
  const failure = await writeText(host, output, [found.text]);
  if (failure !== undefined) return failure;
  const [guarantees, obligations] = [
    found.certificate.guarantees.length,
    found.certificate.obligations.length,
  ];
  const hash = hashDocument(checked.document);
  if (options.json)
    await writeJsonLine(host.stdout, { ok: true, file: output, hash, guarantees, obligations });
  else {
    const counts = `${count(guarantees, "guarantee")}, ${count(obligations, "obligation")}`;
    await host.stdout.write(
      `${paintOf(host.stdout).green("certified")}  ${hash}  ${counts}\nwrote ${visibleText(output)}\n`,
    );
  }
  return fine;
}

/** Makes a failure with its place in the source, where it has one. */
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
