/** What is wrong with a document, at its place in it. */
import type { Code, Path, Span } from "../ir/index.ts";
import type { LinkCode } from "./codes.ts";

export interface LinkProblem {
  readonly code: LinkCode | Code;
  readonly message: string;
  readonly path: Path;
  readonly help?: string;
  readonly span?: Span;
}
