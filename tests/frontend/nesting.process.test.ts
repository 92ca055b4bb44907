/** No source, however it is nested, takes the process with it. Each test would end this one if it did. */
import { describe, expect, it } from "vitest";
import { compileLab, sourceOf } from "./lab.ts";

const times = (n: number, open: string, inside: string, close = "") =>
  open.repeat(n) + inside + close.repeat(n);

const constructs: Record<string, (n: number) => string> = {
  parentheses: (n) => `x = ${times(n, "(", "1", ")")};`,
  arrays: (n) => `x = ${times(n, "[", "1", "]")};`,
  objects: (n) => `x = ${times(n, "{a:", "1", "}")};`,
  blocks: (n) => times(n, "{", "", "}"),
  negations: (n) => `x = ${times(n, "!", "1")};`,
  "minus signs": (n) => `x = ${times(n, "- ", "1")};`,
  awaits: (n) => `x = ${times(n, "await ", "1")};`,
  arrows: (n) => `x = ${times(n, "a=>", "1")};`,
  choices: (n) => `x = ${times(n, "a?b:", "1")};`,
  conditions: (n) => `${times(n, "if(a)", ";")}`,
  "else branches": (n) => times(n, "if(a);else ", ";"),
  templates: (n) => `x = ${times(n, "`${", "1", "}`")};`,
  assignments: (n) => `${times(n, "x=", "1")};`,
  calls: (n) => `x = ${times(n, "f(", "", ")")};`,
  types: (n) => `type T = ${times(n, "A<", "A", ">")};`,
  "types of keys": (n) => `type T = ${times(n, "keyof ", "A")};`,
  functions: (n) => `x = ${times(n, "function(){return ", "1", "}")};`,
  classes: (n) => `x = ${times(n, "class{a=", "1", "}")};`,
  namespaces: (n) => times(n, "namespace a{", "", "}"),
  "brackets behind brackets in texts": (n) => `x = ${times(n, '(")",', "1", ")")};`,
  "brackets behind a quote in a pattern": (n) => `x = /[\`"']/; x = ${times(n, "(", "1", ")")};`,
};

describe("nested", () => {
  it.each(
    Object.entries(constructs).flatMap(([name, write]) =>
      [3_000, 100_000].map((n) => [name, n, write] as const),
    ),
  )("%s, %i deep", { timeout: 60_000 }, (_, n, write) => {
    const compiled = compileLab(sourceOf({ body: write(n) }));
    // A type that nothing uses may be as deep as it can be read.
    if (n > 3_000) expect(compiled).toHaveProperty("problems");
  });
});

it("takes a long list for what it is", { timeout: 60_000 }, () => {
  const people = Array.from({ length: 5_000 }, (_, i) => `{ name: "user ${i}", mail: "u${i}@example.org" }`);
  const compiled = compileLab(
    sourceOf({ body: `const people = [${people.join(", ")}];\nawait lab.put({ n: people.length });` }),
  );
  expect(compiled).toHaveProperty("document");
});
