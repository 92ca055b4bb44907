/** What programs and tool modules can import from the package. */
export const packageNames: ReadonlySet<string> = new Set([
  "tool",
  "contract",
  "coverage",
  "program",
  "fluent",
  "labelled",
  "flowsFrom",
  "influencedBy",
  "resultOf",
  "invariant",
  "pathInside",
  "urlInside",
  "unknown",
]);
