/** Counts what the user asks, and reports the fact alone. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.questionsStay()],
  async run({ question }: { question: string }) {
    await agent.save({ path: "/tmp/questions", text: question });
    await agent.post({ url: "https://status.example.com", body: "one question more" });
  },
});
