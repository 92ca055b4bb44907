/** A customer database in memory, and promises that join what was read with what is written or sent. */
import { contract, coverage, fluent, type Int, labelled, tool } from "foreclaim";
import * as mail from "./mail";

export interface UserRow {
  id: string;
  name: string;
  email: string;
  consented: boolean;
  role: string;
}

const users: UserRow[] = [
  { id: "u1", name: "Bob", email: "bob@example.com", consented: true, role: "admin" },
  { id: "u2", name: "Carol", email: "carol@example.com", consented: false, role: "reader" },
];

/** The number of rows that this run deleted from a table. */
export const deleted = fluent<string, Int>({ initial: 0 });

/** True if a transaction is open. */
export const inTransaction = fluent<"db", boolean>({ initial: false });

/** The rows of a table, all of them or those that agreed. */
export const query = tool({
  reads: true,
  ensures: (rows, { where }) =>
    rows.length <= 100 &&
    (where === undefined ||
      where.consented === undefined ||
      rows.every((r) => r.consented === where.consented)),
  run: async ({ table, where }: { table: string; where?: { consented?: boolean } }): Promise<UserRow[]> =>
    table === "users"
      ? users.filter((one) => where?.consented === undefined || one.consented === where.consented)
      : [],
});

/** One row, or null if there is none with this id. */
export const find = tool({
  reads: true,
  ensures: (row, { id }) => row === null || (row.id === id && row.email.includes("@")),
  run: async ({ id }: { id: string }): Promise<UserRow | null> => users.find((one) => one.id === id) ?? null,
});

/** Begins a transaction. */
export const begin = tool({
  requires: () => !inTransaction.get("db"),
  effects: () => [inTransaction.set("db", true)],
  run: async (): Promise<void> => {},
});

/** Ends a transaction, for good or taking everything back. */
export const end = tool({
  requires: () => inTransaction.get("db"),
  effects: () => [inTransaction.set("db", false)],
  run: async ({ outcome }: { outcome: "commit" | "rollback" }): Promise<void> => {
    console.log(outcome);
  },
});

/** Changes some fields of a row. */
export const update = tool({
  labels: ["write"],
  requires: ({ id }) => id !== "" && inTransaction.get("db"),
  run: async ({ id, set }: { id: string; set: { role?: string; consented?: boolean } }): Promise<void> => {
    const row = users.find((one) => one.id === id);
    if (row) Object.assign(row, set);
  },
});

/** Deletes rows. */
export const remove = tool({
  labels: ["write"],
  requires: ({ ids }) => ids.length > 0 && inTransaction.get("db"),
  effects: ({ table, ids }) => [deleted.set(table, deleted.get(table) + ids.length)],
  run: async ({ table, ids }: { table: string; ids: string[] }): Promise<void> => {
    for (const id of ids) console.log(`delete ${id} from ${table}`);
  },
});

/** Every email goes to the address of a row that was read. */
export const addressesFromUsers = contract(() =>
  mail.send.all((e) => query.rows.some((r) => r.email === e.addr)),
);

/** Every email goes to somebody who was read and agreed to be written to. */
export const onlyConsented = contract(() =>
  mail.send.all((e) => query.rows.some((r) => r.email === e.addr && r.consented)),
);

/** Rows are changed or deleted only inside a transaction that is over at the end. */
export const transactionClosed = contract(() => !inTransaction.final.get("db"));

/** No row of this table is deleted. */
export const keeps = contract((table: string) => deleted.final.get(table) === 0);

/** No table loses more rows than this. */
export const deletesAtMost = contract((n: number) => deleted.final.all((t) => t.value <= n));

/** Nobody becomes an admin. */
export const noNewAdmins = contract(() => update.none((u) => u.set.role === "admin"));

/** Nothing is written. */
export const readOnly = contract(() => labelled("write").none());

/** A row is looked at before it is changed. */
export const looksBeforeUpdate = contract(() => find.precedes(update, (f, u) => f.id === u.id));

/** Only these rows are changed, each at most once. */
export const onlyRows = contract(
  (ids: string[]) => update.all((u) => ids.includes(u.id)) && update.distinct((u) => u.id),
);

/** As many emails as updates: each changed person is told. */
export const tellsEveryone = contract(() => mail.send.count() === update.count());

export const policy = coverage({
  whenUsed: [update, remove],
  recommended: [looksBeforeUpdate],
  required: [transactionClosed],
  label: "database",
});
