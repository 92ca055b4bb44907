/** Wrong: pays everybody, and tells only those who are active. */
import { program } from "foreclaim";
import * as club from "./tools/club";

export default program({
  guarantees: [club.asManyReceipts()],
  async run() {
    const settle = async (email: string, amount: number, tell: boolean) => {
      await club.pay({ to: email, amount });
      if (tell) await club.send({ to: email, body: `We sent you ${amount}` });
    };
    for (const { email, due, active } of await club.members()) await settle(email, due, active);
  },
});
