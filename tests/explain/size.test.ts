/** Sentences of formulas that are large, deep, or made to take long. */
import { describe, expect, test } from "vitest";
import { sentence } from "../../src/explain/english.ts";
import { mostCharacters } from "../../src/explain/text.ts";
import { formulaOf, readGolden } from "./golden.ts";

const { checked } = readGolden();

/** The formula in itself, so often. */
function nested(depth: number, around: (inner: string, level: number) => string, start = "vip"): string {
  let text = start;
  for (let level = 0; level < depth; level++) text = around(text, level);
  return text;
}

const wide = Array.from({ length: 5000 }, (_, i) => `"${i}@x.org"`).join(", ");

describe("take no longer than they are long", () => {
  test.each([
    ["a long list", `forall e in email.send: contains([${wide}], e.addr)`],
    ["a long string", `forall e in email.send: e.addr == "${"x\\u202e".repeat(50_000)}"`],
    ["many parts", Array.from({ length: 2000 }, (_, i) => `count(e in email.send) <= ${i}`).join(" and ")],
    [
      "too many parts",
      Array.from({ length: 6000 }, (_, i) => `count(e in email.send) <= ${i}`).join(" and "),
    ],
    ["counts in conditions", nested(60, (inner, i) => `0 < count(e${i} in email.send where ${inner})`)],
    [
      "numbers in conditions",
      nested(
        40,
        (inner, i) =>
          `exists e${i} in email.send: length(e${i}.msg) + count(f${i} in email.send where ${inner}) > limit and vip`,
      ),
    ],
    [
      "keys in keys",
      nested(
        40,
        (inner, i) =>
          `forall n${i} = count(e${i} in email.send by count(f${i} in email.send where ${inner})): n${i} < 2`,
      ),
    ],
    [
      "quantifiers",
      nested(100, (inner, i) => `forall e${i} in email.send: exists f${i} in chat.post: ${inner} or vip`),
    ],
    ["negations", nested(300, (inner) => `not (${inner})`)],
    ["alternatives", nested(100, (inner, i) => `${i % 2 === 0 ? "vip or" : "vip and"} (${inner})`)],
  ])("%s", (_, text) => {
    const { expr, judged } = formulaOf(checked, text);
    const started = performance.now();
    const said = sentence(expr, judged);
    const full = sentence(expr, judged, { full: true });
    expect(performance.now() - started).toBeLessThan(5000);
    expect(said.length).toBeLessThanOrEqual(mostCharacters);
    expect(full.length).toBeLessThan(40 * text.length + 1000);
    if (full.length > mostCharacters) expect(said).toContain("…");
  });
});

test("a cut says how much is missing, and cuts neither names nor strings", () => {
  const text = Array.from({ length: 100 }, (_, i) => `exists p in net.post: p.url == "number ${i} of many"`);
  const { expr, judged } = formulaOf(checked, text.map((one) => `(${one})`).join(" or "));
  const said = sentence(expr, judged);
  expect(said).toMatch(/ … \(cut here: \d+ more characters must be read before this is approved\)$/);
  expect((said.match(/`/g) ?? []).length % 2).toBe(0);
  expect((said.match(/"/g) ?? []).length % 2).toBe(0);
  expect(sentence(expr, judged, { full: true })).not.toContain("…");
});
