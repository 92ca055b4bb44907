/** The part of `oxc-parser` that reads what its native code returns. The package has no types for it. */
declare module "oxc-parser/src-js/wrap" {
  import type { ParseResult } from "oxc-parser";
  export function wrap(raw: unknown): ParseResult;
}
