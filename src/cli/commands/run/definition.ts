/** `foreclaim run`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { each, foldersWords, toolsOption } from "../../repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "../../session.ts";
import { seconds, solverOption, timeoutOption } from "../../solver-options.ts";
import type { RunProgramOptions } from "./handler.ts";

export function addRun(session: Session, program: Command): void {
  const command = set(program.command("run"), session, "foreclaim run")
    .description("Prove a program, ask whether it may run, and run exactly what was proved.")
    .summary("prove a program, ask, and run it")
    .argument(
      "<program>",
      "a TypeScript program (.ts), a plan (.json), or a document of the Effect IR; - is standard input",
    )
    .option("-i, --input <file>", "the inputs of the program, a JSON object")
    .addOption(asOption());
  withRunOptions(command)
    .addHelpText(
      "after",
      `
${exitCodes}
${examples(
  ["foreclaim run pay.ts --input in.json", "asks on the terminal"],
  ["foreclaim run pay.ts --dry-run", "what would be asked"],
  ["foreclaim run pay.ts --approve page", "asks on a page, and prints its address"],
  ["foreclaim run pay.ts --approve policy --policy policy.json", "asks only where no rule decides"],
  [
    "foreclaim run pay.ts --ledger ledger.db --budget 50",
    "at most 50 are spent; makes the ledger if it is not there",
  ],
  ["foreclaim run pay.ts --ledger ledger.db --resume 5f2c81a09b3e", "after a crash"],
)}`,
    )
    .action(async (file: string, options: RunProgramOptions) => {
      const { runProgramFile } = await import("./handler.ts");
      session.code = await runProgramFile(session.host, file, options);
    });
}

export const exitCodes = `Exit codes:
  0 done, 1 not proved, 2 bad input, 3 not approved, 4 stopped at run time`;

/** The options of every command that proves, asks and runs. */
export function withRunOptions(command: Command): Command {
  return command
    .option(
      "--ledger <ledger>",
      "a SQLite file or postgres://...; without it nothing is kept; with --budget, a file is made",
    )
    .addOption(new Option("--kernel <name>", "which kernel of the ledger").default("main"))
    .addOption(
      new Option("--approve <how>", "who is asked")
        .choices(["terminal", "policy", "page"])
        .default("terminal"),
    )
    .option("--policy <file>", "the policy, for --approve policy; where no rule decides, you are asked")
    .option(
      "--service <url>",
      "the service that is asked, for --approve page; one is started if it is left out",
    )
    .option("--credential <file>", "the credential of the agent, for --service")
    .option("--words <text>", "what to tell whoever decides, for --approve page")
    .option("-y, --yes", "approve without being asked, if it is proved and no rule rejects it")
    .addOption(new Option("--budget <amount>", "the most that all calls may cost").argParser(amount))
    .option("--key <file>", "the private key that signs the receipt; <ledger>.key if it is left out")
    .option("--dry-run", "prove it and say what would be asked; run nothing")
    .option("--resume <run>", "go on with a run that was cut off")
    .addOption(guaranteeOption())
    .addOption(toolsOption(foldersWords))
    .addOption(
      new Option("--concurrency <n>", "how many calls may be under way at once (32)").argParser(whole),
    )
    .addOption(
      new Option("--call-timeout <seconds>", "how long a call may take").default(60).argParser(seconds),
    )
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption());
}

/** The option that states a guarantee of a plan. */
export function guaranteeOption(): Option {
  const words = "what is to be proved of plans, as in 'bank.maxSpend(500)'; once for each";
  return new Option("--guarantee <contract>", words).argParser(each);
}

function whole(text: string): number {
  const number = Number(text);
  if (/^[0-9]{1,4}$/.test(text) && number >= 1 && number <= 1_000) return number;
  throw new InvalidArgumentError("expected a whole number from 1 to 1000");
}

function amount(text: string): string {
  if (/^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$/.test(text)) return text;
  throw new InvalidArgumentError("Expected an amount such as 12.50.");
}
