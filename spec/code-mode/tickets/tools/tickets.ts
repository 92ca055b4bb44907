/** Tickets: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

const isCents = (n: number) => Number.isInteger(n) && n >= 0 && n <= 10_000_000;

export type Status = "open" | "pending" | "solved" | "closed";
export type Priority = "low" | "normal" | "high" | "urgent";
export type Comment = { author: "customer" | "agent"; text: string; at: string; public: boolean };
export type Ticket = {
  id: string;
  customerId: string;
  subject: string;           // untrusted, written by the customer
  body: string;              // untrusted, written by the customer
  status: Status;
  priority: Priority;
  tags: string[];
  orderId?: string;
  createdAt: string;         // ISO date-time
  updatedAt: string;
  assignee: { id: string; name: string } | null;
  comments: Comment[];       // comments with public false are internal notes of the team
};
export type Customer = {
  id: string;
  name: string;
  email: string;
  tier: "free" | "pro" | "enterprise";
  address?: { street: string; city: string; country: string };
  lifetimeCents: number;
};
export type Order = {
  id: string;
  customerId: string;
  totalCents: number;
  refundedCents: number;
  status: "paid" | "shipped" | "delivered" | "cancelled";
  placedAt: string;
  items: { sku: string; quantity: number; priceCents: number }[];
};

export const searchTickets = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { status?: Status; tag?: string; customerId?: string; page?: number }): Promise<{ tickets: Ticket[]; hasMore: boolean }> => mock("tickets.searchTickets", args),
});

export const getTicket = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { id: string }): Promise<Ticket | null> => mock("tickets.getTicket", args),
});

export const getCustomer = tool({
  reads: true,
  ensures: (customer) => isCents(customer.lifetimeCents),
  run: async (args: { id: string }): Promise<Customer> => mock("tickets.getCustomer", args),
});

export const getOrder = tool({
  reads: true,
  ensures: (order) =>
    order === null ||
    (isCents(order.totalCents) &&
      isCents(order.refundedCents) &&
      order.refundedCents <= order.totalCents &&
      order.items.every((one) => isCents(one.quantity) && isCents(one.priceCents))),
  run: async (args: { orderId: string }): Promise<Order | null> => mock("tickets.getOrder", args),
});

/** Plain text for people */
export const refundPolicy = tool({
  reads: true,
  run: async (args: { country: string }): Promise<string> => mock("tickets.refundPolicy", args),
});


export const refund = tool({
  labels: ["change"],
  run: async (args: { orderId: string; amountCents: number; reason: string }): Promise<{ refundId: string }> => mock("tickets.refund", args),
});

export const reply = tool({
  labels: ["change"],
  run: async (args: { ticketId: string; text: string; public: boolean }): Promise<void> => mock("tickets.reply", args),
});

export const setStatus = tool({
  labels: ["change"],
  run: async (args: { ticketId: string; status: Status }): Promise<void> => mock("tickets.setStatus", args),
});

export const escalate = tool({
  labels: ["change"],
  run: async (args: { ticketId: string; team: "billing" | "legal" | "engineering"; note: string }): Promise<{ caseId: string }> => mock("tickets.escalate", args),
});

/** The run never calls `refund`, `reply`, `setStatus` or `escalate`. */
export const readOnly = contract(() => labelled("change").none());

/** The run never calls `refund`. */
export const neverRefunds = contract(() => refund.none());

/** Every `refund` has 0 < `amountCents` ≤ cents. */
export const maxRefund = contract((cents: number) => refund.all((r) => 0 < r.amountCents && r.amountCents <= cents));

/** The sum of `amountCents` over all `refund` calls of the run is ≤ cents. */
export const refundTotal = contract((cents: number) => refund.sum((r) => r.amountCents) <= cents);

/** No two `refund` calls of the run have the same `orderId`. */
export const refundsOncePerOrder = contract(() => refund.distinct((r) => r.orderId));

/** For every `refund` there is an order that an earlier `getOrder` of the run returned, with `id` equal to `orderId` and `amountCents` ≤ `totalCents` − `refundedCents`. */
export const refundWithinOrder = contract(() =>
  getOrder.precedes(refund, (g, r) => {
    const order = resultOf(g);
    return order !== undefined && order !== null && order.id === r.orderId && r.amountCents <= order.totalCents - order.refundedCents;
  }));

/** No `setStatus` has status "closed". */
export const neverCloses = contract(() => setStatus.none((s) => s.status === "closed"));

/**
 * Every `setStatus` with "solved" is called after a `reply` with the same `ticketId` has resolved.
 * @weaker A reply that failed counts too.
 */
export const solvedOnlyAfterReply = contract(() =>
  reply.precedes(setStatus.where((s) => s.status === "solved"), (r, s) => r.ticketId === s.ticketId));

/** No two `reply` calls of the run have the same `ticketId`. */
export const repliesOncePerTicket = contract(() => reply.distinct((r) => r.ticketId));

/**
 * The `text` of every `reply` with `public: true` would be the same if only the texts of internal comments were different.
 * @stronger A source is a whole tool result, not the texts of some comments. A decision that rests on the field and leaves no trace in a value is not seen.
 */
export const publicHidesInternal = contract(() =>
  reply.where((r) => r.public).none((r) => flowsFrom(r.text, searchTickets) || flowsFrom(r.text, getTicket)));

/** Every `escalate` has this `team`. */
export const escalatesOnlyTo = contract((team: string) => escalate.all((e) => e.team === team));

/**
 * The answer would be the same if only the customers' emails, the customers' addresses, or the texts of internal comments were different.
 * @stronger A source is a whole tool result or one of its fields, not a field of a row inside it. A decision that rests on the field and leaves no trace in a value is not seen.
 */
export const answerHides = contract((what: "email" | "address" | "internal") =>
  (what !== "email" || answer.none((a) => flowsFrom(a.value, getCustomer, "email"))) &&
  (what !== "address" || answer.none((a) => flowsFrom(a.value, getCustomer, "address"))) &&
  (what !== "internal" || answer.none((a) => flowsFrom(a.value, searchTickets, "tickets") || flowsFrom(a.value, getTicket))));
