/**
 * The identity of a document: SHA-256 of its canonical JSON, written `eir1-<hex>`. Receipts, certificates, traces
 * and caches speak of programs by this alone.
 * Part of what must be trusted.
 */
import type { Document } from "./document.ts";
import { canonicalJson } from "./json/canonical.ts";
import { sha256Hex } from "./json/digest.ts";
import { documentToJson } from "./json/encode.ts";

export function hashDocument(document: Document): string {
  return `eir1-${sha256Hex(canonicalJson(documentToJson(document)))}`;
}
