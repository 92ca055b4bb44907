/** `reconcile`: compares the state of a kernel with the world, and records where they differ. */
import { type Asker, addressOf, childTools, reconcileJson, reconcileLedger } from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { entry } from "../../places.ts";
import { reconcileText } from "./render.ts";

export interface ReconcileOptions extends JsonOption, Asker {
  readonly ledger: string;
  readonly kernel: string;
  readonly tools?: readonly string[];
  readonly fluent?: readonly string[];
  readonly accept?: "world" | "model";
  readonly probeTimeout: number;
}

export async function reconcileState(host: Host, options: ReconcileOptions): Promise<Ended> {
  const { ledger, kernel, tools, fluent, accept, probeTimeout, json } = options;
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const timeoutMs = Math.max(1, Math.round(probeTimeout * 1000));
  const choice = { folder: ".", tools, fluents: fluent, accept, timeoutMs };
  const on = { address: address.value, kernel, asker: options };
  // Lines that modules print are not part of the result.
  const print = (line: string): void => void host.stderr.write(`${line}\n`);
  const found = await reconcileLedger(host, childTools(entry), on, choice, print);
  if (!found.ok) return found;
  if (json) await writeJson(host.stdout, reconcileJson(found.value));
  else await host.stdout.write(reconcileText(found.value, host.stdout));
  return found.value.agrees ? fine : notSo;
}
