/** Intersections of two languages agree with an enumeration of short texts. */
import { expect, it } from "vitest";
import { Automaton } from "./automaton.ts";
import { haveCommonText } from "./common.ts";
import { readPattern } from "./pattern.ts";

const patterns = [
  "^a*$",
  "^(?:ab)*$",
  "a",
  "^[^a]*$",
  "^a",
  "b$",
  "^a?b{1,2}$",
  "^$",
  "aa|bb",
  "^(?:a|b)(?:a|b)$",
  "[]",
];

function automaton(pattern: string): Automaton {
  const read = readPattern(pattern, { most: 1000 });
  if (!read.ok) throw new Error(pattern);
  return new Automaton(read.value);
}

/** All texts of up to five of three letters, one of which no pattern names. */
const texts = ["", ...[1, 2, 3, 4, 5].flatMap((length) => textsOf(length))];

function textsOf(length: number): string[] {
  return length === 0
    ? [""]
    : textsOf(length - 1).flatMap((text) => ["a", "b", "c"].map((one) => text + one));
}

it.each(patterns)("%s, with every other, in it or not", (pattern) => {
  const first = automaton(pattern);
  for (const other of patterns) {
    const second = automaton(other);
    for (const truth of [true, false]) {
      const found = haveCommonText(
        [
          { automaton: first, truth: true },
          { automaton: second, truth },
        ],
        1000,
      );
      const tried = texts.some((text) => first.accepts(text) && second.accepts(text) === truth);
      expect(found, `${other} ${truth}`).toBe(tried);
    }
  }
});

it("gives up rather than guess", () => {
  const members = ["^(?:a|b)*a(?:a|b){6}$", "^a*$"].map((one) => ({
    automaton: automaton(one),
    truth: true,
  }));
  expect(haveCommonText(members, 3)).toBeUndefined();
  expect(haveCommonText(members, 1000)).toBe(true);
});
