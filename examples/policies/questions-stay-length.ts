/** Wrong: reports how long the question is, which says something about it. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.questionsStay()],
  async run({ question }: { question: string }) {
    const size = question.length > 100 ? "long" : "short";
    await agent.post({ url: "https://status.example.com", body: `a ${size} question` });
  },
});
