/**
 * Where things stand in a text: a side table from data to spans, filled by the readers.
 * Text and JSON share it, because a path means the same in both.
 * Part of what must be trusted.
 */
import type { Diagnostic, Path, Span } from "./diagnostic.ts";

export interface NodeSpans {
  readonly self: Span;
  /** Spans of parts that are no objects of their own: names, numbers, strings. */
  readonly parts: Map<string | number, Span>;
}

export type SpanTable = Map<object, NodeSpans>;

/** The span of the smallest thing on the path that has one. */
export function locate(root: object, spans: SpanTable, path: Path): Span | undefined {
  let at: unknown = root;
  let found = spans.get(root)?.self;
  for (const step of path) {
    if (typeof at !== "object" || at === null) break;
    found = spans.get(at)?.parts.get(step) ?? found;
    at = Reflect.get(at, step);
    if (typeof at === "object" && at !== null) found = spans.get(at)?.self ?? found;
  }
  return found;
}

/** Adds to each problem its span in the text that `root` was read from, and puts them in the order of the text. */
export function withSpans(problems: readonly Diagnostic[], root: object, spans: SpanTable): Diagnostic[] {
  const placed = problems.map((problem) => {
    if (problem.span !== undefined) return problem;
    const span = locate(root, spans, problem.path);
    return span === undefined ? problem : { ...problem, span };
  });
  return placed.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}
