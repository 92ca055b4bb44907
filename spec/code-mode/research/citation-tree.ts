/**
 * Task: Show the references of a paper as an indented tree, two levels deep.
 * Verdict: holds
 * Why: Only citations is called.
 * Features: recursion with depth, unknown narrowing, optional properties, string repeat, Set against cycles, for-of
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

type Paper = { title: string; year?: number; references: string[] };

function toPaper(raw: unknown): Paper | null {
  if (typeof raw !== "object" || raw === null) return null;
  const { title, year, references } = raw as Record<string, unknown>;
  if (typeof title !== "string") return null;
  return {
    title,
    year: typeof year === "number" ? year : undefined,
    references: Array.isArray(references) ? references.filter((r): r is string => typeof r === "string") : [],
  };
}

export default program({
  guarantees: [research.readOnly(), research.maxFetches(0)],
  async run({ doi }: { doi: string }) {
    const seen = new Set<string>();
    const lines: string[] = [];

    async function walk(id: string, depth: number): Promise<void> {
      if (seen.has(id)) return;
      seen.add(id);
      const paper = toPaper(await research.citations({ doi: id }));
      if (!paper) return;
      lines.push(`${"  ".repeat(depth)}- ${paper.title}${paper.year ? ` (${paper.year})` : ""}`);
      if (depth >= 2) return;
      for (const ref of paper.references.slice(0, 10)) await walk(ref, depth + 1);
    }

    await walk(doi, 0);
    return lines.length ? lines.join("\n") : `I know no paper ${doi}.`;
  },
});
