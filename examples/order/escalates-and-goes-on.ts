/** Wrong: skips the request that it handed over and continues with the next one. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.onlyReadsAfterEscalation()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      if (amount > 10_000) {
        await desk.escalate({ about: id });
        continue;
      }
      await desk.transfer({ request: id, account, amount });
    }
  },
});
