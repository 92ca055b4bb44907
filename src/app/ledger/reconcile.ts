/** Compares the fluents of tool modules with the world, on the kernel of a ledger: by command, and on a schedule. */
import type { Declaration } from "../../frontend/index.ts";
import { type Checked, check, ok, type PlainJson, type Result } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import {
  type CellView,
  type LoadedProbe,
  type Reconciled,
  realClock,
  reconcile,
  type ToolPlace,
} from "../../run/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { shown } from "../files/paths.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { visibleTools } from "../load/visible-tools.ts";
import { joinedLayer } from "../relate/layer.ts";
import type { ToolSource } from "../run.ts";
import { type Address, type Asker, withKernel } from "./open.ts";

export interface ReconcileChoice {
  readonly folder: string;
  readonly tools?: readonly string[] | undefined;
  /** Names of fluents; all by default. */
  readonly fluents?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly accept?: "world" | "model" | undefined;
}

/** Probes of tool modules, loaded and ready to be asked. */
export interface LoadedWorld {
  readonly checked: Checked;
  readonly probes: ReadonlyMap<string, LoadedProbe>;
  readonly close: () => Promise<void>;
}

export interface ReconcileReport extends Reconciled {
  /** True if every cell was observed and agrees. */
  readonly agrees: boolean;
  readonly probes: number;
  readonly stopped?: string;
}

/** Compiles the modules and executes them for their probes, as a run does. */
export async function loadWorld(
  fs: FileSystem,
  source: ToolSource,
  { folder, tools, fluents: named }: Pick<ReconcileChoice, "folder" | "tools" | "fluents">,
  print?: (line: string) => void,
): Promise<Result<LoadedWorld, Failure>> {
  const visible = await visibleTools(fs, [folder], tools);
  if (visible.kind === "failed") return visible.failures[0] ?? plainFailure("FC9002", "no tools");
  const compiled = visible.folders.map((one) => one.compiled);
  const layer = joinedLayer(compiled);
  if (!layer.ok) return layer;
  const declared = compiled.flatMap(({ declarations }) => declarations);
  const stray = named?.find((name) => !layer.value.fluents.some((one) => one.name === name));
  if (stray !== undefined) return plainFailure("FC9001", `no tool module declares the fluent \`${stray}\``);
  const fluents = layer.value.fluents.filter(({ name }) => named === undefined || named.includes(name));
  const checked = checkedFluents(fluents);
  const loaded = await source([], print, fluentPlaces(declared, fluents));
  if (!loaded.ok) {
    const message = `the tool module \`${shown(loaded.file)}\` cannot be loaded: ${loaded.message}`;
    return plainFailure("FC9011", message, "nothing was compared");
  }
  const { probes = new Map<string, LoadedProbe>(), close = async () => {} } = loaded;
  return ok({ checked, probes, close });
}

function checkedFluents(fluents: Checked["document"]["fluents"]): Checked {
  const program = { inputs: [], body: [] };
  const checked = check({ effectIr: 1, fluents, tools: [], program, guarantees: [] });
  if (!checked.ok) throw new TypeError("the fluents of a tool module do not check");
  return checked.value;
}

function fluentPlaces(
  declared: readonly Declaration[],
  fluents: readonly { readonly name: string }[],
): readonly ToolPlace[] {
  return declared.flatMap(({ kind, name, file }) =>
    kind === "fluent" && fluents.some((one) => one.name === name) ? [{ name, file }] : [],
  );
}

/** Compares once, and records what differs. */
export async function reconcileWorld(
  { checked, probes }: LoadedWorld,
  kernel: Kernel,
  { timeoutMs, accept }: Pick<ReconcileChoice, "timeoutMs" | "accept">,
  recorded?: Set<string>,
): Promise<ReconcileReport> {
  const how = { clock: realClock, timeoutMs, signal: new AbortController().signal };
  const found = await reconcile(
    { checked, kernel, probes, how },
    { ...(accept && { accept }), ...(recorded && { recorded }) },
  );
  const agrees = found.isUnsettled !== true && found.cells.every(({ state }) => state === "agrees");
  const { stopped } = kernel.status();
  return { ...found, agrees, probes: probes.size, ...(stopped !== undefined && { stopped }) };
}

/** The same with the ledger and the modules opened for it. */
export async function reconcileLedger(
  host: FileSystem & Clock,
  source: ToolSource,
  on: { readonly address: Address; readonly kernel: string; readonly asker: Asker },
  choice: ReconcileChoice,
  print?: (line: string) => void,
): Promise<Result<ReconcileReport, Failure>> {
  return withKernel(
    host,
    on.address,
    on.kernel,
    async (kernel) => {
      const world = await loadWorld(host, source, choice, print);
      if (!world.ok) return world;
      try {
        return ok(await reconcileWorld(world.value, kernel, choice));
      } finally {
        await world.value.close();
      }
    },
    on.asker,
  );
}

/** As data: each cell, model beside world, and the entries that were written. */
export function reconcileJson({
  cells,
  outcomes,
  resumed,
  agrees,
  stopped,
  isUnsettled,
}: ReconcileReport): PlainJson {
  return {
    ok: agrees,
    cells: cells.map(cellJson),
    entries: [...outcomes, ...(resumed === undefined ? [] : [resumed])].map(
      ({ seq, hash, verdict, reasons }) => {
        return { seq, hash, verdict, reasons: reasons.map(({ code, message }) => ({ code, message })) };
      },
    ),
    ...(isUnsettled === true && { unsettled: true }),
    stopped: stopped ?? null,
  };
}

/** Values as texts of JSON, which keep all digits. */
function cellJson({ fluent, cell, state, model, world, initial, why }: CellView): PlainJson {
  return {
    fluent,
    cell,
    state,
    model: model ?? null,
    world: world ?? null,
    ...(initial && { initial }),
    ...(why !== undefined && { why }),
  };
}
