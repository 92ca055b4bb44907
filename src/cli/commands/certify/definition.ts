/** The options and the help of `certify`. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  asOption,
  jsonOption,
  outputOption,
  programWords,
  solverOptions,
  toolsOption,
} from "../../options.ts";

export const certify: CommandSpec = {
  name: "certify",
  description:
    "Prove the guarantees of a program, and write a certificate that others check without the prover.",
  summary: "write a certificate of a proof",
  arguments: [["<program>", programWords]],
  options: [outputOption, asOption, toolsOption, ...solverOptions, jsonOption],
  examples: [
    ["foreclaim certify pay.ts -o pay.cert.json", "prove it, and write the certificate"],
    ["foreclaim check pay.cert.json", "check it, here or elsewhere"],
  ],
  load: async () => (await import("./handler.ts")).certifyProgram,
};
