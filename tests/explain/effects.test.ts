/**
 * Possible effects of a program: the sentences of some examples as in the table (if they differ: run with `-u` and
 * read them), and for random programs that no run has another effect.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { constantText } from "../../src/explain/effects/constants.ts";
import { type MayDo, mayDo } from "../../src/explain/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import {
  type Checked,
  type Command,
  check,
  isBuiltin,
  placeOf,
  readDocument,
  type TraceEntry,
} from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import { isRecord } from "../../src/ir/value.ts";
import { bodiesOf } from "../../src/ir/visit.ts";
import { walk } from "../../src/prove/symbolic/symbolic-executor.ts";
import { follow } from "../../src/prove/symbolic/unsupported.ts";
import { Terms } from "../../src/prove/terms/factory.ts";
import type { Proof } from "../../src/prove/verdict.ts";
import { examples, readFile } from "../examples/examples.ts";
import { anyProgram, type ProgramCase } from "../support/arbitrary-program.ts";
import { runCase } from "../support/case-runs.ts";
import { Chance } from "../support/program/chance.ts";
import { someValue } from "../support/program/types.ts";
import { atLeast, runs } from "../support/runs.ts";
import { pathOf } from "../support/spec-files.ts";

/** As after a proof; the verdicts play no part. */
function walked(checked: Checked): Proof {
  const found = follow(() => walk(checked, new Terms()));
  const nothing = { guarantees: [], obligations: [] };
  return found.ok ? { ...nothing, walk: found.value } : nothing;
}

const notFollowed: Proof = { guarantees: [], obligations: [] };

describe("the words", () => {
  const shown = [
    "bank/split-payment",
    "bank/top-up",
    "club/filter-then-map",
    "club/pay-until-over",
    "club/pay-within-budget",
    "database/mail-everyone",
    "database/promote",
    "email/first-mail",
    "email/retry-once",
    "email/triage",
    "filesystem/mirror",
    "home/early-return",
    "home/evening-lights",
    "http/crawl",
  ];

  test("of some examples are those of the table", async () => {
    const texts = shown.map((name) => {
      const example = examples.find((one) => `${one.domain}/${one.name}` === name);
      if (example === undefined) throw new Error(`there is no ${name}`);
      const compiled = compileProgram(example.path, { readFile });
      if (!compiled.ok) throw new Error(`${name} does not compile`);
      const { document, sourceMap } = compiled.value;
      const checked = check(document);
      if (!checked.ok) throw new Error(`${name} does not check`);
      const found = mayDo(
        checked.value,
        walked(checked.value),
        (path) => placeOf(sourceMap, path)?.startLine,
      );
      return `# ${name}\n${textOf(found)}`;
    });
    await expect(texts.join("\n")).toMatchFileSnapshot(pathOf("spec/sentences/may-do.txt"));
  });

  test("a call that no run reaches is there, and said to be never made", () => {
    const { calls, answers } = told(`program () { call a.set(to: "x") when 1 > 2 }`);
    expect(calls).toMatchObject([{ when: "never: no run gets here" }]);
    expect(answers).toEqual([
      { question: "does it change anything?", answer: ["no"] },
      { question: "does it call anything?", answer: ["no"] },
    ]);
  });

  test("of a program that was not followed nothing is left out", () => {
    const text = `program (to: string) { call a.set(to: "x") when 1 > 2 call a.set(to: to) }`;
    const { calls } = told(text, () => notFollowed);
    expect(calls.map(({ args, when }) => [args[0]?.value, args[0]?.isConstant, when !== null])).toEqual([
      ['"x"', true, true],
      ["the input `to`", false, false],
    ]);
  });

  test("what one loop requires of its names says nothing of another loop's", () => {
    const loop = (require: string) => `for x in xs { ${require} call a.set(to: value(x)) }`;
    const { calls } = told(
      `program (xs: list<option<string>>) { ${loop('require isSome(x): "there"')} ${loop("")} }`,
    );
    expect(calls.map(({ args }) => args[0]?.value)).toEqual([
      "each element of the input `xs`",
      'each element of the input `xs` (taken as "" where there is none)',
    ]);
  });

  test("what could be overlooked in a constant is seen", () => {
    const { calls } = told('program () { call a.set(to: "a\\u202eb") }');
    expect(calls[0]?.args[0]?.value).toBe('"a\\u202eb"');
  });
});

function told(program: string, proof = walked): MayDo {
  const read = readDocument(`effect-ir 1\n\ntool a.set(to: string)\n\n${program}\n`);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return mayDo(read.value.checked, proof(read.value.checked));
}

