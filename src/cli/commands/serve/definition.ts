/** `foreclaim serve`, and the credentials of those who use it. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { toolsOption } from "../../repeated.ts";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { CredentialOptions, MakeOptions } from "./credential.ts";
import type { ServeOptions } from "./handler.ts";

export function addServe(session: Session, program: Command): void {
  const serve = set(program.command("serve"), session, "foreclaim serve")
    .description("Serve approvals: agents file programs, they are proved, and people decide on a page.")
    .summary("serve a page on which people approve programs")
    .helpCommand(false)
    .addOption(storeOption())
    .addOption(new Option("--host <address>", "where to listen").default("127.0.0.1"))
    .addOption(new Option("--port <port>", "0 takes any that is free").default(4173).argParser(port))
    .addOption(
      new Option(
        "--origin <url>",
        "what the page is called, where a proxy stands before it; once for each",
      ).argParser(origins),
    )
    .addOption(new Option("--folder <folder>", "where programs are taken to lie").default("."))
    .addOption(toolsOption())
    .option("--policy <file>", "the policy that decides before people are asked")
    .option("--key <file>", "the private key that signs receipts; <store>.key if it is left out")
    .addOption(
      new Option("--expire <time>", "how long a request waits for a decision")
        .default(3600, "1h")
        .argParser(span),
    )
    .addOption(
      new Option("--receipt-lifetime <time>", "how long a receipt is good")
        .default(600, "10m")
        .argParser(span),
    )
    .addOption(
      new Option("--prove-timeout <time>", "how long a proof may take").default(60, "60s").argParser(span),
    )
    .addOption(
      new Option("--prove-memory <mb>", "the memory of a proof").default(1024).argParser(count(64, 65_536)),
    )
    .addOption(
      new Option("--workers <n>", "processes that prove; as many as cores if it is left out").argParser(
        count(1, 256),
      ),
    )
    .addOption(
      new Option("--pending <n>", "open requests of one agent").default(100).argParser(count(1, 100_000)),
    )
    .addOption(
      new Option("--rate <n>", "requests over HTTP of one credential in a second")
        .default(50)
        .argParser(count(1, 100_000)),
    )
    .addOption(
      new Option("--request-timeout <time>", "how long a body may take to come")
        .default(20, "20s")
        .argParser(span),
    )
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(new Option("--log <form>", "how events are told").choices(["text", "json"]).default("text"))
    .addOption(new Option("--temporary <folder>").hideHelp())
    .addOption(new Option("--json", "print where it listens as one JSON object"))
    .addHelpText(
      "after",
      examples(
        ["foreclaim serve", "a page on this machine; prints its address"],
        ["foreclaim serve --policy policy.json", "asks people only where no rule decides"],
        ["foreclaim serve --store postgres://... --key approve.key", "several instances on one database"],
        ["foreclaim serve credential make --name ann --role reviewer", "somebody who decides"],
      ),
    )
    .action(async (options: ServeOptions) => {
      const command = await import("./handler.ts");
      session.code = await command.serve(session.host, options);
    });
  addCredentials(session, serve);
  program.command("serve-worker", { hidden: true }).action(async () => {
    const { workFor } = await import("./worker.ts");
    await workFor(session.host);
  });
}

function addCredentials(session: Session, serve: Command): void {
  const credential = set(serve.command("credential"), session, "foreclaim serve credential")
    .description("Make, list and revoke the credentials of agents and reviewers.")
    .summary("who may file, and who may decide")
    .helpCommand(false);
  set(credential.command("make"), session, "foreclaim serve credential make")
    .description("Make a credential and print it. It is told this once.")
    .summary("make one, and print it")
    .requiredOption("--name <name>", "whose it is")
    .addOption(
      new Option("--role <role>", "what it is for")
        .choices(["agent", "reviewer", "admin"])
        .makeOptionMandatory(),
    )
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples([
        "foreclaim serve credential make --name pay-agent --role agent",
        "it files, and never decides",
      ]),
    )
    .action(async (_: object, command: Command) => {
      const { makeCredential } = await import("./credential.ts");
      session.code = await makeCredential(session.host, command.optsWithGlobals<MakeOptions>());
    });
  set(credential.command("list"), session, "foreclaim serve credential list")
    .description("List credentials. What is secret of them is kept nowhere.")
    .summary("list them")
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText("after", examples(["foreclaim serve credential list", ""]))
    .action(async (_: object, command: Command) => {
      const { listCredentials } = await import("./credential.ts");
      session.code = await listCredentials(session.host, command.optsWithGlobals<CredentialOptions>());
    });
  set(credential.command("revoke"), session, "foreclaim serve credential revoke")
    .description("Revoke a credential, at once and for good, with the sessions it has open.")
    .summary("revoke one")
    .argument("<name>", "whose it is")
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText("after", examples(["foreclaim serve credential revoke pay-agent", ""]))
    .action(async (name: string, _: object, command: Command) => {
      const { revokeCredential } = await import("./credential.ts");
      session.code = await revokeCredential(session.host, name, command.optsWithGlobals<CredentialOptions>());
    });
}

function storeOption(): Option {
  return new Option("--store <store>", "where requests are kept: a SQLite file or postgres://...")
    .env("FORECLAIM_STORE")
    .default("approvals.db");
}

function port(text: string): number {
  const number = Number(text);
  if (/^[0-9]{1,5}$/.test(text) && number <= 65_535) return number;
  throw new InvalidArgumentError("Expected a port, from 0 to 65535.");
}

function origins(text: string, before: readonly string[] = []): string[] {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isOrigin) return [...before, text];
  throw new InvalidArgumentError("Expected an address such as https://approve.example.org.");
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function span(text: string): number {
  const [, number = "", unit = ""] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const found = number === "" ? 0 : Number(number) * (units[unit] ?? 0);
  if (found > 0 && found <= 366 * 86_400) return found;
  throw new InvalidArgumentError("Expected a time such as 30s, 10m, 1h or 2d.");
}

function count(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
