/** The answer of a program and its notes, as a run gives them. */
import { expect, test } from "vitest";
import { codesOf, entriesOf, kernelOn, program, proved, ran, tryRun, World } from "./lab.ts";

const look = await proved(
  program(
    "bank.atMost(1)",
    `console.log("begin", limit > 1, limit);
     const has = await bank.balance({ account: "a" });
     if (has > limit) { console.warn({ has }); return { has, parts: [has / 3, 1 / 4, "x", null], missing: undefined }; }
     if (has === limit) return;
     await bank.pay({ account: "a", amount: 1 });
     return "paid";`,
    "{ limit }: { limit: number }",
  ),
);

test.each([
  [5, ["begin true 5", '{"has":10}'], { has: 10, parts: [10 / 3, 0.25, "x", null] }],
  [10, ["begin true 10"], undefined],
  [11.5, ["begin true 11.5"], "paid"],
])("with %d it answers and notes", async (limit, notes, result) => {
  const run = await ran(look, new World(), { inputs: { limit } });
  expect([run.kind, run.notes, run.result]).toEqual(["done", notes, result]);
  expect("result" in run).toBe(result !== undefined);
});

test("they are no calls of the run: no entry, no cost, no step", async () => {
  const policy = { budgets: { usd: "1" } };
  const [kernel, silent] = [await kernelOn(undefined, { policy }), await kernelOn(undefined, { policy })];
  const plain = await proved(program("bank.atMost(1)", `const has = await bank.balance({ account: "a" });`));
  const told = await proved(
    program(
      "bank.atMost(1)",
      `const has = await bank.balance({ account: "a" }); for (const i of [1, 2, 3]) console.log(i); return has;`,
    ),
  );
  const run = await ran(told, new World(), { kernel });
  expect(run.calls.map(({ tool }) => tool)).toEqual(["bank.balance"]);
  await ran(plain, new World(), { kernel: silent });
  expect((await entriesOf(kernel)).length).toBe((await entriesOf(silent)).length);
  // The trace has them all the same, in the entry of the end.
  const last = (await entriesOf(kernel)).at(-1)?.bytes ?? new Uint8Array();
  expect(
    Buffer.from(last).toString().includes('"answer":{"$":"10"},"notes":["1","2","3"],"run":"done"'),
  ).toBe(true);
});

test("a run that stops has no answer, and keeps its notes", async () => {
  const world = new World({
    "bank.pay": () => {
      throw new Error("no");
    },
  });
  const run = await ran(look, world, { inputs: { limit: 11 } });
  expect([run.kind, run.notes]).toEqual(["stopped", ["begin true 11"]]);
  expect(run).not.toHaveProperty("result");
});

test("an answer that breaks a guarantee is not given", async () => {
  const telling = await proved(
    program("bank.silent()", `const has = await bank.balance({ account: "a" }); return has;`),
    false,
  );
  const watched = { ...telling, everywhere: new Set([0]) };
  const result = await tryRun(watched, new World());
  expect(await codesOf(result)).toEqual(["FC4507"]);
  expect(result.ok && result.value).not.toHaveProperty("result");
  // Without a look before the call, the end of the run finds it.
  const unwatched = await tryRun({ ...telling, everywhere: new Set<number>() }, new World());
  expect(await codesOf(unwatched)).toEqual(["FC4507"]);
  expect(unwatched.ok && unwatched.value).not.toHaveProperty("result");
});

test("guarantees over answers speak of notes too", async () => {
  await expect(
    proved(
      program(
        "bank.keepsBalances()",
        `const has = await bank.balance({ account: "a" }); console.log("has", has);`,
      ),
    ),
  ).rejects.toThrow("it is not proved");
  await proved(
    program(
      "bank.keepsBalances()",
      `const has = await bank.balance({ account: "a" }); await bank.pay({ account: "a", amount: has }); console.log("paid"); return "paid";`,
    ),
  );
});
