/** Sends a summary of a page to somebody: which page and whom, the request says, and everybody may read the page. */
import { program } from "foreclaim";
import * as reader from "./tools/reader";
import * as slack from "./tools/slack";

export default program({
  guarantees: [slack.directMessages(), slack.visitedPages()],
  async run() {
    const page = await slack.get_webpage({ url: "www.example.com" });
    const body = await reader.text({ what: "a summary", from: page });
    await slack.send_direct_message({ recipient: "Alice", body });
  },
});
