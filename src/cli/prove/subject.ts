/** What is to be proved: a TypeScript program, a document or a plan, from a file, or why there is none. */
import { dirname } from "node:path";
import { readLayer } from "../../link/index.ts";
import { plainFailure } from "../failure.ts";
import type { LoadedDocument } from "../load.ts";
import { type LoadedProgram, loadProgram, type ProgramLoad } from "../load-program.ts";
import { loadWritten } from "../load-written.ts";
import { formOfText, type NamedOptions, type NamedProgram, nameProgram } from "../named-program.ts";
import type { Progress } from "../progress.ts";
import { readSource } from "../source.ts";
import type { Terminal } from "../terminal.ts";
import { mountedFor } from "../tools/mounted.ts";

export type Subject =
  | { readonly kind: "loaded"; readonly document: LoadedDocument | LoadedProgram }
  | Exclude<ProgramLoad, { readonly kind: "loaded" }>;

/** With the tool layers that were saved, if such are named. */
export async function loadSubject(
  terminal: Terminal,
  path: string,
  options: SubjectOptions,
  progress: Progress,
): Promise<Subject> {
  const named = await nameProgram(terminal, path, options);
  if (!named.ok) return { kind: "unreadable", failure: named.failure };
  return loadNamed(named.value, options, progress);
}

export async function loadNamed(
  { terminal, path, form }: NamedProgram,
  options: SubjectOptions,
  progress: Progress,
): Promise<Subject> {
  const mounted = await mountedFor(terminal, path, form, options.tools);
  if (!mounted.ok) return { kind: "unreadable", failure: mounted.failure };
  const { tools } = mounted.value;
  const { guarantee } = options;
  const given = { ...(tools && { tools }), ...(guarantee && { guarantee }) };
  return subjectOf({ terminal: mounted.value.terminal, path, form }, given, progress);
}

async function subjectOf(
  { terminal, path, form }: NamedProgram,
  { tools, guarantee: stated }: SubjectOptions,
  progress: Progress,
): Promise<Subject> {
  const isPlan = form === "plan" || (stated !== undefined && /\.json$/.test(path));
  if (isPlan) return planSubject(terminal, path, tools, stated);
  if (stated !== undefined)
    return misuse(`\`${path}\` is no plan, and says itself what it guarantees`, "leave out `--guarantee`");
  if (/\.([cm]?jsx?|tsx)$/.test(path)) {
    const help = "give a TypeScript program (.ts), or a document of the Effect IR (.eir, .json)";
    return misuse(`\`${path}\` is not what can be proved`, help);
  }
  if (form === "ts") return loadProgram(terminal, path, tools);
  const source = await readSource(terminal, path);
  if (!source.ok) return { kind: "unreadable", failure: source.failure };
  const { file, text } = source.value;
  if (formOfText(text) === "plan") return planSubject(terminal, path, tools, stated);
  await progress.reading(file, text.length);
  const load = await loadWritten(terminal, source.value, dirname(path), tools);
  await progress.clear();
  if (load.kind !== "invalid") return load;
  if (text.includes('"foreclaimTools"') && readLayer(text).ok)
    return misuse(`\`${file}\` is a saved tool layer and no program`, `name it with \`--tools ${path}\``);
  return load;
}

async function planSubject(
  terminal: Terminal,
  path: string,
  tools: readonly string[] | undefined,
  stated: readonly string[] | undefined,
): Promise<Subject> {
  const { loadPlanSubject } = await import("../plan/plan-subject.ts");
  return loadPlanSubject(terminal, path, tools, stated ?? []);
}

function misuse(message: string, help: string): Subject {
  return { kind: "unreadable", failure: plainFailure("FC9001", message, help) };
}

export interface SubjectOptions extends NamedOptions {
  readonly tools?: readonly string[];
}
