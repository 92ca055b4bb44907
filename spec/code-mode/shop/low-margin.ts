/**
 * Task: For the products of a category, ask the suppliers for a quote and list those with a margin under 20%. Suppliers' servers are flaky, so try up to three times.
 * Verdict: holds
 * Why: Only listProducts and supplierQuote are called.
 * Features: retry loop, try/catch/continue, regex fallback on text, generic helper, finally
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

async function retry<T>(times: number, action: () => Promise<T>): Promise<T | undefined> {
  let left = times;
  while (left > 0) {
    try {
      return await action();
    } catch (e) {
      console.log(`attempt failed: ${e instanceof Error ? e.message : e}`);
    } finally {
      left--;
    }
  }
  return undefined;
}

function costFrom(text: string): number | undefined {
  const m = text.match(/"?unitCost"?\s*[:=]\s*(\d+)/);
  return m ? parseInt(m[1], 10) : undefined;
}

export default program({
  guarantees: [shop.readOnly()],
  async run({ category }: { category: string }) {
    const { items } = await shop.listProducts({ category });
    const lowMargin: { sku: string; name: string; margin: string }[] = [];
    const unknown: string[] = [];

    for (const item of items.filter((i) => i.category === category && i.active && i.price > 0)) {
      const text = await retry(3, () => shop.supplierQuote({ sku: item.sku, quantity: 1 }));
      const cost = text === undefined ? undefined : costFrom(text);
      if (cost === undefined) {
        unknown.push(item.sku);
        continue;
      }
      const margin = (item.price - cost) / item.price;
      if (margin < 0.2)
        lowMargin.push({ sku: item.sku, name: item.name, margin: `${(margin * 100).toFixed(1)}%` });
    }
    return { lowMargin, unknown };
  },
});
