/**
 * Task: How often was each coupon used and what is the average order total with and without coupon? No customer details.
 * Verdict: holds
 * Why: Only coupon codes and numbers are returned.
 * Features: class with method chaining, Map, Object.fromEntries, toUpperCase, spread of Map entries
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

class Average {
  #sum = 0;
  #n = 0;

  add(value: number): this {
    this.#sum += value;
    this.#n += 1;
    return this;
  }

  toJSON() {
    return { orders: this.#n, average: this.#n ? Math.round(this.#sum / this.#n) / 100 : null };
  }
}

export default program({
  guarantees: [
    shop.readOnly(),
    shop.answerHides("email"),
    shop.answerHides("address"),
    shop.answerHides("note"),
  ],
  async run({ since }: { since?: string }) {
    const { orders } = await shop.listOrders({ since });
    const withCoupon = new Average();
    const without = new Average();
    const uses = new Map<string, number>();

    for (const { couponCode, total, status } of orders) {
      if (status === "cancelled") continue;
      if (!couponCode) {
        without.add(total);
        continue;
      }
      const code = couponCode.trim().toUpperCase();
      uses.set(code, (uses.get(code) ?? 0) + 1);
      withCoupon.add(total);
    }

    return {
      uses: Object.fromEntries([...uses].sort((a, b) => b[1] - a[1])),
      withCoupon: withCoupon.toJSON(),
      without: without.toJSON(),
    };
  },
});
