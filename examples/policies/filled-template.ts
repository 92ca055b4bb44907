/** Fills the number of an order into a notice, after it has seen that it is one. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyShippingNotice()],
  async run({ order }: { order: string }) {
    if (!/^[A-Z]{2}-[0-9]{4}$/.test(order)) return;
    await mail.send({ to: "bob@example.com", text: `Your order ${order} has been shipped.` });
  },
});
