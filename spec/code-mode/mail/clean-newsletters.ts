/**
 * Task: Move all newsletters older than 30 days to the trash, but keep everything I starred.
 * Verdict: holds
 * Why: Each trashed id comes from a search result whose labels were checked not to include "starred".
 * Features: do-while pagination, optional field, includes, Date, try/catch, array of errors
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.trashesOnlyWithout("starred"), mail.neverSends()],
  async run({ olderThanDays = 30 }: { olderThanDays?: number }) {
    const cutoff = Date.now() - olderThanDays * 86_400_000;
    const failed: string[] = [];
    let trashed = 0;
    let kept = 0;
    let pageToken: string | undefined;

    do {
      const page = await mail.search({ query: "unsubscribe", label: "newsletter", pageToken });
      for (const m of page.messages) {
        const isOld = new Date(m.receivedAt).getTime() < cutoff;
        if (!isOld || m.labels.includes("starred")) {
          kept++;
          continue;
        }
        try {
          await mail.trash({ id: m.id });
          trashed++;
        } catch (err) {
          console.log(`Could not trash ${m.id}: ${err instanceof Error ? err.message : String(err)}`);
          failed.push(m.id);
        }
      }
      pageToken = page.nextPageToken;
    } while (pageToken);

    return { trashed, kept, failed };
  },
});
