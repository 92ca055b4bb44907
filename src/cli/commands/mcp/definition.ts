/** `foreclaim mcp` and its commands. */
import { type Command, Option } from "commander";
import { foldersWords, toolsOption } from "../../repeated.ts";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import { seconds, solverOption, timeoutOption } from "../../solver-options.ts";
import type { ImportCommandOptions, UpdateCommandOptions } from "./gateway.ts";
import type { McpOptions } from "./serve.ts";

export function addMcp(session: Session, program: Command, version: string): void {
  const mcp = set(program.command("mcp"), session, "foreclaim mcp")
    .description("Prove and run the programs of agents over MCP, on standard input and output.")
    .summary("serve agents over MCP; tools of other servers")
    .helpCommand(false)
    .addOption(new Option("--folder <folder>", "where programs are taken to lie").default("."))
    .addOption(toolsOption(foldersWords))
    .option("--policy <file>", "the policy that decides before people are asked")
    .option("--ledger <ledger>", "a SQLite file or postgres://...; without it nothing is kept")
    .option("--kernel <name>", "which kernel of the ledger (main)")
    .option("--budget <amount>", "the most that all calls of a run may cost")
    .option("--service <url>", "the approval service that is asked where no rule decides")
    .option("--credential <file>", "the credential of the agent, for --service")
    .option("--key <file>", "the key that signs receipts; with --service, its public key")
    .addOption(
      new Option("--prove-timeout <seconds>", "how long a proof may take").default(60).argParser(seconds),
    )
    .addOption(
      new Option("--call-timeout <seconds>", "how long a call may take").default(60).argParser(seconds),
    )
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim mcp --policy policy.json", "runs what a rule approves"],
        ["foreclaim mcp --service http://127.0.0.1:4173 --credential agent --key approve.pub", "asks people"],
        ["foreclaim mcp import github.json --name github", "the tools of another server"],
      ),
    )
    .action(async (options: McpOptions) => {
      const command = await import("./serve.ts");
      session.code = await command.mcp(session.terminal, options, version);
    });
  addImport(session, mcp);
  addUpdate(session, mcp);
  program.command("mcp-worker", { hidden: true }).action(async () => {
    const { work } = await import("./worker.ts");
    await work(session.terminal);
  });
}

function addImport(session: Session, mcp: Command): void {
  named(set(mcp.command("import"), session, "foreclaim mcp import"))
    .description("Make a tool module from the saved answer of a server to `tools/list`.")
    .summary("make a tool module from a saved list of tools")
    .argument("<tools-list>", "the answer of the server, as JSON; - is standard input")
    .addHelpText(
      "after",
      examples([
        "foreclaim mcp import github.json --name github",
        "tools/github.ts and tools/github.lock.json",
      ]),
    )
    .action(async (file: string, options: ImportCommandOptions) => {
      const { importCommand } = await import("./gateway.ts");
      session.code = await importCommand(session.terminal, file, options);
    });
}

function addUpdate(session: Session, mcp: Command): void {
  named(set(mcp.command("update"), session, "foreclaim mcp update"))
    .description("Show what has changed in the definitions of a server since a person has seen them.")
    .summary("show what has changed at a server")
    .argument("<tools-list>", "the answer of the server, as JSON; - is standard input")
    .option("--accept", "write today's digests into the lock; the module stays as it is")
    .addHelpText(
      "after",
      `\nExit codes:\n  0 nothing has changed, or it was accepted, 1 something has, 2 bad input\n${examples(
        ["foreclaim mcp update github.json --name github", "what has changed"],
        ["foreclaim mcp update github.json --name github --accept", "once the module says the same"],
      )}`,
    )
    .action(async (file: string, options: UpdateCommandOptions) => {
      const { updateCommand } = await import("./gateway.ts");
      session.code = await updateCommand(session.terminal, file, options);
    });
}

/** The options that name a module and say how it is made. */
function named(command: Command): Command {
  return command
    .addOption(new Option("--name <name>", "the name of the server, and of its module").makeOptionMandatory())
    .addOption(new Option("--out <folder>", "the folder of the module").default("tools"))
    .option("--trust-hints", "take the server's annotations for true: read-only, not destructive")
    .addOption(jsonOption());
}
