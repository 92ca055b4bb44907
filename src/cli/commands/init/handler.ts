/** `init`: makes a project to begin with. All of its files, or none. */
import { basename, join, resolve } from "node:path";
import {
  type Failure,
  isAbsent,
  listed,
  moduleFiles,
  type NotCreated,
  type ProjectFile,
  plainFailure,
  projectFiles,
  shown,
  systemWords,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { paintOf, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface InitOptions extends JsonOption {
  /** Modules of the standard library. */
  readonly with?: readonly string[];
}

export async function initProject(
  host: Host,
  folder: string,
  version: string,
  options: InitOptions,
): Promise<Ended> {
  const all = [...projectFiles(packageName(folder), version), ...moduleFiles(options.with ?? [])];
  const files = all.filter(({ path }) => !kept.has(path) || !isThere(host, join(folder, path)));
  const texts = new Map(files.map(({ path, text }) => [join(folder, path), text]));
  const problem = await host.createFiles(texts);
  if (problem !== undefined) return failureOf(problem, folder);
  if (options.json) {
    await writeJson(host.stdout, { ok: true, folder, created: files.map(({ path }) => path) });
  } else await host.stdout.write(madeText(folder, files, host));
  return fine;
}

/** Files that stay as they are in a folder that has them. */
const kept: ReadonlySet<string> = new Set(["package.json", ".gitignore"]);

/** An unreadable file is not an absent one. */
function isThere(host: Host, path: string): boolean {
  const read = host.readFileNow(path, 1);
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
    const help = "move these files away, or choose another folder; nothing was changed";
    return plainFailure("FC9004", `${listed(names)} ${are} already in ${here}`, help);
  }
  const why =
    problem.code === "ENOTDIR" || problem.code === "EEXIST"
      ? "a part of its path is not a folder"
      : systemWords(problem.code);
  return plainFailure("FC9004", `cannot write \`${problem.path}\`: ${why}`, "nothing was changed");
}

function madeText(folder: string, files: readonly ProjectFile[], { stdout }: Host): string {
  const { bold, dim } = paintOf(stdout);
  const width = Math.max(...files.map(({ path }) => path.length));
  const isHere = shown(folder) === ".";
  const lines = files.map(({ path, purpose }) => `  ${path.padEnd(width)}  ${dim(purpose)}`);
  const enter = isHere ? "" : `cd ${visibleText(folder)} && `;
  return [
    bold(isHere ? "made here" : `made in ${visibleText(folder)}`),
    ...lines,
    "",
    `${dim("next")}  ${enter}foreclaim prove pay-power.ts`,
    `${dim("then")}  foreclaim run pay-power.ts`,
    "",
    dim("for types in your editor: npm install <folder of foreclaim>, as long as it is not on npm"),
    "",
  ].join("\n");
}
