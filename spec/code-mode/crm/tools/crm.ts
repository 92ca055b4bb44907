/** Crm: contacts, deals, notes: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

export type Stage = "lead" | "qualified" | "proposal" | "won" | "lost";

export interface Contact {
  id: string;
  name: string;
  email: string;
  phone?: string;
  company?: { name: string; domain?: string };
  tags: string[];
  ownerId: string;
  createdAt: string;               // ISO date-time
  lastContactedAt?: string | null; // ISO date-time
}

export interface Deal {
  id: string;
  contactId: string;
  title: string;
  amount: number;                  // whole currency units; may be negative (credit)
  currency: "EUR" | "USD" | "GBP";
  stage: Stage;
  closeDate?: string;              // ISO date, "2026-03-31"
  ownerId: string;
}

export const searchContacts = tool({
  reads: true,
  ensures: (found, { limit }) => limit === undefined || found.length <= limit,
  run: async (args: { query?: string; tag?: string; limit?: number }): Promise<Contact[]> => mock("crm.searchContacts", args),
});

export const getContact = tool({
  reads: true,
  run: async (args: { id: string }): Promise<Contact | null> => mock("crm.getContact", args),
});

export const listDeals = tool({
  reads: true,
  run: async (args: { contactId?: string; ownerId?: string; stage?: Stage; cursor?: string }): Promise<{ deals: Deal[]; nextCursor?: string }> => mock("crm.listDeals", args),
});

/** JSON text of an array of { author: string; body: string; createdAt: string }; the server does not validate it. */
export const listNotes = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { contactId: string }): Promise<string> => mock("crm.listNotes", args),
});


export const updateDeal = tool({
  labels: ["change"],
  run: async (args: { id: string; stage?: Stage; amount?: number; closeDate?: string; ownerId?: string }): Promise<Deal> => mock("crm.updateDeal", args),
});

export const addNote = tool({
  labels: ["change"],
  run: async (args: { contactId: string; body: string; pinned?: boolean }): Promise<{ id: string }> => mock("crm.addNote", args),
});

/** Irreversible. */
export const deleteContact = tool({
  labels: ["change"],
  run: async (args: { id: string }): Promise<void> => mock("crm.deleteContact", args),
});

/** There is no call of `updateDeal`, `addNote` or `deleteContact`. */
export const readOnly = contract(() => labelled("change").none());

/** There is no call of `deleteContact`. */
export const neverDeletes = contract(() => deleteContact.none());

/** There are at most n calls of `addNote`. */
export const atMostNotes = contract((n: number) => addNote.count() <= n);

/** No two calls of `addNote` have the same `contactId`. */
export const noteOnceEach = contract(() => addNote.distinct((a) => a.contactId));

/** Every `addNote` has this `contactId`. */
export const notesOnlyTo = contract((contactId: string) => addNote.all((a) => a.contactId === contactId));

/** Every `addNote` has a `body` of length (UTF-16 units) at most n. */
export const notesShort = contract((n: number) => addNote.all((a) => a.body.length <= n));

/** Every `updateDeal` whose `stage` is given has a `stage` in this list. */
export const stagesOnly = contract((...stages: Stage[]) => updateDeal.all((u) => u.stage === undefined || stages.includes(u.stage)));

/** Every `updateDeal` whose `amount` is given has min ≤ `amount` ≤ max. */
export const amountsBetween = contract((min: number, max: number) =>
  updateDeal.all((u) => u.amount === undefined || (min <= u.amount && u.amount <= max)));

/** The `id` of every `updateDeal` equals the `id` of a deal in the result of an earlier `listDeals`. */
export const onlyListedDeals = contract(() =>
  listDeals.precedes(updateDeal, (l, u) => resultOf(l)?.deals.some((d) => d.id === u.id) ?? false));

/**
 * No `updateDeal` has an `id` for which the most recent earlier `listDeals` result that contains this id has a deal with this id and stage "won".
 * @stronger Every result counts, not the most recent one.
 */
export const neverTouchesWon = contract(() =>
  updateDeal.all((u) => listDeals.none((l) => resultOf(l)?.deals.some((d) => d.id === u.id && d.stage === "won") ?? false)));

/**
 * No value of this field of a contact in a tool result flows into the answer.
 * @stronger A source is a whole tool result or one of its fields, not a field of a row inside it.
 */
export const answerHides = contract((field: "email" | "phone") =>
  (field !== "email" || answer.none((a) => flowsFrom(a.value, searchContacts, "email") || flowsFrom(a.value, getContact))) &&
  (field !== "phone" || answer.none((a) => flowsFrom(a.value, searchContacts, "phone") || flowsFrom(a.value, getContact))));
