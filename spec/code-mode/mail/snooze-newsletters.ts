/**
 * Task: Take the "unread" label off everything from a list of senders and mark it "later".
 * Verdict: holds
 * Why: Both labels are literals from the allowed list and nothing is trashed or sent.
 * Features: nested loops, sequential awaits, destructuring of input, counter object
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.labelsOnly("unread", "later"), mail.neverTrashes(), mail.neverSends()],
  async run({ senders }: { senders: string[] }) {
    const moved: { [sender: string]: number } = {};
    for (const sender of senders) {
      moved[sender] = 0;
      const { messages } = await mail.search({ query: `from:${sender}`, label: "unread" });
      for (const m of messages) {
        if (m.labels.includes("starred")) continue;
        await mail.addLabel({ id: m.id, label: "later" });
        await mail.removeLabel({ id: m.id, label: "unread" });
        moved[sender] += 1;
      }
    }
    return moved;
  },
});
