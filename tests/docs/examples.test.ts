import { describe, expect, test } from "vitest";
import { examplesOf, tryOut } from "./examples.ts";
import { blocksOf } from "./pages.ts";

const tool = "effect-ir 1\ntool pay.send(n: int)\n";

/** Returns the findings of the first example of a page with these blocks. */
async function findings(...blocks: readonly string[]) {
  const [example] = examplesOf(
    blocksOf({ path: "docs/a.md", text: `\`\`\`${blocks.join("\n```\n\n```")}\n\`\`\`\n` }),
  );
  const { problems, verdicts } = await tryOut(example!);
  return {
    codes: problems.map(({ code }) => code),
    verdicts: verdicts.map(({ said, found }) => [said, found]),
  };
}

describe("an example", () => {
  test("that is fine has no problems", async () => {
    expect(await findings(`eir ok\n${tool}`)).toEqual({ codes: [], verdicts: [] });
  });

  test("that is not has them", async () => {
    expect((await findings(`eir ok\n${tool}guarantee a.b(): count(p in pay.sent) == 0`)).codes).toEqual([
      "FC1203",
    ]);
  });

  test("is read within the limits it names", async () => {
    expect((await findings(`eir ok limits.textLength=5\n${tool}`)).codes).toEqual(["FC1401"]);
  });

  test("is run only with mocks", async () => {
    const program = `${tool}program () { call pay.send(n: 1) }`;
    const mocks = '{ "pay.send": { "fails": "no" } }';
    expect((await findings(`eir ok\n${program}`)).codes).toEqual([]);
    expect((await findings(`eir ok\n${program}`, `json mocks\n${mocks}`)).codes).toEqual(["FC1504"]);
  });

  test("is run on its inputs", async () => {
    const program = `effect-ir 1\nprogram (n: int) { require n > 1: "more" }`;
    const codes = async (inputs: string) =>
      (await findings(`eir ok\n${program}`, "json mocks\n{}", `json inputs\n${inputs}`)).codes;
    expect(await codes('{ "n": 2 }')).toEqual([]);
    expect(await codes('{ "n": 1 }')).toEqual(["FC1503"]);
    expect(await codes('{ "n": "2" }')).toEqual(["FC1608"]);
  });

  test("has the verdicts that are found, whatever its comments say", async () => {
    const text = `${tool}program () { call pay.send(n: 1) }
guarantee pay.one(): count(p in pay.send) == 1 // violated
guarantee pay.silent(): count(p in pay.send) == 0`;
    expect((await findings(`eir ok\n${text}`, "json mocks\n{}")).verdicts).toEqual([["violated", "holds"]]);
  });
});
