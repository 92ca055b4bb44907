/** Calls at the same time in words: what a program may do, where a run stops, and a run that breaks a guarantee. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeStop, mayDo } from "../../src/explain/index.ts";
import { readDocument } from "../../src/ir/index.ts";
import { walk } from "../../src/prove/symbolic/symbolic-executor.ts";
import { Terms } from "../../src/prove/terms/factory.ts";
import { command } from "../cli/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-parallel-"));
afterAll(() => rmSync(folder, { recursive: true }));

const text = `effect-ir 1
fluent door.open[string]: bool = false
tool ask.person(about: string) -> bool
tool bank.pay(to: string, amount: int)
tool log.note(text: string)
tool door.unlock(at: string)
  sets door.open[at] = true
tool door.lock(at: string)
  sets door.open[at] = false
program (who: string, people: list<string>) {
  parallel {
    branch {
      call log.note(text: who)
      call ask.person(about: who)
    }
    branch { call bank.pay(to: who, amount: 1) }
  }
  parallel {
    branch { call door.unlock(at: "a") }
    branch { call door.lock(at: "a") }
  }
  for person in people parallel {
    call log.note(text: person)
  }
}
`;

function checkedOf(program: string) {
  const read = readDocument(program);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

test("the calls that are made at the same time are named", () => {
  const checked = checkedOf(text);
  const { calls } = mayDo(checked, { guarantees: [], obligations: [], walk: walk(checked, new Terms()) });
  expect(calls.map(({ number, beside = [] }) => [number, beside])).toEqual([
    [1, [3]],
    [2, [3]],
    [3, [1, 2]],
    [4, [5]],
    [5, [4]],
    [6, []],
  ]);
  expect(calls[5]?.each).toBe("each element of the input `people`, all at the same time");
});

test("a run that stops in a branch stops beside others", () => {
  const checked = checkedOf(text);
  const { facts } = walk(checked, new Terms());
  expect(describeStop({ after: facts[0], certain: false })).toBe(
    "if the run stops right after `log.note` while calls beside it are under way, this may not hold",
  );
});

test("a counterexample says which call ends after another has started", async () => {
  const file = join(folder, "program.eir");
  writeFileSync(
    file,
    `${text}guarantee asked(): forall p in bank.pay: exists a in ask.person: precedes(a, p)
guarantee locked(): not final door.open["a"]
guarantee small(): sum(p in bank.pay: p.amount) <= 1
guarantee paid(): count(p in bank.pay) == 1
`,
  );
  const { out } = await command(["prove", file]);
  const shown = out.replaceAll(folder, "");
  expect(shown).toMatchInlineSnapshot(`
    "/program.eir  eir1-dcd0e2b38c5f86b3...
    for every input and every tool result allowed by the document itself

      refuted  asked()
               before every \`bank.pay\`, at least one \`ask.person\` is called
      refuted  locked()
               at the end, \`door.open\` of "a" is false
      proved   small()
               the sum of \`amount\` over all calls of \`bank.pay\` is at most 1
      proved   paid()
               \`bank.pay\` is called exactly once
               if the run stops before the first call or during \`log.note\` (line 13), \`ask.person\` (line
               14) and \`bank.pay\` (line 16), which run at the same time, this may be violated
               if the run stops after \`log.note\` (line 23), this is not proved

    refuted: asked() is violated in this run
      inputs: who: "", people: []
      1  log.note(text: "")           line 13
         ends after call 2 has started
      2  bank.pay(to: "", amount: 1)  line 16
         ends after call 3 has started
      3  ask.person(about: "")        line 14
         -> false
      4  door.unlock(at: "a")         line 19
         ends after call 5 has started
         door.open["a"]: false -> true
      5  door.lock(at: "a")           line 20
         door.open["a"]: true -> false

      --> /program.eir:26:1
       |
    14 |       call ask.person(about: who)
       |       --------------------------- call 3
    ...
    16 |     branch { call bank.pay(to: who, amount: 1) }
       |              --------------------------------- call 2
    ...
    26 | guarantee asked(): forall p in bank.pay: exists a in ask.person: precedes(a, p)
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       | violated at the end of this run

    refuted: locked() is violated in this run
      inputs: who: "", people: [""]
      1  log.note(text: "")           line 13
         ends after call 2 has started
      2  bank.pay(to: "", amount: 1)  line 16
         ends after call 3 has started
      3  ask.person(about: "")        line 14
         -> false
      4  door.unlock(at: "a")         line 19
         ends after call 5 has ended
         door.open["a"]: false -> true
      5  door.lock(at: "a")           line 20
         door.open["a"]: stays false
      6  log.note(text: "")           line 23

      --> /program.eir:27:1
       |
    19 |     branch { call door.unlock(at: "a") }
       |              ------------------------- call 4
    20 |     branch { call door.lock(at: "a") }
       |              ----------------------- call 5
    ...
    27 | guarantee locked(): not final door.open["a"]
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ violated at the end of this run

    refuted  4 guarantees: 2 proved, 2 refuted
    "
  `);
});
