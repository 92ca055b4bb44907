/** Costs of reading, writing, checking, hashing and running documents, by their number of commands. */

import * as ir from "../src/ir/index.ts";
import { bench, type Case } from "./harness.ts";

const SIZES = [10, 1_000, 100_000];

/** A program like those a front end writes: a guard, a call under it, a call that may fail, a loop, a check. */
function programOf(commands: number): string {
  const block = (i: number) => [
    `  let over${i} = limit * ${i} > 500 and not contains(note, "skip ${i}")`,
    `  call bank.withdraw(account: "card-${i}", amount: ${i}.25) when over${i}`,
    `  let r${i} = call bank.balance(account: "card-${i}") catch failed${i}`,
    `  require orElse(r${i}, 0) >= 0: "a balance is never negative"`,
    `  for x, n${i} in [1, 2] carry sum${i}: real = 0 { next sum${i} = sum${i} + x * limit }`,
  ];
  const lines = Array.from({ length: Math.ceil(commands / 5) }, (_, i) => block(i)).flat();
  return `effect-ir 1
tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.withdraw(account: string, amount: real)
  requires amount >= 0
  cost amount
program (limit: real, note: string) {
${lines.join("\n")}
}
guarantee bank.maxSpend(500): sum(w in bank.withdraw: w.amount) <= 500
guarantee bank.distinctAccounts(): distinct(w in bank.withdraw: w.account)
`;
}

const tools = new Map<string, ir.ToolHandler>([
  ["bank.balance", { run: () => 12.5 }],
  ["bank.withdraw", { run: () => undefined }],
]);

const cases: Case[] = [];
for (const size of SIZES) {
  const text = programOf(size);
  const read = ir.readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { checked } = read.value;
  const { document } = checked;
  const json = JSON.stringify(ir.documentToJson(document));
  const inputs = ir.readInputs(checked, { limit: 100, note: "" });
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  const options = { inputs: inputs.value, tools };
  const { outcome, trace } = await ir.run(checked, options);
  if (outcome.kind !== "completed") throw new Error(JSON.stringify(outcome));
  const judged = () =>
    document.guarantees.map(
      ({ formula }) => formula && ir.judge(checked, formula, { inputs: inputs.value, trace }),
    );
  cases.push(
    { name: "parse text", size, run: () => ir.parseDocument(text) },
    { name: "print text", size, run: () => ir.printDocument(document) },
    { name: "read JSON", size, run: () => ir.documentFromJsonText(json) },
    { name: "write JSON", size, run: () => JSON.stringify(ir.documentToJson(document)) },
    { name: "check", size, run: () => ir.check(document) },
    { name: "hash", size, run: () => ir.hashDocument(document) },
    { name: "interpret", size, run: () => ir.run(checked, options) },
    { name: "resume whole", size, run: () => ir.run(checked, { ...options, recorded: trace }) },
    { name: "judge trace", size, run: judged },
  );
}

const order = [...new Set(cases.map(({ name }) => name))];
await bench(
  "effect-ir, by commands",
  cases.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name) || a.size - b.size),
);
