/** A bank: accounts and a payment list in memory, and promises about how much leaves which account. */
import { contract, coverage, fluent, tool } from "foreclaim";

const balances = new Map([
  ["card", 320.5],
  ["savings", 12_000],
  ["rent", 0],
]);

function move(account: string, amount: number): void {
  balances.set(account, (balances.get(account) ?? 0) + amount);
}

/** True if an account is frozen; no money leaves a frozen account. */
export const frozen = fluent<string, boolean>({ initial: false });

/** The amount that this run took from an account. */
export const taken = fluent<string, number>({ initial: 0 });

/** The balance of an account now; the next call may return another. */
export const balance = tool({
  reads: true,
  ensures: (result) => result >= 0,
  run: async ({ account }: { account: string }): Promise<number> => balances.get(account) ?? 0,
});

/** The amount still due on a bill; null for an unknown bill. */
export const bill = tool({
  reads: true,
  ensures: (found) => found === null || found.due >= 0,
  run: async ({ id }: { id: string }): Promise<{ due: number; payee: string } | null> =>
    id === "2024-17" ? { due: 120.25, payee: "Acme" } : null,
});

/** Bills that wait to be paid. */
export const openBills = tool({
  reads: true,
  ensures: (bills) => bills.length <= 20 && bills.every((one) => one.due >= 0),
  run: async (): Promise<{ id: string; due: number }[]> => [{ id: "2024-17", due: 120.25 }],
});

/** Takes money out of an account. */
export const withdraw = tool({
  labels: ["outgoing"],
  requires: ({ account, amount }) => amount >= 0 && !frozen.get(account),
  effects: ({ account, amount }) => [taken.set(account, taken.get(account) + amount)],
  cost: ({ amount }) => amount,
  run: async ({ account, amount }: { account: string; amount: number }): Promise<void> => {
    move(account, -amount);
  },
  undo: async ({ account, amount }) => {
    move(account, amount);
  },
});

/** Moves money between two accounts of the same owner. */
export const transfer = tool({
  labels: ["outgoing"],
  requires: ({ from, to, amount }) => amount > 0 && from !== to && !frozen.get(from),
  effects: ({ from, to, amount }) => [
    taken.set(from, taken.get(from) + amount),
    taken.set(to, taken.get(to) - amount),
  ],
  run: async ({ from, to, amount }: { from: string; to: string; amount: number }): Promise<void> => {
    move(from, -amount);
    move(to, amount);
  },
  undo: async ({ from, to, amount }) => {
    move(to, -amount);
    move(from, amount);
  },
});

/** Asks the owner; the answer is what the owner said. */
export const confirm = tool({
  run: async ({ question }: { question: string }): Promise<boolean> => {
    console.log(question);
    return true;
  },
});

/** Freezes an account. */
export const freeze = tool({
  idempotent: true,
  effects: ({ account }) => [frozen.set(account, true)],
  run: async ({ account }: { account: string }): Promise<void> => {
    console.log(`${account} is frozen`);
  },
});

/** Thaws an account. */
export const thaw = tool({
  idempotent: true,
  effects: ({ account }) => [frozen.set(account, false)],
  run: async ({ account }: { account: string }): Promise<void> => {
    console.log(`${account} is open again`);
  },
});

/** At most this much is withdrawn, over all accounts. */
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);

/** No single withdrawal is larger than this. */
export const eachAtMost = contract((limit: number) => withdraw.max((w) => w.amount, 0) <= limit);

/** No account gives more than this. */
export const perAccount = contract(
  (limit: number) => withdraw.perKey((w) => w.account).sum((w) => w.amount) <= limit,
);

/** Money is withdrawn from this account alone. */
export const onlyAccount = contract((account: string) => withdraw.all((w) => w.account === account));

/** Each account gives no more than its own limit, and accounts without one give nothing. */
export const limits = contract(
  (list: { account: string; limit: number }[]) =>
    withdraw.all((w) => list.some((one) => one.account === w.account)) &&
    list.every((one) => withdraw.where((w) => w.account === one.account).sum((w) => w.amount) <= one.limit),
);

/** Nothing is withdrawn before the owner was asked. */
export const askedFirst = contract(() => confirm.before(withdraw));

/** The balance of an account is looked at before money leaves it. */
export const looksFirst = contract(() => balance.precedes(withdraw, (b, w) => b.account === w.account));

/** No money leaves after an account was frozen. */
export const nothingAfterFreeze = contract(() => withdraw.neverAfter(freeze) && transfer.neverAfter(freeze));

/** This account is frozen when the program ends. */
export const frozenAtEnd = contract((account: string) => frozen.final.get(account));

/** No account is frozen when the program ends. */
export const nothingFrozenAtEnd = contract(() => frozen.final.none((a) => a.value));

/** At no time more than this is gone from any account. */
export const neverGone = contract((limit: number) => taken.always.all((a) => a.value <= limit));

/** The sum moved to an account is no less than the sum withdrawn. */
export const movedCoversSpent = contract(
  () => transfer.sum((t) => t.amount) >= withdraw.sum((w) => w.amount),
);

/** A careful day: little is spent, from one account, and after a look at it. */
export const careful = contract((account: string) => maxSpend(100) && onlyAccount(account) && looksFirst());

export const policy = coverage({
  whenUsed: [withdraw, transfer],
  recommended: [maxSpend, onlyAccount],
  required: [nothingAfterFreeze],
  label: "bank",
});
