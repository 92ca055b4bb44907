/** Asks a model about what was bought, and puts the name in afterwards. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.modelsLearnNothing()],
  async run({ id }: { id: string }) {
    const bought = await agent.orders({ id });
    const text = await agent.model({ prompt: `Thank somebody for: ${bought.join(", ")}` });
    const { name } = await agent.customer({ id });
    await agent.send({ to: "sales@example.com", text: `Dear ${name}, ${text}` });
  },
});
