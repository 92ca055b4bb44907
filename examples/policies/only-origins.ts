/** Asks two services, with the number of an order that was tested. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.onlyOrigins(["https://api.example.com/v1", "https://status.example.com"])],
  async run({ order }: { order: string }) {
    if (!/^[0-9]+$/.test(order)) return;
    await web.get({ url: `https://api.example.com/v1/orders/${order}` });
    await web.get({ url: "https://status.example.com" });
  },
});
