/** Wrong: the second approver comes with the request and may be the first; two approvals are not two people. */
import { program } from "foreclaim";
import * as money from "./tools/money";

export default program({
  guarantees: [money.twoApprovals(), money.twoPersons()],
  async run({ second }: { second: string }) {
    await money.approve({ ref: "bill-7", by: "ann" });
    await money.approve({ ref: "bill-7", by: second });
    await money.pay({ ref: "bill-7", payee: "Acme", amount: 4000 });
  },
});
