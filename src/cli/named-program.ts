/** A program as a command line names it: a file, or `-` for standard input, whose form its text or `--as` says. */
import { isJsonObject, readJson } from "../ir/index.ts";
import { type Attempt, attained, type Failure, failedAttempt, plainFailure } from "./failure.ts";
import { isProgram } from "./load-program.ts";
import { readSource } from "./source.ts";
import type { Terminal } from "./terminal.ts";

/** TypeScript, a document of the Effect IR in text or JSON, or a plan. */
export type ProgramForm = (typeof programForms)[number];

export const programForms = ["ts", "eir", "plan"] as const;

export interface NamedProgram {
  /** Finds standard input at `path`, if that is the program. */
  readonly terminal: Terminal;
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
  terminal: Terminal,
  path: string,
  { as, guarantee }: NamedOptions,
): Promise<Attempt<NamedProgram>> {
  if (path !== "-") {
    const misuse = as === undefined ? undefined : disagreement(path, as);
    return misuse === undefined
      ? attained({ terminal, path, form: as ?? formOfName(path) })
      : failedAttempt(misuse);
  }
  const source = await readSource(terminal, path);
  if (!source.ok) return source;
  const { text } = source.value;
  const form = as ?? formOfText(text, guarantee !== undefined);
  return attained({ terminal: withStdin(terminal, text), path: stdin, form });
}

/** Refuses folders, a second `-`, and `--as` that nothing is left to be said by, before any program is looked at. */
export async function misnamed(
  terminal: Terminal,
  paths: readonly string[],
  { as }: NamedOptions = {},
): Promise<Failure | undefined> {
  if (paths.filter((path) => path === "-").length > 1)
    return plainFailure("FC9001", "standard input can be read only once", "give the others as files");
  for (const path of paths) {
    if (path === "-") continue;
    // A folder with the name of a program is told of where it is read.
    if (!/\.(ts|eir|json)$/.test(path) && (await terminal.listFolder(path)).kind === "entries") {
      const help = `name each folder of tool modules with its own option, as in \`--tools ${path}\``;
      return plainFailure("FC9001", `\`${path}\` is a folder and no program`, help);
    }
    if (as !== undefined && !paths.includes("-")) {
      const misuse = disagreement(path, as);
      if (misuse !== undefined) return misuse;
    }
  }
  return undefined;
}

/** `--as` is about standard input, where that is one of several programs. */
export function optionsFor<T extends NamedOptions>(path: string, paths: readonly string[], options: T): T {
  if (path === "-" || !paths.includes("-")) return options;
  const { as: _, ...others } = options;
  // SAFETY: `as` is optional in every such type, so what is left is one of them.
  return others as T;
}

function formOfName(path: string): ProgramForm {
  return isProgram(path) ? "ts" : "eir";
}

/** A name that says the form itself, and another one. */
function disagreement(path: string, as: ProgramForm): Failure | undefined {
  const [, extension = ""] = /\.([cm]?ts|eir|json)$/.exec(path) ?? [];
  const said: readonly ProgramForm[] =
    extension === "" ? programForms : extension === "json" ? ["eir", "plan"] : [formOfName(path)];
  if (said.includes(as)) return undefined;
  const help = "leave out `--as`, or give the program by standard input";
  return plainFailure("FC9001", `\`--as ${as}\` contradicts the name \`${path}\``, help);
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

/** Also for JSON that is cut off, so that the reader of plans says what is wrong with it. */
function isPlan(text: string): boolean {
  const read = readJson(text);
  if (!read.ok) return text.includes('"actions"') && !text.includes('"effectIr"');
  const { value } = read.value;
  return isJsonObject(value) && "actions" in value && !("effectIr" in value);
}

function withStdin(base: Terminal, text: string): Terminal {
  const bytes = Buffer.from(text, "utf8");
  return {
    ...base,
    // Nobody can type an answer after the program.
    isTyped: false,
    readFile: async (path, limitBytes) => {
      if (path !== stdin) return base.readFile(path, limitBytes);
      return bytes.length > limitBytes ? { kind: "tooBig" } : { kind: "bytes", bytes };
    },
  };
}
