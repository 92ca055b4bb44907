/** A real client of the protocol at a real `foreclaim mcp`. */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { root } from "../cli/built.ts";

export const eras = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

export type Era = (typeof eras)[number][1];

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** The server's standard error so far. */
  readonly errors: () => string;
  // Tests say what they expect of it.
  readonly call: (name: string, args: object) => Promise<ReturnType<typeof JSON.parse>>;
  /** Questions to the client's host so far. */
  readonly asked: readonly Asked[];
  readonly close: () => Promise<void>;
}

/** A question to the host of the client. */
export interface Asked {
  readonly mode?: string;
  readonly url?: string;
  readonly message: string;
  readonly requestedSchema?: { readonly properties: object };
}

/** The answers of the client's host. */
export type Host = (params: Asked) => object;

export async function connect(
  folder: string,
  args: readonly string[],
  era: Era = "legacy",
  env: Readonly<Record<string, string>> = {},
  host?: Host,
): Promise<Connected> {
  const capabilities = { elicitation: { url: {}, form: {} } };
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: era }, ...(host && { capabilities }) },
  );
  const asked: Asked[] = [];
  if (host !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      // SAFETY: the parts of a question that tests look at; a wrong answer is what some of them try.
      asked.push(params as Asked);
      return host(params as Asked) as never;
    });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, "dist/cli/main.js"), "mcp", ...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const wrong: Error[] = [];
  client.onerror = (error) => wrong.push(error);
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    errors: () => said,
    asked,
    call: async (name, given) => {
      const answer = await client.callTool({ name, arguments: { ...given } });
      // Something that is no message of the protocol on standard output.
      if (wrong[0] !== undefined) throw wrong[0];
      return answer.isError === true ? answer : answer.structuredContent;
    },
    close: () => client.close(),
  };
}
