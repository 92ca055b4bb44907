/**
 * The identity of a document: SHA-256 of its canonical JSON, written `eir1-<hex>`. Receipts, certificates, traces
 * and caches speak of programs by this alone.
 * Part of what must be trusted.
 */
import type { Document } from "./document.ts";
import { writeCanonicalJson } from "./json/canonical.ts";
import { Sha256 } from "./json/digest.ts";
import { documentToJson } from "./json/encode.ts";

export function hashDocument(document: Document): string {
  const digest = new Sha256();
  writeCanonicalJson(documentToJson(document), (chunk) => digest.add(chunk));
  return `eir1-${digest.hex()}`;
}
