/**
 * Task: How many orders are paid but not shipped?
 * Verdict: holds
 * Why: Only listOrders is called.
 * Features: filter, length
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.readOnly()],
  async run() {
    const { orders } = await shop.listOrders({ status: "paid" });
    return orders.filter((o) => o.status === "paid").length;
  },
});
