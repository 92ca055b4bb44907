/**
 * Task: Give me a summary of a customer: name, country, open amount. Do not show the email address.
 * Verdict: holds
 * Why: From the raw object only values under "name" and "country" are picked, and objects are never copied whole.
 * Features: unknown narrowing, type guard, Record<string, unknown>, typeof, nullish coalescing, reduce
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

const isRecord = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);
const text = (x: unknown): string | undefined => (typeof x === "string" && x.length > 0 ? x : undefined);

export default program({
  guarantees: [payments.readOnly(), payments.answerHides("email")],
  async run({ id }: { id: string }) {
    const raw = await payments.getCustomer({ id });
    if (!isRecord(raw)) return { error: "Unexpected answer from the payment provider" };

    const address = isRecord(raw.address) ? raw.address : {};
    const { data } = await payments.listInvoices({ customerId: id, status: "open" });
    const open = data
      .filter((inv) => inv.customerId === id && inv.status === "open")
      .reduce<Record<string, number>>((acc, inv) => {
        acc[inv.currency] = (acc[inv.currency] ?? 0) + inv.amountDue - inv.amountPaid;
        return acc;
      }, {});

    return { name: text(raw.name) ?? "(unnamed)", country: text(address.country) ?? "unknown", open };
  },
});
