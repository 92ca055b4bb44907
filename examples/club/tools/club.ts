/** A club: members, mail, payments and lockers in memory, and contracts about loops over lists that are unknown before the run. */
import { contract, coverage, fluent, tool } from "foreclaim";

export interface Team {
  name: string;
  lead: string;
  addresses: string[];
}

export interface Member {
  name: string;
  email: string;
  due: number;
  active: boolean;
}

const outbox: { to: string; body: string }[] = [];
const register: Member[] = [{ name: "Ada", email: "ada@example.com", due: 12.5, active: true }];
const open = new Set<string>();

/** True if a locker is locked. Before the run all are. */
export const locked = fluent<string, boolean>({ initial: true });

/** The members; the club has room for 100, and owes none of them more than 20. */
export const members = tool({
  reads: true,
  ensures: (found) => found.length <= 100 && found.every((one) => one.due >= 0 && one.due <= 20),
  run: async (): Promise<Member[]> => register,
});

/** Addresses that want to hear from the club, perhaps more than once. */
export const subscribers = tool({
  reads: true,
  run: async (): Promise<string[]> => ["ada@example.com", "bob@example.com", "ada@example.com"],
});

/** The teams: at most four, of at most ten each. */
export const teams = tool({
  reads: true,
  ensures: (found) => found.length <= 4 && found.every((team) => team.addresses.length <= 10),
  run: async (): Promise<Team[]> => [
    { name: "Chess", lead: "ada@example.com", addresses: ["bob@example.com"] },
  ],
});

/** Sends one email. */
export const send = tool({
  run: async ({ to, body }: { to: string; body: string }): Promise<void> => {
    outbox.push({ to, body });
  },
});

/** Reminds somebody of open dues. */
export const remind = tool({
  run: async ({ to, body }: { to: string; body: string }): Promise<void> => {
    outbox.push({ to, body: `Reminder: ${body}` });
  },
});

/** Pays what is owed. */
export const pay = tool({
  requires: ({ amount }) => amount >= 0,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {
    console.log(`${amount} for ${to}`);
  },
});

/** Tells the board that something went wrong. */
export const report = tool({
  run: async ({ about }: { about: string }): Promise<void> => {
    console.log(`failed: ${about}`);
  },
});

/** Opens a locker. */
export const unlock = tool({
  effects: ({ locker }) => [locked.set(locker, false)],
  run: async ({ locker }: { locker: string }): Promise<void> => {
    open.add(locker);
  },
});

/** Looks into a locker, which must be open. */
export const inspect = tool({
  requires: ({ locker }) => !locked.get(locker),
  run: async ({ locker }: { locker: string }): Promise<void> => {
    console.log(`looked into ${locker}`);
  },
});

/** Locks a locker. */
export const lock = tool({
  idempotent: true,
  effects: ({ locker }) => [locked.set(locker, true)],
  run: async ({ locker }: { locker: string }): Promise<void> => {
    open.delete(locker);
  },
});

/** Every recipient of an email is a member. */
export const onlyMembers = contract(() => send.all((e) => members.rows.some((m) => m.email === e.to)));

/** Every active member gets an email. */
export const everyActiveHears = contract(() =>
  members.rows.all((m) => !m.active || send.some((e) => e.to === m.email)),
);

/** Nobody gets both an email and a reminder. */
export const notBoth = contract(() => !send.sharesValue(remind, (e) => e.to));

/** If anything is sent at all, the archive gets a text that somebody else gets. */
export const archived = contract(
  (archive: string) =>
    send.none() ||
    send
      .where((e) => e.to === archive)
      .sharesValue(
        send.where((e) => e.to !== archive),
        (e) => e.body,
      ),
);

/** Nothing is sent once a failure was reported. */
export const silentAfterReport = contract(() => send.neverAfter(report));

/** The board hears of somebody before they are paid. */
export const reportedBefore = contract(() => report.precedes(pay, (r, p) => r.about === p.to));

/** At most so many emails are sent. */
export const atMost = contract((n: number) => send.count() <= n);

/** Nobody gets two emails. */
export const once = contract(() => send.distinct((e) => e.to));

/** Nobody gets more than so many emails. */
export const eachAtMost = contract((n: number) => send.perKey((e) => e.to).count() <= n);

/** Two addresses get a text in common. */
export const sameText = contract((a: string, b: string) =>
  send
    .where((e) => e.to === a)
    .sharesValue(
      send.where((e) => e.to === b),
      (e) => e.body,
    ),
);

/** At most so much is paid in all. */
export const maxPaid = contract((limit: number) => pay.sum((p) => p.amount) <= limit);

/** No payment is larger than this. */
export const largestPayment = contract((limit: number) => pay.max((p) => p.amount, 0) <= limit);

/** No payment is smaller than this. */
export const smallestPayment = contract((least: number) => pay.min((p) => p.amount, least) >= least);

/** As much is paid as if every payment were of this amount. */
export const paidEach = contract((amount: number) => pay.sum((p) => p.amount) === amount * pay.count());

/** Nobody is paid more than this, in all payments together. */
export const paidAtMostEach = contract(
  (limit: number) => pay.perKey((p) => p.to).sum((p) => p.amount) <= limit,
);

/** There is an email for every payment. */
export const asManyReceipts = contract(() => send.count() === pay.count());

/** The board hears of at most so many failures. */
export const reportsAtMost = contract((n: number) => report.count() <= n);

/** In the end all lockers are locked. */
export const allLocked = contract(() => locked.final.all((cell) => cell.value));

/** This locker is never open. */
export const staysLocked = contract((locker: string) =>
  locked.always.all((cell) => cell.key !== locker || cell.value),
);

export const policy = coverage({ whenUsed: [send], recommended: [once], required: [], label: "club" });
