/** Money: promises about what is paid, who agreed to it, and what is paid back. */
import { automaton, contract, resultOf, tool } from "foreclaim";

export type Category = "travel" | "software" | "food";

const journal: string[] = [];

/** Pays somebody. */
export const pay = tool({
  requires: ({ amount }) => amount > 0,
  run: async ({ ref, payee, amount }: { ref: string; payee: string; amount: number }): Promise<void> => {
    journal.push(`${ref}: ${payee} gets ${amount}`);
  },
});

/** Buys something. */
export const buy = tool({
  requires: ({ price }) => price >= 0,
  run: async ({ item, price }: { item: string; price: number; category: Category }): Promise<void> => {
    journal.push(`bought ${item} for ${price}`);
  },
});

/** Asks the owner whether this payment is right. */
export const confirm = tool({
  run: async ({ payee, amount }: { payee: string; amount: number }): Promise<boolean> => {
    journal.push(`${amount} for ${payee}?`);
    return true;
  },
});

/** Has the owner sign for one payment; fails if the owner does not. */
export const sign = tool({
  run: async ({ ref }: { ref: string }): Promise<void> => {
    journal.push(`signed ${ref}`);
  },
});

/** Enters a wish for a payment in somebody's name. */
export const request = tool({
  run: async ({ ref, by }: { ref: string; by: string }): Promise<void> => {
    journal.push(`${by} asks for ${ref}`);
  },
});

/** Lets somebody approve a payment; fails if they do not. */
export const approve = tool({
  run: async ({ ref, by }: { ref: string; by: string }): Promise<void> => {
    journal.push(`${by} approved ${ref}`);
  },
});

/** The prices that shops ask for an item. */
export const quotes = tool({
  reads: true,
  ensures: (found, { item }) =>
    found.length <= 10 && found.every((one) => one.item === item && one.price >= 0),
  run: async ({ item }: { item: string }): Promise<{ item: string; shop: string; price: number }[]> => [
    { item, shop: "Acme", price: 12.5 },
  ],
});

/** The charges of a customer, one row for each order. */
export const charges = tool({
  reads: true,
  ensures: (found) => found.length <= 20 && found.every((one) => one.amount >= 0),
  run: async ({ customer }: { customer: string }): Promise<{ order: string; amount: number }[]> => [
    { order: `${customer}-1`, amount: 30 },
  ],
});

/** Pays money back. */
export const refund = tool({
  run: async ({ order, amount }: { order: string; amount: number }): Promise<void> => {
    journal.push(`${amount} back for ${order}`);
  },
});

/** Takes money for an order; the bank takes two charges with one key for one. */
export const charge = tool({
  run: async ({ order, amount, key }: { order: string; amount: number; key: string }): Promise<void> => {
    journal.push(`${amount} for ${order}, key ${key}`);
  },
});

/** The owner said yes to every payment before, to the same payee and the same amount. */
export const confirmedFirst = contract(() =>
  confirm.precedes(pay, (c, p) => resultOf(c) === true && c.payee === p.payee && c.amount === p.amount),
);

/** Too little: the person who was asked may have said no. */
export const askedFirst = contract(() =>
  confirm.precedes(pay, (c, p) => c.payee === p.payee && c.amount === p.amount),
);

/** Every signature is good for one payment. */
export const oneSignatureEach = contract(() =>
  automaton({
    states: ["unsigned", "signed", "bad"],
    start: "unsigned",
    on: [
      { from: "unsigned", call: sign, to: "signed" },
      { from: "signed", call: pay, to: "unsigned" },
      { from: "unsigned", call: pay, to: "bad" },
    ],
    error: "bad",
  }),
);

/** Every payment was approved before by two different people. */
export const twoPersons = contract(() =>
  approve.precedes(
    pay,
    (first, p) =>
      first.ref === p.ref &&
      approve
        .where((second) => second.ref === p.ref && second.by !== first.by)
        .before(pay.where((one) => one.ref === p.ref)),
  ),
);

/** Too little: two approvals may be by one person. */
export const twoApprovals = contract(() =>
  pay.all((p) => approve.where((a) => a.ref === p.ref).count() >= 2),
);

/** Payments without approval add up to no more than this for any payee. */
export const approvedAbove = contract(
  (limit: number) =>
    pay
      .where((p) => approve.none((a) => a.ref === p.ref))
      .perKey((p) => p.payee)
      .sum((p) => p.amount) <= limit,
);

/** Too little: a large payment can be made as two small ones. */
export const eachApprovedAbove = contract((limit: number) =>
  approve.precedes(
    pay.where((p) => p.amount > limit),
    (a, p) => a.ref === p.ref,
  ),
);

/** Nobody approves what they asked for themselves. */
export const noSelfApproval = contract(() =>
  approve.none((a) => request.some((r) => r.ref === a.ref && r.by === a.by)),
);

/** Nothing is paid that nobody asked for before. */
export const requestedFirst = contract(() => request.precedes(pay, (r, p) => r.ref === p.ref));

/** All payments of the run together are at most this much. */
export const spendsAtMost = contract((limit: number) => pay.sum((p) => p.amount) <= limit);

/** No payee gets more than this in all. */
export const payeeAtMost = contract(
  (limit: number) => pay.perKey((p) => p.payee).sum((p) => p.amount) <= limit,
);

/** Each category has its own limit, and nothing is bought in a category without one. */
export const categoriesAtMost = contract(
  (limits: { category: Category; limit: number }[]) =>
    buy.all((b) => limits.some((one) => one.category === b.category)) &&
    limits.every((one) => buy.where((b) => b.category === one.category).sum((b) => b.price) <= one.limit),
);

/** Nothing is bought for more than a shop asked for it in this run. */
export const quotedFirst = contract(() =>
  buy.all((b) => quotes.rows.some((q) => q.item === b.item && b.price <= q.price)),
);

/** No refund is more than was charged for its order. */
export const refundsCharged = contract(() =>
  refund.all((r) => charges.rows.some((c) => c.order === r.order && r.amount <= c.amount)),
);

/** No order is paid back twice; a refund that failed may have been made. */
export const refundsOnce = contract(() => refund.distinct((r) => r.order));

/** All charges of one order have one key and one amount, so that a repetition is none. */
export const repeatsAlike = contract(() =>
  charge.all((a) => charge.all((b) => a.order !== b.order || (a.key === b.key && a.amount === b.amount))),
);

/** No two orders share a key, or the second would not be charged. */
export const keysApart = contract(() =>
  charge.all((a) => charge.all((b) => a.key !== b.key || a.order === b.order)),
);
