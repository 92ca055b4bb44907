/** The first credentials of a store: one for a reviewer and one for an agent, for a first try. */

import type { Credentials, Role } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { systemWords } from "../files/system-words.ts";

export interface FirstCredentials {
  /** Files with a credential each, by role. */
  readonly files: ReadonlyMap<Role, string>;
  /** Good once, for a browser. */
  readonly invitation: string;
}

/** Makes them. Returns undefined for a store that has credentials. */
export async function firstCredentials(
  fs: FileSystem,
  { wallMs }: Clock,
  credentials: Credentials,
  base: string,
): Promise<Result<FirstCredentials | undefined, Failure>> {
  if ((await credentials.list()).length > 0) return ok(undefined);
  const files = new Map<Role, string>();
  for (const role of ["reviewer", "agent"] as const) {
    const secret = await credentials.make(role, role, wallMs());
    if (secret === undefined) return ok(undefined); // another instance was quicker
    const path = `${base}.${role}`;
    const failed = await fs.createFiles(new Map([[path, `${secret}\n`]]), () => 0o600);
    if (failed !== undefined) {
      await credentials.revoke(role, wallMs());
      const why = failed.kind === "exists" ? "it is there already" : systemWords(failed.code);
      const help = "make credentials with `foreclaim serve credential make`";
      return plainFailure("FC9004", `cannot write \`${path}\`: ${why}`, help);
    }
    files.set(role, path);
  }
  return ok({ files, invitation: await credentials.invite("reviewer", wallMs()) });
}
