/** Data: promises about what is asked of a database, and whom its rows reach. */
import { contract, type Int, labelled, tool } from "foreclaim";

const log: string[] = [];

/** Asks the database in its own language. */
export const sql = tool({
  run: async ({ text }: { text: string }): Promise<string[]> => {
    log.push(text);
    return [];
  },
});

/** The documents of a customer. */
export const documents = tool({
  labels: ["tenant"],
  reads: true,
  ensures: (found, { customer }) => found.length <= 20 && found.every((one) => one.customer === customer),
  run: async ({ customer }: { customer: string }): Promise<{ id: string; customer: string }[]> => [
    { id: "DOC-0001", customer },
  ],
});

/** Shows a document to a customer. */
export const share = tool({
  run: async ({ id, customer }: { id: string; customer: string }): Promise<void> => {
    log.push(`${customer} sees ${id}`);
  },
});

/** Changes a field of a customer. */
export const update = tool({
  labels: ["tenant", "write"],
  run: async ({ customer, phone }: { customer: string; phone: string }): Promise<void> => {
    log.push(`${customer}: ${phone}`);
  },
});

/** Removes a customer. */
export const forget = tool({
  labels: ["tenant", "write"],
  run: async ({ customer }: { customer: string }): Promise<void> => {
    log.push(`${customer} is gone`);
  },
});

/** People who may be called, with what they agreed to. */
export const people = tool({
  reads: true,
  ensures: (found) => found.length <= 50,
  run: async (): Promise<{ phone: string; agreed: boolean }[]> => [{ phone: "555-0100", agreed: true }],
});

/** Calls somebody. */
export const dial = tool({
  run: async ({ phone }: { phone: string }): Promise<void> => {
    log.push(`calling ${phone}`);
  },
});

/** Gives out so many rows of a table. */
export const download = tool({
  requires: ({ rows }) => rows >= 0,
  run: async ({ table, rows }: { table: string; rows: Int }): Promise<void> => {
    log.push(`${rows} of ${table}`);
  },
});

/** Nothing is written by any tool that writes. */
export const readOnly = contract(() => labelled("write").none() && sql.none());

/** Every statement is one `SELECT`, and nothing comes after it. */
export const selectsOnly = contract(() => sql.all((q) => /^SELECT [A-Za-z0-9_,.=<>' *]*$/.test(q.text)));

/** Too little: a second statement can follow the first. */
export const startsWithSelect = contract(() => sql.all((q) => q.text.startsWith("SELECT")));

/** All that is read and written belongs to one customer. */
export const oneCustomer = contract(() =>
  labelled<{ customer: string }>("tenant").all((a) =>
    labelled<{ customer: string }>("tenant").all((b) => a.customer === b.customer),
  ),
);

/** A customer is shown only documents of their own. */
export const ownDocuments = contract(() =>
  share.all((s) => documents.rows.some((d) => d.id === s.id && d.customer === s.customer)),
);

/** Every customer and document is named by an id: `C-` and four digits, `DOC-` and four digits. */
export const idsOnly = contract(
  () =>
    labelled<{ customer: string }>("tenant").all((t) => /^C-[0-9]{4}$/.test(t.customer)) &&
    share.all((s) => /^DOC-[0-9]{4}$/.test(s.id) && /^C-[0-9]{4}$/.test(s.customer)),
);

/** Only people who agreed are called. */
export const agreedOnly = contract(() =>
  dial.all((d) => people.rows.some((p) => p.phone === d.phone && p.agreed)),
);

/** At most so many rows are given out in all. */
export const rowsAtMost = contract((n: number) => download.sum((d) => d.rows) <= n);

/** At most so many customers are forgotten. */
export const forgetsAtMost = contract((n: number) => forget.count() <= n);
