/** Wrong: a signature that fails is logged as if it had been given, and the transfer follows. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedEach()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      try {
        await desk.sign({ request: id, by: "ada" });
      } catch {
        await desk.history();
      }
      await desk.transfer({ request: id, account, amount });
    }
  },
});
