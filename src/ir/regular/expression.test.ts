/** The machine gives what JavaScript's own engine gives, in steps that grow with the text and no faster. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Chance } from "../../../tests/support/program/chance.ts";
import { runs } from "../../../tests/support/runs.ts";
import { type Expression, readExpression } from "./expression.ts";
import { machineOf } from "./machine.ts";
import { allMatches, expanded, firstMatch, replacedWith, splitBy } from "./matches.ts";

function read(written: string): Expression {
  const result = readExpression(written, 1000);
  if (!result.ok) throw new Error(`${written}: ${result.problem.message}`);
  return result.expression;
}

const free = () => {};

/** Every answer about one text, ours and the engine's. */
function both(source: string, flags: string, text: string): readonly [ours: unknown, theirs: unknown] {
  const expression = read(`/${source}/${flags}`);
  const machine = machineOf(expression);
  const once = new RegExp(source, flags);
  const each = new RegExp(source, `${flags}g`);
  const matches = allMatches(machine, text, free);
  const template = "[$1|$&|$$|$2$10|$'|$`|$<a>|$0|$x]";
  const first = firstMatch(machine, text, free);
  const found = once.exec(text);
  const always = expression.always.every(
    (is, i) => !is || matches.every((one) => one.parts[i + 1] !== undefined),
  );
  const hasOpenGroup = expression.always.some((is) => !is);
  return [
    {
      first: first && [first.index, ...first.parts],
      all: matches.map(({ index, parts }) => [index, ...parts]),
      split: hasOpenGroup ? [] : splitBy(machine, text, free),
      replaced: replacedWith(text, matches, (one) => expanded(template, text, one, expression.names), free),
      always,
    },
    {
      first: found === null ? undefined : [found.index, ...found],
      all: [...text.matchAll(each)].map((one) => [one.index, ...one]),
      split: hasOpenGroup ? [] : text.split(once),
      replaced: text.replace(each, template),
      always: true,
    },
  ];
}

const cases: readonly (readonly [source: string, flags: string, text: string])[] = [
  ["(a*)*", "", "b"],
  ["(a*)*", "", "aab"],
  ["(a*)+", "", "b"],
  ["(?:a*?)*b", "", "aab"],
  ["(a*)?", "", "b"],
  ["(?:(a)|b)*", "", "ab"],
  ["(z)((a+)?(b+)?(c))*", "", "zaacbbbcac"],
  ["(a|ab)(c|bcd)(d*)", "", "abcd"],
  ["a+?", "", "aaa"],
  ["(?:a|)*b", "", "aab"],
  ["(?:|a)*b", "", "aab"],
  ["(?:|a)+", "", "aa"],
  ["(|a){2,3}", "", "aaa"],
  ["((a?)*)*", "", "aaa"],
  ["(?:a?){2,4}?b", "", "aab"],
  ["^", "m", "a\nb"],
  ["$", "m", "a\r\nb"],
  ["\\b", "", "ab cd"],
  ["\\B", "", "ab cd"],
  ["\\bfoo\\b", "i", "a Foo, food"],
  ["(?<a>\\d{4})-(?<b>\\d\\d)", "", "x 2024-05 y"],
  ["\\B(?=(?:\\d{3})+(?!\\d))", "", "1234567.1234"],
  ["(?<=\\$)\\d+", "", "a $42 b 7"],
  ["(?<!\\$)\\b\\d+", "", "a $42 b 7"],
  ["(?=a*b)a+", "", "aac aab"],
  ["(?!.*x)[a-z]+$", "", "axb cde"],
  ["\\u{1f600}|.", "u", "\u{1f600}a\ud83d"],
  [".", "", "\u{1f600}"],
  ["[^a]", "u", "\u{1f600}"],
  ["\\p{L}+", "u", "äé1"],
  ["\\ud83d\\ude00", "u", "\u{1f600}"],
  ["ſ", "i", "sS"],
  ["ſ", "iu", "sS"],
  ["\\w+", "iu", "\u017f\u212a"],
  ["\\b", "iu", "\u017f"],
  ["[\\s\\S]", "", "\n"],
  [".", "s", "\n"],
  ["a{,3}", "", "a{,3}"],
  ["x{1F}", "", "x{1F}"],
  ["]", "", "]"],
  ["[]", "", "a"],
  ["[^]", "", "a"],
  ["", "", "abc"],
  ["", "u", "a\u{1f600}"],
  ["(?:)", "", ""],
  ["\\u{2}", "", "uu"],
  ["\\cA|\\x41|\\0", "", "\u0001A\0"],
  ["\\-\\_\\a", "", "-_a"],
  ["(?:a(b)?)+", "", "abaab"],
  ["(?:(a)|(b)|(c))+", "", "abc"],
  ["a|ab|abc", "", "abc"],
  ["(a+)(b*)\\d??", "", "aab1"],
];

