/** Makes an attestation of one action: after a look at the kernel, and after a checker, if there is one, has agreed. */
import { randomBytes } from "node:crypto";
import { ok, type Result } from "../../ir/index.ts";
import { type Attestation, type AttestationRequest, signAttestation } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { readPrivateKey } from "../ledger/keys.ts";
import { type Address, type Asker, withKernel } from "../ledger/open.ts";
import { loadJson } from "../load/documents.ts";
import { type Checker, runChecker } from "./checker.ts";

export interface AttestChoice {
  readonly key: string;
  readonly by: string;
  readonly lifetimeMs: number;
  /** Set if it holds only for the version of the state now. */
  readonly isVersioned: boolean;
  readonly checker?: Checker;
}

export type MadeAttestation =
  | { readonly kind: "attested"; readonly attestation: Attestation; readonly request: AttestationRequest }
  | { readonly kind: "not attested"; readonly why: string };

export async function attestAction(
  host: FileSystem & Clock,
  on: { readonly address: Address; readonly kernel: string; readonly asker: Asker },
  path: string,
  choice: AttestChoice,
): Promise<Result<MadeAttestation, Failure>> {
  const action = await loadJson(host, path);
  if (!action.ok) return action;
  const key = await readPrivateKey(host, choice.key);
  if (!key.ok) return key;
  const request = await withKernel(
    host,
    on.address,
    on.kernel,
    async (kernel) => ok(kernel.attestationsFor(action.value.value)),
    on.asker,
  );
  if (!request.ok) return request;
  if (request.value === undefined)
    return plainFailure(
      "FC9001",
      `\`${path}\` is not an action of this kernel`,
      "see `foreclaim kernel eval`",
    );
  const { checker, by, lifetimeMs, isVersioned } = choice;
  const checked =
    checker === undefined ? { ok: true as const } : await runChecker(checker, inputFor(request.value));
  if (!checked.ok) return ok({ kind: "not attested", why: checked.why });
  const attestation = signed(request.value, key.value, { by, lifetimeMs, isVersioned, nowMs: host.wallMs() });
  return ok({ kind: "attested", attestation, request: request.value });
}

/** Returns the input of a checker: the action as the digest has it, and the version of the state. */
export function inputFor({ action, text, kernel, version }: AttestationRequest): string {
  return `{"action":${text},"digest":"${action}","kernel":"${kernel}","version":${version}}\n`;
}

export function signed(
  { action, kernel, version }: AttestationRequest,
  privateKey: string,
  how: {
    readonly by: string;
    readonly lifetimeMs: number;
    readonly isVersioned: boolean;
    readonly nowMs: number;
  },
): Attestation {
  const nonce = randomBytes(16).toString("hex");
  const { by, lifetimeMs, isVersioned, nowMs } = how;
  const notBefore = Math.max(0, Math.floor(nowMs));
  const expires = notBefore + lifetimeMs;
  const about = { action, kernel, version: isVersioned ? version : null, notBefore, expires };
  return signAttestation({ ...about, nonce, by }, privateKey);
}
