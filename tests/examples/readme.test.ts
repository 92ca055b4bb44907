/** The table of contents names every example, with its verdict and what it says of itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { domains, examples, expectedOf, folder, summaryOf } from "./examples.ts";

const readme = readFileSync(join(folder, "README.md"), "utf8");

describe("examples/README.md", () => {
  it.each(domains)("lists the programs of %s, in order", (domain) => {
    const expected = expectedOf(domain);
    const rows = examples
      .filter((example) => example.domain === domain)
      .map((example) => {
        const { name } = example;
        return `| [${name}](${domain}/${name}.ts) | ${expected[name]?.verdict} | ${summaryOf(example)} |`;
      });
    const listed = readme
      .split("\n")
      .filter((line) => line.startsWith("| [") && line.includes(`](${domain}/`) && line.includes(".ts) |"));
    expect(listed).toEqual(rows);
    expect(readme).toContain(`(#${domain})`);
  });

  it("has a sentence for every program", () => {
    for (const example of examples) expect(summaryOf(example), example.path).toMatch(/^[A-Z].*\.$/);
  });
});
