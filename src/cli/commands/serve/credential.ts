/** `serve credential`: who may file requests, and who may decide. */

import { type Failure, plainFailure } from "../../../app/index.ts";
import {
  type Credential,
  Credentials,
  credentialName,
  openStore,
  type Role,
  StoreUnavailable,
} from "../../../approve/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";

export interface CredentialOptions {
  readonly store: string;
  readonly json?: boolean;
}

export interface MakeOptions extends CredentialOptions {
  readonly name: string;
  readonly role: Role;
}

export function makeCredential(host: Host, options: MakeOptions): Promise<ExitCode> {
  const { name, role, json } = options;
  return withCredentials(host, options, true, async (credentials) => {
    if (!credentialName.test(name)) {
      const help = "letters, digits, `.`, `_`, `@` and `-`, up to 64";
      return plainFailure("FC9001", `\`${name}\` is no name of a credential`, help);
    }
    const secret = await credentials.make(name, role, host.wallMs());
    if (secret === undefined) {
      const help = "a name is used once, also if it was revoked: what was done by it stays clear";
      return plainFailure("FC9001", `there is a credential \`${name}\` already`, help);
    }
    if (json) await writeJsonLine(host.stdout, { ok: true, name, role, credential: secret });
    else {
      await host.stdout.write(`${secret}\n`);
      await host.stderr.write("this is told once: keep it where nobody else reads it\n");
    }
    return ok(fine);
  });
}

export function listCredentials(host: Host, options: CredentialOptions): Promise<ExitCode> {
  return withCredentials(host, options, false, async (credentials) => {
    const all = await credentials.list();
    if (options.json)
      await writeJsonLine(host.stdout, { ok: true, credentials: all.map((one) => ({ ...one })) });
    else await host.stdout.write(all.map(lineOf).join(""));
    return ok(fine);
  });
}

export function revokeCredential(host: Host, name: string, options: CredentialOptions): Promise<ExitCode> {
  return withCredentials(host, options, false, async (credentials) => {
    if (!(await credentials.revoke(name, host.wallMs())))
      return plainFailure("FC9001", `there is no credential \`${name}\` to revoke`);
    if (options.json) await writeJsonLine(host.stdout, { ok: true, name });
    else await host.stdout.write(`revoked ${name}\n`);
    return ok(fine);
  });
}

async function withCredentials(
  host: Host,
  { store, json }: CredentialOptions,
  create: boolean,
  work: (credentials: Credentials) => Promise<Result<ExitCode, Failure>>,
): Promise<ExitCode> {
  const done = await attempted(store, create, work);
  return done.ok ? done.value : reportFailure(host, done, json === true);
}

async function attempted(
  store: string,
  create: boolean,
  work: (credentials: Credentials) => Promise<Result<ExitCode, Failure>>,
): Promise<Result<ExitCode, Failure>> {
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
