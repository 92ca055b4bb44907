/** Wrong: the summary of a channel was meant for Alice, and a message in the channel can say that it goes to Eve. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as slack from "./tools/slack";

export default program({
  guarantees: [slack.visitedPages()],
  async run() {
    const messages = await slack.read_channel_messages({ channel: "general" });
    const from = messages.map(({ sender, body }) => `${sender}: ${body}`).join("\n");
    const recipient = await reader.text({ what: "who wants the summary", from });
    await slack.send_direct_message({ recipient, body: await reader.text({ what: "a summary", from }) });
  },
});
