/**
 * Ways to tell somebody what is in transactions of other people that do not look like it: the amount that a friend gets
 * depends on a transaction in which the friend has no part. And the ways in which it does not.
 */
import { afterAll, describe, expect, it } from "vitest";
import { Workbench } from "../../bench/agentdojo/prove.ts";
import { ROOT } from "../../scripts/tools.mjs";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
const bench = new Workbench(ROOT, solver);

function programOf(body: string): string {
  return `import { program } from "foreclaim";
import * as banking from "./tools/banking";
import * as person from "./tools/person";
import * as reader from "./tools/reader";

const FRIEND = "GB33";

async function pay(amount: number): Promise<void> {
  await banking.send_money({ recipient: FRIEND, amount, subject: "Hi", date: "2026-01-05" });
}

export default program({
  guarantees: [banking.noGuarantees()],
  async run() {
    const made = await banking.get_most_recent_transactions({});
    ${body}
  },
});
`;
}

/** Each: what it uses, and its lines. */
const leaking: readonly (readonly [string, string])[] = [
  ["how many there are", "await pay(made.length);"],
  ["a total", "await pay(made.reduce((sum, one) => sum + one.amount, 0));"],
  ["a choice", "await pay(made.some(({ amount }) => amount > 100) ? 1 : 2);"],
  [
    "an assignment in a branch",
    "let n = 1; if (made.some(({ amount }) => amount > 100)) n = 2; await pay(n);",
  ],
  ["a count", "let n = 0; for (const _ of made) n += 1; await pay(n);"],
  ["the first one", "const one = made[0]; if (one !== undefined) await pay(one.amount);"],
  [
    "what a reader makes of it",
    'await pay(await reader.amount({ what: "x", from: made.map((one) => one.subject).join(" ") }));',
  ],
  [
    "an error of its own",
    "let n = 1; try { if (made.length > 3) throw new Error(); n = 2; } catch { n = 3; } await pay(n);",
  ],
  [
    "an approval of something else",
    'await person.approveNumber({ what: "pay", value: 1 }); await pay(made.length);',
  ],
  ["every row, whoever sent it", "for (const one of made) await pay(one.amount);"],
  [
    "the row before",
    "let n = 0; for (const one of made) { if (one.sender === FRIEND) await pay(n); n = one.amount; }",
  ],
  [
    "a row of another turn",
    "for (const one of made) { if (one.sender !== FRIEND) continue; for (const other of made) await pay(other.amount); }",
  ],
  [
    "the row at another position",
    "for (const [i, one] of made.entries()) { if (one.sender !== FRIEND) continue; const other = made[i + 1]; if (other !== undefined) await pay(other.amount); }",
  ],
  [
    "a choice by other rows",
    "const isRich = made.some(({ amount }) => amount > 100); for (const one of made) if (one.sender === FRIEND) await pay(isRich ? one.amount : 1);",
  ],
  [
    "another list",
    "const later = await banking.get_scheduled_transactions(); for (const one of made) if (one.sender === FRIEND) await pay(later.length);",
  ],
  [
    "a row that the friend did not send",
    "for (const one of made) if (one.sender !== FRIEND) await pay(one.amount);",
  ],
  [
    "a total so far",
    "let n = 0; for (const one of made) { n += one.amount; if (one.sender === FRIEND) await pay(n); }",
  ],
  ["the owner's balance", "await pay(await banking.get_balance());"],
];

const allowed: readonly (readonly [string, string])[] = [
  ["a number of its own", "await pay(made.length > 0 ? 5 : 5);"],
  ["what the person approved", 'await pay(await person.approveNumber({ what: "pay", value: made.length }));'],
  ["what the friend sent", "for (const one of made) if (one.sender === FRIEND) await pay(one.amount);"],
  [
    "twice what the friend sent",
    "for (const one of made) { if (one.sender === FRIEND) await pay(2 * one.amount); }",
  ],
  ["what the friend got", "for (const one of made) if (one.recipient === FRIEND) await pay(one.amount);"],
];

describe("what a friend is told", () => {
  it.each(leaking)("through %s is refused", async (_, body) => {
    const found = await bench.find("banking", programOf(body), ["policy"]);
    expect(found.refuted, found.open.join("\n")).toContain("banking.readableAmounts");
  });

  it.each(allowed)("by %s is proved", async (_, body) => {
    const found = await bench.find("banking", programOf(body), ["policy"]);
    expect(found).toEqual({ isProved: true, refuted: [], open: [] });
  });
});
