/**
 * Task: Show the retention of our monthly cohorts as a text table.
 * Verdict: holds
 * Why: There is one constant select and the answer is text.
 * Features: Map of Maps, nullish assignment style get-or-create, nested loops, array fill, join, throw on bad shape
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.selectOnly(), analytics.maxQueries(1), analytics.readOnly()],
  async run() {
    const raw = JSON.parse(
      await analytics.query({
        sql: "select cohort, month_index, active_users from retention order by cohort, month_index",
      }),
    );
    if (!Array.isArray(raw?.rows)) throw new Error("The query returned no rows.");

    const cohorts = new Map<string, Map<number, number>>();
    let width = 0;
    for (const [cohort, month, users] of raw.rows as [string, number, number][]) {
      if (!cohorts.has(cohort)) cohorts.set(cohort, new Map());
      cohorts.get(cohort)!.set(month, users);
      width = Math.max(width, month + 1);
    }
    width = Math.min(width, 12);

    let table = "cohort".padEnd(10);
    for (let m = 0; m < width; m++) table += `m${m}`.padStart(7);
    for (const [cohort, months] of cohorts) {
      const start = months.get(0) ?? 0;
      table += "\n" + cohort.padEnd(10);
      for (let m = 0; m < width; m++) {
        const users = months.get(m);
        const cell = users === undefined || start === 0 ? "-" : `${Math.round((100 * users) / start)}%`;
        table += cell.padStart(7);
      }
    }
    return table;
  },
});