it.each(cases)("/%s/%s on %j", (source, flags, text) => {
  const [ours, theirs] = both(source, flags, text);
  expect(ours).toEqual(theirs);
});

describe("any expression", () => {
  it("matches as in JavaScript", () => {
    let tried = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const chance = Chance.seeded(seed);
        const source = someSource(chance, 4);
        const flags = ["i", "m", "s", "u"].filter(() => below(chance, 4) === 0).join("");
        for (let i = 0; i < 4; i++) {
          // With `u`, V8 also finds empty matches between the halves of a character, against the specification.
          const text = someText(chance).replaceAll("\u{1f600}", flags.includes("u") ? "é" : "\u{1f600}");
          const [ours, theirs] = both(source, flags, text);
          expect(ours, `/${source}/${flags} on ${JSON.stringify(text)}`).toEqual(theirs);
          tried++;
        }
      }),
      { numRuns: runs(1500) },
    );
    expect(tried).toBeGreaterThan(0);
  });
});

const characters = ["a", "b", "A", "1", " ", "\n", "_", "é", "\u{1f600}", "-"];

const below = (chance: Chance, end: number): number => chance.int(0, end - 1);

function someText(chance: Chance): string {
  return Array.from({ length: below(chance, 9) }, () => chance.pick(characters)).join("");
}

function someSource(chance: Chance, depth: number, inLook = false): string {
  if (depth === 0 || below(chance, 3) === 0)
    return chance.pick(["a", "b", "A", "1", ".", "\\w", "\\d", "\\s", "[ab]", "[^a]", "é", "[a-c1]", "\\W"]);
  const part = () => someSource(chance, depth - 1, inLook);
  switch (below(chance, 9)) {
    case 0:
    case 1:
      return part() + part();
    case 2:
      return `(?:${part()}|${part()})`;
    case 3:
      return inLook ? `(?:${part()})` : `(${part()})`;
    case 4:
      return `(?:${part()}|)`;
    case 5:
    case 6:
      return `(?:${part()})${chance.pick(["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}"])}${chance.pick(["", "", "?"])}`;
    case 7:
      return chance.pick(["^", "$", "\\b", "\\B"]) + part();
    default:
      return `${part()}(?${chance.pick(["=", "!", "<=", "<!"])}${someSource(chance, depth - 1, true)})${part()}`;
  }
}

describe("what is refused", () => {
  it.each([
    ["/(a)\\1/", "refers to what a group matched"],
    ["/(?<x>a)\\k<x>/", "refers to what a group matched"],
    ["/a/y", "the flag `y`"],
    ["/a/v", "the flag `v`"],
    ["/(?=(a))/", "cannot keep what it matched"],
    ["/(?i:a)/", "this kind of group"],
    ["/a{1000}{2}/", "too big|repeated again"],
    ["/(?:(?:a{30}){30}){30}/", "too big"],
    ["/a**/", "repeated again"],
    ["/*/", "nothing to repeat"],
    ["/(/", "not closed"],
    ["/)/", "not opened"],
    ["/[b-a]/", "not a regular expression of JavaScript"],
    ["/(?<x>a)(?<x>b)/", "two groups are named"],
    ["/\\-/u", "not a regular expression of JavaScript"],
    ["abc", "between slashes|not a regular expression"],
  ])("%s", (written, why) => {
    const result = readExpression(written, 1000);
    expect(result.ok ? "read" : `${result.problem.message} ${result.problem.help ?? ""}`).toMatch(
      new RegExp(why),
    );
  });
});

describe("steps", () => {
  function stepsOf(written: string, text: string): number {
    let steps = 0;
    firstMatch(machineOf(read(written)), text, (units) => {
      steps += units;
    });
    return steps;
  }

  it.each([
    ["/(a+)+b/", "a"],
    ["/(a|a)*b/", "a"],
    ["/(?:a?){20}a{20}b/", "a"],
    ["/(a*)*b/", "a"],
    ["/((a*)*)*b/", "a"],
    ["/(?:a{1,5}){1,5}b/", "a"],
    ["/(?=a*b)c/", "a"],
    ["/(?<=a*b)c/", "a"],
    ["/(?!(?:a+)+b)x/", "a"],
    ["/^(?:\\s*a\\s*)*$/", "a "],
  ])("%s takes steps in proportion to the text", (written, unit) => {
    const [short, long] = [stepsOf(written, unit.repeat(500)), stepsOf(written, unit.repeat(5000))];
    expect(long / short).toBeLessThan(11);
  });
});
