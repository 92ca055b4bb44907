/** The commands of `foreclaim keys`: the keys that sign checkpoints and receipts. */
import { Command } from "commander";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import type { KeysOptions } from "./handler.ts";

export function keysFor(session: Session): Command {
  const keys = set(new Command("keys"), session, "foreclaim keys")
    .description("Make and show the Ed25519 keys that sign receipts and checkpoints.")
    .summary("make and show keys that sign")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim keys make approve.key", "a private one, and approve.pub"],
        ["foreclaim keys show approve.pub", "its fingerprint, and the public half"],
      ),
    );
  set(keys.command("make"), session, "foreclaim keys make")
    .description("Make a pair of keys: a private one for you alone, and a public one for whoever verifies.")
    .summary("make a pair of keys")
    .argument("<file>", "of the private key; the public one gets the same name with .pub")
    .addOption(jsonOption())
    .addHelpText("after", examples(["foreclaim keys make approve.key", "writes approve.key and approve.pub"]))
    .action(async (file: string, options: KeysOptions) => {
      const { makeKeyFiles } = await import("./handler.ts");
      session.code = await makeKeyFiles(session.host, file, options);
    });
  set(keys.command("show"), session, "foreclaim keys show")
    .description("Show the fingerprint and the public half of a key. The private half is never shown.")
    .summary("show a key's fingerprint and public half")
    .argument("<file>", "a public or a private key in PEM")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim keys show approve.pub", ""],
        ["foreclaim keys show ledger.db.key --json", "as data"],
      ),
    )
    .action(async (file: string, options: KeysOptions) => {
      const { showKey } = await import("./handler.ts");
      session.code = await showKey(session.host, file, options);
    });
  return keys;
}
