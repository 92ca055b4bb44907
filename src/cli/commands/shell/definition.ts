/** The commands of `foreclaim shell`: classification of command lines. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonLinesOption, option } from "../../options.ts";

const classify: CommandSpec = {
  name: "classify",
  description:
    "Classify shell commands as allowed or refused, one for each line of JSON. Everything that is not understood is refused.",
  summary: "classify shell commands as allowed or refused",
  arguments: [["<file>", 'lines of JSON, each {"command": "..."}; - is standard input']],
  options: [
    option("--allow-runs-code", "allow commands that run code of the project, such as `npm test` and `make`"),
    jsonLinesOption,
  ],
  jsonLines: true,
  examples: [
    ["foreclaim shell classify commands.jsonl --json", "a verdict and reasons for each line"],
    ["foreclaim shell classify - --allow-runs-code", "also `npm test`, from standard input"],
  ],
  load: async () => (await import("./handler.ts")).classifyLines,
};

export const shell: CommandSpec = {
  name: "shell",
  description: "Judge shell commands before anything runs them.",
  summary: "judge shell commands",
  examples: [["foreclaim shell classify commands.jsonl --json", "a verdict and reasons for each line"]],
  commands: [classify],
};
