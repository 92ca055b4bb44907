/** Wrong: cancels the order before the loop, which ships it all the same. */
import { program } from "foreclaim";
import * as shop from "./tools/warehouse";

export default program({
  guarantees: [shop.cancelledAtEnd("o-1")],
  async run() {
    const done: string[] = [];
    await shop.cancel({ order: "o-1" });
    for (const { id } of await shop.orders()) {
      if (done.includes(id) || id === "o-2") continue;
      await shop.cancel({ order: id });
      done.push(id);
    }
    await shop.pack({ order: "o-2" });
    if (done.length > 1) await shop.cancel({ order: "o-3" });
  },
});
