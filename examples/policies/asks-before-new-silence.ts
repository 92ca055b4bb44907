/** Wrong: takes it for a yes when the question cannot be asked. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.asksBeforeNew()],
  async run({ to }: { to: string }) {
    const people = await mail.contacts();
    let mayWrite = people.some((one) => one.address === to);
    try {
      mayWrite ||= await mail.ask({ person: to });
    } catch {
      mayWrite = true;
    }
    if (mayWrite) await mail.send({ to, text: "Hello!" });
  },
});
