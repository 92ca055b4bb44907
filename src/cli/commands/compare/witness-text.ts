/** Traces that show how guarantees differ, for people. */

import { SourceMap } from "../../../app/index.ts";
import type { Witness } from "../../../compare/index.ts";
import type { Paint } from "../../text/paint.ts";
import { runLines } from "../prove/run-text.ts";

/** Lines, without their ends. */
export function witnessLines({ checked, run }: Witness, width: number, paint: Paint): string[] {
  // The trace is of no program, so no part of it has a place.
  const document = { form: "text", checked, locate: () => undefined, file: "", text: "" } as const;
  return runLines(document, run, new SourceMap(document), width, paint);
}
