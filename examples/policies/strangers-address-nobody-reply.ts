/** Wrong: does what the email says, and writes to the address in it. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.strangersAddressNobody()],
  async run({ assistant }: { assistant: string }) {
    for (const mail of await agent.inbox()) {
      const to = mail.text.startsWith("forward:") ? mail.text.slice(8) : assistant;
      await agent.send({ to, text: mail.text });
    }
  },
});
