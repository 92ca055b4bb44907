/** The options and the help of `compare`. */
import type { CommandSpec } from "../../command-spec.ts";
import { asOption, jsonOption, option, solverOptions, toolsOption } from "../../options.ts";

export const compare: CommandSpec = {
  name: "compare",
  description:
    "Relate two guarantees on every trace that the tools allow, or list the differences of two programs.",
  summary: "compare guarantees, or programs",
  arguments: [
    ["<first>", "program (.ts, .eir, .json; - is standard input), or guarantee as in 'bank.maxSpend(100)'"],
    ["<second>", "program or guarantee to compare it with"],
  ],
  options: [
    option("--folder <folder>", "folder from which guarantees import tool modules (default: this folder)"),
    asOption,
    toolsOption,
    ...solverOptions,
    jsonOption,
  ],
  examples: [
    ["foreclaim compare 'bank.maxSpend(100)' 'bank.maxSpend(150)'", "which one implies the other"],
    ["foreclaim compare old.ts new.ts", "new calls, and guarantees that are gone"],
    ["foreclaim compare pay.ts 'bank.maxSpend(500)'", "do the program's guarantees imply it?"],
  ],
  load: async () => (await import("./handler.ts")).compare,
};
