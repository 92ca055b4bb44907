/** `kernel stop`, `resume`, `grant`, `policy` and `observe`: commands of operators, each an entry with its principal. */

import {
  addressOf,
  type GrantChoice,
  grantOf,
  type KernelChoice,
  objectAt,
  withKernel,
} from "../../../app/index.ts";
import { ok } from "../../../ir/index.ts";
import type { Ended } from "../../command-spec.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { decided } from "./outcome.ts";

export function stopKernel(
  host: Host,
  ledger: string,
  reason: string,
  options: KernelChoice,
): Promise<Ended> {
  return decided(host, ledger, "stop", options, (kernel) => kernel.stop(reason));
}

export function resumeKernel(
  host: Host,
  ledger: string,
  reason: string,
  options: KernelChoice,
): Promise<Ended> {
  return decided(host, ledger, "resume", options, (kernel) => kernel.resume(reason));
}

export async function grantKernel(
  host: Host,
  ledger: string,
  key: string | undefined,
  value: string | undefined,
  options: KernelChoice & GrantChoice,
): Promise<Ended> {
  const asked = grantOf(key, value, options);
  if (!asked.ok) return asked;
  return decided(host, ledger, "grant", options, asked.value);
}

export async function kernelPolicy(
  host: Host,
  ledger: string,
  path: string | undefined,
  options: KernelChoice,
): Promise<Ended> {
  if (path !== undefined) {
    const policy = await objectAt(host, path);
    if (!policy.ok) return policy;
    return decided(host, ledger, "policy", options, (kernel) => kernel.amend(policy.value));
  }
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const told = await withKernel(
    host,
    address.value,
    options.kernel,
    async (kernel) => {
      await host.stdout.write(`${kernel.policy().body}\n`);
      return ok<ExitCode>(fine);
    },
    options,
  );
  return told.ok ? told.value : told;
}

export async function observeWorld(
  host: Host,
  ledger: string,
  probe: string,
  path: string | undefined,
  options: KernelChoice & { readonly take?: boolean },
): Promise<Ended> {
  const values = await objectAt(host, path ?? "-");
  if (!values.ok) return values;
  return decided(host, ledger, "observe", options, (kernel) =>
    kernel.observe(probe, values.value, options.take === true),
  );
}
