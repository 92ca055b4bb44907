/** The cookbook has every policy of the examples, and every program with its verdict. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { expectedOf, folder } from "../examples/examples.ts";

const page = readFileSync(join(ROOT, "docs/how-to/policy-cookbook.md"), "utf8");
const modules = join(folder, "policies/tools");

it.each(readdirSync(modules))("quotes the contracts of %s", (file) => {
  const text = readFileSync(join(modules, file), "utf8");
  const names = Array.from(text.matchAll(/^export const (\w+) = contract\(/gm), ([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !page.includes(`export const ${name} = contract(`))).toEqual([]);
});

it("lists every program with its verdict", () => {
  const listed = Array.from(
    page.matchAll(/^- (\w+): \[([\w-]+)\]\(\.\.\/\.\.\/examples\/policies\/\2\.ts\)/gm),
    ([, verdict = "", name = ""]) => [name, verdict] as const,
  );
  const found = Object.entries(expectedOf("policies")).map(([name, { verdict }]) => [name, verdict] as const);
  expect(new Map(listed)).toEqual(new Map(found));
});

it("has a program that keeps each policy, and one that does not", () => {
  const sections = page.split(/^### /m).slice(1);
  expect(sections.length).toBeGreaterThanOrEqual(30);
  for (const section of sections) {
    const [title] = section.split("\n");
    for (const part of ["- proved: [", "- refuted: [", "- not covered: "])
      expect(section, title).toContain(`\n${part}`);
  }
});
