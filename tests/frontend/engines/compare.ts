/** One random program under Node, under QuickJS and compiled: the same calls, notes and answer, or a refusal. */
import { compileLab, runAsIr, runAsJavaScript, sourceOf, type Trace } from "../lab.ts";
import { runInQuickJs } from "./quickjs.ts";
import { SurfaceSource } from "./surface-source.ts";

export interface Compared {
  /** `refused`, `done`, or the code with which the run stopped. */
  readonly outcome: string;
  /** Undefined if all agree. */
  readonly difference: string | undefined;
  readonly used: ReadonlySet<string>;
}

/** Stops of a run that JavaScript does not make: a requirement, an engine's own date format, an infinite number, an inherited name. */
const stops = /^FC(1503|1504|1507|1524|1525|1411)/;

export async function compareEngines(seed: number): Promise<Compared> {
  const made = new SurfaceSource(seed);
  const source = sourceOf(made.program());
  const shown = (what: string, ...traces: readonly unknown[]) =>
    `seed ${seed}: ${what}\n${traces.map((one) => JSON.stringify(one)).join("\n")}\n${source}`;
  const { used } = made;
  // The clock of the mocks is set by the scenario, and a date has a limit.
  const scenario = seed % 1_000;
  const node = await runAsJavaScript(source, undefined, scenario);
  const [quick] = await runInQuickJs(source, undefined, [scenario]);
  if (quick === undefined) throw new Error(shown("QuickJS did not run"));
  const compiled = compileLab(source);
  if (!("document" in compiled)) return { outcome: "refused", difference: undefined, used };
  const run = await runAsIr(compiled.document, undefined, scenario);
  // Engines read dates of other formats than the specification's as they like; a run stops there.
  const isLeftOpen = run.end.startsWith("FC1524");
  if (!isLeftOpen && seen(node) !== seen(quick))
    return { outcome: "engines", difference: shown("Node and QuickJS differ", node, quick), used };
  if (isLeftOpen && told(cutTo(quick, run)) !== told({ ...run, result: undefined }))
    return { outcome: "engines", difference: shown("QuickJS differs", quick, run), used };
  if (run.end === "done") {
    const isSame = told(node) === told(run);
    return { outcome: "done", difference: isSame ? undefined : shown("the run differs", node, run), used };
  }
  const isPrefix = stops.test(run.end) && told(cutTo(node, run)) === told({ ...run, result: undefined });
  return {
    outcome: run.end.slice(0, 6),
    difference: isPrefix ? undefined : shown(`the run stops: ${run.end}`, node, run),
    used,
  };
}

/** Messages of errors are the engine's own. */
function seen({ calls, end, result, notes }: Trace): string {
  return JSON.stringify([calls, end === "done", result, notes]);
}

function told({ calls, result, notes }: Omit<Trace, "end">): string {
  return JSON.stringify([calls, result, notes]);
}

function cutTo({ calls, notes }: Trace, run: Trace): Omit<Trace, "end"> {
  return {
    calls: calls.slice(0, run.calls.length),
    notes: notes.slice(0, run.notes.length),
    result: undefined,
  };
}
