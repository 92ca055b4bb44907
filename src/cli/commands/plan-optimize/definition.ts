/** The options and the help of `plan optimize`. */
import { Option } from "commander";
import { examples, jsonOption, type Session } from "../../session.ts";
import {
  believedOption,
  compatOption,
  type MakeCommand,
  maxActionsOption,
  stateOption,
} from "../plan/options.ts";
import type { OptimizeOptions } from "./handler.ts";

export function addOptimize(session: Session, command: MakeCommand): void {
  command("optimize", "Print a plan whose actions wait for less, and that is proved to do the same.")
    .summary("print a plan that waits for less")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .option("-o, --output <file>", "write the plan to a file")
    .addOption(new Option("--out <file>", "the same").hideHelp())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan optimize plan.json > better.json", "what was changed goes to standard error"],
        ["foreclaim plan optimize plan.json --json", "the plan and the proof, as data"],
        ["foreclaim plan optimize plan.json --compat car", "without a proof"],
      ),
    )
    .action(async (file: string, options: OptimizeOptions) => {
      const { optimizePlan } = await import("./handler.ts");
      session.code = await optimizePlan(session.host, file, options);
    });
}
