/** An office of tools: the modules that the natural programs are written against, and mock results for them. */

export const officeModules: Readonly<Record<string, string>> = {
  email: `import { contract, tool } from "foreclaim";
export interface Message { id: string; from: string; subject: string; body: string; unread: boolean; attachments: string[]; threadId?: string }
export type Folder = "inbox" | "work" | "later" | "spam";
export const inbox = tool({ reads: true, run: async ({ folder, limit }: { folder?: Folder; limit?: number }): Promise<Message[]> => [] });
export const send = tool({ labels: ["out"], run: async ({ to, subject, body, cc }: { to: string; subject: string; body: string; cc?: string[] }): Promise<void> => {} });
export const reply = tool({ run: async ({ id, body }: { id: string; body: string }): Promise<string> => "" });
export const archive = tool({ run: async ({ id }: { id: string }): Promise<void> => {} });
export const move = tool({ run: async ({ id, folder }: { id: string; folder: Folder }): Promise<boolean> => true });
export const atMost = contract((n: number) => send.count() <= n);
export const only = contract((addresses: string[]) => send.all((e) => addresses.includes(e.to)));
export const anything = contract(() => true);
`,
  bank: `import { contract, tool } from "foreclaim";
export interface Tx { id: string; amount: number; date: string; kind: "debit" | "credit"; memo?: string }
export interface Receipt { id: string; fee: number; pending: boolean }
export const balance = tool({ reads: true, run: async ({ account }: { account: string }): Promise<number> => 0 });
export const transfer = tool({ run: async ({ from, to, amount, memo }: { from: string; to: string; amount: number; memo?: string }): Promise<Receipt> => ({ id: "", fee: 0, pending: false }) });
export const history = tool({ reads: true, run: async ({ account, limit }: { account: string; limit?: number }): Promise<Tx[]> => [] });
export const flag = tool({ run: async ({ id, reason }: { id: string; reason: string }): Promise<void> => {} });
export const maxSpend = contract((n: number) => transfer.sum((t) => t.amount) <= n);
`,
  calendar: `import { tool } from "foreclaim";
export interface Meeting { id: string; title: string; start: string; end: string; attendees: string[]; location?: string; organizer: { name: string; email: string } | null }
export const meetings = tool({ reads: true, run: async ({ day }: { day: string }): Promise<Meeting[]> => [] });
export const book = tool({ run: async ({ title, start, minutes, attendees, room }: { title: string; start: string; minutes: number; attendees: string[]; room?: string }): Promise<string | null> => null });
export const cancel = tool({ run: async ({ id }: { id: string }): Promise<void> => {} });
export const isFree = tool({ reads: true, run: async ({ who, slot }: { who: string; slot: string }): Promise<boolean> => true });
`,
  files: `import { tool } from "foreclaim";
export interface Stat { size: number; kind: "file" | "dir"; owner?: { name: string; group?: string } }
export const list = tool({ reads: true, run: async ({ dir }: { dir: string }): Promise<string[]> => [] });
export const read = tool({ reads: true, run: async ({ path }: { path: string }): Promise<string> => "" });
export const write = tool({ run: async ({ path, text }: { path: string; text: string }): Promise<void> => {} });
export const remove = tool({ run: async ({ path }: { path: string }): Promise<void> => {} });
export const stat = tool({ reads: true, run: async ({ path }: { path: string }): Promise<Stat | null> => null });
`,
  db: `import { type Int, tool } from "foreclaim";
export interface User { id: number; name: string; email: string; role: "admin" | "member" | "guest"; score: number; active: boolean; manager?: string | null }
export const users = tool({ reads: true, run: async ({ role, limit }: { role?: "admin" | "member" | "guest"; limit?: number }): Promise<User[]> => [] });
export const find = tool({ reads: true, run: async ({ id }: { id: number }): Promise<User | null> => null });
export const update = tool({ run: async ({ id, score, active }: { id: number; score?: number; active?: boolean }): Promise<void> => {} });
export const insert = tool({ run: async ({ table, values }: { table: string; values: { key: string; value: string }[] }): Promise<number> => 0 });
export const count = tool({ reads: true, run: async ({ table }: { table: string }): Promise<Int> => 0 });
export const save = tool({ run: async ({ page, n }: { page: Int; n: number }): Promise<void> => {} });
`,
  http: `import { tool } from "foreclaim";
export interface Reply { status: number; body: string; next: string | null; items?: { name: string; price: number }[] }
export const get = tool({ run: async ({ url }: { url: string }): Promise<Reply> => ({ status: 200, body: "", next: null }) });
export const post = tool({ run: async ({ url, body }: { url: string; body: string }): Promise<{ status: number }> => ({ status: 200 }) });
`,
  home: `import { contract, fluent, tool } from "foreclaim";
export const locked = fluent<string, boolean>({ initial: true });
export const doors = tool({ reads: true, run: async (): Promise<string[]> => [] });
export const temperature = tool({ reads: true, run: async ({ room }: { room: string }): Promise<number> => 0 });
export const heat = tool({ run: async ({ room, target }: { room: string; target: number }): Promise<void> => {} });
export const light = tool({ run: async ({ room, on, level }: { room: string; on: boolean; level?: "dim" | "full" }): Promise<void> => {} });
export const unlock = tool({ effects: ({ door }) => [locked.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const lock = tool({ effects: ({ door }) => [locked.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const lockedAtEnd = contract(() => locked.final.all((d) => d.value));
`,
  lab: `import { type Int, tool } from "foreclaim";
export type Phase = "idle" | "warm" | "hot" | "fault";
export const measure = tool({ reads: true, run: async ({ sensor }: { sensor: string }): Promise<number> => 0 });
export const phase = tool({ reads: true, run: async (): Promise<Phase> => "idle" });
export const heat = tool({ run: async ({ degrees }: { degrees: number }): Promise<void> => {} });
export const log = tool({ run: async ({ text }: { text: string }): Promise<void> => {} });
export const record = tool({ run: async ({ values }: { values: number[] }): Promise<void> => {} });
export const step = tool({ run: async ({ i, ok }: { i: Int; ok: boolean }): Promise<void> => {} });
export const names = tool({ run: async ({ names }: { names: string[] }): Promise<void> => {} });
export const samples = tool({ reads: true, run: async ({ batch }: { batch: string }): Promise<{ at: string; value: number; valid: boolean }[]> => [] });
`,
  text: `import { tool } from "foreclaim";
export const classify = tool({ reads: true, run: async ({ text }: { text: string }): Promise<"spam" | "ham" | "unsure"> => "ham" });
export const summarize = tool({ reads: true, run: async ({ text, max }: { text: string; max?: number }): Promise<string> => "" });
export const words = tool({ reads: true, run: async ({ text }: { text: string }): Promise<string[]> => [] });
export const translate = tool({ reads: true, run: async ({ text, to }: { text: string; to: string }): Promise<string | undefined> => undefined });
`,
};

