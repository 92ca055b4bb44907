/** Logs in with a password, and tells the web only that it did. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.secretsStay()],
  async run() {
    const password = await agent.secret({ name: "shop" });
    await agent.login({ password });
    await agent.post({ url: "https://status.example.com", body: "logged in" });
  },
});
