/** The program that was extracted from proofs/ir: obligations and meaning of documents. */
import { createRequire } from "node:module";

export interface ExtractedObligations {
  readonly obligations: (document: string) => string;
  /** @param ask gives the result of an operator that the model leaves open */
  readonly run: (ask: (operation: string) => string, run: string) => string;
}

let loaded: ExtractedObligations | undefined;

/** Loads it when it is first needed; most commands never do. */
export function extracted(): ExtractedObligations {
  loaded ??= createRequire(import.meta.url)("../../proofs/ir/model.cjs") as ExtractedObligations; // SAFETY: `bridge.ml` exports these
  return loaded;
}
