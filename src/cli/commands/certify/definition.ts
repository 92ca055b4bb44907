/** The options and the help of `certify`. */
import type { Command } from "commander";
import { toolsOption } from "../../repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { CertifyCommandOptions } from "./handler.ts";

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
      const { certifyProgram } = await import("./handler.ts");
      session.code = await certifyProgram(session.host, path, options);
    });
}
