/**
 * Runs what was approved: the last stage. The document that runs is the one that was proved, and the tools are loaded from
 * the files that it was compiled against.
 */
import { hashDocument, isBuiltin, ok, placeOf, type Result } from "../ir/index.ts";
import type { Kernel } from "../kernel/index.ts";
import {
  closeConnections,
  type Execution,
  holdConnections,
  type LoadedProbe,
  type LoadedTool,
  type LookWhen,
  type Person,
  type ProgramRun,
  type ProgramRunResult,
  type ResumeOptions,
  type RunProblem,
  type RunProgress,
  resumeProgram,
  runProgram,
  type ToolPlace,
} from "../run/index.ts";
import type { Attest } from "./attest/attestors.ts";
import type { Approved } from "./decide.ts";
import { type Failure, plainFailure } from "./failure.ts";
import { shown } from "./files/paths.ts";
import { type Address, ledgerFailure } from "./ledger/open.ts";
import type { LoadedProgram } from "./load/typescript.ts";
import type { Runnable } from "./load.ts";
import type { Proved } from "./prove.ts";
import { mustBe, type Stage, stamp } from "./stage.ts";
import { toolLoader } from "./unbundled-imports.ts";

/** Gives the functions of the tools that a program calls. */
export type ToolSource = (
  places: readonly ToolPlace[],
  /** Hears the lines that tools print, where they print elsewhere. */
  print?: (line: string) => void,
  /** Fluents, whose probes the run asks. */
  fluents?: readonly ToolPlace[],
) => Promise<
  | {
      readonly ok: true;
      readonly tools: ReadonlyMap<string, LoadedTool>;
      /** By the names of their fluents. */
      readonly probes?: ReadonlyMap<string, LoadedProbe>;
      /** Called when the run has ended. */
      readonly close?: () => Promise<void>;
      /** Takes how to verify that the modules are still what was proved, for a source that loads them again during the run. */
      readonly recheck?: (isSame: () => Promise<boolean>) => void;
    }
  | { readonly ok: false; readonly file: string; readonly message: string }
>;

export interface RunHow {
  readonly runId: string;
  /** The limit for each call. */
  readonly callTimeoutMs: number;
  /** The number of calls that may be under way at the same time; 32 by default. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal;
  /** The moments at which the run looks at the world; before its first call by default. */
  readonly when?: LookWhen | undefined;
  /** Gives attestations of actions for which gates of the kernel ask. */
  readonly attest?: Attest | undefined;
  /** Lease of the fluents that the run holds; none by default. */
  readonly leaseMs?: number;
  /** Whom tools may ask during the run. */
  readonly person?: Person | undefined;
  readonly wallMs: () => number;
  /** Hears the lines that tools print; standard output by default. */
  readonly print?: (line: string) => void;
  readonly onProgress?: (progress: RunProgress) => void;
  /** The ledger below the kernel, for what is said when it is lost. */
  readonly ledger?: Address | undefined;
  /** Called once nothing can refuse the run any more, before its first call. */
  readonly prepare?: () => Promise<Result<void, Failure>>;
}

export type Finished = FinishedParts & Stage<"finished">;

type FinishedParts =
  | { readonly kind: "ran"; readonly run: ProgramRun }
  /** No call was made, and the receipt was not used. */
  | { readonly kind: "refused"; readonly problems: readonly RunProblem[] }
  /** The ledger was lost on the way; the run can be resumed. */
  | { readonly kind: "cut off"; readonly failure: Failure };

/** Loads the modules themselves, in this process. Commands do it in [another one](tool-process/child-tools.ts). */
export const moduleTools: ToolSource = async (places, _print, fluents) => {
  const { loadTools } = await toolLoader();
  return loadTools(places, fluents);
};

/** Runs an approved program once. */
export function run(approved: Approved, tools: ToolSource, how: RunHow): Promise<Result<Finished, Failure>> {
  mustBe("approved", approved);
  const { request, receipt, publicKey } = approved;
  const { proved, inputs, kernel } = request;
  return perform(proved, kernel, tools, how, (common) =>
    runProgram(proved.document.checked, { ...common, inputs, receipt, publicKey }),
  );
}

/** Resumes an approved run that was cut off. The receipt and the inputs are in the trace, and are verified there. */
export function resume(
  proved: Proved<Runnable>,
  kernel: Kernel,
  publicKey: string,
  tools: ToolSource,
  how: RunHow,
): Promise<Result<Finished, Failure>> {
  mustBe("proved", proved);
  if (proved.verdict !== "proved") throw new TypeError("only a proved program can be resumed");
  return perform(proved, kernel, tools, how, (common) =>
    resumeProgram(proved.document.checked, { ...common, publicKey }),
  );
}

