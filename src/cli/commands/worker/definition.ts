/** `foreclaim worker`. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  askerOptions,
  callTimeoutOption,
  duration,
  folderOption,
  kernelOption,
  ledgerWords,
  lookOption,
  option,
  solverOptions,
  storeOption,
  toolFoldersOption,
  whole,
} from "../../options.ts";

export const worker: CommandSpec = {
  name: "worker",
  description:
    "Run approved requests of a service: takes them from its store by lease, and resumes those of workers that died.",
  summary: "run approved requests of a service",
  options: [
    storeOption,
    option("--ledger <ledger>", ledgerWords, { required: true }),
    kernelOption,
    option("--key <file>", "public key of the service, which verifies receipts", { required: true }),
    folderOption,
    toolFoldersOption,
    option("--runs <n>", "number of runs at the same time", { default: 8, parse: whole(1, 1_000) }),
    option("--lease <time>", "time until others take over the runs of a dead worker", {
      default: duration("30s"),
      shown: "30s",
      parse: duration,
    }),
    option("--drain", "end once no run is left that can go on"),
    ...askerOptions,
    callTimeoutOption,
    lookOption,
    option("--reconcile <time>", "compare all fluents with the world this often (default: never)", {
      parse: duration,
    }),
    ...solverOptions,
    option("--log <form>", "form of the log", { choices: ["text", "json"], default: "text" }),
  ],
  examples: [
    [
      "foreclaim worker --store postgres://... --ledger postgres://... --key approve.pub",
      "runs until stopped",
    ],
    ["foreclaim worker --ledger ledger.db --key approvals.db.pub --drain", "on one machine, once"],
  ],
  load: async () => (await import("./handler.ts")).work,
};
