/** Wrong: the counter is compared after it was raised past the limit, so a third transfer goes out unconfirmed. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.confirmedEverySecond()],
  async run() {
    let open = 0;
    for (const { id, account, amount } of await desk.requests()) {
      if (open > 2) {
        await desk.confirm();
        open = 0;
      }
      await desk.transfer({ request: id, account, amount });
      open += 1;
    }
  },
});
