/** `foreclaim mcp` and its commands. */
import { type Command, Option } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { ImportCommandOptions, UpdateCommandOptions } from "./gateway.ts";

export function addMcp(session: Session, program: Command): void {
  const mcp = set(program.command("mcp"), session, "foreclaim mcp")
    .description("Prove and run the programs of agents over MCP, with the tools of other MCP servers.")
    .summary("serve agents over MCP; tools of other servers");
  addImport(session, mcp);
  addUpdate(session, mcp);
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
