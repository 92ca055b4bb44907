/**
 * Task: Make a text table of active products at or below their reorder point, most urgent first, with a total count.
 * Verdict: holds
 * Why: Only listProducts is called.
 * Features: async generator, for await, padEnd/padStart, nullish coalescing, string repeat, sort
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

async function* allProducts(): AsyncGenerator<shop.Product> {
  let cursor: string | undefined;
  while (true) {
    const { items, next }: { items: shop.Product[]; next: string | null } = await shop.listProducts({
      cursor,
    });
    yield* items;
    if (!next) return;
    cursor = next;
  }
}

export default program({
  guarantees: [shop.readOnly()],
  async run() {
    const low: { sku: string; name: string; missing: number; stock: number }[] = [];
    for await (const p of allProducts()) {
      const point = p.reorderPoint ?? 5;
      if (p.active && p.stock <= point) {
        low.push({ sku: p.sku, name: p.name, stock: p.stock, missing: point - p.stock });
      }
    }
    low.sort((a, b) => b.missing - a.missing || a.sku.localeCompare(b.sku));

    const line = "-".repeat(50);
    const rows = low.map(
      (p) => `${p.sku.padEnd(12)} ${p.name.slice(0, 28).padEnd(28)} ${String(p.stock).padStart(6)}`,
    );
    return [
      `${"SKU".padEnd(12)} ${"Product".padEnd(28)}  Stock`,
      line,
      ...rows,
      line,
      `${low.length} product(s)`,
    ].join("\n");
  },
});
