/** `attest`: signs that one action may be done. */
import { type Asker, addressOf, attestAction, writeText } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { attestationText } from "../../../kernel/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface AttestOptions extends JsonOption, Asker {
  readonly ledger: string;
  readonly kernel: string;
  readonly key: string;
  readonly by: string;
  /** In seconds. */
  readonly expires: number;
  readonly thisVersion?: boolean;
  readonly checkerTimeout: number;
  readonly checkerBytes: number;
  readonly output?: string;
}

export async function attestTo(
  host: Host,
  action: string,
  command: readonly string[],
  options: AttestOptions,
): Promise<Ended> {
  const { ledger, kernel, key, by, expires, thisVersion, checkerTimeout, checkerBytes, output, json } =
    options;
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const timeoutMs = Math.max(1, Math.round(checkerTimeout * 1000));
  const checker = { command, folder: ".", timeoutMs, maxBytes: checkerBytes };
  const on = { address: address.value, kernel, asker: options };
  const made = await attestAction(host, on, action, {
    key,
    by,
    lifetimeMs: expires * 1000,
    isVersioned: thisVersion === true,
    ...(command.length > 0 && { checker }),
  });
  if (!made.ok) return made;
  if (made.value.kind === "not attested") {
    const { why } = made.value;
    if (json) await writeJson(host.stdout, { ok: false, why });
    else await host.stderr.write(`not attested: ${visibleText(why)}\n`);
    return notSo;
  }
  const { attestation, request } = made.value;
  const line = `${attestationText(attestation)}\n`;
  const failure = output === undefined ? undefined : await writeText(host, output, [line]);
  if (failure !== undefined) return failure;
  if (json) {
    const gates = request.gates.map(({ rule, quorum, keys }) => ({
      rule,
      quorum,
      counts: keys.includes(attestation.key),
    }));
    await writeJson(host.stdout, { ok: true, attestation: { v: 1, ...attestation }, gates });
  } else if (output === undefined) await host.stdout.write(line);
  else
    await host.stdout.write(
      `${attestation.key} attests to \`${attestation.action}\`; written to ${visibleText(output)}\n`,
    );
  return fine;
}
