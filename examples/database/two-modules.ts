/** Sends a text message and no email: two modules have a tool `send`, and they are two tools. */
import { program } from "foreclaim";
import { none } from "./tools/mail";
import * as sms from "./tools/sms";

export default program({
  guarantees: [none(), sms.atMost(1)],
  async run({ phone }: { phone: string }) {
    const { send } = sms;
    await send({ phone, msg: "Your code is 4711." });
  },
});
