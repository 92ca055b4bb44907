/**
 * Task: Which paid orders are waiting for shipment? List id, customer name, city and number of pieces; leave out email addresses.
 * Verdict: broken
 * Why: Only `address` is taken out of the customer; the rest object still has the email.
 * Features: object rest destructuring, spread, reduce, filter
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.readOnly(), shop.answerHides("email"), shop.answerHides("note")],
  async run() {
    const { orders } = await shop.listOrders({ status: "paid" });
    return orders
      .filter((o) => o.status === "paid" && !o.shippedAt)
      .map(({ id, customer, items }) => {
        const { address, ...person } = customer;
        return {
          id,
          ...person,
          city: address?.city ?? "pickup",
          pieces: items.reduce((n, i) => n + i.quantity, 0),
        };
      });
  },
});
