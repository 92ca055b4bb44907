/** A payment desk: requests, signatures, transfers and confirmations in memory, and promises about the order of calls. */
import { automaton, contract, coverage, labelled, tool } from "foreclaim";

export interface Request {
  id: string;
  account: string;
  amount: number;
}

const journal: string[] = [];
const waiting: Request[] = [{ id: "r1", account: "rent", amount: 900 }];

/** The requests that wait. */
export const requests = tool({
  reads: true,
  ensures: (found) => found.every((one) => one.amount >= 0),
  run: async (): Promise<Request[]> => waiting,
});

/** The lines of the journal. */
export const history = tool({
  reads: true,
  run: async (): Promise<string[]> => journal,
});

/** Returns true if somebody is at the desk. */
export const staffed = tool({
  reads: true,
  run: async (): Promise<boolean> => true,
});

/** One of the two who may sign puts a name below a request. */
export const sign = tool({
  labels: ["change"],
  run: async ({ request, by }: { request: string; by: "ada" | "bob" }): Promise<void> => {
    journal.push(`${by} signs ${request}`);
  },
});

/** Transfers money. */
export const transfer = tool({
  labels: ["change"],
  requires: ({ amount }) => amount >= 0,
  run: async ({
    request,
    account,
    amount,
  }: {
    request: string;
    account: string;
    amount: number;
  }): Promise<void> => {
    journal.push(`${amount} to ${account} for ${request}`);
  },
});

/** Confirms with the bank what was transferred so far. */
export const confirm = tool({
  labels: ["change"],
  run: async (): Promise<void> => {
    journal.push("confirmed");
  },
});

/** Hands the desk over to a person. */
export const escalate = tool({
  run: async ({ about }: { about: string }): Promise<void> => {
    journal.push(`escalated: ${about}`);
  },
});

/** A signature is good for one transfer. */
export const signedEach = contract(() =>
  automaton({
    states: ["unsigned", "signed"],
    start: "unsigned",
    on: [
      { from: "unsigned", call: transfer, to: "bad" },
      { from: "unsigned", call: sign, to: "signed" },
      { from: "signed", call: transfer, to: "unsigned" },
    ],
    error: "bad",
  }),
);

/** A transfer of more than the limit needs a signature, which is good for one transfer. */
export const signedAbove = contract((limit: number) =>
  automaton({
    states: ["unsigned", "signed"],
    start: "unsigned",
    on: [
      { from: "unsigned", call: transfer, when: (one) => one.amount > limit, to: "bad" },
      { from: "unsigned", call: sign, to: "signed" },
      { from: "signed", call: transfer, when: (one) => one.amount > limit, to: "unsigned" },
    ],
    error: "bad",
  }),
);

/** Before each transfer both have signed. */
export const twoPersons = contract(() =>
  automaton({
    states: ["nobody", "ada", "bob", "both"],
    start: "nobody",
    on: [
      { from: ["nobody", "ada", "bob"], call: transfer, to: "bad" },
      { from: "nobody", call: sign.where((one) => one.by === "ada"), to: "ada" },
      { from: "nobody", call: sign.where((one) => one.by === "bob"), to: "bob" },
      { from: "ada", call: sign.where((one) => one.by === "bob"), to: "both" },
      { from: "bob", call: sign.where((one) => one.by === "ada"), to: "both" },
      { from: "both", call: transfer, to: "nobody" },
    ],
    error: "bad",
  }),
);

/** At most two transfers between two confirmations. */
export const confirmedEverySecond = contract(() =>
  automaton({
    states: ["none", "one", "two"],
    start: "none",
    on: [
      { from: "none", call: transfer, to: "one" },
      { from: "one", call: transfer, to: "two" },
      { from: "two", call: transfer, to: "three" },
      { from: ["one", "two"], call: confirm, to: "none" },
    ],
    error: "three",
  }),
);

/** Once the desk was handed over, nothing is changed any more. */
export const onlyReadsAfterEscalation = contract(() =>
  automaton({
    states: ["ours", "theirs"],
    start: "ours",
    on: [
      { from: "ours", call: escalate, to: "theirs" },
      { from: "theirs", call: labelled("change"), to: "changed" },
    ],
    error: "changed",
  }),
);

/** Before each transfer its own request was signed. */
export const ownRequestSigned = contract(() => sign.precedes(transfer, (a, b) => a.request === b.request));

/** The first signature comes before the first transfer. */
export const signedFirst = contract(() => sign.before(transfer));

/** Nothing is transferred once the desk was handed over. */
export const noTransferAfterEscalation = contract(() => transfer.neverAfter(escalate));

export const policy = coverage({
  whenUsed: [escalate],
  recommended: [onlyReadsAfterEscalation],
  required: [],
  label: "order",
});
