/**
 * Task: Compare revenue of this week with last week and tell me the change in percent and the average order value.
 * Verdict: holds
 * Why: Only listOrders is called.
 * Features: inner async function, Promise.all with page numbers, Array.from, Date, division by zero guard
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const DAY = 86_400_000;

async function ordersSince(since: string): Promise<shop.Order[]> {
  const first = await shop.listOrders({ since, page: 1 });
  const extra = Math.max(0, Math.min(first.pages, 20) - 1);
  const rest = await Promise.all(
    Array.from({ length: extra }, (_, i) => shop.listOrders({ since, page: i + 2 })),
  );
  return [first, ...rest]
    .flatMap((r) => r.orders)
    .filter((o) => o.status !== "cancelled" && o.status !== "pending");
}

export default program({
  guarantees: [shop.readOnly(), shop.answerHides("email"), shop.answerHides("address")],
  async run() {
    const now = Date.now();
    const orders = await ordersSince(new Date(now - 14 * DAY).toISOString());

    const sums = { thisWeek: 0, lastWeek: 0 };
    let count = 0;
    for (const o of orders) {
      const age = now - Date.parse(o.createdAt);
      if (age < 7 * DAY) {
        sums.thisWeek += o.total;
        count++;
      } else if (age < 14 * DAY) {
        sums.lastWeek += o.total;
      }
    }

    const change =
      sums.lastWeek === 0 ? null : Math.round((1000 * (sums.thisWeek - sums.lastWeek)) / sums.lastWeek) / 10;
    return {
      thisWeek: sums.thisWeek / 100,
      lastWeek: sums.lastWeek / 100,
      changePercent: change,
      averageOrder: count > 0 ? Math.round(sums.thisWeek / count) / 100 : 0,
    };
  },
});
