/** Wrong: the second half of the promise breaks, because a copy goes outside in one case. */
import { program } from "foreclaim";
import * as email from "./tools/email";

export default program({
  guarantees: [email.only(["bob@example.com"])],
  async run({ archive }: { archive: boolean }) {
    const cc = archive ? ["archive@elsewhere.example"] : undefined;
    await email.send({ addr: "bob@example.com", msg: "For your files.", cc });
  },
});
