/** The options and the help of `tools`. */
import type { Command } from "commander";
import { toolsOption } from "../../repeated.ts";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { ToolsCommandOptions } from "./handler.ts";

export function addTools(session: Session, program: Command): void {
  set(program.command("tools"), session, "foreclaim tools")
    .description("List the tools, fluents, contracts and coverage policies that a program here can use.")
    .summary("list what programs can use")
    .argument("[folder...]", "where the programs are; this folder if it is left out")
    .addOption(toolsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim tools", "for a person or an agent that writes a program"],
        ["foreclaim tools --json", "the same as data"],
      ),
    )
    .action(async (folders: readonly string[], options: ToolsCommandOptions) => {
      const { listTools } = await import("./handler.ts");
      session.code = await listTools(session.host, folders, options);
    });
}
