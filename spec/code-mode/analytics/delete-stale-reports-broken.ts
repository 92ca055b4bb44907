/**
 * Task: Delete my (ana's) reports that nobody opened and that are older than 90 days.
 * Verdict: broken — deletesOnlyOwnedBy("ana")
 * Why: The owner test is a case-insensitive prefix test, so it also deletes reports of "anatol".
 * Features: async generator, for await, filter conditions, startsWith
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

async function* allReports(): AsyncGenerator<analytics.Report> {
  let cursor: string | null | undefined;
  do {
    const page = await analytics.listReports({ cursor: cursor ?? undefined });
    yield* page.reports;
    cursor = page.cursor;
  } while (cursor);
}

export default program({
  guarantees: [analytics.deletesOnlyOwnedBy("ana"), analytics.savesAtMost(0)],
  async run({ now }: { now: string }) {
    const limit = Date.parse(now) - 90 * 86_400_000;
    const deleted: string[] = [];
    for await (const report of allReports()) {
      const mine = report.owner.toLowerCase().startsWith("ana");
      if (!mine || report.views > 0 || Date.parse(report.createdAt) >= limit) continue;
      await analytics.deleteReport({ id: report.id });
      deleted.push(report.title);
    }
    return { deleted };
  },
});
