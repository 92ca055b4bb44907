/** The commands of `foreclaim keys`: the keys that sign checkpoints and receipts. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption } from "../../options.ts";

const make: CommandSpec = {
  name: "make",
  description: "Make a key pair: a private key that signs, and a public key for everybody who verifies.",
  summary: "make a key pair",
  arguments: [["<file>", "file of the private key; the public key gets the same name with .pub"]],
  options: [jsonOption],
  examples: [["foreclaim keys make approve.key", "writes approve.key and approve.pub"]],
  load: async () => (await import("./handler.ts")).makeKeyFiles,
};

const show: CommandSpec = {
  name: "show",
  description: "Show the fingerprint and the public half of a key. The private half is never shown.",
  summary: "show a key's fingerprint and public half",
  arguments: [["<file>", "public or private key, PEM"]],
  options: [jsonOption],
  examples: [
    ["foreclaim keys show approve.pub", ""],
    ["foreclaim keys show ledger.db.key --json", "as data"],
  ],
  load: async () => (await import("./handler.ts")).showKey,
};

export const keys: CommandSpec = {
  name: "keys",
  description: "Make and show the Ed25519 keys that sign receipts and checkpoints.",
  summary: "make and show keys that sign",
  examples: [
    ["foreclaim keys make approve.key", "a private key, and approve.pub"],
    ["foreclaim keys show approve.pub", "its fingerprint, and the public half"],
  ],
  commands: [make, show],
};
