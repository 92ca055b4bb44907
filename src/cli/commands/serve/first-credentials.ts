/** For a first try: where there is no credential yet, one for a reviewer and one for an agent are made. */

import { type Failure, plainFailure, systemWords } from "../../../app/index.ts";
import type { Credentials, Role } from "../../../approve/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import type { Host } from "../../host.ts";

export interface FirstCredentials {
  /** Files with a credential each, by role. */
  readonly files: ReadonlyMap<Role, string>;
  /** Good once, for a browser. */
  readonly invitation: string;
}

/** Undefined if there are credentials already. */
export async function firstCredentials(
  host: Host,
  credentials: Credentials,
  base: string,
): Promise<Result<FirstCredentials | undefined, Failure>> {
  if ((await credentials.list()).length > 0) return ok(undefined);
  const files = new Map<Role, string>();
  for (const role of ["reviewer", "agent"] as const) {
    const secret = await credentials.make(role, role, host.wallMs());
    if (secret === undefined) return ok(undefined); // another instance was quicker
    const path = `${base}.${role}`;
    const failed = await host.createFiles(new Map([[path, `${secret}\n`]]), () => 0o600);
    if (failed !== undefined) {
      await credentials.revoke(role, host.wallMs());
      const why = failed.kind === "exists" ? "it is there already" : systemWords(failed.code);
      const help = "make credentials with `foreclaim serve credential make`";
      return plainFailure("FC9004", `cannot write \`${path}\`: ${why}`, help);
    }
    files.set(role, path);
  }
  return ok({ files, invitation: await credentials.invite("reviewer", host.wallMs()) });
}
