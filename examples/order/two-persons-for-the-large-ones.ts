/** Wrong: the small ones are signed by one, and the promise knows no small ones. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.twoPersons()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      await desk.sign({ request: id, by: "ada" });
      if (amount > 100) await desk.sign({ request: id, by: "bob" });
      await desk.transfer({ request: id, account, amount });
    }
  },
});
