/** A feed that is read page by page, and mail: promises about loops of which nobody knows how many turns they take. */
import { contract, tool } from "foreclaim";

export interface Page {
  items: string[];
  next?: string;
}

const outbox: string[] = [];

/** One page, and where the next one begins. */
export const page = tool({
  reads: true,
  run: async ({ cursor }: { cursor?: string }): Promise<Page> =>
    cursor === undefined ? { items: ["hello"], next: "2" } : { items: ["bye"] },
});

/** Sends one item to somebody. */
export const send = tool({
  run: async ({ to, item }: { to: string; item: string }): Promise<void> => {
    outbox.push(`${to}: ${item}`);
  },
});

/** Nobody else is sent anything. */
export const onlyTo = contract((address: string) => send.all((one) => one.to === address));
