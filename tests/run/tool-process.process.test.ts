/** Tools run in a process of their own: one that ends it, blocks it or returns no data does not take the run with it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, foreclaim } from "../cli/built.ts";

const tools = `
import { contract, tool } from "foreclaim";
export const exit = tool({ run: async (_: {}): Promise<void> => { process.exit(0); } });
export const spin = tool({ run: async (_: {}): Promise<void> => { for (;;) {} } });
export const code = tool({ run: async (_: {}): Promise<string> => (() => 1) as never });
export const stray = tool({
  run: async (_: {}): Promise<void> => {
    setTimeout(() => { throw new Error("later"); }, 1);
    await new Promise((done) => setTimeout(done, 5_000));
  },
});
export const say = tool({
  run: async ({ text }: { text: string }): Promise<string> => { console.log("said " + text); return text; },
  undo: async ({ text }: { text: string }): Promise<void> => { console.log("took back " + text); },
});
export const nothing = contract(() => true);
`;
const folder = mkdtempSync(join(tmpdir(), "foreclaim-tools-"));
beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "tools/w.ts"), tools);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["exit", "in doubt", "the process of the tool has ended", false],
  ["stray", "in doubt", "the process of the tool has ended", false],
  ["spin", "in doubt", "it timed out after 1000 ms", false],
  ["code", "stopped", "returned a wrong value", true],
])(
  "a tool that does `%s`",
  async (name, outcome, reason, isUndone) => {
    const program = `
import { program } from "foreclaim";
import * as w from "./tools/w";
export default program({
  guarantees: [w.nothing()],
  async run() {
    await w.say({ text: "first" });
    await w.${name}({});
    await w.say({ text: "second" });
  },
});
`;
    writeFileSync(join(folder, `${name}.ts`), program);
    const args = ["run", `${name}.ts`, "--yes", "--json", "--call-timeout", "1"];
    const { code, out, err } = await foreclaim(args, { cwd: folder });
    expect(code).toBe(4);
    const report = JSON.parse(out);
    expect(report.outcome).toBe(outcome);
    expect(report.calls).toHaveLength(2);
    expect(report.calls[1].reason).toContain(reason);
    expect(err).toContain("said first");
    expect(err).not.toContain("said second");
    expect(err.includes("took back first")).toBe(isUndone);
  },
  60_000,
);
