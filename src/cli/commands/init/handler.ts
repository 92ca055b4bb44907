/** `init`: makes a project to begin with. All of its files, or none. */
import { basename, join, resolve } from "node:path";
import {
  type Failure,
  isAbsent,
  listed,
  type NotCreated,
  type ProjectFile,
  plainFailure,
  projectFiles,
  shown,
  systemWords,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { paintFor } from "../../text/paint.ts";

export interface InitCommandOptions {
  readonly json?: boolean;
}

export async function initProject(
  host: Host,
  folder: string,
  version: string,
  options: InitCommandOptions,
): Promise<ExitCode> {
  const all = projectFiles(packageName(folder), version);
  const files = all.filter(({ path }) => path !== "package.json" || !hasPackage(host, folder));
  const texts = new Map(files.map(({ path, text }) => [join(folder, path), text]));
  const problem = await host.createFiles(texts);
  if (problem !== undefined) return reportFailure(host, failureOf(problem, folder), options.json === true);
  if (options.json) {
    await writeJson(host.stdout, { ok: true, folder, created: files.map(({ path }) => path) });
  } else await host.stdout.write(madeText(folder, files, host));
  return fine;
}

/** A package that is there stays as it is; that it cannot be read does not make it absent. */
function hasPackage(host: Host, folder: string): boolean {
  const read = host.readFileNow(join(folder, "package.json"), 1);
  return read.kind !== "failed" || !isAbsent(read.code);
}

function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name === "" ? "programs" : name;
}

function failureOf(problem: NotCreated, folder: string): Failure {
  const here = shown(folder) === "." ? "this folder" : `\`${folder}\``;
  if (problem.kind === "exists") {
    const names = problem.paths.map((path) => `\`${path}\``);
    const are = names.length === 1 ? "is" : "are";
    const help = "move what is there away, or choose another folder; nothing was changed";
    return plainFailure("FC9004", `${listed(names)} ${are} already in ${here}`, help);
  }
  const why =
    problem.code === "ENOTDIR" || problem.code === "EEXIST"
      ? "a part of its path is not a folder"
      : systemWords(problem.code);
  return plainFailure("FC9004", `cannot write \`${problem.path}\`: ${why}`, "nothing was changed");
}

function madeText(folder: string, files: readonly ProjectFile[], { stdout }: Host): string {
  const { bold, dim } = paintFor(lookOf(stdout));
  const width = Math.max(...files.map(({ path }) => path.length));
  const isHere = shown(folder) === ".";
  const lines = files.map(({ path, purpose }) => `  ${path.padEnd(width)}  ${dim(purpose)}`);
  const enter = isHere ? "" : `cd ${visibleText(folder)} && `;
  return [
    bold(isHere ? "made here" : `made in ${visibleText(folder)}`),
    ...lines,
    "",
    `${dim("next")}  ${enter}foreclaim prove pay-power.ts`,
    "",
  ].join("\n");
}
