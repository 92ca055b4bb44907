/** The options and the help of `compare`. */
import type { Command } from "commander";
import { toolsOption } from "../../repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { CompareOptions } from "./handler.ts";

export function addCompare(session: Session, program: Command): void {
  set(program.command("compare"), session, "foreclaim compare")
    .description(
      "Say how two guarantees stand to each other on every trace that the tools allow, or what two programs differ in.",
    )
    .summary("compare guarantees, or programs")
    .argument(
      "<first>",
      "a program (.ts, .eir, .json; - is standard input), or a guarantee as in 'bank.maxSpend(100)'",
    )
    .argument("<second>", "what it is compared with")
    .option(
      "--folder <folder>",
      "where a program would stand that states the guarantees; this folder if left out",
    )
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim compare 'bank.maxSpend(100)' 'bank.maxSpend(150)'", "which of them implies the other"],
        ["foreclaim compare old.ts new.ts", "what a new version may do, and no longer promises"],
        ["foreclaim compare pay.ts 'bank.maxSpend(500)'", "whether what a program promises implies it"],
      ),
    )
    .action(async (first: string, second: string, options: CompareOptions) => {
      const { compare } = await import("./handler.ts");
      session.code = await compare(session.host, first, second, options);
    });
}
