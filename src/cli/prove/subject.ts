/** What is to be proved: a TypeScript program, a document or a plan, from a file, or why there is none. */
import { dirname } from "node:path";
import type { CheckedPlan } from "../../plan/index.ts";
import { plainFailure } from "../failure.ts";
import type { LoadedDocument } from "../load.ts";
import { isProgram, type LoadedProgram, loadProgram, type ProgramLoad } from "../load-program.ts";
import { loadWritten } from "../load-written.ts";
import type { Progress } from "../progress.ts";
import { readSource } from "../source.ts";
import type { Terminal } from "../terminal.ts";
import { mountedFor } from "../tools/mounted.ts";

export type Subject =
  | {
      readonly kind: "loaded";
      readonly document: LoadedDocument | LoadedProgram;
      /** Of a plan. */
      readonly plan?: CheckedPlan;
    }
  | Exclude<ProgramLoad, { readonly kind: "loaded" }>;

/** With the tool layers that were saved, if such are named. */
export async function loadSubject(
  terminal: Terminal,
  path: string,
  options: SubjectOptions,
  progress: Progress,
): Promise<Subject> {
  const mounted = await mountedFor(terminal, path, options.tools);
  if (!mounted.ok) return { kind: "unreadable", failure: mounted.failure };
  const { tools } = mounted.value;
  const { guarantee } = options;
  const given = { ...(tools && { tools }), ...(guarantee && { guarantee }) };
  return subjectOf(mounted.value.terminal, path, given, progress);
}

async function subjectOf(
  terminal: Terminal,
  path: string,
  { tools, guarantee: stated }: SubjectOptions,
  progress: Progress,
): Promise<Subject> {
  if (stated !== undefined) {
    if (/\.json$/.test(path) || path === "-") {
      const { loadPlanSubject } = await import("../plan/plan-subject.ts");
      return loadPlanSubject(terminal, path, tools, stated);
    }
    const message = `\`${path}\` is no plan, and says itself what it guarantees`;
    return { kind: "unreadable", failure: plainFailure("FC9001", message, "leave out `--guarantee`") };
  }
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
  const load = await loadWritten(terminal, source.value, path === "-" ? "." : dirname(path), tools);
  await progress.clear();
  if (load.kind === "invalid" && looksLikePlan(text)) {
    const help = "say what is to be proved of it, as in `--guarantee 'bank.maxSpend(500)'`";
    return { kind: "unreadable", failure: plainFailure("FC9001", `\`${file}\` is a plan`, help) };
  }
  return load;
}

export interface SubjectOptions {
  readonly tools?: readonly string[];
  /** Contracts with their arguments, for a plan. */
  readonly guarantee?: readonly string[];
}

/** Of a text that is no document. */
function looksLikePlan(text: string): boolean {
  return /^\s*\{/.test(text) && text.includes('"actions"') && !text.includes('"effectIr"');
}
