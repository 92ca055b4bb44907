/** Writes inside the company: the name is tested, and the domain is a constant. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.insideDomain("example.com")],
  async run({ name }: { name: string }) {
    if (!/^[a-z]+$/.test(name)) return;
    await mail.send({ to: `${name}@example.com`, text: "Welcome!" });
  },
});
