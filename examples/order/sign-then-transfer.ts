/** Signs and transfers, request by request. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.signedEach(), desk.ownRequestSigned()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      await desk.sign({ request: id, by: "ada" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
