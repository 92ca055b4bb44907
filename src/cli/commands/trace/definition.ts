/** The options and the help of `trace`. */
import { Command, Option } from "commander";
import { each } from "../../repeated.ts";
import { examples, type Session, set } from "../../session.ts";
import { commandIn, count, lineOption, type MakeCommand, traceWords } from "../kernel/definition.ts";
import type { CheckpointOptions } from "./checkpoint.ts";
import type { ExportOptions } from "./export.ts";
import type { ShowOptions } from "./show.ts";
import type { VerifyOptions } from "./verify.ts";

// ── trace ────────────────────────────────────────────────────────────────────────────────────────────────

export function traceFor(session: Session): Command {
  const trace = set(new Command("trace"), session, "foreclaim trace")
    .description("Look at what a kernel decided, and verify that it was not tampered with.")
    .summary("look at what was decided, and verify it")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim trace show ledger.db --verdict refused", "and why"],
        ["foreclaim trace verify ledger.db", "was it tampered with?"],
        ["foreclaim trace checkpoint ledger.db", "sign it"],
      ),
    );
  const command = commandIn(session, trace, "trace", traceWords);
  addShow(session, command);
  addVerify(session, command);
  addExport(session, command);
  addCheckpoint(session, command);
  return trace;
}

function addShow(session: Session, command: MakeCommand): void {
  command("show", "Show entries of a trace, the newest last.", "show entries")
    .option("--kind <kind>", "only of this kind: open, execute, reserve, settle, ...")
    .addOption(new Option("--verdict <verdict>", "only with this verdict").choices(["allowed", "refused"]))
    .option("--action <id>", "only of this action")
    .option("--from <place>", "from this entry on: a number, or a time (UTC)")
    .option("--to <place>", "to this entry: a number, or a time (UTC)")
    .addOption(new Option("--limit <n>", "at most so many, the last ones; 50 in a table").argParser(count))
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim trace show ledger.db", "the last 50"],
        ["foreclaim trace show ledger.db --action pay --from 2026-01-31", ""],
        ["foreclaim trace show ledger.db --verdict refused --json", "whole entries"],
      ),
    )
    .action(async (from: string, options: ShowOptions) => {
      const { showTrace } = await import("./show.ts");
      session.code = await showTrace(session.host, from, options);
    });
}

function addVerify(session: Session, command: MakeCommand): void {
  command(
    "verify",
    "Verify a trace: hashes, order, checkpoints, and every decision once more.",
    "verify that it is what the kernel wrote",
  )
    .addOption(
      new Option("--checkpoint <file>", "a checkpoint that was kept apart, or several").argParser(each),
    )
    .option(
      "--key <file>",
      "the public key for checkpoints; <checkpoint>.pub or <ledger>.pub if it is left out",
    )
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim trace verify ledger.db", ""],
        ["foreclaim trace verify ledger.db --checkpoint kept.checkpoint", ""],
        ["foreclaim trace verify trace.jsonl --checkpoint c --key ops.pub", ""],
      ),
    )
    .action(async (from: string, options: VerifyOptions) => {
      const { verifyTrace } = await import("./verify.ts");
      session.code = await verifyTrace(session.host, from, options);
    });
}

function addExport(session: Session, command: MakeCommand): void {
  command(
    "export",
    "Write all entries as JSON Lines, exactly as they were hashed.",
    "write entries as JSON Lines",
  )
    .option("-o, --output <file>", "to a file; to standard output if it is left out")
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim trace export ledger.db -o trace.jsonl", "`trace verify` reads it"],
        ["foreclaim trace export ledger.db | jq .entry.verdict", ""],
      ),
    )
    .action(async (from: string, options: ExportOptions) => {
      const { exportTrace } = await import("./export.ts");
      session.code = await exportTrace(session.host, from, options);
    });
}

function addCheckpoint(session: Session, command: MakeCommand): void {
  command(
    "checkpoint",
    "Sign how long a trace is and what it ends with, after verifying it.",
    "sign a trace, to be kept apart",
  )
    .option("-o, --output <file>", "where to; <ledger>.checkpoint if it is left out")
    .option("--key <file>", "the private key; <ledger>.key if it is left out")
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim trace checkpoint ledger.db", ""],
        ["foreclaim trace checkpoint ledger.db -o kept.checkpoint --key ops.pem", ""],
      ),
    )
    .action(async (from: string, options: CheckpointOptions) => {
      const { checkpointTrace } = await import("./checkpoint.ts");
      session.code = await checkpointTrace(session.host, from, options);
    });
}
