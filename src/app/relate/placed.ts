/** Findings at their places in the files. */

import type { Diagnostic } from "../../ir/index.ts";
import type { Finding, Linted } from "../../lint/index.ts";
import type { Failure } from "../failure.ts";

export interface PlacedFindings {
  /** By file. */
  readonly failures: readonly Failure[];
  readonly undecided: readonly string[];
}

export interface Placed {
  readonly file: string;
  readonly text: string;
  readonly span?: { readonly start: number; readonly end: number };
}

export function placedFindings(
  { findings, undecided }: Linted,
  place: (finding: Finding) => Placed | undefined,
): PlacedFindings {
  const byFile = new Map<string, { readonly source: string; readonly problems: Diagnostic<string>[] }>();
  for (const finding of findings) {
    const at = place(finding);
    const { code, message, help } = finding;
    const problem = { code, message, help, path: [], title: "warning", ...(at?.span && { span: at.span }) };
    const file = at?.file ?? "";
    const known = byFile.get(file) ?? { source: at?.text ?? "", problems: [] };
    known.problems.push(problem);
    byFile.set(file, known);
  }
  const failures = Array.from(
    byFile,
    ([file, { source, problems }]): Failure => ({
      ok: false,
      file,
      source,
      problems: problems.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0)),
    }),
  );
  return { failures, undecided: undecided.map(({ message }) => message) };
}
