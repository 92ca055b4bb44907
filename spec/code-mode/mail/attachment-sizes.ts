/**
 * Task: How much space do the attachments of a sender take, and which is the largest?
 * Verdict: holds
 * Why: The program only searches and reads.
 * Features: while pagination, flatMap, reduce, optional array with ?? [], units formatting helper, undefined check
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

function formatBytes(n: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let i = 0;
  while (n >= 1024 && i < units.length - 1) {
    n /= 1024;
    i++;
  }
  return `${i === 0 ? n : n.toFixed(1)} ${units[i]}`;
}

export default program({
  guarantees: [mail.readOnly(), mail.answerHides("body")],
  async run({ sender }: { sender: string }) {
    const ids: string[] = [];
    let token: string | undefined;
    while (true) {
      const page: { messages: mail.Message[]; nextPageToken?: string } = await mail.search({
        query: `from:${sender} has:attachment`,
        pageToken: token,
      });
      ids.push(...page.messages.filter((m) => m.hasAttachments).map((m) => m.id));
      if (!page.nextPageToken) break;
      token = page.nextPageToken;
    }

    const full = await Promise.all([...new Set(ids)].map((id) => mail.read({ id })));
    const files = full.flatMap((m) => m.attachments ?? []);
    const total = files.reduce((sum, f) => sum + f.sizeBytes, 0);
    const largest = files.reduce<(typeof files)[number] | undefined>(
      (max, f) => (max === undefined || f.sizeBytes > max.sizeBytes ? f : max),
      undefined,
    );

    return {
      files: files.length,
      total: formatBytes(total),
      largest: largest ? `${largest.name} (${formatBytes(largest.sizeBytes)})` : null,
    };
  },
});
