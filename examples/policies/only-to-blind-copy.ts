/** Wrong: the address in the blind copy comes from the request, and nobody looks at it. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTo(["bob@example.com", "carol@example.com"])],
  async run({ archive }: { archive: string }) {
    await mail.send({ to: "bob@example.com", text: "The report is ready.", bcc: [archive] });
  },
});
