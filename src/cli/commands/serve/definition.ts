/** `foreclaim serve`, and the credentials of those who use it. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  callTimeoutOption,
  duration,
  folderOption,
  httpUrl,
  jsonOption,
  option,
  policyOption,
  solverOptions,
  storeOption,
  toolsOption,
  whole,
} from "../../options.ts";
import type { ServeOptions } from "./handler.ts";

/** Declares a time such as `10m`, with its default. */
function time(flags: string, meaning: string, shown: string) {
  return option(flags, meaning, { default: duration(shown), shown, parse: duration });
}

function number(flags: string, meaning: string, given: number, most: number) {
  return option(flags, meaning, { default: given, parse: whole(1, most) });
}

const make: CommandSpec = {
  name: "make",
  description: "Make a credential and print it, this once.",
  summary: "make a credential, and print it",
  options: [
    option("--name <name>", "name of its holder", { required: true }),
    option("--role <role>", "role of its holder", {
      choices: ["agent", "reader", "reviewer", "admin"],
      required: true,
    }),
    option("--person <name>", "the person who holds it, if they hold several (default: its name)"),
    storeOption,
    jsonOption,
  ],
  examples: [
    ["foreclaim serve credential make --name pay-agent --role agent", "it files, and never decides"],
  ],
  load: async () => (await import("./credential.ts")).makeCredential,
};

const list: CommandSpec = {
  name: "list",
  description: "List credentials. Their secrets are stored nowhere.",
  summary: "list credentials",
  options: [storeOption, jsonOption],
  examples: [["foreclaim serve credential list", ""]],
  load: async () => (await import("./credential.ts")).listCredentials,
};

const revoke: CommandSpec = {
  name: "revoke",
  description: "Revoke a credential at once and for good, with its open sessions.",
  summary: "revoke a credential",
  arguments: [["<name>", "name of its holder"]],
  options: [storeOption, jsonOption],
  examples: [["foreclaim serve credential revoke pay-agent", ""]],
  load: async () => (await import("./credential.ts")).revokeCredential,
};

const credential: CommandSpec = {
  name: "credential",
  description: "Make, list and revoke the credentials of agents and reviewers.",
  summary: "credentials of those who file and decide",
  commands: [make, list, revoke],
};

export const serve: CommandSpec = {
  name: "serve",
  description: "Serve approvals: agents file programs, Foreclaim proves them, and people decide on a page.",
  summary: "serve a page on which people approve programs",
  options: [
    storeOption,
    option("--host <address>", "address to listen on", { default: "127.0.0.1" }),
    option("--port <port>", "port to listen on; 0 takes any free one", {
      default: 4173,
      parse: whole(0, 65_535),
    }),
    option("--origin <url>", "public address of the page behind a proxy; repeat for each", {
      parse: httpUrl,
      repeated: true,
    }),
    folderOption,
    toolsOption,
    policyOption,
    option("--webhooks <file>", "webhooks that are told of requests, as JSON"),
    option("--key <file>", "private key that signs receipts (default: <store>.key)"),
    time("--expire <time>", "time until an undecided request expires", "1h"),
    time("--receipt-lifetime <time>", "time until a receipt expires", "10m"),
    time("--prove-timeout <time>", "time limit of one proof", "60s"),
    option("--prove-memory <mb>", "memory limit of one proof", { default: 1024, parse: whole(64, 65_536) }),
    option("--workers <n>", "processes that prove (default: one for each core)", { parse: whole(1, 256) }),
    number("--pending <n>", "open requests of one agent", 100, 100_000),
    number("--rate <n>", "HTTP requests of one credential in a second", 50, 100_000),
    time("--request-timeout <time>", "time limit for receiving a request body", "20s"),
    option("--no-mcp", "do not serve agents over MCP at /mcp"),
    option("--ledger <ledger>", "ledger of the runs over MCP and of workers (default: nothing is recorded)"),
    option("--kernel <name>", "name of the kernel in the ledger (default: main)"),
    callTimeoutOption,
    ...solverOptions,
    option("--log <form>", "form of the log", { choices: ["text", "json"], default: "text" }),
    option("--temporary <folder>", "", { hidden: true }),
    option("--json", "print the address as one JSON object"),
  ],
  examples: [
    ["foreclaim serve", "a page on this machine; prints its address"],
    ["foreclaim serve --policy policy.json", "asks people only where no rule decides"],
    ["foreclaim serve --store postgres://... --key approve.key", "several instances on one database"],
    ["foreclaim serve credential make --name ann --role reviewer", "somebody who decides"],
  ],
  load: async (version) => {
    const command = await import("./handler.ts");
    return (host, options: ServeOptions) => command.serve(host, options, version);
  },
  commands: [credential],
};

export const serveWorker: CommandSpec = {
  name: "serve-worker",
  description: "Works for `foreclaim serve`.",
  summary: "",
  hidden: true,
  load: async () => (await import("./worker.ts")).work,
};
