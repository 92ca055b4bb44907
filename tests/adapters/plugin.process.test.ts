/** The plugin for Claude Code: its files, and its hook as a process. */
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build, finished, root } from "../cli/built.ts";
import { careful, careless, folder as shopFolder } from "./shop.ts";

const plugin = join(root, "integrations/claude-code");
const json = (file: string) => JSON.parse(readFileSync(join(plugin, file), "utf8"));

beforeAll(build);

describe("the plugin", () => {
  it("has the files that a plugin has, in their shapes", () => {
    const { name, version, description } = json(".claude-plugin/plugin.json");
    const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect({ name, version }).toEqual({ name: own.name, version: own.version });
    expect(description).not.toBe("");
    expect(own.files).toContain("integrations/claude-code");
    const { command, args } = json(".mcp.json").mcpServers.foreclaim;
    expect([command, ...args]).toEqual(["npx", "--no-install", "foreclaim", "mcp"]);
    const [entry] = json("hooks/hooks.json").hooks.PreToolUse;
    expect(new RegExp(`^${entry.matcher}$`).test("mcp__foreclaim__run")).toBe(true);
    expect(entry.hooks).toMatchObject([
      { type: "command", command: expect.stringContaining("foreclaim hook") },
    ]);
    const skill = readFileSync(join(plugin, "skills/foreclaim/SKILL.md"), "utf8");
    expect(skill).toMatch(/^---\nname: foreclaim\ndescription: \S.{50,1000}\n---\n/);
    for (const [, link = ""] of readFileSync(join(plugin, "README.md"), "utf8").matchAll(/\]\(([^)]+)\)/g))
      expect(existsSync(join(plugin, link)), link).toBe(true);
  });

  it("blocks the call if its hook cannot be started", async () => {
    const { command } = json("hooks/hooks.json").hooks.PreToolUse[0].hooks[0];
    const there = mkdtempSync(join(tmpdir(), "foreclaim-hook-"));
    const { code } = await finished(
      spawn("sh", ["-c", command], { cwd: there, env: { PATH: process.env.PATH } }),
    );
    expect(code).toBe(2);
  });
});

describe("the hook", () => {
  const project = mkdtempSync(join(tmpdir(), "foreclaim-hook-"));
  cpSync(join(shopFolder, "tools"), join(project, "tools"), { recursive: true });
  writeFileSync(
    join(project, "foreclaim.json"),
    JSON.stringify({ mcp: { servers: { bank: { command: "bank" } } } }),
  );

  const decide = async (event: unknown, cwd = project) => {
    const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), "hook"], { cwd });
    child.stdin.end(typeof event === "string" ? event : JSON.stringify(event));
    const { code, out, err } = await finished(child);
    return { code, err, ...(out === "" ? {} : JSON.parse(out).hookSpecificOutput) };
  };
  const call = (tool_name: string, tool_input: object) =>
    decide({ session_id: "s", hook_event_name: "PreToolUse", tool_name, tool_input });

  it("denies a program that is refuted, and says which guarantee fails", async () => {
    expect(await call("mcp__foreclaim__run", { program: careless })).toMatchObject({
      code: 0,
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining(
        "the sum of `amount` over all calls of `shop.pay` is at most 100",
      ),
    });
  });

  it("asks the person about a program that is proved, with what is proved", async () => {
    expect(await call("mcp__plugin_foreclaim_foreclaim__run", { program: careful })).toMatchObject({
      code: 0,
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("proved: every `shop.pay` has `payee` equal to"),
    });
  });

  it("denies direct calls of servers that programs use, and says nothing of others", async () => {
    expect(await call("mcp__bank__pay", {})).toMatchObject({ code: 0, permissionDecision: "deny" });
    expect(await call("mcp__other__look", {})).toEqual({ code: 0, err: "" });
    expect(await call("mcp__foreclaim__prove", {})).toMatchObject({ code: 0, permissionDecision: "allow" });
  });

  it("blocks what it cannot read", async () => {
    expect(await decide("not json")).toMatchObject({ code: 2 });
    expect(await decide({ tool_name: 5 })).toMatchObject({ code: 0, permissionDecision: "deny" });
    const broken = mkdtempSync(join(tmpdir(), "foreclaim-hook-"));
    writeFileSync(join(broken, "foreclaim.json"), "{");
    expect(await decide({ tool_name: "mcp__bank__pay", tool_input: {} }, broken)).toMatchObject({ code: 2 });
  });
});
