/** The order of texts is that of Unicode's root collation, as far as it says. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { type CollationOptions, collationKey } from "./collation.ts";

const ascii = Array.from({ length: 128 }, (_, i) => String.fromCharCode(i));
const latin = Array.from({ length: 0x2af - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i)).filter((one) =>
  /^[a-z][\u0300-\u0338]+$/i.test(one.normalize("NFD")),
);
const others = [..."æÆœŒßøØđĐħĦłŁðÐ\u0085\u2028\u2029"];
const characters = [...ascii, ...latin, ...others];

function ours(a: string, b: string, options: CollationOptions): number {
  const [x, y] = [collationKey(a, options), collationKey(b, options)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const settings = [
  { options: { isNumeric: false, levels: 3 }, theirs: new Intl.Collator("en") },
  { options: { isNumeric: true, levels: 3 }, theirs: new Intl.Collator("en", { numeric: true }) },
  { options: { isNumeric: false, levels: 1 }, theirs: new Intl.Collator("en", { sensitivity: "base" }) },
  { options: { isNumeric: false, levels: 2 }, theirs: new Intl.Collator("en", { sensitivity: "accent" }) },
] as const;

it.each(settings)("$options: every two characters", ({ options, theirs }) => {
  const keys = characters.map((one) => collationKey(one, options));
  const wrong: string[] = [];
  characters.forEach((a, i) => {
    characters.forEach((b, j) => {
      const [x = "", y = ""] = [keys[i], keys[j]];
      const sign = x < y ? -1 : x > y ? 1 : 0;
      if (sign !== Math.sign(theirs.compare(a, b))) wrong.push(JSON.stringify([a, b]));
    });
  });
  expect(wrong).toEqual([]);
});

it.each(settings)("$options: any two texts", ({ options, theirs }) => {
  const some = fc.oneof(
    fc.constantFrom(..."aAbB09 -.eE_"),
    fc.constantFrom(..."áÁéèêñüæßoøO"),
    fc.constantFrom(...characters),
  );
  const text = fc.array(some, { maxLength: 7 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(ours(a, b, options), JSON.stringify([a, b])).toBe(Math.sign(theirs.compare(a, b)));
    }),
    { numRuns: runs(3000) },
  );
});

it("puts what it does not know after all else, by code points", () => {
  const options = { isNumeric: false, levels: 3 } as const;
  const sorted = ["z", "Ω", "я", "中", "\u{1f600}", "\ud800"].sort((a, b) => ours(a, b, options));
  expect(sorted).toEqual(["z", "Ω", "я", "中", "\ud800", "\u{1f600}"]);
});
