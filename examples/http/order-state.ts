/** Fetches an order and deletes it when it is cancelled: a look before the deletion, a `switch` on the status. */
import { program } from "foreclaim";
import { atMost, del, get, looksBeforeDelete, onlyUrls } from "./tools/http";

const ORDER = "https://api.example.com/orders/17";

export default program({
  guarantees: [looksBeforeDelete(), atMost(2), onlyUrls([ORDER])],
  async run() {
    const found = await get({ url: ORDER });
    switch (found.status) {
      case 200:
        if (found.body.includes("cancelled")) await del({ url: ORDER });
        break;
      case 404:
        return;
      default:
        throw new Error(`status ${found.status}`);
    }
  },
});
