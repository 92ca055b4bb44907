/** The options and the help of `plan run`. */
import { examples, type Session } from "../../session.ts";
import { type MakeCommand, stateOption } from "../plan/options.ts";
import { exitCodes, withRunOptions } from "../run/definition.ts";
import type { RunProgramOptions } from "../run/handler.ts";

export function addRun(session: Session, command: MakeCommand): void {
  const run = command("run", "Prove a plan, ask whether it may run, and run exactly what was proved.")
    .summary("prove it, ask, and run it")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(stateOption().conflicts("ledger"));
  withRunOptions(run)
    .addHelpText(
      "after",
      `
${exitCodes}
${examples(
  ["foreclaim plan run plan.json", "proves what its tools require, and asks"],
  ["foreclaim plan run plan.json --guarantee 'bank.maxSpend(500)'", "proves this too"],
  ["foreclaim plan run plan.json --state s.json --yes", "in memory, from this state"],
  ["foreclaim plan run plan.json --ledger ledger.db --resume 5f2c81a09b3e", "after a crash"],
)}`,
    )
    .action(async (file: string, options: RunProgramOptions) => {
      const { runPlanFile } = await import("./handler.ts");
      session.code = await runPlanFile(session.host, file, options);
    });
}
