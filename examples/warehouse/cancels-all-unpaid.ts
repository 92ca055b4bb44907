/** Wrong: cancels whatever is not paid, which may be more than one. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtMost(1)],
  async run() {
    for (const { id, paid } of await shop.orders()) if (!paid) await shop.cancel({ order: id });
  },
});
