/** Wrong: whatever the user types is written to, also where `send` requires an address. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.atMost(1)],
  async run({ to, text }: { to: string; text: string }) {
    const addr = to || "bob@example.com";
    await email.send({ addr, msg: text });
  },
});
