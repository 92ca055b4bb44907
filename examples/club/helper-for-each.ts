/** Calls a helper that pays and tells, for each member: effects of a helper in a loop. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.asManyReceipts(), club.onlyMembers()],
  async run() {
    const settle = async (email: string, amount: number) => {
      await club.pay({ to: email, amount });
      await club.send({ to: email, body: `We sent you ${amount}` });
    };
    for (const { email, due } of await club.members()) {
      if (due > 0) await settle(email, due);
    }
  },
});
