/** The options and the help of `check`. */
import { type Command, Option } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { CheckCommandOptions } from "./handler.ts";

export function addCheck(session: Session, program: Command): void {
  set(program.command("check"), session, "foreclaim check")
    .description(
      "Check a certificate: derive what must be shown from its document again, and decide it again.",
    )
    .summary("check a certificate")
    .argument("<certificate>", "the certificate, JSON; - is standard input")
    .option("--document <hash>", "the hash of the document that it must be of")
    .addOption(
      new Option("--solvers <number>", "how many different solvers must agree")
        .choices(["1", "2"])
        .default("1"),
    )
    .option("--other-version", "let another version of the same solver answer")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim check pay.cert.json", "what it shows, and what that rests on"],
        ["foreclaim check pay.cert.json --solvers 2", "with a second opinion"],
      ),
    )
    .action(async (path: string, options: CheckCommandOptions) => {
      const { checkFile } = await import("./handler.ts");
      session.code = await checkFile(session.host, path, options);
    });
}
