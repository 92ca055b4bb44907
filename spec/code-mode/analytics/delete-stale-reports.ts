/**
 * Task: Delete my (ana's) reports that nobody opened and that are older than 90 days.
 * Verdict: holds
 * Why: Each deleted id comes from a listed report whose owner is exactly "ana".
 * Features: for(;;) pagination with cursor null, continue guards, Date comparison, array of titles
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.deletesOnlyOwnedBy("ana"), analytics.savesAtMost(0)],
  async run({ now }: { now: string }) {
    const limit = new Date(now);
    limit.setDate(limit.getDate() - 90);

    const deleted: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = await analytics.listReports({ cursor });
      for (const report of page.reports) {
        if (report.owner !== "ana") continue;
        if (report.views > 0) continue;
        if (new Date(report.createdAt) >= limit) continue;
        await analytics.deleteReport({ id: report.id });
        deleted.push(report.title);
      }
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
    return deleted.length ? deleted : "Nothing to delete.";
  },
});
