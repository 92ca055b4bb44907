/** Wrong: the limit of the program is in cents and that of the promise is not. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedAbove(1000)],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      if (amount > 100_000) await desk.sign({ request: id, by: "bob" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
