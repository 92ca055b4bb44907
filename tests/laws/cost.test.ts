/** Programs that are written to take forever, or all the memory, are stopped for it in good time. */
import { describe, expect, test } from "vitest";
import { defaultLimits } from "../../src/ir/limits.ts";
import { readDocument } from "../../src/ir/read.ts";
import { run } from "../../src/ir/run/interpret.ts";
import { record } from "../../src/ir/value.ts";
import { timeout } from "../support/timeout.ts";

/** A twentieth of what is allowed: each unit of work may then take many times as long as it should. */
const limits = { ...defaultLimits, steps: defaultLimits.steps / 20 };
const maxSeconds = 8;

const doubled = (times: number) => `fold(range(${times}), "a", (t: string, i) => t ++ t)`;
const shared = (depth: number, last: string) =>
  [
    "let x0 = [1, 1]",
    ...Array.from({ length: depth }, (_, i) => `let x${i + 1} = [x${i}, x${i}]`),
    last.replaceAll("LAST", `x${depth}`),
  ].join("\n");

describe("it ends in time", () => {
  test.each<[string, string]>([
    [
      "a search that nearly succeeds everywhere",
      `let h = ${doubled(17)}\nlet a = contains(h ++ h ++ h ++ h, h ++ "b" ++ h)`,
    ],
    [
      "the same, many times",
      `let h = ${doubled(15)}\nlet a = every(range(100000), x => not contains(h ++ h, h ++ "b" ++ h))`,
    ],
    ["where it is", `let h = ${doubled(17)}\nlet a = indexOf(h ++ h ++ h, h ++ "b" ++ h)`],
    ["splitting", `let h = ${doubled(17)}\nlet a = split(h ++ h ++ h, h ++ "b" ++ h)`],
    [
      "replacing",
      `let h = ${doubled(17)}\nlet a = replaceFirst(h ++ h, h ++ "b", "") ++ replaceAll(h ++ h ++ h, h ++ "b" ++ h, "")`,
    ],
    ["strings that grow", 'for x in range(1000) carry s: string = "a" { next s = s ++ s }'],
    ["lists that grow", "for x in range(1000) carry l: list<int> = [1] { next l = l ++ l }"],
    [
      "lists of lists that grow",
      "for x in range(1000) carry l: list<int> = [1, 2] { next l = flatMap(l, y => l) }",
    ],
    ["numbers that grow", "for x in range(1000) carry n: int = 7 { next n = n * n }"],
    ["fractions that grow", "for x in range(1000000) carry n: real = 0 { next n = n + 1 / (x + 1) }"],
    [
      "sums of long fractions",
      "let long = fold(range(14), 1 / 3, (n: real, x) => n * n)\nlet a = total(map(range(100000), x => long + x))",
    ],
    [
      "long numbers written out",
      "let long = fold(range(14), 7, (n: int, x) => n * n)\nlet a = map(range(100000), x => textOf(long + x))",
    ],
    [
      "long numbers compared",
      "let long = fold(range(14), 7, (n: int, x) => n * n)\nlet a = filter(range(1000000), x => long + x > long * 2)",
    ],
    [
      "remainders of long numbers",
      "let long = fold(range(14), 7, (n: int, x) => n * n)\nlet a = map(range(100000), x => remainder(long, x + 3))",
    ],
    [
      "loops in loops",
      "for a in range(10000) { for b in range(10000) { for c in range(10000) { let d = a } } }",
    ],
    [
      "functions in functions",
      "let a = every(range(10000), x => every(range(10000), y => every(range(10000), z => true)))",
    ],
    ["shared values as JSON", shared(38, "let a = json(LAST)")],
    ["shared values as JSON, compared", shared(38, "let a = json(LAST) == json([LAST, LAST])")],
    ["shared values without those that are equal", shared(38, "let a = unique([LAST, LAST])")],
    ["shared values compared with themselves", shared(38, "let a = LAST == map(LAST, y => y)")],
    [
      "many long strings, without those that are equal",
      `let h = ${doubled(19)}\nlet a = unique(map(range(100000), x => h ++ textOf(x)))`,
    ],
    [
      "many long strings in order",
      `let h = ${doubled(19)}\nlet a = filter(range(100000), x => h ++ "a" < h ++ "b")`,
    ],
    ["cases of long strings", `let h = ${doubled(19)}\nlet a = map(range(100000), x => toUpperCase(h))`],
    ["long lists turned round", "let l = range(900000)\nlet a = map(range(10000), x => reverse(l))"],
    ["long lists looked through", "let l = range(900000)\nlet a = map(range(10000), x => indexOf(l, 0 - 1))"],
    ["long lists with their positions", "let l = range(900000)\nlet a = map(range(10000), x => entries(l))"],
    ["parts of long lists", "let l = range(900000)\nlet a = map(range(10000), x => slice(l, 1, 900000))"],
    ["positions of long lists", "let l = range(900000)\nlet a = map(range(400000), x => at(l, x))"],
    ["long strings in parts", `let h = ${doubled(19)}\nlet a = map(range(10000), x => split(h, ""))`],
    [
      "strings put together",
      'let l = map(range(900000), x => "ab")\nlet a = map(range(10000), x => joinText(l, ""))',
    ],
  ])("%s", { timeout: timeout(60) }, async (_, commands) => {
    const read = readDocument(`effect-ir 1\nprogram () {\n${commands}\n}\n`);
    if (!read.ok) throw new Error(read.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
    const start = performance.now();
    const { outcome } = await run(read.value.checked, { inputs: record([]), tools: new Map(), limits });
    const seconds = (performance.now() - start) / 1000;
    if (outcome.kind === "stopped") expect(outcome.problem.code).toMatch(/^FC14/);
    expect(seconds).toBeLessThan(maxSeconds);
  });
});
