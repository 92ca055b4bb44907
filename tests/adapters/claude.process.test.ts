/** The adapter for Claude: tools for the tool runner, and permissions. */
import { expect, test } from "vitest";
import { foreclaim } from "../../src/claude.ts";
import { careful, careless, folder, shop, type Turn } from "./shop.ts";
import { adapterSuite } from "./suite.ts";

adapterSuite("anthropic tool runner", {
  direct: async (options, name, args) => {
    const { tools } = foreclaim(options);
    const answer = await tools.find((one) => one.name === name)?.run(args);
    return JSON.parse(answer ?? "null");
  },
  // The loop of the tool runner: the input is parsed, the tool is run, its text goes back.
  drive: async (options, brain, person) => {
    const { tools } = foreclaim({ ...options, approve: ({ text }) => person(text) });
    let last: unknown;
    for (let turn: Turn | undefined = brain(last); turn !== undefined; turn = brain(last)) {
      const { tool, args } = turn;
      const found = tools.find((one) => one.name === tool);
      last = JSON.parse((await found?.run(found.parse(args))) ?? "null");
    }
  },
});

test("`canUseTool` denies what is not proved, what others decide, and what nothing speaks for", async () => {
  const asked: string[] = [];
  const { canUseTool } = foreclaim({
    folder,
    handlers: shop().handlers,
    programsOnly: ["bank"],
    approve: ({ text }) => {
      asked.push(text);
      return asked.length === 1;
    },
  });
  const decided = async (name: string, input: Record<string, unknown>) =>
    (await canUseTool(name, input)).behavior;
  expect(await decided("mcp__foreclaim__run", { program: careful })).toBe("allow");
  expect(asked[0]).toContain("the sum of `amount` over all calls of `shop.pay` is at most 100");
  expect(await decided("mcp__foreclaim__run", { program: careful })).toBe("deny"); // the person said no
  expect(await decided("mcp__foreclaim__run", { program: careless })).toBe("deny");
  expect(await decided("mcp__foreclaim__run", { prog: careful })).toBe("deny");
  expect(await decided("mcp__foreclaim__prove", { program: careful })).toBe("allow");
  expect(await decided("mcp__bank__pay", { payee: "eve", amount: 900 })).toBe("deny");
  expect(await decided("mcp__evil_foreclaim__prove", {})).toBe("deny");
  expect(await decided("mcp__foreclaim__erase", {})).toBe("deny");
  expect(await decided("Bash", { command: "rm -rf /" })).toBe("deny");
  expect(asked).toHaveLength(2);
});
