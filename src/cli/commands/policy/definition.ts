/** The commands of `foreclaim policy`: what is decided about programs without a person. */
import { Command } from "commander";
import { toolsOption } from "../../repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { PolicyCheckOptions } from "./handler.ts";

export function policyFor(session: Session): Command {
  const policy = set(new Command("policy"), session, "foreclaim policy")
    .description("Try out approval policies: what passes or fails without a person.")
    .summary("try out approval policies")
    .helpCommand(false);
  set(policy.command("check"), session, "foreclaim policy check")
    .description("Say what a policy decides about programs. Nobody is asked and nothing is run.")
    .summary("say what it decides about programs")
    .argument("<policy>", "the policy, JSON")
    .argument("<program...>", "TypeScript programs (.ts), or documents of the Effect IR; - is standard input")
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim policy check policy.json pay.ts", "what it decides, and by which rule"],
        ["foreclaim policy check policy.json *.ts --json", "one line for each"],
      ),
    )
    .action(async (file: string, programs: readonly string[], options: PolicyCheckOptions) => {
      const { checkPolicy } = await import("./handler.ts");
      session.code = await checkPolicy(session.host, file, programs, options);
    });
  return policy;
}
