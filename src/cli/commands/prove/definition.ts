/** The options and the help of `prove`. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  asOption,
  guaranteeOption,
  option,
  programsWords,
  solverOptions,
  toolsOption,
} from "../../options.ts";

export const prove: CommandSpec = {
  name: "prove",
  description: "Prove the guarantees of programs for every run, or find a run that violates one.",
  summary: "prove the guarantees of programs",
  arguments: [["<program...>", programsWords]],
  options: [
    guaranteeOption,
    asOption,
    toolsOption,
    ...solverOptions,
    option("--show <part>", "also print the compiled document, the possible calls, or every solver query", {
      choices: ["ir", "facts", "smt"],
    }),
    option("--watch", "prove again whenever a file that the programs read changes"),
    option("--json", "print one JSON object for each program, each on one line"),
  ],
  examples: [
    ["foreclaim prove pay.ts", "every guarantee, and every `requires` of its calls"],
    ["foreclaim prove *.ts --json", "one line for each, with counterexamples"],
    ["foreclaim prove pay.ts --watch", "again after every change"],
    ["foreclaim prove --tools bank --tools mail pay.ts", "with the tool modules of two folders"],
    ["agent | foreclaim prove - --as ts", "a program from standard input"],
    ["foreclaim prove pay.ts --show facts", "every call it may make, and when"],
    ["foreclaim prove pay.eir --timeout 60", "more time for each query"],
    ["foreclaim prove plan.json --guarantee 'bank.maxSpend(500)'", "a plan, for every schedule"],
  ],
  load: async () => (await import("./handler.ts")).provePrograms,
};
