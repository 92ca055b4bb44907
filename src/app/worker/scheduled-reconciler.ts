/** Compares the state of a kernel with the world each time it is asked; a difference is recorded once. */
import type { Log } from "../../approve/index.ts";
import { ok } from "../../ir/index.ts";
import { worldLimits } from "../../run/index.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { type Address, type Asker, withKernel } from "../ledger/open.ts";
import { type LoadedWorld, loadWorld, type ReconcileReport, reconcileWorld } from "../ledger/reconcile.ts";
import type { ToolSource } from "../run.ts";

export class ScheduledReconciler {
  readonly #with: { readonly host: FileSystem & Clock; readonly source: ToolSource; readonly log: Log };
  readonly #on: { readonly address: Address; readonly kernel: string; readonly asker: Asker };
  readonly #where: { readonly folder: string; readonly tools?: readonly string[] | undefined };
  readonly #recorded = new Set<string>();
  #world: LoadedWorld | undefined;
  #before = "";

  constructor(
    parts: { readonly host: FileSystem & Clock; readonly source: ToolSource; readonly log: Log },
    on: { readonly address: Address; readonly kernel: string; readonly asker: Asker },
    where: { readonly folder: string; readonly tools?: readonly string[] | undefined },
  ) {
    this.#with = parts;
    this.#on = on;
    this.#where = where;
  }

  async once(): Promise<void> {
    const { host, source, log } = this.#with;
    if (this.#world === undefined) {
      const print = (line: string): void => log("info", "printed", { request: null, line });
      const loaded = await loadWorld(host, source, this.#where, print);
      if (!loaded.ok) {
        log("error", "not reconciled", { why: loaded.problems[0]?.message ?? "" });
        return;
      }
      this.#world = loaded.value;
    }
    const world = this.#world;
    const { address, kernel: name, asker } = this.#on;
    const { timeoutMs } = worldLimits;
    const found = await withKernel(
      host,
      address,
      name,
      async (kernel) => ok(await reconcileWorld(world, kernel, { timeoutMs }, this.#recorded)),
      asker,
    );
    if (found.ok) this.#tell(found.value);
    else log("error", "not reconciled", { why: found.problems[0]?.message ?? "" });
  }

  async close(): Promise<void> {
    await this.#world?.close();
  }

  /** Tells what has changed since the last time. */
  #tell({ cells, agrees }: ReconcileReport): void {
    const open = cells.filter(({ state }) => state !== "agrees");
    const now = open.map(({ cell, state, world = "" }) => `${cell} ${state} ${world}`).join("\n");
    if (now === this.#before) return;
    this.#before = now;
    // Once it agrees again, the same difference is a new one.
    if (agrees) this.#recorded.clear();
    const { log } = this.#with;
    if (agrees) log("info", "reconciled", { cells: cells.length });
    for (const { cell, state, model = "nothing", world = "nothing", why = "" } of open.slice(0, mostTold))
      log("warning", "drift", { cell, state, model, world, why });
  }
}

/** LIMIT: cells that are told each time. */
const mostTold = 20;
