/** Serves MCP over standard input and output until the client is gone. */
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type FileSystem, Runs } from "../../app/index.ts";
import { JobPool } from "./job-pool.ts";
import { mcpServer } from "./server.ts";
import type { McpSettings } from "./settings.ts";
import { startIn } from "./start-run.ts";

export interface ServeParts {
  readonly settings: McpSettings;
  readonly fs: FileSystem;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  /** The script that starts a job process. */
  readonly entry: string;
  /** The folder with a page for each error code. */
  readonly pages: string;
  /** Resolves when the operator wants it to end. */
  readonly interrupted: Promise<void>;
  readonly told: (text: string) => void;
}

/** LIMIT: of proofs at the same time. */
const proofs = 4;

export async function serve(parts: ServeParts): Promise<void> {
  const { settings, fs, stdin, stdout, version, entry, pages, interrupted, told } = parts;
  const pool = new JobPool({ entry, settings, size: proofs });
  const runs = new Runs(startIn(pool));
  const gone = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
  });
  const { proveTimeoutMs } = settings;
  const handle = serveStdio(() => mcpServer({ version, pool, runs, fs, pages, proveTimeoutMs }), {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: (error) => told(error.message),
  });
  await Promise.race([gone, interrupted]);
  await pool.close();
  await handle.close();
}
