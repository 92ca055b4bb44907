/** Reads a document in either form, and checks it; every problem has its place in the text. Part of what must be trusted. */
import { type Checked, check } from "./check/index.ts";
import { failed, ok, type Result } from "./diagnostic.ts";
import type { Document } from "./document.ts";
import { documentFromJsonText } from "./json/decode.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import type { SourceMap } from "./source-map.ts";
import { type Locator, withSpans } from "./spans.ts";
import { parseDocument } from "./text/parser.ts";

export interface ReadDocument {
  readonly form: "text" | "json";
  readonly checked: Checked;
  readonly sourceMap?: SourceMap;
  /** Maps a path of the document to a position in the text. */
  readonly locate: Locator;
}

/** A document as it was written, before anyone looked whether it makes sense. */
export interface WrittenDocument extends Omit<ReadDocument, "checked"> {
  readonly document: Document;
}

/** A text that begins with `{` is JSON; no text document does. */
export function parseWritten(text: string, limits: Limits = defaultLimits): Result<WrittenDocument> {
  const form = /^[\s\uFEFF]*\{/.test(text.slice(0, 10_000)) ? "json" : "text";
  const read = form === "json" ? documentFromJsonText(text, limits) : parseDocument(text, limits);
  return read.ok ? ok({ form, ...read.value }) : read;
}

export function readDocument(text: string, limits: Limits = defaultLimits): Result<ReadDocument> {
  const written = parseWritten(text, limits);
  return written.ok ? checkWritten(written.value, limits) : written;
}

export function checkWritten(
  { document, ...rest }: WrittenDocument,
  limits: Limits = defaultLimits,
): Result<ReadDocument> {
  const checked = check(document, limits);
  if (!checked.ok) return failed(withSpans(checked.problems, rest.locate));
  return ok({ checked: checked.value, ...rest });
}
