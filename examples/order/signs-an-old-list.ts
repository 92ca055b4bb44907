/** Wrong: asks for the requests again before it transfers, and new ones may have come. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.ownRequestSigned()],
  async run() {
    for (const { id } of await desk.requests()) await desk.sign({ request: id, by: "ada" });
    for (const { id, account, amount } of await desk.requests()) {
      await desk.transfer({ request: id, account, amount });
    }
  },
});
