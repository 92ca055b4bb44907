/** Wrong: a stranger who writes that it is urgent makes it send something. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.strangersDecideNothing()],
  async run() {
    for (const mail of await agent.inbox()) {
      if (mail.text.includes("urgent")) await agent.send({ to: "ann@example.com", text: "Please look." });
    }
  },
});
