/** The calls of a session, written as a program, get the same answer: all pass if and only if every guarantee is proved. */
import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CallRefused, guard } from "../../src/guard.ts";
import { load, prove } from "../../src/index.ts";
import { deskProject } from "../support/desk.ts";
import { Chance } from "../support/program/chance.ts";
import { anySeed } from "../support/program/traces.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";

let folder = "";
beforeAll(() => {
  folder = deskProject();
});
afterAll(() => rmSync(folder, { recursive: true }));

const guarantees = [
  'desk.only(["a@x.io", "b@x.io"])',
  "desk.noNotes()",
  'desk.noneTo("b@x.io")',
  'desk.atMostTo("a@x.io", 1)',
  "desk.longAtMost(0)",
  "desk.spends(5)",
  "desk.smallest(1)",
  "desk.largest(3)",
  "desk.once()",
  "desk.eachAtMost(1)",
  "desk.eachPaid(4)",
  "desk.asksFirst()",
  "desk.asksAbout()",
  "desk.quietAfterPay()",
  'desk.inside("x.io")',
  'desk.onlyOpens(["front"])',
  'desk.below("/reports")',
  "desk.careful(6)",
];

type Call = readonly [tool: string, args: Readonly<Record<string, string | number>>];

function someCall(chance: Chance): Call {
  const to = () => chance.pick(["a@x.io", "b@x.io", "c@y.io"]);
  return chance.pick<() => Call>([
    () => ["send", { to: to(), text: chance.pick(["short", "long ".repeat(30)]) }],
    () => ["note", { to: to(), text: "", tag: "" }],
    () => ["pay", { to: chance.pick(["shop", "rent"]), amount: chance.int(1, 4) }],
    () => ["ask", { about: chance.pick(["shop", "rent"]) }],
    () => ["unlock", { door: chance.pick(["front", "back"]) }],
    () => ["lock", { door: chance.pick(["front", "back"]) }],
    () => ["save", { path: chance.pick(["/reports/a", "/reports/../etc"]), text: "" }],
  ])();
}

test("random calls under random guarantees", { timeout: timeout(120) }, async () => {
  const tools = await load(`${folder}/tools`);
  if (tools.kind !== "tools") throw new Error("the tools do not load");
  const counts = { passed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(anySeed(), async (seed) => {
      const chance = Chance.seeded(seed);
      const stated = [...new Set(chance.times(1, 3, () => chance.pick(guarantees)))];
      const calls = chance.times(1, 4, () => someCall(chance));
      const passes = await allPass(stated, calls);
      const text = `import { program } from "foreclaim";
import * as desk from "./tools/desk";
export default program({
  guarantees: [${stated.join(", ")}],
  async run() {
${calls.map(([tool, args]) => `    await desk.${tool}(${JSON.stringify(args)});`).join("\n")}
  },
});
`;
      const proof = await prove({ text, folder }, { tools });
      const holds = proof.guarantees.every(
        ({ verdict, interruption }) => verdict === "proved" && isSafe(interruption),
      );
      counts[passes ? "passed" : "refused"]++;
      expect(
        passes,
        `${text}\n${JSON.stringify(proof.guarantees.map((one) => [one.verdict, one.interruption]))}`,
      ).toBe(holds);
    }),
    { numRuns: runs(60) },
  );
  expect(counts.passed).toBeGreaterThan(atLeast(8));
  expect(counts.refused).toBeGreaterThan(atLeast(8));
});

function isSafe(interruption: unknown): boolean {
  return (
    typeof interruption === "object" && interruption !== null && Reflect.get(interruption, "safe") === true
  );
}

async function allPass(stated: readonly string[], calls: readonly Call[]): Promise<boolean> {
  const nothing = async () => {};
  const functions = {
    send: nothing,
    note: nothing,
    pay: nothing,
    unlock: nothing,
    lock: nothing,
    save: nothing,
  };
  const desk = { ...functions, ask: async () => true };
  const { session } = await guard({ desk }, { folder, guarantees: stated });
  for (const [tool, args] of calls) {
    const called = await session.call(`desk.${tool}`, args, () => (tool === "ask" ? true : undefined));
    if (called.kind === "refused") return false;
    if (called.kind !== "returned") throw new CallRefused([]);
  }
  return true;
}
