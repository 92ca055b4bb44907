/** `worker`: runs approved requests until it is told to stop. */
import { childTools, Worker, type WorkerSettings } from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { logTo } from "../../log.ts";
import { entry } from "../../places.ts";

export interface WorkerOptions extends WorkerSettings {
  readonly log: "text" | "json";
}

export async function work(host: Host, options: WorkerOptions): Promise<Ended> {
  const log = logTo(host, options.log);
  const opened = await Worker.open(options, { host, log, tools: childTools(entry) });
  if (!opened.ok) return opened;
  const stop = new AbortController();
  const leave = host.onInterrupt?.(() => {
    log("info", "stopping");
    stop.abort();
  });
  const worker = opened.value;
  log("info", "working", { worker: worker.name });
  const left = await worker.work(stop.signal);
  leave?.();
  log("info", "stopped", { left });
  // Runs that wait for a person are another worker's now.
  if (left > 0) host.abandon?.();
  return fine;
}
