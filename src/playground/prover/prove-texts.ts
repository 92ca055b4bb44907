/** Proves a program whose files are texts. Nothing of it, or of a tool module, is executed. */
import {
  closedFiles,
  failuresIn,
  invalidReport,
  loadRunnable,
  type ProblemReport,
  proofReport,
  proofView,
  prove,
  type SolverPool,
} from "../../app/index.ts";
import { limits, type Outcome, type PlaygroundProblem, type TextFile } from "../messages.ts";

export interface ProvedTexts {
  readonly outcome: Outcome;
  /** As the command prints it, without its time. */
  readonly report: object | null;
}

/** For each question to the solver, as the command has it where nothing else is said. */
const timeoutMs = 10_000;

export async function proveTexts(
  entry: string,
  texts: readonly TextFile[],
  pool: SolverPool,
  asking: () => void,
): Promise<ProvedTexts> {
  const wrong = misfit(entry, texts);
  if (wrong !== undefined) return { outcome: { kind: "failed", message: wrong }, report: null };
  const modules = texts.filter(([name]) => name !== entry).map(([name, text]) => [`/${name}`, text] as const);
  const roots = [...new Set(modules.flatMap(([name]) => toolRoots(name)))];
  const tools = { folder: "/", named: null, roots, files: modules, docs: [] };
  const given = new Map(texts.filter(([name]) => name === entry).map(([, text]) => [entry, text]));
  const loading = await loadRunnable({ path: entry }, { fs: closedFiles(tools, given) });
  if (loading.kind !== "loaded") {
    const report = invalidReport(entry, failuresIn(loading), 0);
    return { outcome: { kind: "invalid", problems: report.errors.map(problemOf) }, report: untimed(report) };
  }
  const proved = await prove(loading.loaded, { pool, timeoutMs, asking });
  if (!proved.ok)
    return { outcome: { kind: "failed", message: proved.problems[0]?.message ?? "" }, report: null };
  const { document, proof, coverage } = proved.value;
  const view = proofView({ document, proof, coverage, docs: document.docs, ms: 0 });
  return { outcome: { kind: "proof", view }, report: untimed(proofReport(entry, proved.value, 0)) };
}

/** Every `tools` on the way to a file. */
function toolRoots(path: string): string[] {
  const parts = path.split("/");
  return parts.flatMap((part, i) =>
    part === "tools" && i < parts.length - 1 ? [parts.slice(0, i + 1).join("/")] : [],
  );
}

function misfit(entry: string, texts: readonly TextFile[]): string | undefined {
  if (texts.length > limits.files) return `there are more than ${limits.files} files`;
  const length = texts.reduce((sum, [name, text]) => sum + name.length + text.length, 0);
  if (length > limits.textLength) return `the files have more than ${limits.textLength} characters`;
  const names = new Set(texts.map(([name]) => name));
  if (names.size < texts.length) return "two files have the same name";
  const odd = [...names].find((name) => !isPath(name));
  if (odd !== undefined)
    return `\`${odd}\` is not a file name: use letters, digits, \`-\`, \`_\` and folders`;
  return names.has(entry) ? undefined : `there is no file \`${entry}\``;
}

export function isPath(name: string): boolean {
  return (
    name.length <= limits.pathLength &&
    /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.ts$/.test(name)
  );
}

function problemOf({ code, message, help, span }: ProblemReport): PlaygroundProblem {
  return { code, message, help: help ?? null, place: span };
}

function untimed<T extends { readonly ms: number }>(report: T): Omit<T, "ms"> {
  const { ms: _, ...rest } = report;
  return rest;
}
