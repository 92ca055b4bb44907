/** Wrong: whatever is given as the order becomes part of the text. */
import { program } from "foreclaim";
import * as mail from "./tools/mail";

export default program({
  guarantees: [mail.onlyShippingNotice()],
  async run({ order }: { order: string }) {
    if (order.length !== 7) return;
    await mail.send({ to: "bob@example.com", text: `Your order ${order} has been shipped.` });
  },
});
