import { expect, it } from "vitest";
import { NotFollowed } from "../symbolic/call-events.ts";
import { Effort } from "../terms/effort.ts";
import { Budget, Clock } from "./budget.ts";
import type { Solver, SolverLimits } from "./solver/port.ts";

const script = { text: "", values: [] };
const limits = { timeoutMs: 1_000, resources: 1_000_000 };

/** Takes so many of its own steps for every question, and so long. */
function solverOf(takes: number | undefined, clock: { now: number }, ms = 0) {
  const asked: SolverLimits[] = [];
  const solver: Solver = {
    name: "counting",
    version: async () => "1",
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
    check: async (_, given) => {
      asked.push(given);
      clock.now += ms;
      if (takes !== undefined) given.used?.(takes);
      return { kind: "unsat" };
    },
  };
  return { asked, solver: async () => solver };
}

it.each([100, undefined])("ends by what was done, however long it took: %s", async (takes) => {
  const count = async (ms: number) => {
    const clock = { now: 0 };
    const { asked, solver } = solverOf(takes, clock, ms);
    const budget = new Budget(solver, new Effort(), limits, new Clock(limits, () => clock.now));
    while (!budget.isSpent) await (await budget.solver()).check(script, limits);
    expect(budget.spent).toBe("the work that one claim about loops may take is done");
    return asked.length;
  };
  expect(await count(0)).toBe(await count(9));
});

it("ends by the clock what takes far too long", async () => {
  const clock = { now: 0 };
  const { asked, solver } = solverOf(1, clock, 3_600);
  const budget = new Budget(solver, new Effort(), limits, new Clock(limits, () => clock.now));
  while (!budget.isSpent) await (await budget.solver()).check(script, limits);
  expect(budget.spent).toMatch(/^stopped after 6 s: /);
  expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([6_000, 2_400]);
  expect(await (await budget.solver()).check(script, limits)).toMatchObject({ kind: "unknown" });
  expect(asked).toHaveLength(2);
});

it("gives each claim the same, whatever those before it took", () => {
  const effort = new Effort();
  const clock = new Clock(limits, () => 0);
  const budget = new Budget(solverOf(1, { now: 0 }).solver, effort, limits, clock);
  for (let claim = 0; claim < 3; claim++) {
    budget.next();
    effort.spend(499_999);
    expect(budget.isSpent).toBe(false);
    effort.spend(1);
    expect(budget.isSpent).toBe(true);
    expect(() => effort.check()).not.toThrow();
    effort.spend(1);
    expect(() => effort.check()).toThrow(NotFollowed);
  }
});

it("lets a question take what is left", async () => {
  const effort = new Effort();
  const { asked, solver } = solverOf(1, { now: 0 });
  const budget = new Budget(solver, effort, limits, new Clock(limits, () => 0));
  effort.spend(490_000);
  await (await budget.solver()).check(script, limits);
  expect(asked.map(({ resources }) => resources)).toEqual([1_000]);
});
