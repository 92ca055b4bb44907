/**
 * Task: Which labels have the most unread mail? Show the top five with percentages.
 * Verdict: holds
 * Why: Only listLabels is called.
 * Features: JSON.parse with type assertion, filter, sort, toFixed, ternary, slice
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

type Label = { name: string; total: number; unread: number };

export default program({
  guarantees: [mail.readOnly(), mail.answerHides("body")],
  async run() {
    const labels = JSON.parse(await mail.listLabels({})) as Label[];
    return labels
      .filter((l) => l.unread > 0)
      .sort((a, b) => b.unread - a.unread)
      .slice(0, 5)
      .map(({ name, unread, total }) => ({
        name,
        unread,
        share: total > 0 ? `${((100 * unread) / total).toFixed(1)}%` : "n/a",
      }));
  },
});
