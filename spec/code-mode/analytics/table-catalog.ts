/**
 * Task: Which of our tables hold personal data, and how fresh are they?
 * Verdict: holds
 * Why: Only listTables and describe are called.
 * Features: Promise.all, filter, some, map over nested results, age in days, sort descending
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

export default program({
  guarantees: [analytics.readOnly(), analytics.maxQueries(0)],
  async run({ today }: { today: string }) {
    const tables = await analytics.listTables({});
    const described = await Promise.all(
      tables.map(async (t) => ({ ...t, columns: await analytics.describe({ table: t.name }) })),
    );

    const personal = described.filter((t) => t.schema === "pii" || t.columns.some((c) => c.pii));
    return personal
      .map(({ name, schema, rowCount, updatedAt, columns }) => ({
        table: `${schema}.${name}`,
        rowCount,
        piiColumns: columns.filter((c) => c.pii === true).map((c) => c.column),
        ageDays: Math.floor((Date.parse(today) - Date.parse(updatedAt)) / 86_400_000),
      }))
      .sort((a, b) => b.rowCount - a.rowCount);
  },
});
