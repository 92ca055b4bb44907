/** Compares what a program does in JavaScript with what its document does. */
import type { SourceDiagnostic } from "../../../src/frontend/index.ts";
import { commandsIn, type Document, isParallel } from "../../../src/ir/index.ts";
import { inInterpreter, inIr, inJavaScript } from "./both.ts";

export interface Tally {
  /** Compiled programs with and without `parallel`, refused ones by code, and runs by how they ended. */
  parallel: number;
  sequential: number;
  refused: number;
  /** Runs in which a call ends earlier than in JavaScript, so that the document starts the same calls. */
  earlier: number;
  runs: number;
  readonly codes: Record<string, number>;
  readonly ends: Record<string, number>;
}

export function newTally(): Tally {
  return { parallel: 0, sequential: 0, refused: 0, earlier: 0, runs: 0, codes: {}, ends: {} };
}

/** Allowed refusals: shared variables, unawaited promises, unknown errors. */
const mayRefuse = ["FC2324", "FC2311", "FC2318"];

type Compiled = { readonly document: Document } | { readonly problems: readonly SourceDiagnostic[] };

export async function compare(
  source: string,
  compiled: Compiled,
  seeds: readonly number[],
  tally: Tally,
  same: (found: unknown, wanted: unknown, what: string) => void,
): Promise<void> {
  if ("problems" in compiled) {
    tally.refused += 1;
    for (const { code, message } of compiled.problems) {
      tally.codes[code] = (tally.codes[code] ?? 0) + 1;
      same(mayRefuse.includes(code), true, `refused: ${code} ${message}`);
    }
    return;
  }
  const { document } = compiled;
  tally[[...commandsIn(document.program.body)].some(isParallel) ? "parallel" : "sequential"] += 1;
  for (const seed of seeds) {
    tally.runs += 1;
    const wanted = await inJavaScript(source, seed);
    let found = await inIr(document, seed);
    const run = await inInterpreter(document, seed);
    same(run.calls, found.calls, `the interpreter, calls ended as in ${seed}`);
    same(run.end, found.end, `the interpreter, calls ended as in ${seed}`);
    // `Promise.all` in a `try` is rejected before its other calls have ended, and the document waits for those. That is a
    // run in which they end earlier, since nobody looks at their results.
    if (/\btry\b/.test(source) && JSON.stringify(found.calls) !== JSON.stringify(wanted.calls)) {
      tally.earlier += 1;
      found = await inIr(document, seed, wanted.early);
    }
    const what = `calls ended as in ${seed}: ${wanted.end} | ${found.end}`;
    same(found.calls, wanted.calls, what);
    // The program's own throw ends a run like its last line does, and so does what `finally` passes on; a tool's
    // failure that nobody catches stops it, also beside a throw that came first.
    const passedOn = source.includes("finally") ? ["done"] : [];
    const ends: Readonly<Record<string, readonly string[]>> = {
      broken: ["FC1504", ...passedOn],
      own: ["done", "FC1504"],
      done: ["done"],
    };
    same(ends[wanted.end]?.includes(found.end), true, what);
    const end = `${wanted.end} ${found.end}`;
    tally.ends[end] = (tally.ends[end] ?? 0) + 1;
  }
}
