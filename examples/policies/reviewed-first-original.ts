/** Wrong: has it reviewed, and publishes the original with a heading. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.reviewedFirst()],
  async run({ url }: { url: string }) {
    const text = await agent.page({ url });
    const mended = await agent.review({ text });
    const body = mended === text ? `Reviewed: ${text}` : mended;
    await agent.post({ url: "https://blog.example.com", body });
  },
});
