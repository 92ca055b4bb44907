/** Files a program that a worker of the service runs once it is approved. Neither tools nor a ledger are needed here. */
import type { RequestDetail } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import type { Failure } from "../failure.ts";
import { refusalIn } from "./service-channel.ts";
import { type ServiceAddress, ServiceClient } from "./service-client.ts";

export interface WorkerRequest {
  readonly file: string;
  readonly text: string;
  /** The inputs as JSON; an object. */
  readonly inputs: string;
  readonly budget?: string | undefined;
  readonly words?: string | undefined;
}

export interface WorkerRequestHost {
  readonly to: ServiceAddress;
  readonly nowMs: () => number;
  /** Hears the number of the request once it is filed. */
  readonly filed: (id: string) => Promise<void>;
  /** Stops waiting. The run goes on. */
  readonly signal: AbortSignal;
}

export type WorkerAnswer =
  | { readonly kind: "rejected"; readonly why: string }
  | { readonly kind: "ran"; readonly request: RequestDetail };

export async function fileForWorker(
  { file, text, inputs, budget, words }: WorkerRequest,
  host: WorkerRequestHost,
): Promise<Result<WorkerAnswer, Failure>> {
  const client = new ServiceClient(host.to, host.nowMs);
  const name = file.split(/[\\/]/).at(-1) ?? file;
  const rest = JSON.stringify({
    program: { file: name, text },
    budget: budget ?? null,
    run: "worker",
    ...(words !== undefined && { words }),
  });
  const id = await client.file(`${rest.slice(0, -1)},"inputs":${inputs}}`);
  if (!id.ok) return id;
  await host.filed(id.value);
  const decided = await client.decision(id.value, host.signal, () => {});
  if (!decided.ok) return decided;
  const why = refusalIn(decided.value);
  if (why !== undefined) return ok({ kind: "rejected", why });
  const ended = await client.end(id.value, host.signal);
  return ended.ok ? ok({ kind: "ran", request: ended.value }) : ended;
}
