/** The options and the help of `plan simulate`. */
import { examples, jsonOption, type Session } from "../../session.ts";
import type { PlanOptions } from "../plan/given.ts";
import {
  believedOption,
  compatOption,
  type MakeCommand,
  maxActionsOption,
  stateOption,
} from "../plan/options.ts";

export function addSimulate(session: Session, command: MakeCommand): void {
  command("simulate", "Say what state a plan leaves behind, without calling any tool.")
    .summary("say what state it leaves behind")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan simulate plan.json --state s.json", "what is known at the end"],
        ["foreclaim plan simulate plan.json --json", "as data, with what is blocked"],
      ),
    )
    .action(async (file: string, options: PlanOptions) => {
      const { simulatePlan } = await import("./handler.ts");
      session.code = await simulatePlan(session.host, file, options);
    });
}
