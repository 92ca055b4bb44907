/** Mail to customers. */
import { contract, coverage, tool } from "foreclaim";

const sent: { addr: string; msg: string }[] = [];

/** Sends one email. */
export const send = tool({
  labels: ["message"],
  requires: ({ addr }) => addr.includes("@"),
  run: async ({ addr, msg }: { addr: string; msg: string }): Promise<void> => {
    sent.push({ addr, msg });
  },
});

/** At most so many emails are sent. */
export const atMost = contract((n: number) => send.count() <= n);

/** No email is sent. */
export const none = contract(() => send.none());

/** Nobody gets two emails. */
export const uniqueRecipients = contract(() => send.distinct((e) => e.addr));

export const policy = coverage({ whenUsed: [send], recommended: [uniqueRecipients], label: "mail" });
