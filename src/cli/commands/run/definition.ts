/** The options and the help of `run`. */
import type { CommandSpec, OptionSpec } from "../../command-spec.ts";
import {
  amount,
  asOption,
  attestationOption,
  callTimeoutOption,
  credentialOption,
  guaranteeOption,
  jsonOption,
  kernelOption,
  lookOption,
  option,
  programWords,
  solverOptions,
  toolFoldersOption,
  whole,
} from "../../options.ts";

export const exitCodes = `Exit codes:
  0 done, 1 not proved, 2 bad input, 3 not approved, 4 stopped at run time`;

/** The options of every command that proves, asks and runs. */
export const runOptions: readonly OptionSpec[] = [
  option(
    "--ledger <ledger>",
    "SQLite file or postgres://... (default: nothing is recorded); with --budget, makes a missing file",
  ),
  kernelOption,
  option("--approve <channel>", "channel that approves or rejects the run", {
    choices: ["terminal", "policy", "page"],
    default: "terminal",
  }),
  option("--policy <file>", "policy, for --approve policy; asks on the terminal where no rule decides"),
  option("--service <url>", "approval service, for --approve page (default: starts one)"),
  credentialOption,
  option("--worker", "let a worker of the service run it, for --approve page --service"),
  option("--words <text>", "message for the person who decides, for --approve page"),
  option("-y, --yes", "approve without asking, unless it is unproved or a rule rejects it"),
  option("--budget <amount>", "upper bound of the cost of all calls", { parse: amount }),
  option("--key <file>", "private key that signs the receipt (default: <ledger>.key)"),
  option("--dry-run", "prove it and show the question; run nothing"),
  option("--resume <run>", "resume an interrupted run"),
  guaranteeOption,
  toolFoldersOption,
  option("--concurrency <n>", "number of calls in progress at once (default: 32)", {
    parse: whole(1, 1_000),
  }),
  callTimeoutOption,
  lookOption,
  attestationOption,
  option("--attestor <file>", "program that attests to actions, a JSON file; repeat for each", {
    repeated: true,
  }),
  ...solverOptions,
  jsonOption,
];

export const run: CommandSpec = {
  name: "run",
  description: "Prove a program, ask whether it may run, and run exactly the program that was proved.",
  summary: "prove a program, ask, and run it",
  arguments: [["<program>", programWords]],
  options: [option("-i, --input <file>", "inputs of the program, a JSON object"), asOption, ...runOptions],
  notes: exitCodes,
  examples: [
    ["foreclaim run pay.ts --input in.json", "asks on the terminal"],
    ["foreclaim run pay.ts --dry-run", "shows the question"],
    ["foreclaim run pay.ts --approve page", "asks on a page, and prints its address"],
    ["foreclaim run pay.ts --approve policy --policy policy.json", "asks only where no rule decides"],
    ["foreclaim run pay.ts --ledger ledger.db --budget 50", "spends at most 50; makes a missing ledger"],
    ["foreclaim run pay.ts --ledger ledger.db --resume 5f2c81a09b3e", "after a crash"],
  ],
  load: async () => (await import("./handler.ts")).runProgramFile,
};
