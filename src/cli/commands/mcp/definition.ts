/** `foreclaim mcp` and its commands. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  callTimeoutOption,
  credentialOption,
  folderOption,
  jsonOption,
  option,
  policyOption,
  seconds,
  solverOptions,
  toolFoldersOption,
} from "../../options.ts";
import type { McpOptions, McpServeOptions } from "./serve.ts";

const nameOption = option("--name <name>", "name of the server, and of its module", { required: true });

const moduleOptions = [
  option("--out <folder>", "folder of the module", { default: "tools" }),
  option("--trust-hints", "believe the server's annotations: read-only, not destructive"),
  jsonOption,
];

const add: CommandSpec = {
  name: "add",
  description: "Connect to another MCP server, make its tool module, and record how to reach it.",
  summary: "make a tool module for another server",
  arguments: [
    ["<name>", "name of the server, and of its module"],
    ["[command...]", "command that starts the server, after --"],
  ],
  options: [
    option("--url <url>", "address of the server, in place of a command"),
    option("--env <name>", "environment variable to pass to the server; repeat for each", { repeated: true }),
    ...moduleOptions,
  ],
  examples: [
    ["foreclaim mcp add files -- npx -y @modelcontextprotocol/server-filesystem /srv", "started here"],
    ["foreclaim mcp add docs --url https://mcp.example.org/mcp", "reached over HTTP"],
  ],
  load: async () => (await import("./gateway.ts")).addCommand,
};

const init: CommandSpec = {
  name: "init",
  description:
    "Make tool modules for the MCP servers that this project already configures, and add an entry that observes.",
  summary: "make tool modules for the servers of this project",
  options: [
    option("--from <file>", "configuration of a host, in place of those of the project; repeat for each", {
      repeated: true,
    }),
    option("--ledger <file>", "SQLite file that keeps the calls while the entry observes", {
      default: "observed.db",
    }),
    option("--no-entry", "make modules alone: leave the configurations of hosts as they are"),
    ...moduleOptions,
  ],
  examples: [
    ["foreclaim mcp init", ".mcp.json, .cursor/mcp.json, .vscode/mcp.json, .codex/config.toml"],
    ["foreclaim mcp init --from ~/.codex/config.toml", "the servers of Codex for all projects"],
  ],
  load: async () => (await import("./init.ts")).initCommand,
};

const importTools: CommandSpec = {
  name: "import",
  description: "Make a tool module from a server's saved response to `tools/list`.",
  summary: "make a tool module from a saved list of tools",
  arguments: [["<tools-list>", "response of the server, JSON; - is standard input"]],
  options: [nameOption, ...moduleOptions],
  examples: [
    ["foreclaim mcp import github.json --name github", "tools/github.ts and tools/github.lock.json"],
  ],
  load: async () => (await import("./gateway.ts")).importCommand,
};

const update: CommandSpec = {
  name: "update",
  description: "Show the changes in a server's definitions since a person accepted them.",
  summary: "show the changes at a server",
  arguments: [["[tools-list]", "response of the server, JSON (default: ask the server)"]],
  options: [
    nameOption,
    ...moduleOptions,
    option("--accept", "write the current digests into the lock; the module stays unchanged"),
  ],
  notes: `Exit codes:
  0 nothing changed, or the changes were accepted; 1 something changed; 2 bad input`,
  examples: [
    ["foreclaim mcp update --name github", "the changes at the server"],
    ["foreclaim mcp update --name github --accept", "once the module says the same"],
  ],
  load: async () => (await import("./gateway.ts")).updateCommand,
};

/** The options of both ways to serve. */
const servingOptions = [
  folderOption,
  toolFoldersOption,
  policyOption,
  option("--ledger <ledger>", "SQLite file or postgres://... (default: nothing is recorded)"),
  option("--kernel <name>", "name of the kernel in the ledger (default: main)"),
  option("--budget <amount>", "upper bound of the cost of all calls of a run"),
  option("--service <url>", "approval service to ask where no rule decides"),
  credentialOption,
  option("--key <file>", "key that signs receipts; with --service, its public key"),
  option(
    "--forms",
    "let a form that the client's host answers approve runs (weak: a host may answer by itself)",
  ),
  option("--prove-timeout <seconds>", "time limit of one proof", { default: 60, parse: seconds }),
  callTimeoutOption,
  ...solverOptions,
];

const serve: CommandSpec = {
  name: "serve",
  description:
    "Pass the tools of other servers through, each call held to standing guarantees; take programs besides.",
  summary: "pass the tools of other servers through, under guarantees",
  options: [
    ...servingOptions,
    option("--guarantee <contract>", "contract that holds of all calls; repeat for each", { repeated: true }),
    option("--observe", "refuse nothing, and report the calls that would be refused"),
    option("--face <face>", "agents see the tools alone, or programs besides", {
      choices: ["both", "tools"],
      default: "both",
    }),
  ],
  examples: [
    ["foreclaim mcp serve --observe", "reports the calls that would be refused"],
    ["foreclaim mcp serve --guarantee \"files.pathBelow(['/srv'])\"", "nothing outside /srv"],
  ],
  load: async (version) => {
    const command = await import("./serve.ts");
    return (host, options: McpServeOptions) => command.mcp(host, options, version);
  },
};

const suggest: CommandSpec = {
  name: "suggest",
  description:
    "Propose standing guarantees that held of every observed call, with the attacks that each refuses.",
  summary: "propose guarantees from observed sessions",
  options: [
    folderOption,
    toolFoldersOption,
    option("--ledger <ledger>", "ledger of the observed sessions"),
    option("--kernel <name>", "name of the kernel in the ledger (default: main)"),
    option("--accept <numbers>", "add these to foreclaim.json: 1,3 or all", { repeated: true }),
    jsonOption,
  ],
  examples: [
    ["foreclaim mcp suggest --ledger ledger.db", "the guarantees that held so far"],
    ["foreclaim mcp suggest --ledger ledger.db --accept 1,3", "makes two of them standing"],
  ],
  load: async () => (await import("./suggest.ts")).suggestCommand,
};

export const mcp: CommandSpec = {
  name: "mcp",
  description: "Prove and run the programs of agents over MCP, on standard input and output.",
  summary: "serve agents over MCP; tools of other servers",
  options: servingOptions,
  examples: [
    ["foreclaim mcp --policy policy.json", "runs programs that a rule approves"],
    ["foreclaim mcp --service http://127.0.0.1:4173 --credential agent --key approve.pub", "asks people"],
    ["foreclaim mcp import github.json --name github", "the tools of another server"],
  ],
  load: async (version) => {
    const command = await import("./serve.ts");
    return (host, options: McpOptions) => command.mcp(host, options, version);
  },
  commands: [serve, add, init, importTools, update, suggest],
};

export const mcpWorker: CommandSpec = {
  name: "mcp-worker",
  description: "Works for `foreclaim mcp`.",
  summary: "",
  hidden: true,
  load: async () => (await import("./worker.ts")).work,
};
