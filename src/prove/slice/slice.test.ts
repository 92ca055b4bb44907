/**
 * A part of a program does what the whole does: every run of the whole that completes, without the calls that were
 * cut, is a run of the part, and the guarantee says the same of both. The interpreter is the judge.
 */
import { expect, it, test } from "vitest";
import { largeNest, nestedCase, smallNest, turningNest } from "../../../tests/support/net/nested.ts";
import { vocabularyOf, World } from "../../../tests/support/net/world.ts";
import { Chance } from "../../../tests/support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../../../tests/support/runs.ts";
import { type Checked, commandsIn, judge, type Outcome, type PendingCall, run } from "../../ir/index.ts";
import { readDocument } from "../../ir/read.ts";
import { sliceAt, sliceFor } from "./slice.ts";

const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
const nobody = { run: () => undefined };
const nameOf = ({ id, indices }: Pick<PendingCall, "id" | "indices">) => `${id}@${indices.join("-")}`;

function runOf(checked: Checked, world: World, recorded: (call: PendingCall) => Outcome) {
  const { inputs, initial } = world;
  const tools = new Map(checked.document.tools.map(({ name }) => [name, nobody]));
  return run(checked, { inputs, initial, tools, recorded });
}

/** Returns how many calls were cut from a run. */
async function cutFrom(checked: Checked, seed: number): Promise<number> {
  const world = new World(checked, Chance.seeded(seed), vocabularyOf(checked));
  const outcomes = new Map<string, Outcome>();
  const whole = await runOf(checked, world, (call) => {
    const outcome = world.answer(call);
    outcomes.set(nameOf(call), outcome);
    return outcome;
  });
  if (whole.outcome.kind !== "completed") return 0;
  let cut = 0;
  for (const guarantee of checked.document.guarantees) {
    const { formula } = guarantee;
    if (formula === undefined) continue;
    const part = sliceFor(checked, guarantee).checked;
    const kept = new Set(
      [...commandsIn(part.document.program.body)].flatMap((one) => ("id" in one ? one.id : [])),
    );
    const { outcome, trace } = await runOf(part, world, (call) => {
      const known = outcomes.get(nameOf(call));
      if (known === undefined) throw new Error(`the whole does not make ${nameOf(call)}`);
      return known;
    });
    const told = (calls: typeof trace) => calls.map(({ id, indices, args }) => ({ id, indices, args }));
    expect(outcome.kind).toBe("completed");
    expect(told(trace)).toEqual(told(whole.trace.filter(({ id }) => kept.has(id))));
    const { inputs, initial } = world;
    const said = [trace, whole.trace].map((calls) =>
      judge(checked, formula, { inputs, initial, trace: calls }),
    );
    expect(said[0]?.kind).toBe(said[1]?.kind);
    cut += whole.trace.length - trace.length;
  }
  return cut;
}

test.each([
  ["small", 20, smallNest],
  ["large", 4, largeNest],
  ["with unknown turns", 20, turningNest],
] as const)("a part does what the whole does: %s, %d programs", async (_, programs, size) => {
  let cut = 0;
  for (let seed = first; seed < first + runs(programs); seed++)
    for (let i = 0; i < 3; i++) cut += await cutFrom(nestedCase(seed, size).checked, seed * 7 + i);
  expect(cut).toBeGreaterThan(atLeast(0));
});

const checkedOf = (text: string): Checked => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
};

const text = `effect-ir 1
fluent f[string]: int = 0
tool t.rows() -> list<int>
tool t.log(n: int)
tool t.set(n: int)
  sets f["a"] = n
tool t.guarded(n: int)
  requires now f["a"] <= n
program (k: int) {
  let rows = call t.rows()
  for r in rows carry total: int = 0, most: int = 0 {
    call t.log(n: r)
    next total = total + r
    next most = max(most, r)
  }
  call t.set(n: most)
  call t.guarded(n: k)
  while go carry go: bool = true {
    let more = call t.rows()
    next go = length(more) > k
  }
}
guarantee never(): forall s in t.set: false
guarantee log(): count(l in t.log) <= 3
guarantee cell(): final f["a"] <= 3
guarantee guarded(): count(g in t.guarded) <= 1
`;

const shapeOf = ({ document }: Checked): string =>
  document.program.body
    .map((one) => ("carry" in one ? `${one.kind}(${one.carry.map(({ name }) => name).join()})` : one.kind))
    .join(" ");

it.each([
  // What decides the arguments of a call is kept, and a loop that a run may stay in.
  [0, "call for(most) call let while(go)"],
  [1, "call for() let let while(go)"],
  [2, "call for(most) call let while(go)"],
  // A call whose clauses read a cell keeps those that set it.
  [3, "call for(most) call call while(go)"],
])("keeps what guarantee %d depends on", (i, shape) => {
  const checked = checkedOf(text);
  const guarantee = checked.document.guarantees[i];
  if (guarantee === undefined) throw new Error("no such guarantee");
  expect(shapeOf(sliceFor(checked, guarantee).checked)).toBe(shape);
});

it("keeps what an obligation depends on", () => {
  const checked = checkedOf(text);
  expect(shapeOf(sliceAt(checked, ["program", "body", 3]).checked)).toBe(
    "call for(most) call call while(go)",
  );
  expect(() => sliceAt(checked, ["program", "body", 9])).toThrow(TypeError);
});

it("keeps all or nothing of what runs at the same time", () => {
  const checked = checkedOf(`effect-ir 1
tool t.a()
tool t.b()
program () {
  parallel {
    branch { call t.a() call t.b() }
    branch { call t.b() }
  }
  parallel {
    branch { call t.b() }
    branch { call t.b() }
  }
}
guarantee g(): count(a in t.a) <= 1
`);
  const [guarantee] = checked.document.guarantees;
  if (guarantee === undefined) throw new Error("no guarantee");
  const { body } = sliceFor(checked, guarantee).checked.document.program;
  expect(body.map(({ kind }) => kind)).toEqual(["parallel", "let"]);
  expect([...commandsIn(body)].filter(({ kind }) => kind === "call")).toHaveLength(3);
});
