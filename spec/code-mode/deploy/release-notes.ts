/**
 * Task: Write release notes for everything released between two versions of a service.
 * Verdict: holds
 * Why: Only listReleases is called.
 * Features: semver compare helper, map(Number), Set of authors, sort with comparator, markdown text, string split
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

function compareVersions(a: string, b: string): number {
  const x = a.replace(/^v/, "").split(".").map(Number);
  const y = b.replace(/^v/, "").split(".").map(Number);
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const diff = (x[i] ?? 0) - (y[i] ?? 0);
    if (diff !== 0) return diff;
  }
  return 0;
}

export default program({
  guarantees: [deploy.readOnly()],
  async run({ service, from, to }: { service: string; from: string; to: string }) {
    const releases = (await deploy.listReleases({ service, limit: 200 }))
      .filter((r) => r.status !== "failed")
      .filter((r) => compareVersions(r.version, from) > 0 && compareVersions(r.version, to) <= 0)
      .sort((a, b) => compareVersions(b.version, a.version));

    const authors = [...new Set(releases.map((r) => r.author))].sort();
    const sections = releases.map((r) => {
      const bullets = r.notes
        .split("\n")
        .map((l) => l.trim())
        .filter(Boolean)
        .map((l) => (l.startsWith("- ") ? l : `- ${l}`));
      return `## ${r.version} (${r.createdAt.slice(0, 10)})\n${bullets.join("\n") || "- no notes"}`;
    });
    return `# ${service} ${from} → ${to}\n\n${sections.join("\n\n")}\n\nThanks to ${authors.join(", ") || "nobody"}.`;
  },
});
