/**
 * Task: Move all newsletters older than 30 days to the trash, but keep everything I starred.
 * Verdict: broken — trashesOnlyWithout("starred")
 * Why: `&&` binds tighter than `||`, so an old newsletter is trashed even when it is starred.
 * Features: do-while pagination, includes, Date, boolean precedence, concat
 */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.trashesOnlyWithout("starred"), mail.neverSends()],
  async run({ olderThanDays = 30 }: { olderThanDays?: number }) {
    const cutoff = Date.now() - olderThanDays * 86_400_000;
    let all: mail.Message[] = [];
    let pageToken: string | undefined;
    do {
      const page = await mail.search({ query: "unsubscribe", label: "newsletter", pageToken });
      all = all.concat(page.messages);
      pageToken = page.nextPageToken;
    } while (pageToken);

    const isOld = (m: mail.Message) => new Date(m.receivedAt).getTime() < cutoff;
    const isNewsletter = (m: mail.Message) => m.labels.includes("newsletter");
    const doomed = all.filter((m) => isOld(m) || (isNewsletter(m) && !m.labels.includes("starred")));

    for (const m of doomed) {
      await mail.trash({ id: m.id });
    }
    return { trashed: doomed.length, kept: all.length - doomed.length };
  },
});
