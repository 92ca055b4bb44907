/** The example agents, as users start them: the person says yes, or no. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build, finished, root } from "../cli/built.ts";
import { folder } from "./shop.ts";

beforeAll(build);

const agents = readdirSync(folder).filter((file) => file.endsWith(".mjs") && file !== "task.mjs");

describe("example agents", () => {
  it("has one for each SDK", () => {
    expect(agents).toEqual(["ai-sdk.mjs", "claude.mjs", "langchain.mjs", "openai-agents.mjs"]);
  });

  it.each(agents)("%s pays if the person says yes, and only then", async (file) => {
    const start = (answer: string) => finished(spawn(process.execPath, [file, answer], { cwd: folder }));
    const [yes, no] = await Promise.all([start("yes"), start("no")]);
    expect(yes).toMatchObject({ code: 0, err: "paid 40 to paper & co\n" });
    expect(yes.out).toContain("refuted: the sum of `amount` over all calls of `shop.pay` is at most 100");
    expect(yes.out).toContain("| May this program run?");
    expect(yes.out.trimEnd().split("\n").at(-1)).toBe("  -> done: paid a-1");
    expect(no).toMatchObject({ code: 0, err: "" });
    expect(no.out).toContain("the person says no");
    expect(no.out).not.toContain("done:");
  });

  it("code-mode/unasked.mjs pays unasked with the SDK alone, and never with Foreclaim; the README shows it", async () => {
    const { code, out } = await finished(spawn(process.execPath, ["code-mode/unasked.mjs"], { cwd: folder }));
    expect(code).toBe(0);
    expect(out.match(/paid/g)).toHaveLength(1);
    expect(out).toContain(
      "2. the model writes code that calls `pay`\n  paid 900 to eve\n  nobody is asked\n",
    );
    const [shown = ""] = out.split("4. ");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`\`\`\`text\n${shown}\`\`\``);
    expect(out.trimEnd().endsWith("a person is asked, and says no")).toBe(true);
  });
});
