/** Wrong: the name is not tested, and `eve@evil.example,bob` makes two addresses of one. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.insideDomain("example.com")],
  async run({ name }: { name: string }) {
    await mail.send({ to: `${name}@example.com`, text: "Welcome!" });
  },
});
