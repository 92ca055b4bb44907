/** Publishes what a person made of a page. */
import { program } from "foreclaim";
import * as agent from "./tools/agent";

export default program({
  guarantees: [agent.reviewedFirst()],
  async run({ url }: { url: string }) {
    const text = await agent.page({ url });
    const mended = await agent.review({ text });
    await agent.post({ url: "https://blog.example.com", body: mended });
  },
});
