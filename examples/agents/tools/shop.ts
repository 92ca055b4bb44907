/** A shop that pays invoices. Anybody can send one. */
import { contract, coverage, tool, untrusted } from "foreclaim";

export interface Invoice {
  id: string;
  payee: string;
  amount: number;
}

/** Invoices that came in by mail. */
export const invoices = tool({
  reads: true,
  source: "untrusted",
  stores: ["mail"],
  ensures: (found) => found.length <= 50 && found.every((one) => one.amount >= 0),
  run: async (): Promise<Invoice[]> => [
    { id: "a-1", payee: "paper & co", amount: 40 },
    { id: "a-2", payee: "eve", amount: 900 },
  ],
});

/** Pays somebody. */
export const pay = tool({
  stores: ["bank"],
  requires: ({ amount }) => amount > 0,
  run: async ({ payee, amount }: { payee: string; amount: number }): Promise<void> => {
    console.error(`paid ${amount} to ${payee}`);
  },
});

/** All payments together are at most this much. */
export const spendsAtMost = contract((limit: number) => pay.sum((p) => p.amount) <= limit);

/** Only these are paid. */
export const onlyPays = contract((payees: string[]) => pay.all((p) => payees.includes(p.payee)));

/** No invoice says who is paid. */
export const trustedPayee = contract(() => pay.all((p) => !untrusted(p.payee)));

export const policy = coverage({
  whenUsed: [pay],
  required: [],
  recommended: [spendsAtMost, onlyPays],
  label: "payments",
});
