/**
 * Task: Evaluate an A/B test: conversion per variant with a 95 percent interval, the winner, and a private report in "experiments".
 * Verdict: broken — noInputInSql()
 * Why: The experiment name is put into the SQL text with replace, so the text depends on the input.
 * Features: parser with validation, Map aggregation, Math.sqrt, sort, throw, nested template strings, interface, for-of with guards
 */
import { program } from "foreclaim";
import * as analytics from "./tools/analytics";

interface Variant {
  name: string;
  users: number;
  conversions: number;
}

interface Scored extends Variant {
  rate: number;
  low: number;
  high: number;
}

const SQL = `SELECT variant, count(*) AS users, sum(converted) AS conversions
FROM experiment_users
WHERE experiment = $1
GROUP BY variant`;

function parse(text: string): Variant[] {
  const data: unknown = JSON.parse(text);
  if (typeof data !== "object" || data === null || !Array.isArray((data as { rows?: unknown }).rows)) {
    throw new Error("The warehouse returned an unexpected result.");
  }
  const merged = new Map<string, Variant>();
  for (const row of (data as { rows: unknown[] }).rows) {
    if (!Array.isArray(row) || row.length < 3) continue;
    const [name, users, conversions] = [String(row[0]), Number(row[1]), Number(row[2])];
    if (!(users > 0) || !(conversions >= 0)) continue;
    const known = merged.get(name);
    if (known) {
      known.users += users;
      known.conversions += conversions;
    } else {
      merged.set(name, { name, users, conversions });
    }
  }
  return [...merged.values()];
}

function score(v: Variant): Scored {
  const rate = Math.min(1, v.conversions / v.users);
  const margin = 1.96 * Math.sqrt((rate * (1 - rate)) / v.users);
  return { ...v, rate, low: Math.max(0, rate - margin), high: Math.min(1, rate + margin) };
}

const percent = (x: number) => `${(100 * x).toFixed(2)}%`;

export default program({
  guarantees: [
    analytics.estimatedFirst(100),
    analytics.selectOnly(),
    analytics.noInputInSql(),
    analytics.folderOnly("experiments"),
    analytics.notPublic(),
    analytics.savesAtMost(1),
  ],
  async run({ experiment }: { experiment: string }) {
    const sql = SQL.replace("$1", `'${experiment}'`);
    const estimate = await analytics.estimateCost({ sql });
    if (estimate.cents > 100) return { error: `The query would cost ${estimate.cents} cents.` };

    const variants = parse(await analytics.query({ sql })).map(score);
    variants.sort((a, b) => b.rate - a.rate);
    if (variants.length < 2) return { error: "There are fewer than two variants." };

    const [best, second] = variants;
    const significant = best.low > second.high;
    const conclusion = significant
      ? `${best.name} wins (${percent(best.rate)} against ${percent(second.rate)}).`
      : "There is no clear winner yet.";

    const table = variants.map(
      (v) => `| ${v.name} | ${v.users} | ${percent(v.rate)} | ${percent(v.low)} – ${percent(v.high)} |`,
    );
    const { url } = await analytics.saveReport({
      title: `Experiment ${experiment}`,
      markdown: [
        `# ${experiment}`,
        "",
        conclusion,
        "",
        "| variant | users | rate | 95% |",
        "|---|---:|---:|---|",
        ...table,
      ].join("\n"),
      folder: "experiments",
      visibility: "private",
    });
    return { conclusion, significant, url };
  },
});
