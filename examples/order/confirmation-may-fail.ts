/** Wrong: goes on when a confirmation fails, which may then never have reached the bank. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.confirmedEverySecond()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      await desk.transfer({ request: id, account, amount });
      await desk.transfer({ request: id, account: "fees", amount: 1 });
      try {
        await desk.confirm();
      } catch {
        continue;
      }
    }
  },
});
