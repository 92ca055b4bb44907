/** `keys make` and `keys show`. */

import { type Failure, makeKeys, readPublicKey } from "../../../app/index.ts";
import { fingerprint } from "../../../approve/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { paintOf, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

interface Shown {
  readonly fingerprint: string;
  readonly publicKey: string;
}

export async function makeKeyFiles(host: Host, file: string, { json }: JsonOption): Promise<Ended> {
  const made = await makeKeys(host, file);
  if (!made.ok) return made;
  const { privatePath, publicPath } = made.value;
  const shown = await shownKey(host, publicPath);
  if (!shown.ok) return shown;
  const { stdout } = host;
  if (json) {
    await writeJsonLine(stdout, {
      ok: true,
      key: privatePath,
      publicKey: publicPath,
      fingerprint: shown.value.fingerprint,
    });
    return fine;
  }
  const { dim, green } = paintOf(stdout);
  await stdout.write(
    [
      `${green("made")}  ${shown.value.fingerprint}`,
      `  ${dim("private")}  ${visibleText(privatePath)} signs: hide it from agents and from writers of the ledger`,
      `  ${dim("public")}   ${visibleText(publicPath)} verifies: give it to everybody who verifies`,
      "",
    ].join("\n"),
  );
  return fine;
}

export async function showKey(host: Host, file: string, { json }: JsonOption): Promise<Ended> {
  const shown = await shownKey(host, file);
  if (!shown.ok) return shown;
  const { fingerprint: name, publicKey } = shown.value;
  if (json) await writeJsonLine(host.stdout, { ok: true, fingerprint: name, publicKey });
  else await host.stdout.write(`${name}\n${publicKey}`);
  return fine;
}

async function shownKey(host: Host, file: string): Promise<Result<Shown, Failure>> {
  const publicKey = await readPublicKey(host, file);
  if (!publicKey.ok) return publicKey;
  const name = fingerprint(publicKey.value);
  if (name === undefined) throw new TypeError("a key was not looked at");
  return ok({ fingerprint: name, publicKey: publicKey.value });
}
