/** The options and the help of `tools`. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, toolsOption } from "../../options.ts";

export const tools: CommandSpec = {
  name: "tools",
  description: "List the tools, fluents, contracts and coverage policies that a program here can use.",
  summary: "list the tools that programs can use",
  arguments: [["[folder...]", "folder of the programs (default: this folder)"]],
  options: [toolsOption, jsonOption],
  examples: [
    ["foreclaim tools", "for a person or an agent that writes a program"],
    ["foreclaim tools --json", "the same as data"],
  ],
  load: async () => (await import("./handler.ts")).listTools,
};
