/** Serves the playground: its files and no others. Nothing that is typed there comes back. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { systemCode, systemWords } from "../files/system-words.ts";
import type { PlaygroundFile, PlaygroundFiles } from "./files.ts";

export interface PlaygroundServer {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** LIMIT: requests have no bodies. */
const requestMs = 10_000;

export async function servePlayground(
  files: PlaygroundFiles,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Result<PlaygroundServer, Failure>> {
  const { listen } = await import("../service/listen.ts");
  try {
    const socket = await listen({ fetch: (request) => answerTo(files, request) }, host, port, requestMs);
    const name = host.includes(":") ? `[${host}]` : host;
    return ok({ address: `http://${name}:${socket.port}/`, close: socket.close });
  } catch (thrown) {
    const code = systemCode(thrown);
    const why = code === "EADDRINUSE" ? "another process listens there already" : systemWords(code);
    return plainFailure(
      "FC9001",
      `cannot listen on \`${host}:${port}\`: ${why}`,
      "choose another port with --port",
    );
  }
}

/** Browsers give shared memory, which the solver needs, to pages that are isolated from other origins. */
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const;

async function answerTo(files: PlaygroundFiles, { method, url, headers }: Request): Promise<Response> {
  if (method !== "GET" && method !== "HEAD")
    return new Response("only GET\n", { status: 405, headers: { ...isolation, allow: "GET, HEAD" } });
  const { pathname } = new URL(url);
  const file = files.get(pathname === "/" ? "index.html" : pathname.slice(1));
  if (file === undefined) return new Response("not found\n", { status: 404, headers: isolation });
  const given = { ...isolation, etag: file.tag, "cache-control": cacheFor(file) };
  if (headers.get("if-none-match") === file.tag) return new Response(null, { status: 304, headers: given });
  const all = { ...given, "content-type": file.type, "content-length": String(file.size) };
  return new Response(method === "HEAD" ? null : bytesOf(file), { headers: all });
}

function cacheFor({ isLasting }: PlaygroundFile): string {
  return isLasting ? "public, max-age=31536000, immutable" : "no-cache";
}

function bytesOf({ path }: PlaygroundFile): ReadableStream {
  // SAFETY: the types of Node have two kinds of streams, and the values are of one.
  return Readable.toWeb(createReadStream(path)) as ReadableStream;
}
