/** The options and the help of `init`. */
import type { Command } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { InitCommandOptions } from "./handler.ts";

export function addInit(session: Session, program: Command, version: string): void {
  set(program.command("init"), session, "foreclaim init")
    .description("Make a project: a tool module, a program that is proved, and a guide for agents.")
    .summary("make a project to begin with")
    .argument("[folder]", "where; this folder if it is left out")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(["foreclaim init", "in this folder"], ["foreclaim init pay-agent", "in a new one"]),
    )
    .action(async (folder: string | undefined, options: InitCommandOptions) => {
      const { initProject } = await import("./handler.ts");
      session.code = await initProject(session.host, folder ?? ".", version, options);
    });
}
