/** Sends the wish of one person to another. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.noSelfApproval(), money.requestedFirst()],
  async run({ by }: { by: string }) {
    const approver = by === "ann" ? "bob" : "ann";
    await money.request({ ref: "trip-3", by });
    await money.approve({ ref: "trip-3", by: approver });
    await money.pay({ ref: "trip-3", payee: by, amount: 120 });
  },
});
