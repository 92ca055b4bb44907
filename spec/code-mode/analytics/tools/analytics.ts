/** Analytics: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, input, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

export type Granularity = "hour" | "day" | "week" | "month";
export type Report = {
  id: string;
  title: string;
  folder: string;
  owner: string;
  visibility: "private" | "team" | "public";
  createdAt: string;      // ISO date-time
  views: number;
};

/** JSON text: { "columns": string[], "rows": unknown[][] } */
export const query = tool({
  reads: true,
  run: async (args: { sql: string; params?: (string | number | null)[] }): Promise<string> => mock("analytics.query", args),
});

export const estimateCost = tool({
  reads: true,
  ensures: (cost) => cost.bytes >= 0 && cost.cents >= 0,
  run: async (args: { sql: string }): Promise<{ bytes: number; cents: number }> => mock("analytics.estimateCost", args),
});

export const listTables = tool({
  reads: true,
  ensures: (tables) => tables.every((one) => one.rowCount >= 0),
  run: async (args: {}): Promise<{ name: string; schema: "public" | "finance" | "pii"; rowCount: number; updatedAt: string }[]> => mock("analytics.listTables", args),
});

export const describe = tool({
  reads: true,
  run: async (args: { table: string }): Promise<{ column: string; type: "int" | "float" | "text" | "timestamp" | "bool"; nullable: boolean; pii?: boolean }[]> => mock("analytics.describe", args),
});

export const metric = tool({
  reads: true,
  run: async (args: { name: string; from: string; to: string; granularity: Granularity; segment?: string }): Promise<{ points: { t: string; value: number | null }[]; unit?: string }> => mock("analytics.metric", args),
});

export const listReports = tool({
  reads: true,
  ensures: (page) => page.reports.every((one) => one.views >= 0),
  run: async (args: { folder?: string; cursor?: string }): Promise<{ reports: Report[]; cursor: string | null }> => mock("analytics.listReports", args),
});


export const saveReport = tool({
  labels: ["change"],
  run: async (args: { title: string; markdown: string; folder: string; visibility: "private" | "team" | "public" }): Promise<{ id: string; url: string }> => mock("analytics.saveReport", args),
});

export const deleteReport = tool({
  labels: ["change"],
  run: async (args: { id: string }): Promise<void> => mock("analytics.deleteReport", args),
});

export const createAlert = tool({
  labels: ["change"],
  run: async (args: { metric: string; above?: number; below?: number; channel: string }): Promise<{ alertId: string }> => mock("analytics.createAlert", args),
});

/** The run never calls `saveReport`, `deleteReport` or `createAlert`. */
export const readOnly = contract(() => labelled("change").none());

/** The `sql` of every `query`, without leading white space, begins with `select` in any case and has no `;`. */
export const selectOnly = contract(() => query.all((q) => /^\s*select/i.test(q.sql) && !q.sql.includes(";")));

/** At most n calls of `query`. */
export const maxQueries = contract((n: number) => query.count() <= n);

/**
 * The sequence of `sql` texts given to `query` would be the same for all inputs of the run, given the same tool results.
 * @weaker An input that decides only whether a query is made is not seen.
 */
export const noInputInSql = contract(() => query.none((q) => flowsFrom(q.sql, input())));

/** The exact `sql` of every `query` was given before to an `estimateCost` call that has resolved with `cents` ≤ maxCents. */
export const estimatedFirst = contract((maxCents: number) =>
  estimateCost.precedes(query, (e, q) => e.sql === q.sql && (resultOf(e)?.cents ?? maxCents + 1) <= maxCents));

/** Every `saveReport` has this `folder`. */
export const folderOnly = contract((folder: string) => saveReport.all((r) => r.folder === folder));

/** No `saveReport` has `visibility` "public". */
export const notPublic = contract(() => saveReport.none((r) => r.visibility === "public"));

/** At most n calls of `saveReport`. */
export const savesAtMost = contract((n: number) => saveReport.count() <= n);

/** Every deleted `id` is the id of a report that an earlier `listReports` of the run returned with this `owner`. */
export const deletesOnlyOwnedBy = contract((owner: string) =>
  listReports.precedes(deleteReport, (l, d) => resultOf(l)?.reports.some((r) => r.id === d.id && r.owner === owner) ?? false));

/** Every `createAlert` has this `channel`. */
export const alertsOnlyTo = contract((channel: string) => createAlert.all((a) => a.channel === channel));

/**
 * Every array in the answer, at any depth, has at most n elements.
 * @unstated A contract cannot look into the arrays of the answer at any depth.
 */
export const answerRowsMax = contract((n: number) => n < 0 || answer.none());
