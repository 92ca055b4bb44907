/**
 * Task: Split a customer CSV into one file per country (two-letter code in the named column) below /export/, at most 20 files, each written once.
 * Verdict: broken
 * Why: Rows are grouped by the raw code but the file name is lower-cased, so "DE" and "de" write the same path twice.
 * Features: CSV parsing, Record of arrays, regex validation with i flag, Object.entries, toLowerCase
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesOnlyUnder("/export/"), files.writeOnceEach(), files.writesAtMost(20)],
  async run({ path, column = "country" }: { path: string; column?: string }) {
    const text = await files.read({ path });
    const lines = text.split("\n").filter(Boolean);
    if (lines.length === 0) return { error: "empty file" };
    const header = lines[0];
    const index = header.split(",").indexOf(column);
    if (index === -1) return { error: `no column "${column}"` };

    const groups: Record<string, string[]> = {};
    for (const row of lines.slice(1)) {
      const code = row.split(",")[index]?.trim();
      if (!code || !/^[a-z]{2}$/i.test(code)) continue;
      (groups[code] ||= []).push(row);
    }

    const entries = Object.entries(groups).slice(0, 20);
    for (const [code, rows] of entries) {
      await files.write({ path: `/export/${code.toLowerCase()}.csv`, content: [header, ...rows].join("\n") });
    }
    return { files: entries.length };
  },
});
