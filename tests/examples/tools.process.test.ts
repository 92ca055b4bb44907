/** The tools of the examples load as they stand, and really do something that stays where it belongs. */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { definition } from "../../src/frontend/surface/index.ts";
import { build } from "../cli/built.ts";
import { domains, folder } from "./examples.ts";

type Run = (args?: unknown) => Promise<unknown>;

// The modules import the package by its name, which is what was built.
beforeAll(build);

async function toolsOf(domain: string, module: string): Promise<Map<string, Run>> {
  const loaded: Record<string, unknown> = await import(
    pathToFileURL(join(folder, domain, "tools", module)).href
  );
  const tools = new Map<string, Run>();
  for (const [name, value] of Object.entries(loaded)) {
    const held: unknown = typeof value === "function" ? Reflect.get(value, definition) : undefined;
    const run: unknown = typeof held === "object" && held !== null ? Reflect.get(held, "run") : undefined;
    if (typeof run === "function") tools.set(name, run as Run);
  }
  return tools;
}

async function call(domain: string, module: string, name: string, args?: unknown): Promise<unknown> {
  const run = (await toolsOf(domain, module)).get(name);
  if (run === undefined) throw new Error(`there is no tool ${name}`);
  return run(args);
}

describe("the tools of the examples", () => {
  it.each(domains)("of %s load", async (domain) => {
    const modules = readdirSync(join(folder, domain, "tools"));
    const tools = await Promise.all(modules.map((module) => toolsOf(domain, module)));
    expect(Math.max(...tools.map(({ size }) => size))).toBeGreaterThanOrEqual(5);
  });

  it("remember what was done", async () => {
    const bank = (name: string, args: unknown) => call("bank", "bank.ts", name, args);
    await bank("transfer", { from: "savings", to: "card", amount: 100 });
    expect(await bank("balance", { account: "card" })).toBe(420.5);
    const text = (name: string, args: unknown) => call("text", "text.ts", name, args);
    await text("append", { name: "readme", text: " there" });
    expect(await text("words", { name: "readme" })).toEqual(["Hello", "there"]);
  });

  it("write files below a folder of their own, whatever the path says", async () => {
    const fs = (name: string, args: unknown) => call("filesystem", "fs.ts", name, args);
    const name = "foreclaim-example-escape.txt";
    await fs("write", { path: `/../${name}`, text: "a" });
    await fs("write", { path: `/${name}`, text: "b", append: true });
    expect(await fs("read", { path: `/${name}` })).toBe("ab");
    expect(existsSync(join(tmpdir(), name))).toBe(false);
    await fs("copy", { from: `/${name}`, path: "/copies/one" });
    await fs("remove", { path: `/${name}` });
    expect(await fs("exists", { path: `/${name}` })).toBe(false);
    expect(await fs("list", { path: "/copies" })).toEqual(["one"]);
  });
});
