/**
 * Positions in a text. A path means the same in text, JSON and data, so one lookup serves all. Spans cost as much as
 * all other reading and few texts have problems, so the text is read again for them on first use. Part of what must
 * be trusted.
 */
import type { Diagnostic, Path, Span } from "./diagnostic.ts";

export interface NodeSpans {
  readonly self: Span;
  /** Spans of parts that are no objects of their own: names, numbers, strings. */
  readonly parts: ReadonlyMap<string | number, Span>;
  /** Spans of the keys of a JSON object. */
  readonly keys?: ReadonlyMap<string, Span>;
}

export type SpanTable = Map<object, NodeSpans>;

/** The span of the smallest thing on the path that has one; of a JSON member's key, if that is what is meant. */
export type Locator = (path: Path, part?: "key") => Span | undefined;

/** `read` gives the data and its spans. */
export function locator(read: () => { readonly root: unknown; readonly spans: SpanTable }): Locator {
  let found: ReturnType<typeof read> | undefined;
  return (path, part) => {
    found ??= read();
    return locate(found.root, found.spans, path, part);
  };
}

/** Adds to each problem its span, and puts them in the order of the text. */
export function withSpans(problems: readonly Diagnostic[], locate: Locator): Diagnostic[] {
  const placed = problems.map((problem) => {
    if (problem.span !== undefined) return problem;
    const span = locate(problem.path, problem.part);
    return span === undefined ? problem : { ...problem, span };
  });
  return placed.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}

export function locate(root: unknown, spans: SpanTable, path: Path, part?: "key"): Span | undefined {
  let at = root;
  let found = isObject(at) ? spans.get(at)?.self : undefined;
  for (const [i, step] of path.entries()) {
    if (!isObject(at)) break;
    const here = spans.get(at);
    const key = part === "key" && i === path.length - 1 ? here?.keys?.get(String(step)) : undefined;
    if (key !== undefined) return key;
    found = here?.parts.get(step) ?? found;
    at = Reflect.get(at, step);
    if (isObject(at)) found = spans.get(at)?.self ?? found;
  }
  return found;
}

function isObject(x: unknown): x is object {
  return typeof x === "object" && x !== null;
}
