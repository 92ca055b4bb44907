/** Wrong: after the loop it confirms in any case, also where the desk was handed over. */
import { program } from "foreclaim";
import * as desk from "./tools/desk";

export default program({
  guarantees: [desk.onlyReadsAfterEscalation(), desk.noTransferAfterEscalation()],
  async run() {
    for (const { id, account, amount } of await desk.requests()) {
      if (amount > 10_000) {
        await desk.escalate({ about: id });
        break;
      }
      await desk.transfer({ request: id, account, amount });
    }
    await desk.confirm();
  },
});
