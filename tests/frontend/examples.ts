/** The examples of the language, word for word: three dots stand for what a tool really does. */
export const emailModule = `// tools/email.ts
import { contract, coverage, tool } from "foreclaim";

/** Sends one email. */
export const send = tool({
  labels: ["message"],
  requires: ({ addr }) => addr.includes("@"),
  run: async ({ addr, msg }: { addr: string; msg: string }): Promise<void> => {
    console.log(\`to \${addr}: \${msg}\`);
  },
});

/** Every email goes to one of these addresses. */
export const only = contract((addresses: string[]) => send.all((e) => addresses.includes(e.addr)));
export const none = contract(() => send.none());
export const uniqueRecipients = contract(() => send.distinct((e) => e.addr));
export const atMost = contract((n: number) => send.count() <= n);
export const recipientAtMost = contract((addr: string, n: number) => send.where((e) => e.addr === addr).count() <= n);
export const contentLengthAtMost = contract((n: number) => send.all((e) => e.msg.length <= n));
export const sameContent = contract((a: string, b: string) =>
  send.where((e) => e.addr === a).sharesValue(send.where((e) => e.addr === b), (e) => e.msg));
export const noGuarantees = contract(() => true);

export const policy = coverage({ whenUsed: [send], recommended: [only, uniqueRecipients], required: [], label: "email" });
`;

export const bankModule = `// tools/bank.ts
import { contract, tool } from "foreclaim";
export const withdraw = tool({
  requires: ({ amount }) => amount >= 0,
  cost: ({ amount }) => amount,                      // what the kernel charges, what the prover can sum
  run: async ({ account, amount }: { account: string; amount: number }): Promise<void> => { /* … */ },
  undo: async ({ account, amount }) => { /* compensation, run only if a run must be taken back */ },
});
export const balance = tool({
  ensures: (result) => result >= 0,                  // assumed by the prover, checked at run time
  run: async ({ account }: { account: string }): Promise<number> => 0,
});
export const maxSpend = contract((limit: number) => withdraw.sum((w) => w.amount) <= limit);
export const onlyAccount = contract((account: string) => withdraw.all((w) => w.account === account));
`;

export const homeModule = `// tools/home.ts
import { contract, fluent, tool } from "foreclaim";
export const doorLocked = fluent<string, boolean>({ initial: true });
export const unlock = tool({
  requires: ({ door }) => door.length > 0,
  effects: ({ door }) => [doorLocked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const lock = tool({ effects: ({ door }) => [doorLocked.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const allDoorsLockedAtEnd = contract(() => doorLocked.final.all((d) => d.value));
export const doorLockedAtEnd = contract((door: string) => doorLocked.final.get(door) === true);
`;

export const dbModule = `// tools/db.ts
import { contract, tool } from "foreclaim";
import * as email from "./email";
export interface UserRow { name: string; email: string; consented: boolean; role: string }
export const query = tool({
  ensures: (rows) => rows.length <= 100,
  run: async ({ table, where }: { table: string; where?: { consented?: boolean } }): Promise<UserRow[]> => [],
});
/** Every recipient is the email of a row that the query returned. */
export const addressesFromUsers = contract(() => email.send.all((e) => query.rows.some((r) => r.email === e.addr)));
`;

export const bankProgram = `import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(500), bank.onlyAccount("card")],
  async run() {
    const owed = await bank.balance({ account: "card" });
    await bank.withdraw({ account: "card", amount: Math.min(owed, 500) });
  },
});
`;

export const exampleFiles: Readonly<Record<string, string>> = {
  "tools/email.ts": emailModule,
  "tools/bank.ts": bankModule,
  "tools/home.ts": homeModule,
  "tools/db.ts": dbModule,
  "program.ts": bankProgram,
};
