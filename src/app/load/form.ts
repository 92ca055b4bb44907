/** The form of a program, by the name of its file or by its text: the one place that looks at names. */
import { isJsonObject, ok, type Result, readJson } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { type SourceFiles, standardInput, withText } from "../files/port.ts";
import { readSource } from "../files/source.ts";

/** TypeScript, a document of the Effect IR in text or JSON, or a plan. */
export type ProgramForm = (typeof programForms)[number];

export const programForms = ["ts", "eir", "plan"] as const;

/** Returns the form that a name stands for; a plan is told from a document by its text alone. */
export function formOfName(path: string): ProgramForm {
  return isTypeScript(path) ? "ts" : "eir";
}

/** Returns the forms that a file of this name can have. */
export function formsOfName(path: string): readonly ProgramForm[] {
  const [, extension = ""] = /\.([cm]?ts|eir|json)$/.exec(path) ?? [];
  if (extension === "") return programForms;
  return extension === "json" ? ["eir", "plan"] : [formOfName(path)];
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

export function isDocument(path: string): boolean {
  return /\.(eir|json)$/.test(path);
}

export function isJson(path: string): boolean {
  return path.endsWith(".json");
}

/** Tells JavaScript and JSX, which nobody can prove. */
export function isOtherScript(path: string): boolean {
  return /\.([cm]?jsx?|tsx)$/.test(path);
}

/** Tells a saved tool layer from a folder of tool modules. */
export function isSavedLayer(path: string): boolean {
  return isJson(path);
}

/**
 * Recognizes a form by the text alone. Everything that is neither an Effect IR header nor JSON is TypeScript, whose
 * front end refuses what is no program.
 */
export function formOfText(text: string, isStated = false): ProgramForm {
  const start = text.slice(0, longestStart).replace(/^\uFEFF?(?:\s|\/\/[^\n\r]*(?:[\n\r]|$))*/, "");
  if (/^effect-ir\b/.test(start)) return "eir";
  // No TypeScript program is a block that begins with a text.
  if (!/^\{\s*(?:"|\}\s*$)/.test(start)) return "ts";
  return isStated || isPlan(text) ? "plan" : "eir";
}

/** LIMIT: of comments and blanks before a program. */
const longestStart = 100_000;

/** True also for JSON that is cut off, so that the reader of plans says what is wrong with it. */
function isPlan(text: string): boolean {
  const read = readJson(text);
  if (!read.ok) return text.includes('"actions"') && !text.includes('"effectIr"');
  const { value } = read.value;
  return isJsonObject(value) && "actions" in value && !("effectIr" in value);
}

/** Tells a document from a TypeScript program in a text that has no file name. */
export function looksLikeDocument(text: string): boolean {
  return /^\uFEFF?(?:\s|\/\/[^\n\r]*[\n\r])*(?:\{|effect-ir\b)/.test(text);
}

export interface NamedProgram {
  /** Finds standard input at `path`, if that is the program. */
  readonly fs: SourceFiles;
  /** As it is read and shown; a program from standard input stands in this folder. */
  readonly path: string;
  readonly form: ProgramForm;
}

export interface NamedOptions {
  readonly as?: ProgramForm | undefined;
  /** Contracts for a plan, which is the only JSON that takes them. */
  readonly guarantee?: readonly string[] | undefined;
}

const stdin = "<stdin>";

export async function nameProgram(
  fs: SourceFiles,
  path: string,
  { as, guarantee }: NamedOptions,
): Promise<Result<NamedProgram, Failure>> {
  if (path !== standardInput) {
    const misuse = as === undefined ? undefined : disagreement(path, as);
    return misuse === undefined ? ok({ fs, path, form: as ?? formOfName(path) }) : misuse;
  }
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const { text } = source.value;
  const form = as ?? formOfText(text, guarantee !== undefined);
  return ok({ fs: withText(fs, stdin, text), path: stdin, form });
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
  const help = "omit `--as`, or give the program on standard input";
  return plainFailure("FC9001", `\`--as ${as}\` contradicts the name \`${path}\``, help);
}
