/** `resultOf` in contracts: what it becomes, and where it is refused. */
import { expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { printExpr } from "../../src/ir/index.ts";

function compiled(contract: string) {
  const files: Readonly<Record<string, string>> = {
    "tools/t.ts": `import { type Call, contract, labelled, resultOf, tool } from "foreclaim";
export const ask = tool({ labels: ["answer"], run: async ({ who }: { who: string }): Promise<boolean> => true });
export const vote = tool({ labels: ["answer", "any"], run: async ({ who }: { who: string }): Promise<boolean> => true });
export const find = tool({ labels: ["any"], run: async ({ who }: { who: string }): Promise<{ name: string; age: number } | undefined> => undefined });
export const pay = tool({ run: async ({ who }: { who: string }): Promise<void> => {} });
export const c = contract(() => ${contract});
`,
    "program.ts": `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [t.c()], async run() { await t.pay({ who: "ann" }); } });
`,
  };
  return compileProgram("program.ts", { readFile: (path) => files[path] });
}

it.each([
  [
    "ask.precedes(pay, (a, p) => resultOf(a) === true && a.who === p.who)",
    "forall p in t.pay: exists a in t.ask: precedes(a, p) and isSome(result(a)) and value(result(a)) and a.who == p.who",
  ],
  [
    'labelled<Call<{ who: string }, boolean>>("answer").none((a) => resultOf(a) === false)',
    'forall a in label "answer": not (isSome(result(a)) and not value(result(a)))',
  ],
  [
    "find.all((f) => resultOf(f) === undefined)",
    "forall f in t.find: not (isSome(result(f)) and isSome(value(result(f))))",
  ],
])("%s", (contract, formula) => {
  const result = compiled(contract);
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  const [guarantee] = result.value.document.guarantees;
  expect(guarantee?.formula && printExpr(guarantee.formula)).toBe(formula);
});

it.each([
  ["pay.all((p) => resultOf(p) === undefined)", "FC2205", "`t.pay` returns nothing"],
  ["ask.all((a) => resultOf(a.who) === undefined)", "FC2314", "`resultOf` takes a call"],
  ["ask.all((a) => resultOf() === undefined)", "FC2314", "`resultOf` takes a call"],
  [
    'labelled<{ who: string }>("any").all((a) => resultOf(a) === true)',
    "FC2108",
    "`t.vote` returns `boolean`, and `t.find` returns `{ name: string; age: number } | undefined`",
  ],
])("%s is refused", (contract, code, message) => {
  const result = compiled(contract);
  expect(result.ok ? [] : result.problems.map((one) => ({ code: one.code, message: one.message }))).toEqual([
    { code, message },
  ]);
});
