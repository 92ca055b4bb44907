/** `kernel rollback` and `kernel resolve`: the end of a step or of a reservation, by its receipt. */

import {
  addressOf,
  judgedJson,
  type KernelChoice,
  type ResolveChoice,
  settlementOf,
  withKernel,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { isList, isRecord, ok } from "../../../ir/index.ts";
import { canonicalText, type Kernel, type Outcome } from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { judgedText } from "./render.ts";

export function rollbackStep(
  host: Host,
  ledger: string,
  receipt: string,
  options: KernelChoice & { readonly to?: string },
): Promise<Ended> {
  const { to = receipt } = options;
  return decided(host, ledger, "rollback", options, (kernel) => kernel.rollback(receipt, to));
}

export async function resolveReservation(
  host: Host,
  ledger: string,
  receipt: string,
  options: KernelChoice & ResolveChoice,
): Promise<Ended> {
  const how = settlementOf(options);
  if (!how.ok) return how;
  const { release } = options;
  return release === undefined
    ? decided(host, ledger, "settle", options, (kernel) => kernel.settle(receipt, how.value))
    : decided(host, ledger, "release", options, (kernel) => kernel.release(receipt, release));
}

/** Opens the kernel, asks for one decision, and tells it. */
export async function decided(
  host: Host,
  ledger: string,
  what: string,
  options: KernelChoice,
  decide: (kernel: Kernel) => Promise<Outcome>,
): Promise<Ended> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const { kernel: name, json } = options;
  const { stdout } = host;
  const told = await withKernel(
    host,
    address.value,
    name,
    async (kernel) => {
      const outcome = await decide(kernel);
      const place = `entry ${outcome.seq}, version ${outcome.version}`;
      const text = json ? judgedJson(outcome) : judgedText(what, outcome, place, stdout) + undoText(outcome);
      await stdout.write(text);
      return ok<ExitCode>(outcome.verdict === "allowed" ? fine : notSo);
    },
    options,
  );
  return told.ok ? told.value : told;
}

/** Lists the compensations. The kernel restores its own state, and the caller undoes the effects in the world. */
function undoText({ result }: Outcome): string {
  const undo = result !== undefined && isRecord(result) ? result.fields.undo : undefined;
  if (undo === undefined || !isList(undo) || undo.length === 0) return "";
  const lines = undo.map((one) => `  ${visibleText(canonicalText(one))}\n`);
  return `\nthe state is restored; to compensate the effects in the world, newest first:\n${lines.join("")}`;
}
