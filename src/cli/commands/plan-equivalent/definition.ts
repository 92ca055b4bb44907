/** The options and the help of `plan equivalent`. */
import { examples, jsonOption, type Session } from "../../session.ts";
import { believedOption, compatOption, type MakeCommand, stateOption } from "../plan/options.ts";
import type { EquivalentOptions } from "./handler.ts";

export function addEquivalent(session: Session, command: MakeCommand): void {
  command(
    "equivalent",
    "Find out whether two plans do the same, whatever the state and whatever tools answer.",
  )
    .summary("compare two plans")
    .argument("<plan>", "one plan, JSON")
    .argument("<other>", "the other one")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan equivalent a.json b.json", "for every state"],
        ["foreclaim plan equivalent a.json b.json --compat car", "on a few states"],
      ),
    )
    .action(async (file: string, other: string, options: EquivalentOptions) => {
      const { comparePlans } = await import("./handler.ts");
      session.code = await comparePlans(session.host, file, other, options);
    });
}
