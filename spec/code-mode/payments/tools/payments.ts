/** Payments: invoices, charges, refunds, balance: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

const isMoney = (amount: number) => Number.isInteger(amount) && amount >= -1e12 && amount <= 1e12;
const isAmount = (amount: number) => isMoney(amount) && amount >= 0;

export type Currency = "eur" | "usd" | "gbp";

export interface Invoice {
  id: string;
  number: string;
  customerId: string;
  status: "draft" | "open" | "paid" | "void" | "uncollectible";
  currency: Currency;
  amountDue: number;
  amountPaid: number;
  dueDate: string | null;          // ISO date
  createdAt: string;               // ISO date-time
  lines: { description: string; quantity: number; unitAmount: number }[];
}

export interface Charge {
  id: string;
  customerId: string;
  invoiceId?: string;
  amount: number;
  refunded: number;                // already refunded
  currency: Currency;
  status: "succeeded" | "failed" | "pending";
  createdAt: string;               // ISO date-time
  disputed?: boolean;
}

export interface Money { amount: number; currency: Currency }

export const listInvoices = tool({
  reads: true,
  ensures: (page) =>
    page.data.every(
      (one) =>
        isAmount(one.amountDue) && isAmount(one.amountPaid) && one.lines.every((line) => isAmount(line.unitAmount)),
    ),
  run: async (args: { customerId?: string; status?: Invoice["status"]; startingAfter?: string }): Promise<{ data: Invoice[]; hasMore: boolean }> => mock("payments.listInvoices", args),
});

export const listCharges = tool({
  reads: true,
  ensures: (found) =>
    found.every((one) => isAmount(one.amount) && isAmount(one.refunded) && one.refunded <= one.amount) &&
    new Set(found.map((one) => one.id)).size === found.length,
  run: async (args: { customerId: string; limit?: number }): Promise<Charge[]> => mock("payments.listCharges", args),
});

export const getBalance = tool({
  reads: true,
  ensures: (balance) =>
    balance.available.every((one) => isMoney(one.amount)) &&
    balance.pending.every((one) => isMoney(one.amount)) &&
    new Set(balance.available.map((one) => one.currency)).size === balance.available.length &&
    new Set(balance.pending.map((one) => one.currency)).size === balance.pending.length,
  run: async (args: {}): Promise<{ available: Money[]; pending: Money[] }> => mock("payments.getBalance", args),
});

/** The raw customer object of the payment provider. */
export const getCustomer = tool({
  reads: true,
  run: async (args: { id: string }): Promise<unknown> => mock("payments.getCustomer", args),
});

/** Asks a human to approve an amount of money; true if approved. Changes nothing. */
export const approve = tool({
  reads: true,
  run: async (args: { question: string; amount: number }): Promise<boolean> => mock("payments.approve", args),
});


export const refund = tool({
  labels: ["change"],
  run: async (args: { chargeId: string; amount: number; reason?: "duplicate" | "fraudulent" | "requested" }): Promise<{ id: string; status: "succeeded" | "pending" | "failed"; amount: number }> => mock("payments.refund", args),
});

export const payout = tool({
  labels: ["change"],
  run: async (args: { amount: number; currency: Currency; destination: string }): Promise<{ id: string; arrival: string }> => mock("payments.payout", args),
});

export const sendInvoice = tool({
  labels: ["change"],
  run: async (args: { invoiceId: string }): Promise<void> => mock("payments.sendInvoice", args),
});

/** There is no call of `refund`, `payout` or `sendInvoice`. */
export const readOnly = contract(() => labelled("change").none());

/** The sum of `amount` over all calls of `refund` is at most cents. */
export const refundTotalAtMost = contract((cents: number) => refund.sum((r) => r.amount) <= cents);

/** Every `refund` has min ≤ `amount` ≤ max. */
export const refundEachBetween = contract((min: number, max: number) => refund.all((r) => min <= r.amount && r.amount <= max));

/** No two calls of `refund` have the same `chargeId`. */
export const refundOnceEach = contract(() => refund.distinct((r) => r.chargeId));

/** The `chargeId` of every `refund` is the id of a charge with this `customerId` in the result of an earlier `listCharges`. */
export const refundsOnlyOf = contract((customerId: string) =>
  listCharges.precedes(refund, (l, r) => resultOf(l)?.some((c) => c.id === r.chargeId && c.customerId === customerId) ?? false));

/**
 * Every `refund` has `amount` ≤ `amount − refunded` of the charge with that id in the latest earlier `listCharges` result that contains it (and there is one).
 * @stronger Every result with the charge counts, not the latest one.
 */
export const refundsWithinCharge = contract(() =>
  listCharges.precedes(refund, (l, r) => resultOf(l)?.some((c) => c.id === r.chargeId && r.amount <= c.amount - c.refunded) ?? false) &&
  refund.all((r) => listCharges.rows.all((c) => c.id !== r.chargeId || r.amount <= c.amount - c.refunded)));

/** Before every `refund` or `payout` with `amount` > cents there is an earlier `approve` with the same `amount` that returned true. */
export const approvedAbove = contract((cents: number) =>
  approve.precedes(refund.where((r) => r.amount > cents), (a, r) => a.amount === r.amount && resultOf(a) === true) &&
  approve.precedes(payout.where((p) => p.amount > cents), (a, p) => a.amount === p.amount && resultOf(a) === true));

/** Every `payout` has this `destination`. */
export const payoutsOnlyTo = contract((destination: string) => payout.all((p) => p.destination === destination));

/**
 * Every `payout` has 0 < `amount` ≤ the `available` amount of its currency in the latest earlier `getBalance` (and there is one), and no two payouts have the same currency.
 * @stronger Every balance counts, not the latest one.
 */
export const payoutsWithinBalance = contract(() =>
  payout.distinct((p) => p.currency) &&
  getBalance.precedes(payout, (b, p) => p.amount > 0 && (resultOf(b)?.available.some((m) => m.currency === p.currency && p.amount <= m.amount) ?? false)) &&
  payout.all((p) =>
    getBalance.all((b) => resultOf(b)?.available.every((m) => m.currency !== p.currency || p.amount <= m.amount) ?? true),
  ));

/** The `invoiceId` of every `sendInvoice` is the id of an invoice with status "open" in the result of an earlier `listInvoices`. */
export const sendsOnlyOpen = contract(() =>
  listInvoices.precedes(sendInvoice, (l, s) => resultOf(l)?.data.some((i) => i.id === s.invoiceId && i.status === "open") ?? false));

/** There are at most n calls of `sendInvoice`. */
export const sendsAtMost = contract((n: number) => sendInvoice.count() <= n);

/**
 * No value under this property name, at any depth of a tool result, flows into the answer.
 * @stronger A source is a whole tool result, not the values under one name.
 */
export const answerHides = contract((key: string) =>
  key === "" ||
  answer.none(
    (a) =>
      flowsFrom(a.value, listInvoices) ||
      flowsFrom(a.value, listCharges) ||
      flowsFrom(a.value, getBalance) ||
      flowsFrom(a.value, getCustomer),
  ));
