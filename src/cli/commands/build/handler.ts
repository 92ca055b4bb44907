/** `build`: the tool modules of a folder as one file, to prove with where the modules themselves are not. */
import { basename, resolve } from "node:path";
import {
  count,
  type Failure,
  failuresOf,
  firstFailure,
  folderWords,
  Modules,
  modulesIn,
  plainFailure,
  posix,
  systemWords,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { compileTools } from "../../../frontend/index.ts";
import { readLayer, saveLayer } from "../../../link/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { paintFor } from "../../text/paint.ts";

export interface BuildCommandOptions {
  readonly json?: boolean;
  readonly output: string;
}

export async function buildLayer(
  host: Host,
  folder: string,
  { output, json = false }: BuildCommandOptions,
): Promise<ExitCode> {
  const fail = (failure: Failure) => reportFailure(host, failure, json);
  const listing = await host.listFolder(folder);
  if (listing.kind === "failed")
    return fail(plainFailure("FC9002", `cannot read \`${folder}\`: ${folderWords(listing.code)}`));
  const root = posix(folder);
  const files = await modulesIn(host, root);
  if (!files.ok) return fail(files);
  const modules = new Modules(host);
  const compiled = compileTools(files.value, modules.host([root]));
  if (modules.failure !== undefined) return fail(modules.failure);
  if (!compiled.ok) return fail(firstFailure(failuresOf(compiled.problems, compiled.sources)));
  if (compiled.value.declarations.length === 0) {
    const help = "give the folder that holds the tool modules";
    return fail(plainFailure("FC9001", `\`${folder}\` declares no tools`, help));
  }
  const text = saveLayer(basename(resolve(folder)), root, compiled.value);
  // Nobody should learn only later that it cannot be used.
  const read = readLayer(text);
  if (!read.ok) return fail({ ok: false, problems: [{ ...read.problem, path: [] }] });
  const code = await host.writeFile(output, [text]);
  if (code !== undefined) {
    const why = code === "ENOENT" ? "there is no such folder" : systemWords(code);
    return fail(plainFailure("FC9004", `cannot write \`${output}\`: ${why}`));
  }
  const { tools, fluents, contracts } = compiled.value;
  const { hash, modules: named } = read.value;
  const counts = { tools: tools.length, fluents: fluents.length, contracts: contracts.length };
  if (json) await writeJson(host.stdout, { ok: true, file: output, hash, modules: named, ...counts });
  else {
    const { green } = paintFor(lookOf(host.stdout));
    const said = [
      count(counts.tools, "tool"),
      count(counts.fluents, "fluent"),
      count(counts.contracts, "contract"),
    ];
    await host.stdout.write(
      `${green("built")}  ${hash}  ${said.join(", ")}\nwritten to ${visibleText(output)}; it holds the text of the modules\n`,
    );
  }
  return fine;
}
