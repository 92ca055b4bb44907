import { program } from "foreclaim";
import * as feed from "./tools/feed";

export default program({
  guarantees: [feed.onlyTo("ada@example.com")],
  async run() {
    let cursor: string | undefined;
    while (true) {
      const page = await feed.page({ cursor });
      for (const item of page.items) await feed.send({ to: "ada@example.com", item });
      if (page.next === undefined) break;
      cursor = page.next;
    }
  },
});
