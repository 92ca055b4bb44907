/** A program as a command line names it: a file, or `-` for standard input, whose form its text or `--as` says. */
import { type Attempt, attained, type Failure, failedAttempt, plainFailure } from "../failure.ts";
import { type SourceFiles, standardInput, withText } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { formOfName, formOfText, formsOfName, type ProgramForm } from "./form.ts";

export interface NamedProgram {
  /** Finds standard input at `path`, if that is the program. */
  readonly fs: SourceFiles;
  /** As it is read and shown; a program from standard input stands in this folder. */
  readonly path: string;
  readonly form: ProgramForm;
}

export interface NamedOptions {
  readonly as?: ProgramForm;
  /** Contracts for a plan, which is the only JSON that takes them. */
  readonly guarantee?: readonly string[];
}

const stdin = "<stdin>";

export async function nameProgram(
  fs: SourceFiles,
  path: string,
  { as, guarantee }: NamedOptions,
): Promise<Attempt<NamedProgram>> {
  if (path !== standardInput) {
    const misuse = as === undefined ? undefined : disagreement(path, as);
    return misuse === undefined
      ? attained({ fs, path, form: as ?? formOfName(path) })
      : failedAttempt(misuse);
  }
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { text } = source.value;
  const form = as ?? formOfText(text, guarantee !== undefined);
  return attained({ fs: withText(fs, stdin, text), path: stdin, form });
}

/** Refuses folders, a second `-`, and `--as` that nothing is left to be said by, before any program is looked at. */
export async function misnamed(
  fs: SourceFiles,
  paths: readonly string[],
  { as }: NamedOptions = {},
): Promise<Failure | undefined> {
  if (paths.filter((path) => path === standardInput).length > 1)
    return plainFailure("FC9001", "standard input can be read only once", "give the others as files");
  for (const path of paths) {
    if (path === standardInput) continue;
    // A folder with the name of a program is told of where it is read.
    if (!/\.(ts|eir|json)$/.test(path) && (await fs.listFolder(path)).kind === "entries") {
      const help = `name each folder of tool modules with its own option, as in \`--tools ${path}\``;
      return plainFailure("FC9001", `\`${path}\` is a folder and no program`, help);
    }
    if (as !== undefined && !paths.includes(standardInput)) {
      const misuse = disagreement(path, as);
      if (misuse !== undefined) return misuse;
    }
  }
  return undefined;
}

/** `--as` is about standard input, where that is one of several programs. */
export function optionsFor<T extends NamedOptions>(path: string, paths: readonly string[], options: T): T {
  if (path === standardInput || !paths.includes(standardInput)) return options;
  const { as: _, ...others } = options;
  // SAFETY: `as` is optional in every such type, so what is left is one of them.
  return others as T;
}

function disagreement(path: string, as: ProgramForm): Failure | undefined {
  if (formsOfName(path).includes(as)) return undefined;
  const help = "leave out `--as`, or give the program by standard input";
  return plainFailure("FC9001", `\`--as ${as}\` contradicts the name \`${path}\``, help);
}
