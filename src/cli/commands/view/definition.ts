/** The options and the help of `view`. */
import type { CommandSpec } from "../../command-spec.ts";
import { asOption, jsonOption, option, outputOption, programWords, toolsOption } from "../../options.ts";

export const view: CommandSpec = {
  name: "view",
  description:
    "Write the calls and the guarantees of a program as description logic, with the faithful part of each. It proves nothing.",
  summary: "write a program as description logic or OWL",
  arguments: [["<program>", programWords]],
  options: [
    option("--dl", "in the notation of description logic, for people (the default)"),
    option("--owl", "as an OWL 2 ontology, for other programs", { conflicts: "dl" }),
    option("--format <format>", "syntax of the ontology", {
      choices: ["functional", "turtle", "xml"],
      conflicts: "dl",
    }),
    outputOption,
    asOption,
    toolsOption,
    jsonOption,
  ],
  examples: [
    ["foreclaim view pay.ts", "its calls, and its guarantees as axioms"],
    ["foreclaim view pay.ts --owl --format turtle -o pay.ttl", "for a reasoner or a graph store"],
    ["foreclaim view pay.eir --json", "each guarantee, with the parts that the axioms omit"],
  ],
  load: async () => (await import("./handler.ts")).view,
};
