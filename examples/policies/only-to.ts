/** Writes to Bob, with a copy to Carol when it is urgent: an allow-list of addresses, copies included. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyTo(["bob@example.com", "carol@example.com"])],
  async run({ urgent }: { urgent: boolean }) {
    const cc = urgent ? ["carol@example.com"] : undefined;
    await mail.send({ to: "bob@example.com", text: "The report is ready.", cc });
  },
});
