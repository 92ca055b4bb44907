/** Reads a document in either form, and checks it; every problem has its place in the text. Part of what must be trusted. */
import { type Checked, check } from "./check/index.ts";
import { failed, ok, type Result } from "./diagnostic.ts";
import { documentFromJsonText } from "./json/decode.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { SourceMap } from "./source-map.ts";
import { type SpanTable, withSpans } from "./spans.ts";
import { parseDocument } from "./text/parser.ts";

export interface ReadDocument {
  readonly form: "text" | "json";
  readonly checked: Checked;
  readonly sourceMap?: SourceMap;
  /** What the spans are of: the document for text, the JSON value for JSON. Paths mean the same in both. */
  readonly root: object;
  readonly spans: SpanTable;
}

/** A text that begins with `{` is JSON; no text document does. */
export function readDocument(text: string, limits: Limits = defaultLimits): Result<ReadDocument> {
  return /^[\s\uFEFF]*\{/.test(text.slice(0, 10_000))
    ? readJsonForm(text, limits)
    : readTextForm(text, limits);
}

function readTextForm(text: string, limits: Limits): Result<ReadDocument> {
  const parsed = parseDocument(text, limits);
  if (!parsed.ok) return parsed;
  const { document, spans } = parsed.value;
  const checked = check(document, limits);
  if (!checked.ok) return failed(withSpans(checked.problems, document, spans));
  return ok({ form: "text", checked: checked.value, root: document, spans });
}

function readJsonForm(text: string, limits: Limits): Result<ReadDocument> {
  const decoded = documentFromJsonText(text, limits);
  if (!decoded.ok) return decoded;
  const { document, sourceMap, root, spans } = decoded.value;
  if (typeof root !== "object" || root === null) throw new TypeError("a document is an object");
  const checked = check(document, limits);
  if (!checked.ok) return failed(withSpans(checked.problems, root, spans));
  const read = { form: "json", checked: checked.value, root, spans } as const;
  return ok(sourceMap === undefined ? read : { ...read, sourceMap });
}
