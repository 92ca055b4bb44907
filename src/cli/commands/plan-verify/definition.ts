/** The options and the help of `plan verify`. */
import { examples, jsonOption, type Session } from "../../session.ts";
import type { PlanOptions } from "../plan/given.ts";
import {
  believedOption,
  compatOption,
  knownToolsOption,
  type MakeCommand,
  maxActionsOption,
  stateOption,
} from "../plan/options.ts";

export function addVerify(session: Session, command: MakeCommand): void {
  command("verify", "Find out whether a plan can go wrong: for every schedule, and every tool that may fail.")
    .summary("find out whether it can go wrong")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(knownToolsOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan verify plan.json", "whatever the state at the start"],
        ["foreclaim plan verify plan.json --state s.json", "for this one"],
        ["foreclaim plan verify plan.json --known-tools mail.send,files.read", ""],
        ["foreclaim plan verify plan.json --tools tools", "with what tool modules say"],
        ["foreclaim plan verify plan.json --compat car --json", "as the Common Agent Runtime says it"],
      ),
    )
    .action(async (file: string, options: PlanOptions) => {
      const { verifyPlan } = await import("./handler.ts");
      session.code = await verifyPlan(session.host, file, options);
    });
}
