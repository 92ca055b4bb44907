/** Notes that each order is paid, and forgets nothing that was paid before: initial and final state compared. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.staysPaid(), shop.everyOrderPaid()],
  async run() {
    for (const { id } of await shop.orders()) await shop.settle({ order: id });
  },
});
