/** Wrong: looks at how the address ends, and `bob@evilexample.com` ends so too; so does the contract that says no more. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.endsWithDomain("example.com"), mail.insideDomain("example.com")],
  async run({ to }: { to: string }) {
    if (!to.endsWith("example.com")) return;
    await mail.send({ to, text: "Welcome!" });
  },
});
