/** The options and the help of `lint`. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, option, solverOptions, toolFoldersOption } from "../../options.ts";

export const lint: CommandSpec = {
  name: "lint",
  description:
    "Find contracts, tools, policies and guarantees that are vacuous, redundant or contradictory. Every finding is proved.",
  summary: "find contracts and policies without meaning",
  arguments: [["<path...>", "tool modules or programs (.ts), folders, or approval policies (.json)"]],
  options: [
    toolFoldersOption,
    option("--verbose", "also list the questions that stayed undecided"),
    ...solverOptions,
    jsonOption,
  ],
  examples: [
    ["foreclaim lint tools", "every module of the folder"],
    ["foreclaim lint policy.json", "rules that never decide, or that others overrule"],
    ["foreclaim lint pay.ts --json", "guarantees that follow from others, as data"],
  ],
  load: async () => (await import("./handler.ts")).lint,
};
