/**
 * Task: What does a product cost in different shops? Give me the cheapest offer and the range.
 * Verdict: holds
 * Why: The program searches and reads pages only.
 * Features: regex with currency, matchAll, Number and replace, filter out of range, Math.min with spread, Map by host
 */
import { program } from "foreclaim";
import * as research from "./tools/research";

const PRICE = /(?:€|EUR)\s?(\d{1,5}(?:[.,]\d{2})?)/g;

const hostOf = (url: string) => url.replace(/^https?:\/\/(www\.)?/, "").split("/")[0];

export default program({
  guarantees: [research.readOnly(), research.maxFetches(8)],
  async run({ product, atLeast = 1 }: { product: string; atLeast?: number }) {
    const { results } = await research.webSearch({ query: `${product} price buy`, count: 8 });
    const offers = new Map<string, number>();

    for (const { url } of results.slice(0, 8)) {
      let text: string;
      try {
        text = await research.fetchPage({ url });
      } catch {
        continue;
      }
      const prices = [...text.matchAll(PRICE)]
        .map((m) => Number(m[1].replace(",", ".")))
        .filter((p) => p >= atLeast);
      if (prices.length === 0) continue;
      const host = hostOf(url);
      offers.set(host, Math.min(offers.get(host) ?? Infinity, ...prices));
    }

    if (offers.size === 0) return `I found no price for ${product}.`;
    const sorted = [...offers].sort((a, b) => a[1] - b[1]);
    const [cheapestShop, cheapest] = sorted[0];
    const [, dearest] = sorted[sorted.length - 1];
    return {
      cheapest: `${cheapest.toFixed(2)} EUR at ${cheapestShop}`,
      range: [cheapest, dearest],
      shops: offers.size,
    };
  },
});
