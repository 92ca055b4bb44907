/** Wrong: says nothing of the customer, but what it asks depends on where the customer lives. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.modelsLearnNothing()],
  async run({ id }: { id: string }) {
    const { city } = await agent.customer({ id });
    const prompt = city === "Paris" ? "Write a greeting in French" : "Write a greeting";
    await agent.model({ prompt });
  },
});
