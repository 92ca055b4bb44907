/** The commands of `foreclaim plan`: plans, which are lists of actions as JSON. */
import { Command } from "commander";
import { examples, type Session, set } from "../../session.ts";
import { addEquivalent } from "../plan-equivalent/definition.ts";
import { addGraph } from "../plan-graph/definition.ts";
import { addOptimize } from "../plan-optimize/definition.ts";
import { addRun } from "../plan-run/definition.ts";
import { addSimulate } from "../plan-simulate/definition.ts";
import { addVerify } from "../plan-verify/definition.ts";

export function planFor(session: Session): Command {
  const plan = set(new Command("plan"), session, "foreclaim plan")
    .description("Verify, simulate, compare, optimize, draw and run plans: lists of actions, as JSON.")
    .summary("work with plans of actions")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan verify plan.json", "for every state at the start"],
        ["foreclaim plan verify plan.json --state s.json", "for this one"],
        ["foreclaim plan graph plan.json > plan.svg", "a picture"],
      ),
    );
  const command = (name: string, description: string): Command =>
    set(plan.command(name), session, `foreclaim plan ${name}`).description(description);
  addVerify(session, command);
  addSimulate(session, command);
  addEquivalent(session, command);
  addOptimize(session, command);
  addGraph(session, command);
  addRun(session, command);
  return plan;
}
