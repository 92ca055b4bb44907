/**
 * Task: Give me a summary of a customer: name, country, open amount. Do not show the email address.
 * Verdict: broken
 * Why: A customer without a name is shown with the email as display name.
 * Features: type assertion of unknown, optional chaining, nullish coalescing, for-of sum
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

interface RawCustomer {
  name?: string;
  email?: string;
  address?: { country?: string };
}

export default program({
  guarantees: [payments.readOnly(), payments.answerHides("email")],
  async run({ id }: { id: string }) {
    const customer = (await payments.getCustomer({ id })) as RawCustomer;
    const { data } = await payments.listInvoices({ customerId: id, status: "open" });

    let openCents = 0;
    for (const inv of data) {
      if (inv.status === "open") openCents += inv.amountDue - inv.amountPaid;
    }
    const displayName = customer.name ?? customer.email ?? id;
    return { name: displayName, country: customer.address?.country ?? "unknown", open: openCents / 100 };
  },
});
