/** Random patterns, mostly good ones, and texts that they often match. */
import fc from "fast-check";

const letters = [
  "a",
  "b",
  "c",
  "A",
  "Z",
  "0",
  "9",
  "_",
  "-",
  " ",
  ",",
  "é",
  "\u{1f600}",
  "\ud83d",
  "\ude00",
  "\u2028",
];
const escapes = ["\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\.", "\\n", "\\t", "\\r", "\\f", "\\v", "\\0"];
const codes = [
  "\\x41",
  "\\u0061",
  "\\ud83d",
  "\\uFEFF",
  "\\/",
  "\\-",
  "\\]",
  "\\[",
  "\\^",
  "\\$",
  "\\@",
  "\\|",
];
const quantifiers = [
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "??",
  "{0}",
  "{2}",
  "{1,}",
  "{0,2}",
  "{1,3}?",
  "{2,}?",
  "{0,0}",
];
const ranges = [
  "a-c",
  "A-Z",
  "0-9",
  "a-z",
  "\\x00-\\x1f",
  "\\ud800-\\udfff",
  " -~",
  "^",
  "-",
  "[",
  "{",
  "$",
  ".",
];

const classItem = fc.oneof(
  fc.constantFrom(...letters.filter((one) => one !== "-")),
  fc.constantFrom(...ranges),
  fc.constantFrom(...escapes),
  fc.constantFrom(...codes),
);
const characterClass = fc
  .tuple(fc.constantFrom("", "", "^"), fc.array(classItem, { maxLength: 4 }), fc.constantFrom("", "-"))
  .map(([not, items, last]) => `[${not}${items.join("")}${last}]`);

const atom = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...letters) },
  { weight: 2, arbitrary: fc.constantFrom(...escapes, ...codes, ".") },
  { weight: 2, arbitrary: characterClass },
);

const { alternatives } = fc.letrec<{ alternatives: string; sequence: string; part: string }>((tie) => ({
  alternatives: fc
    .array(tie("sequence"), { minLength: 1, maxLength: 3, depthIdentifier: "pattern" })
    .map((parts) => parts.join("|")),
  sequence: fc
    .tuple(
      fc.constantFrom("", "", "", "^"),
      fc.array(tie("part"), { maxLength: 4, depthIdentifier: "pattern" }),
      fc.constantFrom("", "", "", "$"),
    )
    .map(([start, parts, end]) => start + parts.join("") + end),
  part: fc
    .tuple(
      fc.oneof(
        { depthIdentifier: "pattern", depthSize: "small" },
        { weight: 4, arbitrary: atom },
        { weight: 1, arbitrary: tie("alternatives").map((inner) => `(${inner})`) },
        { weight: 1, arbitrary: tie("alternatives").map((inner) => `(?:${inner})`) },
      ),
      fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.constantFrom(...quantifiers)),
    )
    .map(([of, count]) => of + count),
}));

/** Some are refused, such as those with an anchor in the middle. */
export const anyPattern: fc.Arbitrary<string> = alternatives;

/** Some of these are no patterns of JavaScript either. */
export const anyBrokenPattern: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."()[]{}|*+?^$.\\-,:=!<"),
      fc.constantFrom(..."abdwkpucx019 é"),
      fc.constantFrom("(?:", "{2}", "[a-z]", "\\d", "{,2}", "(?=", "(?<", "\\u{61}", "\\p{L}", "\\b", "\\1"),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...letters) },
      fc.constantFrom(
        "\n",
        "\r",
        "\t",
        "\u2029",
        "\ufeff",
        "\u00a0",
        "\0",
        "\v",
        "]",
        "[",
        "^",
        "$",
        ".",
        "/",
        "@",
        "|",
        "\\",
        "\x1f",
        "\uffff",
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
