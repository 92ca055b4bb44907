/**
 * Task: Set the prices from this list, one "SKU;12.34" per line. Ignore bad lines; prices must be between 0.01 and 9,999.99 and each SKU may be set once (the last line wins).
 * Verdict: holds
 * Why: Only texts that match the price pattern become a whole number of cents, checked against the range, one Map entry per SKU.
 * Features: split lines, regex with named groups, Map last-wins, Number, Math.round, range check
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const LINE = /^(?<sku>[^;]+);(?<euros>\d{1,6})(?:[.,](?<cents>\d{1,2}))?$/;

export default program({
  guarantees: [shop.pricesBetween(1, 999_999), shop.priceOnceEach()],
  async run({ list }: { list: string }) {
    const prices = new Map<string, number>();
    const bad: string[] = [];

    for (const raw of list.split(/\r?\n/)) {
      const line = raw.trim();
      if (line === "") continue;
      const groups = LINE.exec(line)?.groups;
      const price = groups ? Number(groups.euros) * 100 + Number((groups.cents ?? "0").padEnd(2, "0")) : NaN;
      if (groups && price >= 1 && price <= 999_999) prices.set(groups.sku.trim(), price);
      else bad.push(line);
    }

    for (const [sku, price] of prices) {
      await shop.setPrice({ sku, price });
    }
    return { updated: prices.size, bad };
  },
});
