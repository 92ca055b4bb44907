/** The commands of `foreclaim trace`: the entries that a kernel wrote. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonLinesOption, kernelOption, ledgerWords, mostCounted, option, whole } from "../../options.ts";

const ledger = ["<ledger>", `${ledgerWords}, or a file that \`trace export\` wrote`] as const;

const show: CommandSpec = {
  name: "show",
  description: "Show entries of a trace, the newest last.",
  summary: "show entries",
  arguments: [ledger],
  options: [
    kernelOption,
    option("--kind <kind>", "only this kind: open, execute, reserve, settle, ..."),
    option("--verdict <verdict>", "only this verdict", { choices: ["allowed", "refused"] }),
    option("--action <id>", "only this action"),
    option("--from <place>", "first entry: a number, or a time (UTC)"),
    option("--to <place>", "last entry: a number, or a time (UTC)"),
    option("--limit <n>", "show only the last n entries (default: 50 in a table)", {
      parse: whole(0, mostCounted),
    }),
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim trace show ledger.db", "the last 50"],
    ["foreclaim trace show ledger.db --action pay --from 2026-01-31", ""],
    ["foreclaim trace show ledger.db --verdict refused --json", "whole entries"],
  ],
  jsonLines: true,
  load: async () => (await import("./show.ts")).showTrace,
};

const verify: CommandSpec = {
  name: "verify",
  description: "Verify a trace: hashes, order, checkpoints, and every decision again.",
  summary: "verify that the kernel wrote it",
  arguments: [ledger],
  options: [
    kernelOption,
    option("--checkpoint <file>", "external checkpoint; repeat for each", { repeated: true }),
    option(
      "--key <file>",
      "public key for checkpoints; repeat for each (default: <checkpoint>.pub or <ledger>.pub)",
      {
        repeated: true,
      },
    ),
    option("--quorum <n>", "number of keys that must have signed each checkpoint", {
      parse: whole(1, mostCounted),
      default: 1,
    }),
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim trace verify ledger.db", ""],
    ["foreclaim trace verify ledger.db --checkpoint kept.checkpoint", ""],
    ["foreclaim trace verify trace.jsonl --checkpoint c --key ops.pub", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./verify.ts")).verifyTrace,
};

const exportAll: CommandSpec = {
  name: "export",
  description: "Write all entries as JSON Lines, exactly the bytes that the hashes cover.",
  summary: "write entries as JSON Lines",
  arguments: [ledger],
  options: [
    kernelOption,
    option("-o, --output <file>", "write to this file (default: standard output)"),
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim trace export ledger.db -o trace.jsonl", "`trace verify` reads it"],
    ["foreclaim trace export ledger.db | jq .entry.verdict", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./export.ts")).exportTrace,
};

const checkpoint: CommandSpec = {
  name: "checkpoint",
  description: "Verify a trace, then sign its length and its last entry.",
  summary: "sign a trace, to detect truncation later",
  arguments: [ledger],
  options: [
    kernelOption,
    option("-o, --output <file>", "write to this file (default: <ledger>.checkpoint)"),
    option("--key <file>", "private key (default: <ledger>.key)"),
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim trace checkpoint ledger.db", ""],
    ["foreclaim trace checkpoint ledger.db -o kept.checkpoint --key ops.pem", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./checkpoint.ts")).checkpointTrace,
};

const scrub: CommandSpec = {
  name: "scrub",
  description: "Read all of a ledger: every entry of every kernel is verified, and the file itself.",
  summary: "verify every kernel of a ledger",
  arguments: [ledger],
  options: [jsonLinesOption],
  examples: [["foreclaim trace scrub ledger.db", "on a schedule, to find damage early"]],
  jsonLines: true,
  load: async () => (await import("./scrub.ts")).scrubLedger,
};

const recover: CommandSpec = {
  name: "recover",
  description: "Copy what verifies of a damaged ledger into a new one, if that covers a checkpoint.",
  summary: "recover from a damaged tail",
  arguments: [ledger, ["<new>", "ledger to make; it must not exist"]],
  options: [
    kernelOption,
    option("--checkpoint <file>", "external checkpoint; repeat for each", { repeated: true }),
    option(
      "--key <file>",
      "public key for checkpoints; repeat for each (default: <checkpoint>.pub or <ledger>.pub)",
      {
        repeated: true,
      },
    ),
    option("--quorum <n>", "number of keys that must have signed each checkpoint", {
      parse: whole(1, mostCounted),
      default: 1,
    }),
    jsonLinesOption,
  ],
  notes: `Entries after the checkpoint are kept as far as they verify. What was lost after
them happened and is not known: compare with the world before you go on.`,
  examples: [["foreclaim trace recover ledger.db new.db --checkpoint kept.checkpoint", ""]],
  jsonLines: true,
  load: async () => (await import("./scrub.ts")).recoverLedger,
};

export const trace: CommandSpec = {
  name: "trace",
  description: "Show the decisions of a kernel, and verify that nobody tampered with them.",
  summary: "show the decisions of a kernel, and verify them",
  examples: [
    ["foreclaim trace show ledger.db --verdict refused", "refusals, with reasons"],
    ["foreclaim trace verify ledger.db", "is it genuine?"],
    ["foreclaim trace checkpoint ledger.db", "sign it"],
  ],
  commands: [show, verify, exportAll, checkpoint, scrub, recover],
};
