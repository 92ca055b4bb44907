/** The options and the help of `build`. */
import type { Command } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { BuildCommandOptions } from "./handler.ts";

export function addBuild(session: Session, program: Command): void {
  set(program.command("build"), session, "foreclaim build")
    .description(
      "Save the tool modules of a folder as one file, to prove programs with where the modules are not.",
    )
    .summary("save tool modules as one file")
    .argument("<folder>", "the folder of trusted tool modules")
    .requiredOption("-o, --output <file>", "where to write it; its name ends in .json")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim build tools/ -o tools.json", "the file holds the text of the modules"],
        ["foreclaim prove pay.ts --tools tools.json", "as if the folder were there"],
      ),
    )
    .action(async (folder: string, options: BuildCommandOptions) => {
      const { buildLayer } = await import("./handler.ts");
      session.code = await buildLayer(session.host, folder, options);
    });
}