type Common = Omit<ResumeOptions, "publicKey">;

async function perform(
  proved: Proved<Runnable>,
  kernel: Kernel,
  tools: ToolSource,
  how: RunHow,
  work: (common: Common) => Promise<ProgramRunResult>,
): Promise<Result<Finished, Failure>> {
  const places = placesOf(proved.document);
  // A run that can call nothing relies on nothing in the world.
  const fluents = places.length === 0 ? [] : fluentPlaces(proved.document);
  const loaded = await tools(places, how.print, fluents);
  if (!loaded.ok) {
    const message = `the tool module \`${shown(loaded.file)}\` cannot be loaded: ${loaded.message}`;
    return plainFailure("FC9011", message, "nothing was run");
  }
  try {
    return await performWith(loaded, proved, kernel, how, work);
  } finally {
    await loaded.close?.();
  }
}

async function performWith(
  loaded: Extract<Awaited<ReturnType<ToolSource>>, { ok: true }>,
  proved: Proved<Runnable>,
  kernel: Kernel,
  how: RunHow,
  work: (common: Common) => Promise<ProgramRunResult>,
): Promise<Result<Finished, Failure>> {
  const changed = await changedSince(proved.loaded);
  if (changed !== undefined) return changed;
  loaded.recheck?.(async () => (await changedSince(proved.loaded)) === undefined);
  const prepared = await how.prepare?.();
  if (prepared?.ok === false) return prepared;
  const {
    runId,
    callTimeoutMs,
    concurrency,
    signal,
    leaseMs,
    person,
    wallMs,
    onProgress,
    ledger,
    when,
    attest,
  } = how;
  const execution = await executionOf(proved.document);
  holdConnections();
  try {
    const result = await work({
      kernel,
      tools: loaded.tools,
      everywhere: proved.prefixSafe,
      ...(loaded.probes && { world: { probes: loaded.probes, ...(when && { when }) } }),
      ...(attest && { attest }),
      ...(execution && { execution }),
      ...(concurrency !== undefined && { concurrency }),
      runId,
      timeoutMs: Math.max(1, Math.round(callTimeoutMs)),
      wallMs,
      ...(signal && { signal }),
      ...(leaseMs !== undefined && { leaseMs }),
      ...(person && { person }),
      ...(onProgress && { onProgress }),
    });
    return finished(
      result.ok ? { kind: "ran", run: result.value } : { kind: "refused", problems: result.problems },
    );
  } catch (thrown) {
    if (ledger === undefined) throw thrown;
    return finished({ kind: "cut off", failure: ledgerFailure(thrown, ledger) });
  } finally {
    await closeConnections();
  }
}

function finished(parts: FinishedParts): Result<Finished, Failure> {
  return ok(stamp("finished", parts));
}

/** Returns how the calls of a plan are carried out: its retries, timeouts and compensations. */
async function executionOf({ plan }: LoadedProgram): Promise<Execution | undefined> {
  if (plan === undefined) return undefined;
  const { executionOf: ofPlan } = await import("../plan/index.ts");
  return ofPlan(plan.plan, plan.lowered, plan.book);
}

/** Finds where each tool is declared: the very file that was compiled. */
function placesOf({ checked, sourceMap, plan }: LoadedProgram): readonly ToolPlace[] {
  if (plan !== undefined) return plan.places;
  return checked.document.tools.flatMap(({ name }, i) => {
    if (isBuiltin(name)) return [];
    const file = sourceMap && placeOf(sourceMap, ["tools", i])?.name;
    if (file === undefined) throw new TypeError(`no file declares \`${name}\``);
    return [{ name, file }];
  });
}

/** Finds where each fluent is declared. */
function fluentPlaces({ checked, sourceMap, plan }: LoadedProgram): readonly ToolPlace[] {
  if (plan !== undefined) return plan.fluents;
  if (checked.document.modules === undefined) return [];
  return checked.document.fluents.map(({ name }, i) => {
    const file = sourceMap && placeOf(sourceMap, ["fluents", i])?.name;
    if (file === undefined) throw new TypeError(`no file declares \`${name}\``);
    return { name, file };
  });
}

/** SOUNDNESS: the modules that were loaded just now must be what was proved, so all is compiled again and compared. */
async function changedSince({ document, again }: Runnable): Promise<Failure | undefined> {
  const loading = await again();
  const now = loading.kind === "loaded" ? loading.loaded.document : undefined;
  const isSame =
    now !== undefined &&
    "modules" in now &&
    now.modules === document.modules &&
    hashDocument(now.checked.document) === hashDocument(document.checked.document);
  if (isSame) return undefined;
  const message = `\`${document.file}\`, or a tool module, was changed since it was proved`;
  return plainFailure("FC9011", message, "nothing was run; start again");
}
