/**
 * Task: What are the most frequent errors of a service since a point in time?
 * Verdict: holds
 * Why: Only logs is called; the text is only counted and shown.
 * Features: split lines, regex replace to normalise, Map counting, sort entries, slice, object mapping
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

function normalise(line: string): string {
  return line
    .replace(/^\S+\s+(?:ERROR|FATAL)\s*/, "")
    .replace(/\b[0-9a-f]{8,}\b/gi, "<id>")
    .replace(/\d+/g, "<n>")
    .trim();
}

export default program({
  guarantees: [deploy.readOnly()],
  async run({ service, since }: { service: string; since: string }) {
    const text = await deploy.logs({ service, env: "production", since, level: "error" });
    const lines = text.split("\n").filter((l) => /\b(ERROR|FATAL)\b/.test(l));
    if (lines.length === 0) return { total: 0, errors: [] };

    const counts = new Map<string, { count: number; example: string }>();
    for (const line of lines) {
      const key = normalise(line);
      const entry = counts.get(key);
      if (entry) entry.count++;
      else counts.set(key, { count: 1, example: line.slice(0, 300) });
    }

    const errors = [...counts.entries()]
      .sort((a, b) => b[1].count - a[1].count)
      .slice(0, 10)
      .map(([pattern, { count, example }]) => ({ pattern, count, example }));
    return { total: lines.length, errors };
  },
});
