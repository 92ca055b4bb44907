/** Attestations for the actions of a run, where gates of the kernel ask for some. */
import type { AttestationRequest, Kernel } from "../../kernel/index.ts";

/** Gives what `reserve` takes; undefined if no gate asks. */
export type AttestFor = (action: object) => Promise<readonly unknown[] | undefined>;

/** A gate decides on what it is given, so an attestor that fails is one that has not attested. */
export function attestFor(
  kernel: Pick<Kernel, "attestationsFor">,
  attest: ((request: AttestationRequest) => Promise<readonly unknown[]>) | undefined,
): AttestFor {
  return async (action) => {
    const request = attest === undefined ? undefined : kernel.attestationsFor(action);
    if (attest === undefined || request === undefined || request.gates.length === 0) return undefined;
    return attest(request).catch(() => []);
  };
}
