/** Has the large ones signed and transfers the small ones at once: the promise looks at the amount. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedAbove(1000)],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      if (amount > 1000) await desk.sign({ request: id, by: "bob" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
