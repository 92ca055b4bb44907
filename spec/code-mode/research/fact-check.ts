/**
 * Task: Check a claim: how many of the pages found mention all of its key words?
 * Verdict: holds
 * Why: Only webSearch and fetchPage are called, with at most ten fetches of found urls.
 * Features: every/some, stop word Set, mutable tally object, batches with index loop, chained ternary
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const STOP = new Set([
  "the",
  "and",
  "that",
  "with",
  "from",
  "this",
  "was",
  "were",
  "are",
  "has",
  "have",
  "for",
]);

export default program({
  guarantees: [research.readOnly(), research.fetchesOnlyFound(), research.maxFetches(10)],
  async run({ claim }: { claim: string }) {
    const keys = claim
      .toLowerCase()
      .split(/\W+/)
      .filter((w) => w.length > 2 && !STOP.has(w));
    if (keys.length === 0) return { verdict: "unclear", reason: "The claim has no key words." };

    const { results } = await research.webSearch({ query: claim, count: 10 });
    const urls = [...new Set(results.map((r) => r.url))].slice(0, 10);
    const tally = { supports: 0, denies: 0, silent: 0, unreadable: 0 };

    for (let start = 0; start < urls.length; start += 5) {
      const batch = urls.slice(start, start + 5);
      const pages = await Promise.allSettled(batch.map((url) => research.fetchPage({ url })));
      for (const page of pages) {
        if (page.status !== "fulfilled") {
          tally.unreadable++;
          continue;
        }
        const text = page.value.toLowerCase();
        if (!keys.every((k) => text.includes(k))) tally.silent++;
        else if (/\b(false|hoax|debunked|misleading)\b/.test(text)) tally.denies++;
        else tally.supports++;
      }
    }

    const verdict =
      tally.supports > 2 * tally.denies && tally.supports >= 3
        ? "likely true"
        : tally.denies > tally.supports
          ? "likely false"
          : "unclear";
    return { verdict, ...tally };
  },
});
