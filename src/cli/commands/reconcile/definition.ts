/** `foreclaim reconcile`. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  askerOptions,
  jsonOption,
  kernelOption,
  ledgerWords,
  option,
  seconds,
  toolFoldersOption,
} from "../../options.ts";

export const reconcile: CommandSpec = {
  name: "reconcile",
  description:
    "Compare the state of a kernel with the world, by the probes of tool modules; drift stops the kernel.",
  summary: "compare the state with the world",
  options: [
    option("--ledger <ledger>", ledgerWords, { required: true }),
    kernelOption,
    toolFoldersOption,
    option("--fluent <name>", "only this fluent; repeat for each", { repeated: true }),
    option("--accept <side>", "resolve drift: take the world's values, or find that it agrees again", {
      choices: ["world", "model"],
    }),
    option("--probe-timeout <seconds>", "time limit of one probe", { default: 10, parse: seconds }),
    ...askerOptions,
    jsonOption,
  ],
  notes: `Exit codes:
  0  every cell was observed, and agrees
  1  the world differs, or could not be observed
  2  bad input: no such ledger, no tool modules, a wrong option`,
  examples: [
    ["foreclaim reconcile --ledger ledger.db", "model beside world"],
    ["foreclaim reconcile --ledger ledger.db --accept world", "the world is right"],
    ["foreclaim reconcile --ledger ledger.db --accept model", "the world was repaired"],
  ],
  load: async () => (await import("./handler.ts")).reconcileState,
};
