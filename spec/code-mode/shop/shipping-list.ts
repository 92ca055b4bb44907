/**
 * Task: Which paid orders are waiting for shipment? List id, customer name, city and number of pieces; leave out email addresses.
 * Verdict: holds
 * Why: From the customer only name and the address's city and country are used, never the email.
 * Features: object mapping, optional chaining into nested object, reduce, sort by date, ternary
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.readOnly(), shop.answerHides("email"), shop.answerHides("note")],
  async run() {
    const { orders, pages } = await shop.listOrders({ status: "paid" });

    const waiting = orders
      .filter((o) => o.status === "paid" && !o.shippedAt)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      .map(({ id, customer, items, createdAt }) => ({
        id,
        customer: customer.name,
        destination: customer.address ? `${customer.address.city}, ${customer.address.country}` : "pickup",
        pieces: items.reduce((n, i) => n + i.quantity, 0),
        ordered: createdAt.slice(0, 10),
      }));

    return { waiting, complete: pages <= 1 };
  },
});
