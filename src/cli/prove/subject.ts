/** What is to be proved: a TypeScript program or a document, from a file, or why there is none. */
import { readDocument } from "../../ir/index.ts";
import { plainFailure, textFailure } from "../failure.ts";
import type { LoadedDocument } from "../load.ts";
import { isProgram, type LoadedProgram, loadProgram, type ProgramLoad } from "../load-program.ts";
import type { Progress } from "../progress.ts";
import { readSource } from "../source.ts";
import type { Terminal } from "../terminal.ts";

export type Subject =
  | { readonly kind: "loaded"; readonly document: LoadedDocument | LoadedProgram }
  | Exclude<ProgramLoad, { readonly kind: "loaded" }>;

export async function loadSubject(
  terminal: Terminal,
  path: string,
  tools: readonly string[] | undefined,
  progress: Progress,
): Promise<Subject> {
  if (/\.([cm]?jsx?|tsx)$/.test(path)) {
    const help = "give a TypeScript program (.ts), or a document of the Effect IR (.eir, .json)";
    return {
      kind: "unreadable",
      failure: plainFailure("FC9001", `\`${path}\` is not what can be proved`, help),
    };
  }
  if (isProgram(path)) return loadProgram(terminal, path, tools);
  const source = await readSource(terminal, path);
  if (!source.ok) return { kind: "unreadable", failure: source.failure };
  const { file, text } = source.value;
  await progress.reading(file, text.length);
  const read = readDocument(text);
  await progress.clear();
  if (!read.ok) return { kind: "invalid", failures: [textFailure(file, text, read.problems)] };
  return { kind: "loaded", document: { ...read.value, file, text } };
}
