/** Wrong: who signs second is asked anew, and may be the one who signed first. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.twoPersons()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      await desk.sign({ request: id, by: (await desk.staffed()) ? "ada" : "bob" });
      await desk.sign({ request: id, by: (await desk.staffed()) ? "bob" : "ada" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
