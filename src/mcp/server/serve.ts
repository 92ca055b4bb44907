/** Serves MCP over standard input and output until the client is gone. */
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Failure, type FileSystem, Runs } from "../../app/index.ts";
import type { Result } from "../../ir/index.ts";
import { PassThrough } from "../gateway/pass-through.ts";
import { Asking } from "./asking.ts";
import { JobPool } from "./job-pool.ts";
import { mcpServer, ownTools } from "./server.ts";
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

/** Returns why it cannot serve; undefined once the client is gone. */
export async function serve(parts: ServeParts): Promise<Failure | undefined> {
  const { settings, fs, stdin, stdout, version, entry, pages, interrupted, told } = parts;
  const passing = await passThroughFor(settings, told);
  if (passing?.ok === false) return passing;
  const passThrough = passing?.value;
  const hasPrograms = settings.passThrough?.hasPrograms !== false;
  const pool = new JobPool({ entry, settings, size: proofs });
  const runs = new Runs(startIn(pool));
  const asking = new Asking();
  const gone = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
  });
  const { proveTimeoutMs } = settings;
  const handle = serveStdio(
    () =>
      mcpServer({
        version,
        pool,
        runs,
        asking,
        fs,
        pages,
        proveTimeoutMs,
        hasPrograms,
        ...(passThrough && { passThrough }),
      }),
    {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => told(error.message),
    },
  );
  await Promise.race([gone, interrupted]);
  await pool.close();
  await handle.close();
  await passThrough?.close();
  return undefined;
}

async function passThroughFor(
  { folder, tools, policy, ledger, kernel, budget, callTimeoutMs, passThrough }: McpSettings,
  told: (text: string) => void,
): Promise<Result<PassThrough, Failure> | undefined> {
  if (passThrough === undefined) return undefined;
  const { guarantees, observe, hasPrograms } = passThrough;
  return PassThrough.open({
    folder,
    ...(tools && { modules: tools }),
    ...(policy !== undefined && { policy }),
    ...(ledger !== undefined && { ledger, kernel }),
    ...(budget !== undefined && ledger === undefined && { budget }),
    guarantees,
    observe,
    taken: hasPrograms ? ownTools : [],
    callTimeoutMs,
    told,
  });
}
