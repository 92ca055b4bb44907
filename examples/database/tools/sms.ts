/** Text messages to phones: another module with a tool called `send`. */
import { contract, tool } from "foreclaim";

/** Sends one text message. */
export const send = tool({
  labels: ["message"],
  run: async ({ phone, msg }: { phone: string; msg: string }): Promise<void> => {
    console.log(`${phone}: ${msg}`);
  },
});

/** At most so many text messages are sent. */
export const atMost = contract((n: number) => send.count() <= n);
