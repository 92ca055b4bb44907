/** The commands of `foreclaim policy`: decisions about programs without a person. */
import type { CommandSpec } from "../../command-spec.ts";
import { asOption, jsonOption, programsWords, solverOptions, toolsOption } from "../../options.ts";

const check: CommandSpec = {
  name: "check",
  description: "Show the decision of a policy about programs. It asks nobody and runs nothing.",
  summary: "show its decision about programs",
  arguments: [
    ["<policy>", "policy, JSON"],
    ["<program...>", programsWords],
  ],
  options: [asOption, toolsOption, ...solverOptions, jsonOption],
  examples: [
    ["foreclaim policy check policy.json pay.ts", "the decision, and the rule behind it"],
    ["foreclaim policy check policy.json *.ts --json", "one line for each program"],
  ],
  load: async () => (await import("./handler.ts")).checkPolicy,
};

export const policy: CommandSpec = {
  name: "policy",
  description: "Try out approval policies: which programs pass or fail without a person.",
  summary: "try out approval policies",
  commands: [check],
};
