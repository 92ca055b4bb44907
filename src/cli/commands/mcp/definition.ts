/** `foreclaim mcp` and its commands. */
import { type Command, Option } from "commander";
import { each, foldersWords, toolsOption } from "../../repeated.ts";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import { seconds, solverOption, timeoutOption } from "../../solver-options.ts";
import type {
  AddCommandOptions,
  ImportCommandOptions,
  InitCommandOptions,
  UpdateCommandOptions,
} from "./gateway.ts";
import type { McpOptions, McpServeOptions } from "./serve.ts";

export function addMcp(session: Session, program: Command, version: string): void {
  const mcp = serving(set(program.command("mcp"), session, "foreclaim mcp"))
    .description("Prove and run the programs of agents over MCP, on standard input and output.")
    .summary("serve agents over MCP; tools of other servers")
    .helpCommand(false)
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
      session.code = await command.mcp(session.host, options, version);
    });
  addServe(session, mcp, version);
  addAdd(session, mcp);
  addInit(session, mcp);
  addImport(session, mcp);
  addUpdate(session, mcp);
  program.command("mcp-worker", { hidden: true }).action(async () => {
    const { work } = await import("./worker.ts");
    await work(session.host);
  });
}

/** The options of both ways to serve. */
function serving(command: Command): Command {
  return command
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
    .addOption(solverOption());
}

function addServe(session: Session, mcp: Command, version: string): void {
  serving(set(mcp.command("serve"), session, "foreclaim mcp serve"))
    .description(
      "Pass the tools of other servers through, each call held to standing guarantees; take programs besides.",
    )
    .summary("pass the tools of other servers through, under guarantees")
    .addOption(
      new Option("--guarantee <contract>", "a contract that holds of all calls; once for each").argParser(
        each,
      ),
    )
    .option("--observe", "refuse nothing, and say what would have been refused")
    .addOption(
      new Option("--face <face>", "what agents see: the tools alone, or programs besides")
        .choices(["both", "tools"])
        .default("both"),
    )
    .addHelpText(
      "after",
      examples(
        ["foreclaim mcp serve --observe", "what would have been refused"],
        ["foreclaim mcp serve --guarantee \"files.pathBelow(['/srv'])\"", "nothing outside /srv"],
      ),
    )
    .action(async (_: McpServeOptions, command: Command) => {
      const { mcp: serve } = await import("./serve.ts");
      // Options that both commands have belong to the outer one.
      session.code = await serve(session.host, command.optsWithGlobals<McpServeOptions>(), version);
    });
}

function addAdd(session: Session, mcp: Command): void {
  set(mcp.command("add"), session, "foreclaim mcp add")
    .description("Connect to another MCP server, make its tool module, and keep how it is reached.")
    .summary("make a tool module for another server")
    .argument("<name>", "the name of the server, and of its module")
    .argument("[command...]", "how it is started, after --")
    .option("--url <url>", "where it is reached, in place of a command")
    .addOption(
      new Option("--env <name>", "a variable of this environment that it gets; once for each").argParser(
        each,
      ),
    )
    .addOption(outOption())
    .addOption(hintsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv", "started here"],
        ["foreclaim mcp add docs --url https://mcp.example.org/mcp", "reached over HTTP"],
      ),
    )
    .action(async (name: string, command: readonly string[], options: AddCommandOptions) => {
      const { addCommand } = await import("./gateway.ts");
      session.code = await addCommand(session.host, name, command, options);
    });
}

function addInit(session: Session, mcp: Command): void {
  set(mcp.command("init"), session, "foreclaim mcp init")
    .description("Make tool modules for the MCP servers that this project has configured already.")
    .summary("make tool modules for the servers of this project")
    .addOption(outOption())
    .addOption(hintsOption())
    .addOption(jsonOption())
    .addHelpText("after", examples(["foreclaim mcp init", ".mcp.json, .cursor/mcp.json, .vscode/mcp.json"]))
    .action(async (options: InitCommandOptions) => {
      const { initCommand } = await import("./gateway.ts");
      session.code = await initCommand(session.host, options);
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
      session.code = await importCommand(session.host, file, options);
    });
}

function addUpdate(session: Session, mcp: Command): void {
  named(set(mcp.command("update"), session, "foreclaim mcp update"))
    .description("Show what has changed in the definitions of a server since a person has seen them.")
    .summary("show what has changed at a server")
    .argument("[tools-list]", "the answer of the server, as JSON; it is asked itself if left out")
    .option("--accept", "write today's digests into the lock; the module stays as it is")
    .addHelpText(
      "after",
      `\nExit codes:\n  0 nothing has changed, or it was accepted, 1 something has, 2 bad input\n${examples(
        ["foreclaim mcp update --name github", "what has changed at the server"],
        ["foreclaim mcp update --name github --accept", "once the module says the same"],
      )}`,
    )
    .action(async (file: string | undefined, options: UpdateCommandOptions) => {
      const { updateCommand } = await import("./gateway.ts");
      session.code = await updateCommand(session.host, file, options);
    });
}

/** The options that name a module and say how it is made. */
function named(command: Command): Command {
  return command
    .addOption(new Option("--name <name>", "the name of the server, and of its module").makeOptionMandatory())
    .addOption(outOption())
    .addOption(hintsOption())
    .addOption(jsonOption());
}

function outOption(): Option {
  return new Option("--out <folder>", "the folder of the module").default("tools");
}

function hintsOption(): Option {
  return new Option("--trust-hints", "take the server's annotations for true: read-only, not destructive");
}
