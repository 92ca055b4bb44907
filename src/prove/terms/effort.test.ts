import { expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { formulaTerm } from "../goals/formula.ts";
import { NotFollowed } from "../symbolic/call-events.ts";
import { walk } from "../symbolic/symbolic-executor.ts";
import { Effort } from "./effort.ts";
import { Terms } from "./factory.ts";

it("stops what takes more than it may, and lets others go on", () => {
  const effort = new Effort();
  const tooMuch = () => {
    for (;;) {
      effort.spend(1);
      effort.check();
    }
  };
  expect(() => effort.within(1_000, tooMuch)).toThrow(NotFollowed);
  expect(effort.steps).toBe(1_001);
  expect(() => effort.within(1_000, () => effort.within(5_000, tooMuch))).toThrow(NotFollowed);
  expect(effort.steps).toBe(2_002);
  expect(() => effort.check()).not.toThrow();
});

/** Steps for a formula that looks at the rows of so many calls within the rows of the same calls, and so on. */
function stepsOf(calls: number, formula: string, most = Number.POSITIVE_INFINITY): number {
  const text = `effect-ir 1
tool t.rows() -> list<int>
tool t.act()
program () {
${"call t.act()\ncall t.rows()\n".repeat(calls)}}
guarantee g(): ${formula}
`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { checked } = read.value;
  const terms = new Terms();
  const walked = walk(checked, terms);
  const said = checked.document.guarantees[0]?.formula;
  if (said === undefined) throw new TypeError("a formula was expected");
  terms.effort.within(most, () => formulaTerm(checked, terms, walked, said));
  return terms.effort.steps;
}

it("grows no faster with rows of lists that are not known than with as many calls", () => {
  const nested = "exists a in t.act where (exists r in rows t.rows: forall s in rows t.rows: r <= s): true";
  const [few, many] = [stepsOf(4, nested), stepsOf(8, nested)];
  expect(many / few).toBeLessThan(2 ** 5);
});

it("gives up rows within rows within rows", () => {
  const deep = ["a", "b", "c", "d", "e"].map((name) => `forall ${name} in rows t.rows: `).join("");
  expect(() => stepsOf(30, `${deep}a <= e`, 100_000)).toThrow(NotFollowed);
});
