/**
 * No run breaks a proved or certified guarantee about readers. Pages are read only late in a list, beyond the runs
 * that the search tries, so that only the proof itself decides. The interpreter is the judge.
 */
import { afterAll, expect, test } from "vitest";
import { type Checked, judge, list, readDocument, record } from "../../src/ir/index.ts";
import { run } from "../../src/ir/run/interpret.ts";
import { certify, Disagreement } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import type { Script } from "../../src/prove/decide/solver/port.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { byLooking, wrongProofs } from "../support/net/attempt.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, seed as givenSeed, runs } from "../support/runs.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const limits = { timeoutMs: 2_000, resources: 200_000 };

const tools = `tool diary(of: string) -> string
  reads stores "diaries"
  readers [of]
tool shelf(of: string) -> list<record{owner: string, text: string}>
  reads stores "shelves"
  readers [row.owner]
tool send(to: string, body: string)
  stores "mail"
`;
const people = ["ann", "bob", "cyd"];
/** Longer than the lists that runs are looked for with. */
const late = 7;

function documentText(chance: Chance): string {
  // Mostly of the first two, so that what is asked for and what is promised meet.
  const person = () => `"${chance.pick(["ann", "bob", "ann", "bob", "cyd"])}"`;
  const to = chance.pick(["who", "m", person()]);
  const asked = () => chance.pick([`n == ${person()}`, 'n == "ann" or n == "bob"', "true"]);
  const page = () => {
    const when = `(${asked()})${chance.int(0, 3) > 0 ? ` and i >= ${late}` : ""}`;
    return chance.pick([
      `let d = call diary(of: n) when ${when}\nnext all = all ++ orElse(d, "")`,
      `let d = call diary(of: ${chance.pick(["m", person()])}) when ${when}\nnext all = all ++ orElse(d, "")`,
      `let d = call diary(of: n) when ${when}\nnext all = orElse(d, all)`,
      `let l = call shelf(of: n) when ${when}
       for r in orElse(l, []) { call send(to: ${chance.pick([to, "r.owner", "n"])}, body: r.text) }
       next all = all`,
    ]);
  };
  const inner = `for n, i in names carry all: string = "" {\n${page()}\n}\ncall send(to: ${to}, body: all)`;
  const own = `let own = call diary(of: m)\ncall send(to: ${chance.pick(["m", to])}, body: own)`;
  const body = chance.pick([inner, `${inner}\n${own}`, own]);
  const reader = () => chance.pick(["s.to", person(), person()]);
  const atom = () => `mayRead(s.body, ${reader()})`;
  const choice = () => `(${atom()} or ${atom()}${chance.int(0, 2) === 0 ? ` or ${atom()}` : ""})`;
  const promise = chance.pick([
    atom(),
    choice(),
    choice(),
    `${choice()} and ${atom()}`,
    `(s.to == ${person()} implies ${choice()})`,
  ]);
  return `effect-ir 1\n${tools}program (who: string, days: list<string>, names: list<string>) {
for m in days {\n${body}\n}\n}\nguarantee g(): forall s in send: ${promise}\n`;
}

async function certifiedOrNot(checked: Checked): Promise<string> {
  const hasty = {
    name: solver.name,
    version: () => solver.version(),
    check: (script: Script) => solver.check(script, limits),
  };
  return certify(checked, () => replayerOf(hasty)).then(
    ({ kind }) => kind,
    (thrown: unknown) => {
      // It was not asked whether it is proved.
      if (thrown instanceof Disagreement) return "broken";
      throw thrown;
    },
  );
}

test("no run breaks what is proved or certified of readers", { timeout: 600_000 }, async () => {
  const tally = new Map<string, number>();
  const first = givenSeed() ?? Math.floor(Math.random() * 2 ** 31);
  for (let seed = first; seed < first + runs(150); seed++) {
    const chance = Chance.seeded(seed);
    const text = documentText(chance);
    const read = readDocument(text);
    if (!read.ok) throw new Error(`${text}\n${JSON.stringify(read.problems)}`);
    const { checked } = read.value;
    const asked = { solver: async () => solver, limits, likely: "omitted" } as const;
    const [guarantee] = (await prove(checked, asked)).guarantees;
    if (guarantee?.guarantee.formula === undefined) throw new TypeError("there is one guarantee");
    const { verdict } = guarantee;
    tally.set(verdict.kind, (tally.get(verdict.kind) ?? 0) + 1);
    expect(await wrongProofs(checked, seed, byLooking, tally)).toEqual([]);
    const isCertified = (await certifiedOrNot(checked)) === "certified";
    if (isCertified) tally.set("certified", (tally.get("certified") ?? 0) + 1);
    for (let i = 0; (verdict.kind === "proved" || isCertified) && i < 20; i++) {
      const some = (least: number, most: number) =>
        list(Array.from({ length: chance.int(least, most) }, () => chance.pick(people)));
      const inputs = record([
        ["who", chance.pick(people)],
        ["days", some(0, 2)],
        ["names", some(chance.pick([0, late]), late + 5)],
      ]);
      const rows = () =>
        Array.from({ length: chance.int(0, 3) }, () => ({ owner: chance.pick(people), text: "y" }));
      const handlers = new Map([
        ["diary", { run: () => "x" }],
        ["shelf", { run: rows }],
        ["send", { run: () => undefined }],
      ]);
      const { outcome, trace } = await run(checked, { inputs, tools: handlers });
      if (outcome.kind !== "completed") continue;
      tally.set("runs", (tally.get("runs") ?? 0) + 1);
      const kept = judge(checked, guarantee.guarantee.formula, { inputs, trace }).kind;
      expect(kept, `seed ${seed}\n${text}`).not.toBe("violated");
    }
  }
  // Nothing is refuted where no run is looked for.
  for (const kind of ["proved", "certified", "unknown", "runs", "attempted"])
    expect(tally.get(kind) ?? 0, kind).toBeGreaterThan(atLeast(3));
});