/** Those that may fail. */
const failing = new Set(["files.read", "http.get", "http.post", "bank.transfer", "text.summarize"]);

type Dice = (sides: number, salt?: number) => number;

/** A result that depends on the seed and on how many calls came before, and on nothing else. */
export function mockResult(tool: string, seed: number, at: number): unknown {
  const dice: Dice = (sides, salt = 0) => {
    let x = (seed * 7919 + at * 104729 + salt * 1299709 + 12345) >>> 0;
    x = Math.imul(x ^ (x >>> 15), 2246822519) >>> 0;
    x = Math.imul(x ^ (x >>> 13), 3266489917) >>> 0;
    return (x >>> 5) % sides;
  };
  if (failing.has(tool) && dice(4, 99) === 0) throw new Error("broken");
  return results[tool]?.(dice);
}

const pick = <T>(dice: Dice, salt: number, ...from: readonly T[]): T => from[dice(from.length, salt)] as T;
const many = <T>(dice: Dice, most: number, make: (salt: number, i: number) => T): T[] =>
  Array.from({ length: dice(most + 1, 7) }, (_, i) => make(20 * (i + 1), i));
const maybe = (dice: Dice, salt: number, fields: object): object => (dice(2, salt) === 0 ? {} : fields);

const results: Readonly<Record<string, (dice: Dice) => unknown>> = {
  "email.inbox": (d) =>
    many(d, 4, (s, i) => ({
      id: `m${i}`,
      from: pick(d, s, "ann@x.io", "bob@y.org", "no-reply@shop.com"),
      subject: pick(d, s + 1, "Invoice 12", "Re: lunch", "", "URGENT: act now"),
      body: pick(d, s + 2, "pay 30 please", "see you", "hello\nworld", ""),
      unread: d(2, s + 3) === 0,
      attachments: ["a.pdf", "b.png"].slice(d(3, s + 4)),
      ...maybe(d, s + 5, { threadId: "t1" }),
    })),
  "email.reply": (d) => pick(d, 1, "r1", "r2"),
  "email.move": (d) => d(2) === 0,
  "bank.balance": (d) => pick(d, 1, 0, 40, 250, 1000.5, -20),
  "bank.transfer": (d) => ({ id: `t${d(3)}`, fee: pick(d, 1, 0, 0.5, 2), pending: d(2, 2) === 0 }),
  "bank.history": (d) =>
    many(d, 4, (s, i) => ({
      id: `x${i}`,
      amount: pick(d, s, 5, 12.5, 100, 240, 0),
      date: pick(d, s + 1, "2024-01-05", "2024-02-10", "2023-12-31"),
      kind: pick(d, s + 2, "debit", "credit"),
      ...maybe(d, s + 3, { memo: pick(d, s + 4, "rent", "food", "") }),
    })),
  "calendar.meetings": (d) =>
    many(d, 3, (s, i) => ({
      id: `e${i}`,
      title: pick(d, s, "Standup", "Review", "1:1 Ann"),
      start: pick(d, s + 1, "09:00", "10:30", "14:00"),
      end: pick(d, s + 2, "10:00", "11:00", "15:00"),
      attendees: ["ann", "bob", "eve"].slice(d(4, s + 3)),
      ...maybe(d, s + 4, { location: "Room 1" }),
      organizer: d(3, s + 5) === 0 ? null : { name: "Ann", email: "ann@x.io" },
    })),
  "calendar.book": (d) => (d(2) === 0 ? null : "b1"),
  "calendar.isFree": (d) => d(2) === 0,
  "files.list": (d) => ["a.txt", "b.log", "notes/c.md", "tmp.log"].slice(d(5)),
  "files.read": (d) => pick(d, 1, "", "one\ntwo", "k=v\nx=1", "  data  "),
  "files.stat": (d) =>
    d(3) === 0
      ? null
      : {
          size: pick(d, 1, 0, 10, 5000),
          kind: pick(d, 2, "file", "dir"),
          ...maybe(d, 3, { owner: { name: "ann", ...maybe(d, 4, { group: "staff" }) } }),
        },
  "db.users": (d) => many(d, 4, (s, i) => user(d, s, i)),
  "db.find": (d) => (d(3) === 0 ? null : user(d, 1, d(5))),
  "db.insert": (d) => d(100),
  "db.count": (d) => d(12),
  "http.get": (d) => ({
    status: pick(d, 1, 200, 200, 404, 500),
    body: pick(d, 2, "ok", "", "a,b,c"),
    next: d(2, 3) === 0 ? null : "/p2",
    ...maybe(d, 4, {
      items: many(d, 3, (s) => ({ name: pick(d, s, "pen", "ink"), price: pick(d, s + 1, 1, 2.5, 8) })),
    }),
  }),
  "http.post": (d) => ({ status: pick(d, 1, 200, 201, 503) }),
  "home.doors": (d) => ["front", "back", "cellar"].slice(d(4)),
  "home.temperature": (d) => pick(d, 1, 15, 18.5, 21, 25, -4),
  "lab.measure": (d) => pick(d, 1, 0, 1, 2.5, 7, -3, 10),
  "lab.phase": (d) => pick(d, 1, "idle", "warm", "hot", "fault"),
  "lab.samples": (d) =>
    many(d, 5, (s) => ({
      at: pick(d, s, "08:00", "09:30", "11:00"),
      value: d(9, s + 1) - 2,
      valid: d(3, s + 2) !== 0,
    })),
  "text.classify": (d) => pick(d, 1, "spam", "ham", "unsure"),
  "text.summarize": (d) => pick(d, 1, "short", "a longer summary of it", ""),
  "text.words": (d) => ["the", "quick", "fox", "the"].slice(d(5)),
  "text.translate": (d) => pick(d, 1, undefined, "hola", ""),
};

function user(d: Dice, s: number, i: number): object {
  return {
    id: i + 1,
    name: pick(d, s, "Ann", "Bob", "Cy"),
    email: pick(d, s + 1, "ann@x.io", "bob@y.org", "cy@z.net"),
    role: pick(d, s + 2, "admin", "member", "guest"),
    score: pick(d, s + 3, 0, 3, 4.5, 10),
    active: d(2, s + 4) === 0,
    ...maybe(d, s + 5, { manager: d(2, s + 6) === 0 ? null : "Dee" }),
  };
}
