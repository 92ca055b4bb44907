/** Wrong: the manager approves, also what the manager asked for. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.noSelfApproval(), money.requestedFirst()],
  async run({ by }: { by: string }) {
    await money.request({ ref: "trip-3", by });
    await money.approve({ ref: "trip-3", by: "ann" });
    await money.pay({ ref: "trip-3", payee: by, amount: 120 });
  },
});
