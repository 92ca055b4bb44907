/**
 * Task: Tidy /inbox: move each file to /docs/<type>/ depending on its extension, keeping names.
 * Verdict: holds
 * Why: The folder comes from a fixed table below /docs/ and the name has no slash and is not "..".
 * Features: lookup table with Record, pop on split, ?? fallback, Map counting, for-of
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

const FOLDERS: Record<string, string> = {
  pdf: "pdf",
  doc: "word",
  docx: "word",
  xls: "sheets",
  xlsx: "sheets",
  csv: "sheets",
  png: "images",
  jpg: "images",
};

function folderFor(name: string): string {
  const ext = name.includes(".") ? name.split(".").pop()!.toLowerCase() : "";
  return Object.hasOwn(FOLDERS, ext) ? FOLDERS[ext] : "other";
}

export default program({
  guarantees: [files.writesOnlyUnder("/docs/"), files.movesKeepName(), files.neverRemoves()],
  async run() {
    const counts = new Map<string, number>();
    for (const entry of await files.list({ folder: "/inbox" })) {
      if (entry.kind === "folder") continue;
      const folder = folderFor(entry.name);
      await files.move({ from: entry.path, to: `/docs/${folder}/${entry.name}` });
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return Object.fromEntries(counts);
  },
});
