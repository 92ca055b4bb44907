/** The commands of certificates: `certify` and `check`. */
import { type Command, Option } from "commander";
import type { CertifyCommandOptions } from "./commands/certify.ts";
import type { CheckCommandOptions } from "./commands/check.ts";
import { toolsOption } from "./repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "./session.ts";
import { solverOption, timeoutOption } from "./solver-options.ts";

export function addCertify(session: Session, program: Command): void {
  set(program.command("certify"), session, "foreclaim certify")
    .description(
      "Prove what a program guarantees, and write a certificate that others can check without the prover.",
    )
    .summary("write a certificate of what is proved")
    .argument(
      "<program>",
      "a TypeScript program (.ts), or a document of the Effect IR (.eir, .json); - is standard input",
    )
    .option("-o, --output <file>", "where to write it; standard output if it is left out")
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim certify pay.ts -o pay.cert.json", "prove it, and write the certificate"],
        ["foreclaim check pay.cert.json", "check it, here or elsewhere"],
      ),
    )
    .action(async (path: string, options: CertifyCommandOptions) => {
      const { certifyProgram } = await import("./commands/certify.ts");
      session.code = await certifyProgram(session.terminal, path, options);
    });
}

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
      const { checkFile } = await import("./commands/check.ts");
      session.code = await checkFile(session.terminal, path, options);
    });
}
