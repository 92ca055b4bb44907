/** Two formulas about iterations of an inner loop may hold for different iterations. */
import { afterAll, expect, test } from "vitest";
import { judge, list, readDocument, record } from "../../src/ir/index.ts";
import { run } from "../../src/ir/run/interpret.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

/** Sends what was read of those whose names are asked for; each may read what is of them. */
const sending = (asked: string, promise: string) => {
  const read = readDocument(`effect-ir 1
tool t.read(who: string) -> string
  stores none
  readers [who]
tool t.send(body: string)
  stores none
program (days: list<string>, names: list<string>) {
  for day in days {
    for name in names carry all: string = "" {
      let found = call t.read(who: name) when ${asked}
      next all = all ++ orElse(found, "")
    }
    call t.send(body: all)
  }
}
guarantee t.discreet():
  forall s in t.send: ${promise}
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
};

test("one may not read one result, and the other not another", async () => {
  const eitherMay = 'mayRead(s.body, "ann") or mayRead(s.body, "bob")';
  const checked = sending('name == "ann" or name == "bob"', eitherMay);
  const inputs = record([
    ["days", list(["today"])],
    ["names", list(["ann", "bob"])],
  ]);
  const tools = new Map([
    ["t.read", { run: () => "x" }],
    ["t.send", { run: () => undefined }],
  ]);
  const { outcome, trace } = await run(checked, { inputs, tools });
  expect(outcome.kind).toBe("completed");
  const formula = checked.document.guarantees[0]?.formula;
  if (formula === undefined) throw new TypeError("it has a formula");
  expect(judge(checked, formula, { inputs, trace }).kind).toBe("violated");
  expect((await certify(checked, () => replayerOf(solver))).kind).toBe("notYet");
});

test("what is true of every iteration can be certified", async () => {
  const checked = sending('name == "ann"', 'mayRead(s.body, "ann")');
  expect((await certify(checked, () => replayerOf(solver))).kind).toBe("certified");
});
