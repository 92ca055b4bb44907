/** The options and the help of `plan graph`. */
import { examples, jsonOption, type Session } from "../../session.ts";
import { believedOption, knownToolsOption, type MakeCommand, stateOption } from "../plan/options.ts";
import type { GraphOptions } from "./handler.ts";

export function addGraph(session: Session, command: MakeCommand): void {
  command("graph", "Draw a plan by levels, with what was found in it (SVG).")
    .summary("draw it, with what was found")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(stateOption())
    .addOption(knownToolsOption())
    .addOption(believedOption())
    .option("-o, --output <file>", "write the picture to a file")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan graph plan.json > plan.svg", ""],
        ["foreclaim plan graph plan.json --state s.json -o plan.svg", ""],
      ),
    )
    .action(async (file: string, options: GraphOptions) => {
      const { graphPlan } = await import("./handler.ts");
      session.code = await graphPlan(session.host, file, options);
    });
}
