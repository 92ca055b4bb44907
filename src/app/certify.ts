/** Proves a program and makes a certificate that another checker can verify. */
import type { Result } from "../ir/index.ts";
import { certify as certifyDocument, prove as proveDocument, replayerOf } from "../prove/index.ts";
import type { Failure } from "./failure.ts";
import type { Loaded } from "./load.ts";
import { type ProveHow, withProver } from "./prove.ts";
import { type ProgramVerdict, verdictOf } from "./report/verdict.ts";

export type Certified =
  | Awaited<ReturnType<typeof certifyDocument>>
  /** Only what is proved gets a certificate. */
  | { readonly kind: "not proved"; readonly verdict: ProgramVerdict };

/** @param proved called once the proof is done and the certificate is begun */
export function certify(
  { document: { checked } }: Loaded,
  how: ProveHow,
  proved: () => void,
): Promise<Result<Certified, Failure>> {
  return withProver(how, async (options): Promise<Certified> => {
    const verdict = verdictOf(
      await proveDocument(checked, { ...options, stops: "omitted", search: "short" }),
    );
    if (verdict !== "proved") return { kind: "not proved", verdict };
    proved();
    return certifyDocument(checked, async () => replayerOf(await options.solver()));
  });
}