describe("random programs", () => {
  const programs = fc.oneof(
    {
      weight: 2,
      arbitrary: anyProgram({
        failing: 10,
        fluents: 2,
        tools: 2,
        commands: 4,
        guarantees: 0,
        parallel: 1,
        fuel: 2,
      }),
    },
    { weight: 1, arbitrary: anyProgram({ failing: 10, guarantees: 0, parallel: 1 }) },
  );
  const seen = { calls: 0, constants: 0, sets: 0, never: 0, bounded: 0 };

  test("no run makes a call that was not said, or gives it something else", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const { checked } = program;
        for (const proof of [walked(checked), notFollowed]) {
          const said = mayDo(checked, proof);
          seen.never += said.calls.filter(({ when }) => when?.startsWith("never") === true).length;
          for (let seed = 0; seed < 4; seed++) {
            const { trace } = await runCase(other(program, seed));
            expectSaid(checked, said, trace);
          }
        }
      }),
      { numRuns: runs(250) },
    );
    for (const [what, n] of Object.entries(seen)) expect([what, n > atLeast(10)]).toEqual([what, true]);
  });

  function expectSaid(checked: Checked, said: MayDo, trace: readonly TraceEntry[]): void {
    const ids = idsIn(checked.document.program.body);
    const counts = new Map<string, number>();
    for (const { id, tool: name, args } of trace) {
      // Readings and pauses are told in a sentence of their own.
      if (isBuiltin(name)) continue;
      seen.calls++;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const number = ids.indexOf(id) + 1;
      const call = said.calls[number - 1];
      expect(call).toMatchObject({ number, tool: name });
      expect(call?.when?.startsWith("never")).not.toBe(true);
      const given = Object.entries(args.fields);
      for (const [arg, value] of given) {
        const words = call?.args.find((one) => one.name === arg);
        expect(words).toBeDefined();
        if (words?.isConstant !== true) continue;
        seen.constants++;
        expect(words.value).toBe(constantText(value));
      }
      // What is a constant is always given.
      for (const { name: arg, isConstant } of call?.args ?? [])
        if (isConstant) expect(given.map(([one]) => one)).toContain(arg);
      const tool = checked.tools.get(name);
      for (const { fluent } of tool?.sets ?? [])
        expect(said.fluents.find((one) => one.fluent === fluent)?.changedBy).toContain(number);
      for (const [arg, value] of given) {
        const answer = said.answers.find(({ question }) => isAbout(question, name, arg))?.answer;
        if (answer === undefined || answer.some((one) => one.startsWith("any "))) continue;
        seen.sets++;
        expect(answer).toContain(constantText(value));
      }
    }
    for (const [name, n] of counts) {
      const answer = said.answers.find(
        ({ question }) => question === `how often is \`${name}\` called?`,
      )?.answer;
      const [only] = answer ?? [];
      if (answer?.length !== 1 || only === undefined || only.includes(" for ")) continue;
      seen.bounded++;
      expect(n).toBeLessThanOrEqual(only.includes("once") ? 1 : Number(/\d+/.exec(only)?.[0]));
    }
  }
});

function isAbout(question: string, tool: string, arg: string): boolean {
  return question.includes(`\`${tool}\``) && question.includes(`\`${arg}\``);
}

function idsIn(commands: readonly Command[]): string[] {
  return commands.flatMap((command) =>
    command.kind === "call"
      ? isBuiltin(command.tool)
        ? []
        : [command.id]
      : bodiesOf(command).flatMap(idsIn),
  );
}

/** The same document with other inputs and other answers, from the initial state that a proof assumes. */
function other(program: ProgramCase, seed: number): ProgramCase {
  const chance = Chance.seeded(seed * 7919 + program.behaviour.seed);
  const inputs = someValue(chance, recordOf(program.document.program.inputs));
  if (!isRecord(inputs)) throw new TypeError("inputs are a record");
  const behaviour = { seed: chance.int(0, 2 ** 31 - 1), failing: chance.int(0, 30) };
  return { ...program, inputs, behaviour, initial: [] };
}

function textOf({ calls, fluents, answers }: MayDo): string {
  const lines = [
    ...calls.flatMap(({ number, tool, args, when, each, reads, line }) => [
      `${number} ${tool}${reads ? ", which reads" : ""}, line ${line}`,
      ...args.map(({ name, value, isConstant }) => `    ${name} ${isConstant ? "=" : "~"} ${value}`),
      ...(when === null ? [] : [`    when ${when}`]),
      ...(each === null ? [] : [`    for ${each}`]),
    ]),
    ...fluents.map(({ fluent, changedBy, text }) => `${fluent} [${changedBy.join()}]: ${text}`),
    ...answers.flatMap(({ question, answer }) => [question, ...answer.map((one) => `    ${one}`)]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
