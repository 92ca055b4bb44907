/**
 * Task: Raise the prices in category "books" by the given percentage, rounded to full 10 cents. Keep every price between 1.00 and 1,000.00.
 * Verdict: holds
 * Why: The category of each row is checked and the new price is clamped before setPrice.
 * Features: cursor pagination, clamp helper, Math.round, for-of, null cursor, spread push
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const CATEGORY = "books";
const clamp = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

export default program({
  guarantees: [shop.pricesOnlyIn(CATEGORY), shop.pricesBetween(100, 100_000)],
  async run({ percent }: { percent: number }) {
    const books: shop.Product[] = [];
    let cursor: string | null | undefined;
    do {
      const page: { items: shop.Product[]; next: string | null } = await shop.listProducts({
        category: CATEGORY,
        cursor: cursor ?? undefined,
      });
      books.push(...page.items.filter((p) => p.category === CATEGORY));
      cursor = page.next;
    } while (cursor);

    let changed = 0;
    for (const book of books) {
      const raised = Math.round((book.price * (1 + percent / 100)) / 10) * 10;
      const price = clamp(raised, 100, 100_000);
      if (price === book.price) continue;
      await shop.setPrice({ sku: book.sku, price });
      changed++;
    }
    return { books: books.length, changed };
  },
});
