/** The options and the help of `demo`. */
import type { Command } from "commander";
import { examples, type Session, set } from "../../session.ts";

export function addDemo(session: Session, program: Command, version: string): void {
  set(program.command("demo"), session, "foreclaim demo")
    .description("Refute an injected program; prove, approve and run the mended one.")
    .summary("see what it is about, in half a minute")
    .option("-y, --yes", "approve it without being asked")
    .addHelpText(
      "after",
      examples(
        ["foreclaim demo", "asks on a page; without a terminal, asks a policy"],
        ["foreclaim demo --yes", "asks nobody"],
      ),
    )
    .action(async (options: { readonly yes?: boolean }) => {
      const { demo } = await import("./handler.ts");
      session.code = await demo(session.host, version, options);
    });
}
