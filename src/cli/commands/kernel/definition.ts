/** The commands of `foreclaim kernel` and `foreclaim trace`: a kernel on a ledger, and what it wrote. */
import { Command, InvalidArgumentError, Option } from "commander";
import type { KernelChoice, KernelInitOptions } from "../../../app/index.ts";
import { each } from "../../repeated.ts";
import { examples, type Session, set } from "../../session.ts";
import type { ResolveOptions, RollbackOptions } from "./outcome.ts";

const ledgerWords = "a SQLite file (ledger.db, sqlite:ledger.db) or postgres://...";
export const traceWords = `${ledgerWords}, or a file that \`trace export\` wrote`;

export function kernelFor(session: Session): Command {
  const kernel = set(new Command("kernel"), session, "foreclaim kernel")
    .description("Hold actions to budgets, limits and rules, and keep every verdict.")
    .summary("hold actions to budgets and rules")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim kernel init ledger.db --budget usd=10", "make one"],
        ["foreclaim kernel exec ledger.db action.json", "judge an action, and do it"],
        ["foreclaim kernel status ledger.db", "what is spent and held"],
      ),
    );
  const command = commandIn(session, kernel, "kernel", ledgerWords);
  addInit(session, command);
  addStatus(session, command);
  addSteps(session, command);
  addOutcomes(session, command);
  return kernel;
}

export type MakeCommand = (name: string, description: string, summary: string) => Command;

export function commandIn(session: Session, group: Command, name: string, first: string): MakeCommand {
  return (one, description, summary) =>
    set(group.command(one), session, `foreclaim ${name} ${one}`)
      .description(description)
      .summary(summary)
      .argument("<ledger>", first)
      .addOption(new Option("--kernel <name>", "which kernel of the ledger").default("main"));
}

export function lineOption(): Option {
  return new Option("--json", "print JSON, each answer on one line, also problems");
}

export function count(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

// ── kernel ───────────────────────────────────────────────────────────────────────────────────────────────

function addInit(session: Session, command: MakeCommand): void {
  command("init", "Make a kernel: its budgets, limits, rules and first state.", "make a kernel")
    .addOption(new Option("--budget <name=limit>", "a budget, or several").argParser(each))
    .addOption(
      new Option("--min-cost <amount>", "what a step costs at least; name=amount for several").argParser(
        each,
      ),
    )
    .addOption(new Option("--max-steps <n>", "how many steps there are, ever").argParser(count))
    .option("--state <file>", "the first state, a JSON object")
    .option("--rules <file>", "the rules, a JSON list")
    .addOption(new Option("--emergency <id>", "an action that is always allowed, or several").argParser(each))
    .option("--key <file>", "the key that signs checkpoints; <ledger>.key if it is left out")
    .addOption(lineOption())
    .addHelpText(
      "after",
      `
Rules:
  [{"name": "few mails", "enforcement": "blocking",
    "rule": "rateLimit", "key": "mails", "max": 3}]
  A budget or an emergency action can be given as JSON too, with all it has:
  --budget '{"name": "day", "limit": "5", "windowMs": 86400000}'
${examples(
  ["foreclaim kernel init ledger.db --budget usd=10", ""],
  ["foreclaim kernel init ledger.db --budget usd=10 --budget calls=5", ""],
  ["foreclaim kernel init ledger.db --state s.json --rules rules.json", ""],
)}`,
    )
    .action(async (ledger: string, options: KernelInitOptions) => {
      const { initKernel } = await import("./init.ts");
      session.code = await initKernel(session.host, ledger, options);
    });
}

function addStatus(session: Session, command: MakeCommand): void {
  command(
    "status",
    "Tell what a kernel has spent, what is held, and what is in doubt.",
    "tell what is spent, held and in doubt",
  )
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim kernel status ledger.db", "for people"],
        ["foreclaim kernel status ledger.db --json", "as data"],
      ),
    )
    .action(async (ledger: string, options: KernelChoice) => {
      const { kernelStatus } = await import("./status.ts");
      session.code = await kernelStatus(session.host, ledger, options);
    });
}

function addSteps(session: Session, command: MakeCommand): void {
  const actions = "actions, one JSON object on each line; - is standard input";
  const step = (
    name: string,
    what: "execute" | "evaluate",
    description: string,
    summary: string,
    lines: string,
  ) =>
    command(name, description, summary)
      .argument("[actions]", actions, "-")
      .addOption(lineOption())
      .addHelpText("after", lines)
      .action(async (ledger: string, path: string, options: KernelChoice) => {
        const { stepKernel } = await import("./step.ts");
        session.code = await stepKernel(session.host, what, ledger, path, options);
      });
  step(
    "exec",
    "execute",
    "Judge actions in order; what is allowed is done, and every verdict is kept.",
    "judge actions, and do them",
    `
Actions:
  {"id": "pay", "cost": {"usd": "1.50"}, "reads": 3,
   "effects": [{"key": "paid", "op": "increment", "value": 1}]}
Exit codes:
  0  all were allowed
  1  some were refused
  2  bad input: a line that is not JSON, no such ledger, a wrong option
${examples(
  ["foreclaim kernel exec ledger.db action.json", "one action"],
  ["cat a.jsonl | foreclaim kernel exec ledger.db - --json", "many, as data"],
)}`,
  );
  step(
    "eval",
    "evaluate",
    "Judge actions, each on the state as it is now, and change nothing.",
    "judge actions, and change nothing",
    examples(
      ["foreclaim kernel eval ledger.db action.json", "would it be allowed?"],
      ["cat a.jsonl | foreclaim kernel eval ledger.db --json", "many, as data"],
    ),
  );
}

function addOutcomes(session: Session, command: MakeCommand): void {
  command(
    "rollback",
    "Undo a step by its receipt: the state as it was, and what it cost given back.",
    "undo a step",
  )
    .argument("<receipt>", "of the step, as `exec` gave it")
    .option("--to <receipt>", "undo all steps from the first to this one")
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim kernel rollback ledger.db s3-4f0c...", "one step"],
        ["foreclaim kernel rollback ledger.db s3-4f0c... --to s5-91aa...", "three"],
      ),
    )
    .action(async (ledger: string, receipt: string, options: RollbackOptions) => {
      const { rollbackStep } = await import("./outcome.ts");
      session.code = await rollbackStep(session.host, ledger, receipt, options);
    });
  command(
    "resolve",
    "Say what became of a reservation that is in doubt: it happened, or it did not.",
    "say what became of what is in doubt",
  )
    .argument("<receipt>", "of the reservation, as `status` lists it")
    .option("--settle", "it happened")
    .option("--release <reason>", "it did not happen")
    .addOption(new Option("--cost <amount>", "what it really cost; name=amount for several").argParser(each))
    .option("--outcome <json>", "what came of it, for the trace")
    .option("--drop-effects", "leave the state as it is: it has moved on")
    .addOption(lineOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim kernel resolve ledger.db r7-c2d1... --settle --cost 1.20", ""],
        ["foreclaim kernel resolve ledger.db r7-c2d1... --release 'never sent'", ""],
      ),
    )
    .action(async (ledger: string, receipt: string, options: ResolveOptions) => {
      const { resolveReservation } = await import("./outcome.ts");
      session.code = await resolveReservation(session.host, ledger, receipt, options);
    });
}
