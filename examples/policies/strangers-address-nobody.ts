/** Forwards what came in to the one address that it was told. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.strangersAddressNobody()],
  async run({ assistant }: { assistant: string }) {
    for (const mail of await agent.inbox()) await agent.send({ to: assistant, text: mail.text });
  },
});
