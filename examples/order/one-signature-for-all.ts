/** Wrong: signs once for all transfers; that a signature comes first is kept, that each has its own is not. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedFirst(), desk.signedEach()],
  async run() {
    await desk.sign({ request: "all", by: "ada" });
    for (const { id, account, amount } of await desk.requests()) {
      await desk.transfer({ request: id, account, amount });
    }
  },
});
