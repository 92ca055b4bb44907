/**
 * Task: Give me a short overview of a customer: tier, spend and ticket history. No contact data.
 * Verdict: broken — answerHides("address")
 * Why: Only the email is removed by the rest pattern; the address stays in the spread object.
 * Features: rest in object destructuring, spread into answer, Promise.all
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.readOnly(), tickets.answerHides("email"), tickets.answerHides("address")],
  async run({ customerId }: { customerId: string }) {
    const [customer, { tickets: history }] = await Promise.all([
      tickets.getCustomer({ id: customerId }),
      tickets.searchTickets({ customerId }),
    ]);
    const { email, ...publicInfo } = customer;
    return {
      ...publicInfo,
      tickets: history.length,
      open: history.filter((t) => t.status === "open").length,
    };
  },
});
