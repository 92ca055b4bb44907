/** Both sign before each transfer, in the order in which they are at the desk. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.twoPersons()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      const first = (await desk.staffed()) ? "ada" : "bob";
      await desk.sign({ request: id, by: first });
      await desk.sign({ request: id, by: first === "ada" ? "bob" : "ada" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
