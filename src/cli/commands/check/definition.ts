/** The options and the help of `check`. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, option } from "../../options.ts";

export const check: CommandSpec = {
  name: "check",
  description: "Check a certificate: derive its obligations from the document again, and decide each again.",
  summary: "check a certificate",
  arguments: [["<certificate>", "certificate, JSON; - is standard input"]],
  options: [
    option("--document <hash>", "require a certificate of the document with this hash"),
    option("--solvers <number>", "number of different solvers that must agree", {
      choices: ["1", "2"],
      default: "1",
    }),
    option("--verified", "add a third opinion, by obligations whose sufficiency is machine-checked"),
    option("--other-version", "accept another version of the solver that the certificate names"),
    jsonOption,
  ],
  examples: [
    ["foreclaim check pay.cert.json", "the guarantees it shows, and their assumptions"],
    ["foreclaim check pay.cert.json --solvers 2", "with a second opinion"],
    ["foreclaim check pay.cert.json --verified", "with a third one, where its proof applies"],
  ],
  load: async () => (await import("./handler.ts")).checkFile,
};
