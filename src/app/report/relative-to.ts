/** Whose declarations of tools a proof believes. */
import type { LoadedDocument } from "../load/documents.ts";

export function relativeTo(document: LoadedDocument): string {
  const { modules } = document.checked.document;
  return "sources" in document && modules !== undefined
    ? `the tool modules ${modules}`
    : "the document itself";
}
