/**
 * Task: Split a customer CSV into one file per country (two-letter code in the named column) below /export/, at most 20 files, each written once.
 * Verdict: holds
 * Why: Groups are keyed by the upper-case two-letter code that names the file, and only 20 groups are written.
 * Features: CSV parsing, header indexOf, Map of arrays, regex validation, destructuring with rest, slice of Map entries
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

export default program({
  guarantees: [files.writesOnlyUnder("/export/"), files.writeOnceEach(), files.writesAtMost(20)],
  async run({ path, column = "country" }: { path: string; column?: string }) {
    const [header, ...rows] = (await files.read({ path })).split("\n").filter((l) => l.trim() !== "");
    if (!header) return { error: "empty file" };
    const index = header
      .split(",")
      .map((h) => h.trim())
      .indexOf(column);
    if (index < 0) return { error: `no column "${column}"` };

    const groups = new Map<string, string[]>();
    let skipped = 0;
    for (const row of rows) {
      const code = (row.split(",")[index] ?? "").trim().toUpperCase();
      if (!/^[A-Z]{2}$/.test(code)) {
        skipped++;
        continue;
      }
      const group = groups.get(code) ?? [];
      group.push(row);
      groups.set(code, group);
    }

    const written: Record<string, number> = {};
    for (const [code, lines] of [...groups].slice(0, 20)) {
      await files.write({ path: `/export/${code}.csv`, content: [header, ...lines].join("\n") + "\n" });
      written[code] = lines.length;
    }
    return { written, skipped, countries: groups.size };
  },
});
