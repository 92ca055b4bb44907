/**
 * Races written by hand. Of each, the runs say what some order breaks and what none does; a prover must prove nothing that
 * is broken, however it comes to its answer, and what it shows as a counterexample must break the guarantee.
 */
import { afterAll, describe, expect, test } from "vitest";
import { judge } from "../../src/ir/eval/formula.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { bySolver } from "../support/net/attempt.ts";
import { checkedOf } from "../support/parallel/desk.ts";
import { type Broken, brokenBy, wrongProofsOf } from "../support/parallel/net.ts";
import { declarations } from "../support/parallel/programs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const effort = { worlds: 4, orders: 120, formulas: 0, everyCut: true };

interface Race {
  readonly name: string;
  readonly body: string;
  /** Broken by completed runs of some order, and by no run that makes one call at a time. */
  readonly broken?: readonly string[];
  /** Kept by every completed run, and broken by some run that is cut off. */
  readonly cut?: readonly string[];
  /** Kept by every run, wherever it is cut off. */
  readonly kept?: readonly string[];
  /** Broken also one call at a time. */
  readonly always?: readonly string[];
  /** Codes of problems at which some run stops. */
  readonly stops?: readonly string[];
}

const races: readonly Race[] = [
  {
    name: "look, wait, act",
    body: `parallel {
      branch { call ping(n: 1)
               call check(k: "a", n: 0)
               call put(k: "b", n: 1) }
      branch { call put(k: "a", n: 1)
               call ping(n: 2) }
    }`,
    kept: ['always(now f["a"] <= 1)', 'always(now f["b"] <= 1)'],
    always: ['always(now f["a"] == 0 or now f["b"] == 0)'],
    stops: ["FC1502"],
  },
  {
    name: "what was asked is no longer so",
    body: `parallel {
      branch { call take(k: "a")
               call use(k: "a")
               call free(k: "a") }
      branch { call ping(n: 1)
               call free(k: "a") }
    }`,
    kept: ["count(u in use) <= 1"],
    stops: ["FC1502"],
  },
  {
    name: "two halves of a budget, each within it",
    body: `parallel {
      branch { call pay(n: 6) }
      branch { call pay(n: 6) }
    }`,
    // One after the other, the second is refused.
    broken: ["sum(p in pay: p.n) <= 10"],
    kept: ['always(now spent["all"] <= 10)'],
    stops: ["FC1502"],
  },
  {
    name: "two halves of a budget, of which one is forgotten",
    body: `parallel {
      branch { call pay(n: 3) }
      branch { call pay(n: 4) }
    }`,
    broken: ['sum(p in pay: p.n) == final spent["all"]', 'final spent["all"] == 7'],
    kept: ["sum(p in pay: p.n) <= 7", "count(p in pay) <= 2", 'always(now spent["all"] <= 7)'],
    cut: ["sum(p in pay: p.n) == 7", "count(p in pay) == 2"],
  },
  {
    name: "order between single calls is as written",
    body: `parallel {
      branch { call ping(n: 1) }
      branch { let x = 1 + i
               call pong(n: 2) }
    }`,
    kept: [
      "forall x in ping: forall y in pong: precedes(x, y)",
      "forall y in pong: forall x in ping: not precedes(y, x)",
      'automaton(states "0", "1", "2" start "0" on "0" y in pong -> "1" on "1" x in ping -> "2" error "2")',
    ],
    cut: ["forall y in pong: exists x in ping: precedes(x, y)"],
    always: ["forall x in ping: forall y in pong: not precedes(x, y)"],
  },
  {
    name: "order between branches of several calls is not, either way",
    body: `parallel {
      branch { call ping(n: 0)
               call ping(n: 1) }
      branch { call pong(n: 0)
               call pong(n: 1) }
    }`,
    broken: [
      "forall x in ping where x.n == 1: forall y in pong where y.n == 1: precedes(x, y)",
      "forall y in pong where y.n == 0: forall x in ping where x.n == 1: not precedes(y, x)",
      'automaton(states "0", "1", "2" start "0" on "0" y in pong -> "1" on "1" x in ping -> "2" error "2")',
    ],
    always: ["forall x in ping where x.n == 1: forall y in pong where y.n == 1: not precedes(x, y)"],
    kept: [
      "forall x in ping where x.n == 0: forall y in ping where y.n == 1: precedes(x, y)",
      "count(x in ping) <= 2",
    ],
  },
  {
    name: "order after a single call and before another",
    body: `parallel {
      branch { call ping(n: 1) }
      branch { call pong(n: 1)
               call ping(n: 2) }
      branch { call pong(n: 3) }
    }
    call ping(n: 4)`,
    broken: ["forall x in ping where x.n == 2: forall y in pong where y.n == 3: precedes(x, y)"],
    kept: ["forall x in ping where x.n == 4: forall y in pong: precedes(y, x)"],
  },
  {
    name: "a final cell that two branches write",
    body: `parallel {
      branch { call put(k: "a", n: 1) }
      branch { call put(k: "a", n: 2) }
    }`,
    broken: ['final f["a"] == 2', 'final f["a"] != 1'],
    kept: ['always(now f["a"] <= 2)'],
    cut: ['final f["a"] >= 1'],
  },
  {
    name: "final cells that two branches write alike, or apart",
    body: `parallel {
      branch { call put(k: "a", n: 1) }
      branch { call put(k: "a", n: 1)
               call put(k: "b", n: 2) }
    }`,
    cut: ['final f["a"] == 1', 'final f["b"] == 2'],
    kept: ['always(now f["a"] <= 1 and now f["b"] <= 2)', 'final f["b"] != 1'],
  },
  {
    name: "the second of two single calls is judged before the first one has set anything",
    body: `parallel {
      branch { call put(k: "a", n: 3) }
      branch { call check(k: "a", n: 0) }
    }`,
    stops: ["FC1502"],
    // Where it is judged after, the run stops.
    kept: ['always(now f["a"] <= 3)'],
  },
  {
    name: "what is added twice at the same time is added once",
    body: `for x in [1, 2] parallel { call add(k: "a", n: 1) }`,
    broken: ['final f["a"] == 2'],
    kept: ['always(now f["a"] <= 2)', "count(x in add) <= 2"],
  },
  {
    name: "a branch that fails does not stop the other",
    body: `parallel {
      branch { let x = call ask(n: 1)
               require x < 0: "never"
               call ping(n: 1) }
      branch { call pong(n: 1)
               call pong(n: 2) }
    }`,
    // No run is completed, and yet the second branch is.
    cut: ["count(y in pong) <= 1", "count(y in pong) == 0"],
    kept: ["count(x in ping) == 0"],
    stops: ["FC1503"],
  },
  {
    name: "two locks by turns",
    body: `parallel {
      branch { call take(k: "a")
               call free(k: "a") }
      branch { call take(k: "b")
               call free(k: "b") }
    }`,
    broken: [
      'always(not (now lock["a"] and now lock["b"]))',
      'automaton(states "0", "1", "2" start "0" on "0" x in take -> "1" on "1" x in take -> "2" on "1" y in free -> "0" error "2")',
    ],
    kept: ["count(x in take) <= 2"],
    cut: ['not final lock["a"]'],
  },
  {
    name: "branches in loops, and loops in branches",
    body: `for x in [1, 2] {
      parallel {
        branch { for y in [1, 2] { call ping(n: y) } }
        branch { call pong(n: x)
                 call pong(n: 0) }
      }
    }`,
    broken: ["forall y in pong where y.n == 1: exists x in ping where x.n == 2: precedes(x, y)"],
    kept: ["count(x in ping) <= 4", "forall x in ping: x.n <= 2"],
  },
];

