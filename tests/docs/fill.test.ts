import { describe, expect, test } from "vitest";
import { outputsOf, regionsOf, withRegions, withTexts } from "./fill.ts";
import { blocksOf } from "./pages.ts";

const page = {
  path: "docs/a.md",
  text: "```eir ok\na\n```\n\n```json mocks\n{}\n```\n\n```text output\nold\nold\n```\n\n<!-- made: x -->\nold\n<!-- end -->\n",
};

describe("made parts of pages", () => {
  test("an output belongs to the example above its mocks", () => {
    expect(outputsOf(page).map(({ output, of }) => [output.line, of.line])).toEqual([[9, 1]]);
  });

  test("a block can be given another text", () => {
    const [document, , output] = blocksOf(page);
    const changed = withTexts(
      page,
      new Map([
        [document!, "a\nb\n"],
        [output!, "new\n"],
      ]),
    );
    const texts = blocksOf({ ...page, text: changed }).map(({ text }) => text);
    expect(texts).toEqual(["a\nb\n", "{}\n", "new\n"]);
  });

  test("a region can be given another text", () => {
    expect(regionsOf(page)).toEqual(["x"]);
    const changed = withRegions(page, (name) => `new ${name}`);
    expect(changed).toContain("<!-- made: x -->\n\nnew x\n\n<!-- end -->\n");
    expect(withRegions({ ...page, text: changed }, (name) => `new ${name}`)).toBe(changed);
  });
});
