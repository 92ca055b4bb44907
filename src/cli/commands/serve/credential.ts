/** `serve credential`: who may file requests, and who may decide. */

import { plainFailure } from "../../../app/index.ts";
import {
  type Credential,
  Credentials,
  credentialName,
  openStore,
  type Role,
  StoreUnavailable,
} from "../../../approve/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface CredentialOptions extends JsonOption {
  readonly store: string;
}

export interface MakeOptions extends CredentialOptions {
  readonly name: string;
  readonly role: Role;
  readonly person?: string;
}

export function makeCredential(host: Host, options: MakeOptions): Promise<Ended> {
  const { name, role, json, person = name } = options;
  return withCredentials(options, true, async (credentials) => {
    const wrong = [name, person].find((one) => !credentialName.test(one));
    if (wrong !== undefined) {
      const help = "use up to 64 letters, digits, `.`, `_`, `@` and `-`";
      return plainFailure("FC9001", `\`${wrong}\` is not a name for a credential`, help);
    }
    const secret = await credentials.make(name, role, host.wallMs(), person);
    if (secret === undefined) {
      const help = "choose another name: each is used once, so that the trail of a revoked one stays clear";
      return plainFailure("FC9001", `the credential \`${name}\` exists already`, help);
    }
    if (json) await writeJsonLine(host.stdout, { ok: true, name, role, credential: secret });
    else {
      await host.stdout.write(`${secret}\n`);
      await host.stderr.write("the credential is printed this once; store it where nobody else reads it\n");
    }
    return fine;
  });
}

export function listCredentials(host: Host, options: CredentialOptions): Promise<Ended> {
  return withCredentials(options, false, async (credentials) => {
    const all = await credentials.list();
    if (options.json)
      await writeJsonLine(host.stdout, { ok: true, credentials: all.map((one) => ({ ...one })) });
    else await host.stdout.write(all.map(lineOf).join(""));
    return fine;
  });
}

export function revokeCredential(host: Host, name: string, options: CredentialOptions): Promise<Ended> {
  return withCredentials(options, false, async (credentials) => {
    if (!(await credentials.revoke(name, host.wallMs())))
      return plainFailure("FC9001", `there is no credential \`${name}\` to revoke`);
    if (options.json) await writeJsonLine(host.stdout, { ok: true, name });
    else await host.stdout.write(`revoked ${name}\n`);
    return fine;
  });
}

async function withCredentials(
  { store }: CredentialOptions,
  create: boolean,
  work: (credentials: Credentials) => Promise<Ended>,
): Promise<Ended> {
  try {
    const database = await openStore(store, { create });
    try {
      return await work(new Credentials(database));
    } finally {
      await database.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof StoreUnavailable)) throw thrown;
    return plainFailure("FC9006", thrown.message);
  }
}

function lineOf({ name, role, madeAt, revokedAt }: Credential): string {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const until = revokedAt === null ? "" : `, revoked ${day(revokedAt)}`;
  return `${name.padEnd(24)}  ${role.padEnd(8)}  made ${day(madeAt)}${until}\n`;
}