const runs = new Map<
  Race,
  Promise<{ readonly checked: ReturnType<typeof checkedOf>; readonly broken: Broken }>
>();

/** Returns the guarantees that runs of a race break. */
function brokenIn(race: Race) {
  const known = runs.get(race);
  if (known !== undefined) return known;
  const text = `${declarations}program (i: int, j: int, c: bool, xs: list<int>) {\n${race.body}\n}`;
  const checked = checkedOf(text);
  const { broken = [], cut = [], kept = [], always = [] } = race;
  const formulas = [...broken, ...cut, ...kept, ...always];
  const found = brokenBy({ checked, formulas }, 1, effort).then((one) => ({ checked, broken: one }));
  runs.set(race, found);
  return found;
}

describe.each(races)("$name", (race) => {
  test("is a race: the runs break what they are said to break", async () => {
    const { broken, cut, always, stops } = race;
    const found = (await brokenIn(race)).broken;
    expect(
      [...found.whole]
        .filter(([, how]) => how === "only in some order")
        .map(([text]) => text)
        .sort(),
    ).toEqual([...(broken ?? [])].sort());
    expect(
      [...found.whole]
        .filter(([, how]) => how === "in any order")
        .map(([text]) => text)
        .sort(),
    ).toEqual([...(always ?? [])].sort());
    expect([...found.cut].sort()).toEqual([...(cut ?? [])].sort());
    for (const code of stops ?? []) expect([...found.stops].join(" ")).toContain(code);
  });

  test("nothing of it is wrongly proved, and what is refuted is broken", { timeout: 600_000 }, async () => {
    const { checked, broken } = await brokenIn(race);
    const net = { ...bySolver(solver), mostAttempts: 100 };
    expect(await wrongProofsOf({ checked, formulas: [] }, broken, net, new Map(), race.name)).toEqual([]);
    const formulas = [...(race.broken ?? []), ...(race.kept ?? []), ...(race.cut ?? [])];
    const stated = checkedOf(
      `${declarations}program (i: int, j: int, c: bool, xs: list<int>) {\n${race.body}\n}\n${formulas.map((text) => `guarantee g(): ${text}`).join("\n")}`,
    );
    const proof = await prove(stated, { solver: async () => solver, limits: net.limits });
    for (const { guarantee, verdict } of proof.guarantees) {
      if (verdict.kind !== "refuted" || guarantee.formula === undefined) continue;
      expect(judge(stated, guarantee.formula, verdict.run).kind).toBe("violated");
    }
  });
});
