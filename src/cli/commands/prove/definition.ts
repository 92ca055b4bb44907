/** The options and the help of `prove`. */
import { type Command, Option } from "commander";
import { each, toolsOption } from "../../repeated.ts";
import { asOption, examples, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { ProveCommandOptions } from "./handler.ts";

export function addProve(session: Session, program: Command): void {
  set(program.command("prove"), session, "foreclaim prove")
    .description("Prove what programs guarantee for every run, or find a run that breaks it.")
    .summary("prove what programs guarantee")
    .argument(
      "<program...>",
      "TypeScript programs (.ts), documents of the Effect IR (.eir, .json), or plans (.json); - is standard input",
    )
    .addOption(
      new Option(
        "--guarantee <contract>",
        "what is to be proved of plans, as in 'bank.maxSpend(500)'; once for each",
      ).argParser(each),
    )
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(
      new Option(
        "--show <what>",
        "also print the compiled document, the calls it may make, or every question",
      ).choices(["ir", "facts", "smt"]),
    )
    .addOption(new Option("--json", "print one JSON object for each program, each on one line"))
    .addHelpText(
      "after",
      examples(
        ["foreclaim prove pay.ts", "every guarantee, and what calls require"],
        ["foreclaim prove *.ts --json", "one line for each, with the runs that break them"],
        ["foreclaim prove --tools bank --tools mail pay.ts", "with the tool modules of two folders"],
        ["agent | foreclaim prove - --as ts", "a program that no file holds"],
        ["foreclaim prove pay.ts --show facts", "every call it may make, and when"],
        ["foreclaim prove pay.eir --timeout 60", "more patience"],
        ["foreclaim prove plan.json --guarantee 'bank.maxSpend(500)'", "a plan, for every schedule"],
      ),
    )
    .action(async (files: readonly string[], options: ProveCommandOptions) => {
      const { provePrograms } = await import("./handler.ts");
      session.code = await provePrograms(session.host, files, options);
    });
}
