/**
 * Task: Create one tracking issue with a checklist of all open issues with the given label. No @-mentions.
 * Verdict: broken
 * Why: A failed createIssue is tried up to three times, so there can be three calls.
 * Features: retry loop, try/catch, rethrow, replace with global regex, map/join
 */
import { program } from "foreclaim";
import * as issues from "./tools/issues";

async function withRetry<T>(fn: () => Promise<T>, attempts = 3): Promise<T> {
  let lastError: unknown;
  for (let i = 0; i < attempts; i++) {
    try {
      return await fn();
    } catch (e) {
      lastError = e;
    }
  }
  throw lastError;
}

export default program({
  guarantees: [issues.createsAtMost(1), issues.noMentions(), issues.labelsFrom("tracking")],
  async run({ label }: { label: string }) {
    const open = await withRetry(() => issues.searchIssues({ state: "open", label }));
    if (open.length === 0) return `No open issues labeled ${label}.`;

    const body = open.map((i) => `- [ ] #${i.number} ${i.title.replace(/@/g, "")}`).join("\n");
    const created = await withRetry(() =>
      issues.createIssue({ title: `Tracking: ${label}`, body, labels: ["tracking"] }),
    );
    return `Created #${created.number} with ${open.length} items.`;
  },
});
