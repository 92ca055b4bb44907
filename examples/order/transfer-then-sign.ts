/** Wrong: has it signed when it is done. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedEach()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      await desk.transfer({ request: id, account, amount });
      await desk.sign({ request: id, by: "ada" });
    }
  },
});
