/** Reports a ledger that is not there before a client waits for an answer. */
import { absentFile, addressOf, type Failure, noLedger } from "../../../app/index.ts";
import type { Result } from "../../../ir/index.ts";
import type { Host } from "../../host.ts";

export async function missingLedger(
  host: Host,
  ledger: string,
): Promise<(Result<never, Failure> & { ok: false }) | undefined> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const absent = await absentFile(host, address.value);
  if (!absent.ok) return absent;
  return absent.value === undefined ? undefined : noLedger(address.value);
}
