/** `view`: what a program does and guarantees, as description logic. */
import { type Command, Option } from "commander";
import { toolsOption } from "../../repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "../../session.ts";
import type { ViewOptions } from "./handler.ts";

export function addView(session: Session, program: Command): void {
  set(program.command("view"), session, "foreclaim view")
    .description(
      "Write what a program may call and what it guarantees as description logic, and say of each guarantee how far that goes. Nothing is proved.",
    )
    .summary("write a program as description logic or OWL")
    .argument(
      "<program>",
      "a TypeScript program (.ts), or a document of the Effect IR (.eir, .json); - is standard input",
    )
    .addOption(
      new Option("--dl", "in the notation of description logic, for people; so if nothing else is said"),
    )
    .addOption(new Option("--owl", "as an OWL 2 ontology, for other programs").conflicts("dl"))
    .addOption(
      new Option("--format <format>", "how the ontology is written")
        .choices(["functional", "turtle", "xml"])
        .conflicts("dl"),
    )
    .option("-o, --output <file>", "where to write it; standard output if it is left out")
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim view pay.ts", "its calls, and its guarantees as axioms"],
        ["foreclaim view pay.ts --owl --format turtle -o pay.ttl", "for a reasoner or a graph store"],
        ["foreclaim view pay.eir --json", "each guarantee with what is faithful, and what is not said"],
      ),
    )
    .action(async (path: string, options: ViewOptions) => {
      const { view } = await import("./handler.ts");
      session.code = await view(session.host, path, options);
    });
}
