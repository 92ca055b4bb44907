/** Reads the mail into a file, and reports without it. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.strangersDecideNothing()],
  async run() {
    for (const mail of await agent.inbox()) await agent.save({ path: "/tmp/mail", text: mail.text });
    await agent.post({ url: "https://status.example.com", body: "mail was read" });
  },
});
